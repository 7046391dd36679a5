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
 * <p>An execution is wrong if a check of the program does not hold, if a thread throws, if two accesses race of
 * which one is plain, or if threads wait forever. The search is deterministic, and ends at the first execution that
 * is wrong. A checker does not change; each method returns another one.
 */
public final class AwaitModelChecker {

    private static final int DEFAULT_LOOP_BOUND = 3;
    /** Loops of real code count, too, and most of those that count end early. */
    private static final int DEFAULT_SCENARIO_LOOP_BOUND = 32;

    private static final int BY_KIND = -1;
    /** A thread that is longer has a loop that is no await, and the search would not end. */
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
     * A checker with the model and the options of the check that has found a counter-example: bounds, packages, modes of accesses
     * and fields that may race. It is the one to {@link #replay(Class, String) replay} the execution.
     *
     * @param recorded what {@link CounterExample#replay()} returns
     * @return a checker that finds the recorded execution again
     * @throws IllegalArgumentException if {@code recorded} is no such text
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
     * Bounds the iterations of loops with side effects: by default 3 for an await of a program, and 32 for any loop of a
     * scenario that touches what is shared.
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
     * Cuts a thread off after {@code events} events (by default 1000); each access, fence and choice is one.
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
     * Gives up after {@code time}. The clock is read every few executions, so it takes a moment longer.
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
     * Tells {@code listener} about once a second how far a check is. It is called by the thread that checks.
     *
     * @param listener must not throw, and holds the check up while it runs
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
     * @throws IllegalArgumentException if a thread uses a mode that an operation does not have, or a variable of
     *     another program
     * @throws NondeterministicProgramException if a thread does not do the same when it reads the same
     */
    public Result check(Program program) {
        return new Explorer(Objects.requireNonNull(program, "program"), bounded(DEFAULT_LOOP_BOUND)).explore();
    }

    /**
     * Checks a scenario: a class with {@link Actor} methods. Each execution has one object of it, made once by its
     * constructor without parameters. The classes in its package and in those of {@link #instrument} are
     * instrumented. One scenario is checked at a time; another thread that calls waits. If something is wrong then a few more
     * checks, of limited length, say whether what the counter-example suggests repairs it.
     *
     * @param scenario a class with a constructor without parameters
     * @return the verdict, with a counter-example if it is an error
     * @throws IllegalArgumentException if the class is no scenario, if its constructor or an initializer of a class throws,
     *     or if {@link #withMode} or {@link #allowRaces} names nothing in it
     * @throws InstrumentationException if a class cannot be instrumented
     * @throws UncheckableException if the code does something that cannot be checked
     * @throws NondeterministicProgramException if an actor does not do the same when it reads the same
     */
    public Result check(Class<?> scenario) {
        Objects.requireNonNull(scenario, "scenario");
        Options bounded = bounded(DEFAULT_SCENARIO_LOOP_BOUND);
        return new RepairCheck(scenario, settings, bounded).of(ScenarioCheck.check(scenario, settings, bounded));
    }

    /**
     * Runs one execution of {@code program} again: the one that {@link CounterExample#replay()} of an earlier check has
     * recorded. The result has a counter-example that equals the recorded one.
     *
     * <p>It serves to look at the execution with a debugger. All runs in the thread that calls, so breakpoints in the code of the
     * program stop. A thread of the program is run from its beginning each time it is its turn, as far as what it reads has been
     * written; so a breakpoint stops several times. In the end all threads are run once more, one after the other, each
     * from its beginning to where the execution leaves it, with all that they read in place: that is the run to look at.
     *
     * @param program the same as in the check
     * @param recorded from {@link CounterExample#replay()}
     * @return the verdict on this one execution
     * @throws IllegalArgumentException if {@code recorded} is no such text, or is about another program or another model
     * @throws NondeterministicProgramException if the program has changed since, or does not do the same when it reads the same
     */
    public Result replay(Program program, String recorded) {
        return new Explorer(Objects.requireNonNull(program, "program"), bounded(DEFAULT_LOOP_BOUND)).replay(recorded);
    }

    /**
     * Runs one execution of a scenario again: the one that {@link CounterExample#replay()} of an earlier check has recorded. The
     * checker needs to be the same as then: the model, the packages, and the modes of accesses; {@link #ofRecording} makes one. What {@link #replay(Program,
     * String)} says about debuggers goes for the actors, too; the class that runs is an instrumented one with the same lines.
     *
     * @param scenario the same as in the check
     * @param recorded from {@link CounterExample#replay()}
     * @return the verdict on this one execution
     * @throws IllegalArgumentException if {@code recorded} is no such text, or is about another scenario or another model
     * @throws NondeterministicProgramException if the code has changed since, or does not do the same when it reads the same
     */
    public Result replay(Class<?> scenario, String recorded) {
        Objects.requireNonNull(scenario, "scenario");
        return ScenarioCheck.replay(scenario, settings, bounded(DEFAULT_SCENARIO_LOOP_BOUND), recorded);
    }

    private Options bounded(int usual) {
        return options.loopBound() == BY_KIND ? options.withLoopBound(usual) : options;
    }

    /**
     * Has also the classes in these packages, and in those below them, be checked instead of trusted.
     *
     * @param packages such as {@code my.pkg}
     * @return a checker with these packages, besides those that this one has
     */
    public AwaitModelChecker instrument(String... packages) {
        return with(settings.withPackages(List.of(packages)));
    }

    /**
     * Has the access or fence with this {@link AccessSite#key} be as strong as {@code mode}, whatever the code says. It
     * answers which modes an algorithm needs.
     *
     * @param site as {@link Result#sites()} names it
     * @param mode may be weaker or stronger than the one in the code
     * @return a checker with this mode, besides those that this one has
     */
    public AwaitModelChecker withMode(String site, Mode mode) {
        return with(settings.withMode(Objects.requireNonNull(site, "site"), Objects.requireNonNull(mode, "mode")));
    }

    /**
     * Has the plain accesses of these fields race, as if the fields had the annotation {@link RacyAllowed}, which code that
     * does not depend on the checker cannot have.
     *
     * @param fields such as {@code my.pkg.Node.next}; a nested class has a {@code $} in its name
     * @return a checker that allows these, besides those that this one allows
     */
    public AwaitModelChecker allowRaces(String... fields) {
        return with(settings.withRacyFields(List.of(fields)));
    }
}
