package dev.cqs.amc.models;

import java.nio.LongBuffer;
import java.util.BitSet;

/** A relation over the numbers below a size, as a bit matrix. */
final class Relation {

    private final int size;
    private final int words;
    private final long[] bits;

    Relation(int size) {
        this.size = size;
        words = (size + 63) >> 6;
        bits = new long[size * words];
    }

    void add(int from, int to) {
        bits[from * words + (to >> 6)] |= 1L << to;
    }

    boolean has(int from, int to) {
        return (bits[from * words + (to >> 6)] & 1L << to) != 0;
    }

    /** The successors of {@code from}. */
    BitSet row(int from) {
        return BitSet.valueOf(LongBuffer.wrap(bits, from * words, words));
    }

    /** Adds the successors of {@code to} in {@code other} to the successors of {@code from} here. */
    void addRow(int from, Relation other, int to) {
        for (int word = 0; word < words; word++) {
            bits[from * words + word] |= other.bits[to * words + word];
        }
    }

    /** Replaces the relation by its transitive closure. */
    void close() {
        for (int middle = 0; middle < size; middle++) {
            for (int from = 0; from < size; from++) {
                if (has(from, middle)) {
                    addRow(from, this, middle);
                }
            }
        }
    }

    /** Whether the relation is reflexive anywhere; after {@link #close} that means it has a cycle. */
    boolean hasLoop() {
        for (int i = 0; i < size; i++) {
            if (has(i, i)) {
                return true;
            }
        }
        return false;
    }
}
