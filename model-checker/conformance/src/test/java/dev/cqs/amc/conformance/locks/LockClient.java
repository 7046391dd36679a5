package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.locks.SpinLock;

/** Threads that add to a plain counter under a lock. One of them does so twice, so that queue nodes are reused. */
public abstract class LockClient {

    private static final ThreadLocal<Integer> NUMBERS = new ThreadLocal<>();

    private final SpinLock lock;
    private int count;

    LockClient(SpinLock lock) {
        this.lock = lock;
    }

    /** The number of the calling thread. */
    public static int number() {
        return NUMBERS.get();
    }

    /** With three threads, the first and the last one are in one neighbourhood, and the other one is in another. */
    static int neighbourhood() {
        return number() % 2;
    }

    final void begin(int number) {
        NUMBERS.set(number);
    }

    final void enter() {
        lock.lock();
        count = count + 1;
        lock.unlock();
    }

    final void checkCount(int expected) {
        if (count != expected) {
            throw new AssertionError("The count is " + count + " and not " + expected + ".");
        }
    }

    /** Two threads. */
    public abstract static class Two extends LockClient {

        Two(SpinLock lock) {
            super(lock);
        }

        @Actor
        void entersTwice() {
            begin(0);
            enter();
            enter();
        }

        @Actor
        void entersOnce() {
            begin(1);
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(3);
        }
    }

    /** Three threads. */
    public abstract static class Three extends LockClient {

        Three(SpinLock lock) {
            super(lock);
        }

        @Actor
        void entersTwice() {
            begin(0);
            enter();
            enter();
        }

        @Actor(2)
        void entersOnce(int copy) {
            begin(copy + 1);
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(4);
        }
    }

    /**
     * Three threads, of which two are symmetric, for locks that do not use thread numbers and have very many
     * executions.
     */
    public abstract static class ThreeOfTwoKinds extends LockClient {

        ThreeOfTwoKinds(SpinLock lock) {
            super(lock);
        }

        @Actor
        void entersTwice() {
            enter();
            enter();
        }

        @Actor(value = 2, symmetric = true)
        void entersOnce() {
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(4);
        }
    }

    /** Two threads that lock once each. */
    public abstract static class TwoOnce extends LockClient {

        protected TwoOnce(SpinLock lock) {
            super(lock);
        }

        @Actor(2)
        void entersOnce(int number) {
            begin(number);
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(2);
        }
    }

    /** Three threads that lock once each, for locks with too many executions otherwise. */
    public abstract static class ThreeOnce extends LockClient {

        protected ThreeOnce(SpinLock lock) {
            super(lock);
        }

        @Actor(3)
        void entersOnce(int number) {
            begin(number);
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(3);
        }
    }

    /** Four threads that lock once each: two in one neighbourhood, a deferred waiter, and a newcomer. */
    public abstract static class FourOnce extends LockClient {

        protected FourOnce(SpinLock lock) {
            super(lock);
        }

        @Actor(4)
        void entersOnce(int number) {
            begin(number);
            enter();
        }

        @Arbiter
        void everyEntryCounts() {
            checkCount(4);
        }
    }
}
