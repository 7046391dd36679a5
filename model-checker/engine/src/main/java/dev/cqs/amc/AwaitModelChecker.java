package dev.cqs.amc;

import dev.cqs.amc.bytecode.classes.Settings;
import dev.cqs.amc.bytecode.scenario.RepairCheck;
import dev.cqs.amc.bytecode.scenario.ScenarioCheck;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.replay.RecordedOptions;
import dev.cqs.amc.search.Explorer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Checks a program in all its executions under a memory model.
 *
 * <pre>{@code
 * AwaitModelChecker.under(Model.RC11).check(MessagePassing.class).assertVerified();
 * }</pre>
 *
 * <p>An execution is wrong if a check of the program fails, if a thread throws, if a plain access is part of a data
 * race, or if threads wait forever. The search is deterministic, and ends at the first execution that is wrong. A
 * checker is immutable: each method that sets an option returns another checker.
 */
public final class AwaitModelChecker {

    private static final int DEFAULT_LOOP_BOUND = 3;
    /** All loops of a scenario class are bounded, counting loops too, so this bound is larger than that of programs. */
    private static final int DEFAULT_SCENARIO_LOOP_BOUND = 32;

    private static final int BY_KIND = -1;
    /** A longer thread has an unbounded loop that is no await, so the search would not end. */
    private static final int DEFAULT_MAX_EVENTS = 1_000;

    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

    private final Options options;
    private final Settings settings;

    private AwaitModelChecker(Options options, Settings settings) {
        this.options = options;
        this.settings = settings;
    }

    private AwaitModelChecker with(Options changed) {
        return new AwaitModelChecker(changed, settings);
    }

    private AwaitModelChecker with(Settings changed) {
        return new AwaitModelChecker(options, changed);
    }

    /**
     * {@return a checker for this model, without a limit on executions}
     *
     * @param model says which executions there are
     */
    public static AwaitModelChecker under(Model model) {
        return new AwaitModelChecker(
                new Options(Objects.requireNonNull(model, "model"), BY_KIND, DEFAULT_MAX_EVENTS, Long.MAX_VALUE),
                Settings.NONE);
    }

    /**
     * A checker with the model and the options under which a counter-example was recorded: bounds, packages, modes of
     * accesses and fields that may race. Use it to {@link #replay(Class, String) replay} the execution.
     *
     * @param recorded what {@link CounterExample#replay()} returns
     * @return a checker that finds the recorded execution again
     * @throws IllegalArgumentException if {@code recorded} is not such a text
     */
    public static AwaitModelChecker ofRecording(String recorded) {
        RecordedOptions options = RecordedOptions.of(Objects.requireNonNull(recorded, "recorded"));
        AwaitModelChecker checker = under(options.model()).with(Settings.of(options));
        for (String bound : options.all(RecordedOptions.LOOP_BOUND)) {
            checker = checker.loopBound(Integer.parseInt(bound));
        }
        for (String events : options.all(RecordedOptions.MAX_EVENTS)) {
            checker = checker.maxEvents(Integer.parseInt(events));
        }
        return checker;
    }

    /**
     * Bounds the iterations of loops with side effects: by default 3 for an await of a program, and 32 for a loop of a
     * scenario that accesses shared memory.
     *
     * @param bound how many iterations there are at most
     * @return a checker with this bound
     * @throws IllegalArgumentException if {@code bound} is negative
     */
    public AwaitModelChecker loopBound(int bound) {
        if (bound < 0) {
            throw new IllegalArgumentException("A loop is repeated 0 times or more, not " + bound + " times.");
        }
        return with(options.withLoopBound(bound));
    }

    /**
     * Cuts a thread off after {@code events} events (by default 1000). Each access, fence and choice is an event.
     *
     * @param events of one thread in one execution
     * @return a checker with this limit
     * @throws IllegalArgumentException if {@code events} is not positive
     */
    public AwaitModelChecker maxEvents(int events) {
        checkPositive(events, "the events of a thread");
        return with(options.withMaxEvents(events));
    }

    /**
     * Gives up after {@code executions} executions.
     *
     * @param executions how many, complete and blocked ones together
     * @return a checker with this limit
     * @throws IllegalArgumentException if {@code executions} is not positive
     */
    public AwaitModelChecker maxExecutions(long executions) {
        checkPositive(executions, "the executions");
        return with(options.withMaxExecutions(executions));
    }

    /**
     * Gives up after {@code time}. The clock is read every few executions, so the check may take slightly longer.
     *
     * @param time of one check
     * @return a checker with this limit
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public AwaitModelChecker maxTime(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("The limit on time must be positive, but is " + time + ".");
        }
        return with(options.withMaxTime(time));
    }

    /**
     * Reports the progress of a check to {@code listener} about once a second, in the thread that checks.
     *
     * @param listener must not throw, and delays the check while it runs
     * @return a checker with this listener
     */
    public AwaitModelChecker onProgress(Consumer<Progress> listener) {
        return onProgress(listener, PROGRESS_INTERVAL);
    }

    AwaitModelChecker onProgress(Consumer<Progress> listener, Duration interval) {
        return with(options.withListener(Objects.requireNonNull(listener, "listener"), interval));
    }

