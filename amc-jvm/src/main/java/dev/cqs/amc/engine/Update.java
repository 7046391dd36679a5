package dev.cqs.amc.engine;

/** How a read-modify-write computes what it writes. */
enum Update {
    /** Writes the operand if it reads what it expects, else nothing. */
    COMPARE_AND_SET,
    SET,
    ADD;

    /** Whether it writes, having read {@code read}. */
    boolean writes(long read, long expected) {
        return this != COMPARE_AND_SET || read == expected;
    }

    /** What it writes, having read {@code read}. */
    long apply(long read, long operand) {
        return this == ADD ? read + operand : operand;
    }
}
