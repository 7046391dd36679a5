package dev.cqs.amc;

import dev.cqs.amc.engine.Explorer;
import java.util.Objects;

/**
 * Checks a program in all its executions under a memory model.
 *
 * <pre>{@code
 * Result result = AwaitModelChecker.under(Model.RC11).check(messagePassing);
 * if (!result.isVerified()) {
 *     throw new AssertionError(result);
 * }
 * }</pre>
 *
 * <p>An execution is wrong if a check of the program does not hold, if a thread throws, if two accesses race of
 * which one is plain, or if threads wait forever. The search is deterministic, and ends at the first execution that
 * is wrong. A checker does not change; each method returns another one.
 */
public final class AwaitModelChecker {

    private static final int DEFAULT_LOOP_BOUND = 3;
    /** A thread that is longer has a loop that is no await, and the search would not end. */
    private static final int DEFAULT_MAX_EVENTS = 1_000;

    private final Explorer.Options options;

    private AwaitModelChecker(Explorer.Options options) {
        this.options = options;
    }

    /** A checker for this model, without a limit on executions. */
    public static AwaitModelChecker under(Model model) {
        return new AwaitModelChecker(new Explorer.Options(Objects.requireNonNull(model, "model"), DEFAULT_LOOP_BOUND,
                DEFAULT_MAX_EVENTS, Long.MAX_VALUE));
    }

    /**
     * Repeats an await whose rounds have effects at most so often (by default 3 times).
     *
     * @throws IllegalArgumentException if {@code bound} is negative
     */
    public AwaitModelChecker loopBound(int bound) {
        if (bound < 0) {
            throw new IllegalArgumentException("A loop is repeated 0 times or more, not " + bound + " times.");
        }
        return new AwaitModelChecker(new Explorer.Options(options.model(), bound, options.maxEvents(), options.maxExecutions()));
    }

    /**
     * Cuts a thread off after so many events (by default 1000), each access, fence and choice being one.
     *
     * @throws IllegalArgumentException if {@code events} is not positive
     */
    public AwaitModelChecker maxEvents(int events) {
        checkPositive(events, "the events of a thread");
        return new AwaitModelChecker(new Explorer.Options(options.model(), options.loopBound(), events, options.maxExecutions()));
    }

    /**
     * Gives up after so many executions.
     *
     * @throws IllegalArgumentException if {@code executions} is not positive
     */
    public AwaitModelChecker maxExecutions(long executions) {
        checkPositive(executions, "the executions");
        return new AwaitModelChecker(new Explorer.Options(options.model(), options.loopBound(), options.maxEvents(), executions));
    }

    private static void checkPositive(long limit, String what) {
        if (limit < 1) {
            throw new IllegalArgumentException("The limit on " + what + " must be positive, but is " + limit + ".");
        }
    }

    /**
     * Checks {@code program}.
     *
     * @throws IllegalArgumentException if a thread uses a mode that an operation does not have, or a variable of
     *     another program
     * @throws NondeterministicProgramException if a thread does not do the same when it reads the same
     */
    public Result check(Program program) {
        return new Explorer(Objects.requireNonNull(program, "program"), options).explore();
    }
}
