package dev.cqs.amc;

/** The state after all threads of a {@link Program} have ended. */
public interface FinalState {

    /**
     * {@return the last value of {@code variable}}
     *
     * @param variable of the program that was run
     */
    long get(Variable variable);

    /**
     * Fails the execution if {@code condition} does not hold.
     *
     * @param condition whether the end is a good one
     * @param message what is wrong otherwise, for the counter-example
     */
    void check(boolean condition, String message);
}
