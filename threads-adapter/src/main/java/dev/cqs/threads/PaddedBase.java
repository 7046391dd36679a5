package dev.cqs.threads;

/**
 * Padding against false sharing between a view and the core that is allocated after it: on the same cache line, each write
 * to the word of the core would make the next caller wait for the view.
 */
abstract class PaddedBase {
    private long unused1;
    private long unused2;
    private long unused3;
    private long unused4;
    private long unused5;
}
