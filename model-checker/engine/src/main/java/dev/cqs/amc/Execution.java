package dev.cqs.amc;

import dev.cqs.amc.bytecode.runtime.Hooks;

/** What the code of a scenario may tell and ask the checker. Only actors and the arbiter may call it. */
public final class Execution {

    private Execution() {}

    /**
     * Picks a number from 0 to {@code options - 1}; the checker tries all.
     *
     * @param options how many numbers there are; positive
     * @return the number of this execution
     * @throws IllegalArgumentException if {@code options} is not positive
     */
    public static int choose(int options) {
        return Hooks.choose(options);
    }

    /**
     * Excludes the executions in which {@code condition} does not hold.
     *
     * @param condition {@code false} ends the execution, which is not counted
     */
    public static void assume(boolean condition) {
        Hooks.assume(condition);
    }

    /**
     * Makes {@code value} part of the outcome of the execution.
     *
     * @param value follows what this execution observed before
     */
    public static void observe(long value) {
        Hooks.observe(value);
    }
}
