package dev.cqs.amc.tests.rows;

/** A lock of which it is known in how many ways few threads can take it. Each thread has a number from 0 on. */
public interface RowLock {

    void acquire(int me);

    void release(int me);
}
