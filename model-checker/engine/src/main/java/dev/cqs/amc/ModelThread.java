package dev.cqs.amc;

import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * The operations of a thread of a {@link Program}. The names are those of {@link java.lang.invoke.VarHandle}; the
 * general forms take the {@link Mode} as an argument.
 *
 * <p>A thread waits by {@link #await(BooleanSupplier)} or its relatives. The checker then knows that a failed iteration
 * has no effect, does not explore its repetitions, and tells a thread that still waits from one that waits forever.
 */
public interface ModelThread {

    // The general forms

    /**
     * Reads.
     *
     * @param variable what is read
     * @param mode how the read is ordered
     * @return its value
     * @throws IllegalArgumentException if {@code mode} is {@code RELEASE} or {@code ACQUIRE_RELEASE}
     */
    long load(Variable variable, Mode mode);

    /**
     * Writes.
     *
     * @param variable what is written
     * @param value what it is from then on
     * @param mode how the write is ordered
     * @throws IllegalArgumentException if {@code mode} is {@code ACQUIRE} or {@code ACQUIRE_RELEASE}
     */
    void store(Variable variable, long value, Mode mode);

    /**
     * Replaces {@code expected} by {@code value}. It never fails spuriously. If it fails, it is a read.
     *
     * @param variable read, and written if the value is the expected one
     * @param expected the value that is replaced
     * @param value the value that replaces it
     * @param mode of both accesses; if it fails, of the read
     * @return whether the variable held {@code expected}
     */
    boolean compareAndSet(Variable variable, long expected, long value, Mode mode);

    /**
     * Replaces {@code expected} by {@code value}. It never fails spuriously. If it fails, it is a read.
     *
     * @param variable read, and written if the value is the expected one
     * @param expected the value that is replaced
     * @param value the value that replaces it
     * @param mode of both accesses; if it fails, of the read
     * @return the previous value
     */
    long compareAndExchange(Variable variable, long expected, long value, Mode mode);

    /**
     * Replaces the value.
     *
     * @param variable read and written in one step
     * @param value the value that replaces it
     * @param mode of both accesses
     * @return the previous value
     */
    long getAndSet(Variable variable, long value, Mode mode);

    /**
     * Adds to the value.
     *
     * @param variable read and written in one step
     * @param delta what is added to it
     * @param mode of both accesses
     * @return the previous value
     */
    long getAndAdd(Variable variable, long delta, Mode mode);

    /**
     * Adds a fence.
     *
     * @param mode at least acquire or release
     * @throws IllegalArgumentException if {@code mode} is plain or opaque, which order nothing
     */
    void fence(Mode mode);

    // Waiting

    /**
     * Waits: runs {@code iteration} until it returns true. An iteration that returns false must have no effect, neither
     * on shared nor on local variables. If it has written, it is an ordinary loop iteration, and the loop bound of the
     * checker applies.
     *
     * @param iteration one iteration of the await
     */
    void await(BooleanSupplier iteration);

    /**
     * Waits for a value.
     *
     * @param variable read until its value is a wanted one
     * @param mode of the reads
     * @param wanted whether the wait is over with this value
     * @return the value
     */
    long await(Variable variable, Mode mode, LongPredicate wanted);

    // Choosing and checking

    /**
     * Picks a number from 0 to {@code options - 1}; the checker tries all.
     *
     * @param options how many numbers there are; positive
     * @return the number of this execution
     */
    int choose(int options);

    /**
     * Excludes the executions in which {@code condition} does not hold.
     *
     * @param condition {@code false} ends the execution, which is not counted
     */
    void assume(boolean condition);

    /**
     * Fails the execution if {@code condition} does not hold.
     *
     * @param condition what has to hold
     * @param message what is wrong otherwise, for the counter-example
     */
    void check(boolean condition, String message);

    /**
     * Makes {@code value} part of the outcome of the execution.
     *
     * @param value follows what this thread observed before
     */
    void observe(long value);

    // The names of VarHandle

    /**
     * Reads a plain field.
     *
     * @param variable what is read
     * @return its value
     */
    default long get(Variable variable) {
        return load(variable, Mode.PLAIN);
    }

    /**
     * Reads in opaque mode.
     *
     * @param variable what is read
     * @return its value
     */
    default long getOpaque(Variable variable) {
        return load(variable, Mode.OPAQUE);
    }

    /**
     * Reads, ordered before everything that follows.
     *
     * @param variable what is read
     * @return its value
     */
    default long getAcquire(Variable variable) {
        return load(variable, Mode.ACQUIRE);
    }

    /**
     * Reads a volatile field.
     *
     * @param variable what is read
     * @return its value
     */
    default long getVolatile(Variable variable) {
        return load(variable, Mode.VOLATILE);
    }

    /**
     * Writes a plain field.
     *
     * @param variable what is written
     * @param value what it is from then on
     */
    default void set(Variable variable, long value) {
        store(variable, value, Mode.PLAIN);
    }

    /**
     * Writes in opaque mode.
     *
     * @param variable what is written
     * @param value what it is from then on
     */
    default void setOpaque(Variable variable, long value) {
        store(variable, value, Mode.OPAQUE);
    }

    /**
     * Writes, ordered after everything that precedes.
     *
     * @param variable what is written
     * @param value what it is from then on
     */
    default void setRelease(Variable variable, long value) {
        store(variable, value, Mode.RELEASE);
    }

    /**
     * Writes a volatile field.
     *
     * @param variable what is written
     * @param value what it is from then on
     */
    default void setVolatile(Variable variable, long value) {
        store(variable, value, Mode.VOLATILE);
    }

    /** A full fence: orders everything before it with everything after it. */
    default void fullFence() {
        fence(Mode.VOLATILE);
    }

    /** Orders the reads before it with everything that follows. */
    default void acquireFence() {
        fence(Mode.ACQUIRE);
    }

    /** Orders everything that precedes with the writes after it. */
    default void releaseFence() {
        fence(Mode.RELEASE);
    }
}