    private static void checkPositive(long limit, String what) {
        if (limit < 1) {
            throw new IllegalArgumentException("The limit on " + what + " must be positive, but is " + limit + ".");
        }
    }

    /**
     * Checks {@code program}.
     *
     * @param program its threads are run many times, always by the calling thread
     * @return the verdict, with a counter-example if it is an error
     * @throws IllegalArgumentException if a thread uses a mode that the operation does not allow, or a variable of
     *     another program
     * @throws NondeterministicProgramException if a thread does different things after it has read the same values
     */
    public Result check(Program program) {
        return new Explorer(Objects.requireNonNull(program, "program"), bounded(DEFAULT_LOOP_BOUND)).explore();
    }

    /**
     * Checks a scenario: a class with {@link Actor} methods. One object of the class is constructed, before the search,
     * and its state is the initial state of every execution. The classes of its package and of the packages of
     * {@link #instrument} are instrumented. One scenario is checked at a time: a concurrent call waits. After an error,
     * a few more checks of limited length try the suggested repairs.
     *
     * @param scenario a class with a constructor without parameters
     * @return the verdict, with a counter-example if it is an error
     * @throws IllegalArgumentException if the class is not a scenario, if its constructor or a static initializer
     *     throws, or if {@link #withMode} or {@link #allowRaces} name nothing in it
     * @throws InstrumentationException if a class cannot be instrumented
     * @throws UncheckableException if the code does something that cannot be checked
     * @throws NondeterministicProgramException if an actor does different things after it has read the same values
     */
    public Result check(Class<?> scenario) {
        Objects.requireNonNull(scenario, "scenario");
        Options bounded = bounded(DEFAULT_SCENARIO_LOOP_BOUND);
        return new RepairCheck(scenario, settings, bounded).of(ScenarioCheck.check(scenario, settings, bounded));
    }

    /**
     * Runs the one execution of {@code program} that {@link CounterExample#replay()} of an earlier check has recorded.
     * The result has a counter-example that equals the recorded one.
     *
     * <p>Use it to debug the execution. All code runs in the calling thread, so breakpoints in the program stop. The
     * code of a thread runs from its beginning several times: each time as far as the values that it reads are already
     * written. At the end the threads run once more, one after the other, each from its beginning to where the
     * execution leaves it. This last run is the one to step through.
     *
     * @param program the same as in the check
     * @param recorded from {@link CounterExample#replay()}
     * @return the verdict on this one execution
     * @throws IllegalArgumentException if {@code recorded} is not such a text, or was recorded for another program or
     *     model
     * @throws NondeterministicProgramException if the program has changed since, or is nondeterministic
     */
    public Result replay(Program program, String recorded) {
        return new Explorer(Objects.requireNonNull(program, "program"), bounded(DEFAULT_LOOP_BOUND)).replay(recorded);
    }

    /**
     * Runs the one execution of a scenario that {@link CounterExample#replay()} of an earlier check has recorded. The
     * checker must have the options of that check; {@link #ofRecording} makes such a checker. For debugging,
     * {@link #replay(Program, String)} applies to the actors too: the instrumented class has the same line numbers.
     *
     * @param scenario the same as in the check
     * @param recorded from {@link CounterExample#replay()}
     * @return the verdict on this one execution
     * @throws IllegalArgumentException if {@code recorded} is not such a text, or was recorded for another scenario or
     *     model
     * @throws NondeterministicProgramException if the code has changed since, or is nondeterministic
     */
    public Result replay(Class<?> scenario, String recorded) {
        Objects.requireNonNull(scenario, "scenario");
        return ScenarioCheck.replay(scenario, settings, bounded(DEFAULT_SCENARIO_LOOP_BOUND), recorded);
    }

    private Options bounded(int usual) {
        return options.loopBound() == BY_KIND ? options.withLoopBound(usual) : options;
    }

    /**
     * Also instruments the classes of these packages and of their subpackages.
     *
     * @param packages such as {@code my.pkg}
     * @return a checker with these packages, besides those that this one has
     */
    public AwaitModelChecker instrument(String... packages) {
        return with(settings.withPackages(List.of(packages)));
    }

    /**
     * Checks the access or fence with this {@link AccessSite#key} in {@code mode} instead of the mode in the code. It
     * helps to find out which modes an algorithm needs.
     *
     * @param site as {@link Result#sites()} names it
     * @param mode may be weaker or stronger than the one in the code
     * @return a checker with this mode, besides those that this one has
     */
    public AwaitModelChecker withMode(String site, Mode mode) {
        return with(settings.withMode(Objects.requireNonNull(site, "site"), Objects.requireNonNull(mode, "mode")));
    }

    /**
     * Allows data races on these fields, as if they were annotated with {@link RacyAllowed}. It is for code that does
     * not depend on the checker.
     *
     * @param fields such as {@code my.pkg.Node.next}; a nested class has a {@code $} in its name
     * @return a checker that allows these, besides those that this one allows
     */
    public AwaitModelChecker allowRaces(String... fields) {
        return with(settings.withRacyFields(List.of(fields)));
    }
}
