package dev.cqs.sync;

/**
 * Keeps the word of a primitive away from the object that was allocated before it, most often the face that leads to it:
 * on the same cache line, each write to the word would make the next caller wait for the face.
 */
abstract class Distance {
    private long unused1;
    private long unused2;
    private long unused3;
    private long unused4;
}
