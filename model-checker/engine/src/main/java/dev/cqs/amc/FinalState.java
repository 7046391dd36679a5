package dev.cqs.amc;

/** The state after all threads of a {@link Program} have ended. */
public interface FinalState {

    /** The last value of {@code variable}. */
    long get(Variable variable);

    /** Fails the execution if {@code condition} does not hold. */
    void check(boolean condition, String message);
}
