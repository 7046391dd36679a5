package dev.cqs.amc.search;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CutOff;
import dev.cqs.amc.FinalState;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.diagnosis.Snapshot;
import dev.cqs.amc.dpor.Exploration;
import dev.cqs.amc.dpor.Frame;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.dpor.RestrictedGraph;
import dev.cqs.amc.dpor.Revisits;
import dev.cqs.amc.dpor.WorkItem;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.HappensBefore;
import dev.cqs.amc.liveness.Hangs;
import dev.cqs.amc.liveness.ThreadStatus;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.program.ProgramSubject;
import dev.cqs.amc.replay.Recording;
import dev.cqs.amc.threads.RunnableSubject;
import dev.cqs.amc.threads.StackFrames;
import dev.cqs.amc.threads.ThreadRun;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Visits every consistent execution graph of a program exactly once.
 */
public final class Explorer implements Exploration {
    /*
     * One graph is extended at a time. A new event takes its first option, which is always consistent: a read reads
     * from the last write in coherence order, and a write goes to the end of coherence order (see GraphBuilder). The
     * other options become work items on the stack of the graph's frame. When all threads have ended or are blocked,
     * the graph is an execution. Then the latest work item is popped, the graph is restricted to the events at the time
     * the item was pushed, the item is applied, and the threads continue. The next step of a thread is mostly memoized
     * from other graphs (see Histories). If not, the code of the thread runs from its beginning: it replays the events
     * that are in the graph, and adds new ones.
     *
     * A read must also read from writes that are added after it. So a new write revisits reads: in a new frame, the
     * read reads from the write, and the events added after the read are removed, except those that the write depends
     * on (see RestrictedGraph). Revisits says which reads. When the work of a frame is done, the removed events are put
     * back. So there is one graph at any time, a frame per nested revisit, and no record of visited graphs.
     *
     * Blocked awaits add as few executions as possible; see Waiting.
     *
     * Read-modify-writes. Two of them may read from the same write temporarily, against atomicity. That graph is no
     * execution, but the write of the second revisits the read of the first. So the revisits are pushed before the
     * graph is abandoned.
     *
     * A search may find out that accesses that it left out of the graph matter; then it restarts with them (see
     * FreshObjects).
     */

    /** In this many first graphs all code runs, to detect nondeterministic code. */
    private static final int WHOLE_FIRST = 16;
    /** Later all code runs in one of this many graphs. */
    private static final int WHOLE_LATER = 256;

    private int wholeFirst = WHOLE_FIRST;

    private final RunnableSubject subject;
    private final Options options;
    private final MemoryModel model;
    private final Schedule schedule;
    private final Revisits revisits;
    private final Findings findings;
    private final GraphBuilder builder;
    private final Threads threads;
    private final ProgressWatch watch;
    private final ArrayDeque<Frame> frames = new ArrayDeque<>();
    private final Outcomes outcomes = new Outcomes();

    @SuppressWarnings("NullAway.Init") // the search begins with the outermost one
    private Frame frame;
    /** Whether the graph is complete and only narrated. Then the places of events in the source are collected. */
    private boolean isTold;

    private final Map<Event, String> places = new IdentityHashMap<>();

    private long runs;
    private long complete;
    private long blocked;
    private long moot;
    private long inconsistent;
    private final Set<CutOff> cutOffs = new LinkedHashSet<>();
    private int largest;

    /** Prepares the exploration of {@code program}. */
    public Explorer(Program program, Options options) {
        this(new ProgramSubject(program), options);
    }

    /** Prepares the exploration of {@code subject}. */
    public Explorer(RunnableSubject subject, Options options) {
        this(subject, options, MemoryModel.of(options.model()), Schedule.inOrder(subject.threads()));
    }

    Explorer(Program program, Options options, MemoryModel model, Schedule schedule) {
        this(new ProgramSubject(program), options, model, schedule);
    }

    Explorer(RunnableSubject subject, Options options, MemoryModel model, Schedule schedule) {
        this.subject = subject;
        this.options = options;
        this.model = model;
        this.schedule = schedule;
        revisits = new Revisits(model);
        findings = new Findings(subject, model);
        builder = new GraphBuilder(subject, model, findings, revisits);
        threads = new Threads(this, schedule);
        watch = new ProgressWatch(options, System::nanoTime);
    }

    // The main loop

    /** Explores until everything is visited, an error is found, or a limit is reached. */
    @SuppressWarnings("NullAway") // an error was found
    public Result explore() {
        watch.start(() ->
                new ExecutionEstimator(new Explorer(subject, options, model, schedule), System::nanoTime).guess());
        boolean isFinished;
        do {
            clear();
            begin();
            isFinished = search();
        } while (findings.mustRestart());
        if (!isFinished) {
            return result(Verdict.UNFINISHED);
        }
        if (findings.hasFailed()) {
            retell();
            return result(findings.failure().verdict());
        }
        if (complete == 0) {
            return result(Verdict.NOTHING_COMPLETE);
        }
        return result(cutOffs.isEmpty() ? Verdict.VERIFIED : Verdict.VERIFIED_UP_TO_BOUND);
    }

    /** Processes work items until none is left or an error is found. Returns false if a limit is reached first. */
    private boolean search() {
        while (!findings.hasFailed() && !frames.isEmpty()) {
            top();
            WorkItem work = frame.poll();
            if (work == null) {
                frames.pop().end();
            } else if (complete + blocked >= options.maxExecutions() || watch.isTimeOver(complete, blocked)) {
                return false;
            } else {
                take(work);
            }
        }
        return true;
    }

    /** Drops all findings. */
    void clear() {
        findings.clear();
        builder.histories().forget();
        outcomes.clear();
        cutOffs.clear();
        runs = 0;
        complete = 0;
        blocked = 0;
        moot = 0;
        inconsistent = 0;
        largest = 0;
    }

    /** Creates the empty graph and runs the program in it. */
    void begin() {
        frames.clear();
        frames.push(new Frame(new Graph(subject.threads()), null));
        top();
        run(-1);
    }

    /**
     * Applies a work item of the current frame, and runs the program in the resulting graph unless that is
     * inconsistent.
     */
    void take(WorkItem work) {
        if (apply(work) && !findings.hasFailed()) {
            // The thread's iteration may now fail for good; then the other threads need not run.
            run(work.type() == WorkItem.Type.READ_FROM ? work.event().thread : -1);
        }
    }

    private void top() {
        frame = frames.peek();
        builder.continueIn(frame);
    }

    /** Applies a work item. Returns false if the result is inconsistent, or is visited elsewhere. */
    @SuppressWarnings("NullAway") // only a choice has no write
    private boolean apply(WorkItem work) {
        Graph graph = frame.graph;
        Event event = work.event();
        switch (work.type()) {
            case READ_FROM -> {
                graph.restrict(event.stamp);
                return takeSource(event, work.write(), false);
            }
            case WRITE_AFTER -> {
                graph.restrict(event.stamp);
                graph.moveAfter(event, work.write());
                event.addedMax = false;
                return settle(event);
            }
            case REVISIT -> {
                return revisit(event, work.write());
            }
            default -> {
                graph.restrict(event.stamp);
                event.value = work.option();
                event.history = null;
                event.addedMax = false;
                return true;
            }
        }
    }

    /** Pushes a frame in which the events added after the read are removed, except those that the write depends on. */
    private boolean revisit(Event read, Event write) {
        frames.push(new Frame(frame.graph, new RestrictedGraph(frame.graph, read, write)));
        top();
        return takeSource(read, write, frame.graph.nextInCoherence(write) == null);
    }

    private boolean takeSource(Event read, Event source, boolean max) {
        Graph graph = frame.graph;
        graph.setSource(read, source);
        read.history = null;
        read.addedMax = max;
        HappensBefore.set(read, graph.previousInThread(read), graph.threads());
        return settle(read.paired ? builder.addPairedWrite(read) : read);
    }

    /** Checks the graph after the instruction of {@code changed} got other edges. */
    @SuppressWarnings("NullAway") // its read comes before
    private boolean settle(Event changed) {
        Graph graph = frame.graph;
        if (!model.consistent(graph, changed)) {
            inconsistent++;
            return false;
        }
        if (changed.isWrite() && !revisits.push(frame, changed)) {
            moot++;
            return false;
        }
        if (changed.isPairedWrite()) {
            findings.checkRaces(graph, graph.previousInThread(changed));
        }
        findings.checkRaces(graph, changed);
        return true;
    }

    // Running a graph

    /** Runs the threads, {@code first} before the others if it is not -1. */
    @SuppressWarnings("NullAway") // an error was found
    private void run(int first) {
        findings.beginRun();
        builder.histories().tidy();
        if (++runs % WHOLE_LATER == 0 || runs <= wholeFirst) {
            threads.runAll();
        } else {
            threads.run(first);
        }
        largest = Math.max(largest, frame.graph.size());
        if (findings.isAbandoned()) {
            moot++;
        } else if (!findings.hasFailed()) {
            finish();
        } else if (!findings.mustRestart() && findings.failure().cause() != null) {
            confirm(findings.failure());
        }
    }

    /** Runs the graph again, to tell an exception that depends on randomness from an error of the program. */
    private void confirm(Failure found) {
        findings.replaceFailure(null);
        threads.runAll();
        if (!findings.hasFailed()) {
            throw new NondeterministicProgramException(
                    found.message() + ", but not when it runs again, having read the same values.");
        }
        findings.replaceFailure(found);
    }

    /** Runs the first execution again. If it is the only one, nothing else would detect nondeterminism. */
    @SuppressWarnings("NullAway") // an error was found
    private void confirmOutcome() {
        List<Long> found = List.copyOf(outcomes.present());
        threads.runAll();
        if (findings.hasFailed() && !findings.mustRestart()) {
            throw new NondeterministicProgramException(
                    findings.failure().message() + ", but not when it has run before, having read the same values.");
        }
        collectOutcome();
        if (!found.equals(outcomes.present())) {
            throw new NondeterministicProgramException("The program observes " + outcomes.present()
                    + ", where it has observed " + found + " before, having read the same values.");
        }
    }

    private void finish() {
        builder.freezes().check(frame.graph);
        if (findings.mustRestart()) {
            return;
        }
        if (model.ordersLate()) {
            Event[] race = model.race(frame.graph);
            if (race != null) {
                findings.failRace(race[1], race[0]);
                return;
            }
        }
        boolean someBlocked = false;
        for (ThreadRun thread : threads.all()) {
            if (thread.status() == ThreadStatus.FOLLOWING
                    || thread.hasEnded() && builder.symmetry().hasDoneLess(frame.graph, thread.id())) {
                throw builder.symmetry().differ();
            }
            someBlocked |= thread.status().isBlocked() && !Hangs.isOver(frame.graph, threads.all(), thread);
            if (thread.status() == ThreadStatus.AT_BOUND) {
                cutOffs.add(thread.cutOff());
            }
        }
        if (someBlocked) {
            blocked++;
            Hangs.check(frame.graph, threads.all(), findings);
            return;
        }
        complete++;
        checkEnd();
        countOutcome();
    }

    private void checkEnd() {
        try {
            subject.checkEnd(new End());
        } catch (RuntimeException | AssertionError thrown) {
            findings.fail(
                    new Failure(Verdict.EXCEPTION, "The check of the final state throws " + thrown, List.of(), thrown));
        }
    }

    private void countOutcome() {
        collectOutcome();
        if (complete == 1 && !findings.hasFailed()) {
            confirmOutcome();
        }
        outcomes.count();
    }

    private void collectOutcome() {
        outcomes.begin();
        for (ThreadRun thread : threads.all()) {
            outcomes.add(thread.observations());
        }
        for (int location : subject.observed()) {
            outcomes.add(builder.latest(location));
        }
    }

    /** Extends graphs that lead neither to a complete execution nor to a hang. For tests. */
    void keepHopeless() {
        findings.keepHopeless();
    }

    /** Uses memoized steps from the first graph on. For tests. */
    public Explorer trustHistories() {
        wholeFirst = 0;
        return this;
    }

    // For the threads

    @Override
    public RunnableSubject subject() {
        return subject;
    }

    @Override
    public Options options() {
        return options;
    }

    @Override
    public Findings findings() {
        return findings;
    }

    @Override
    public GraphBuilder builder() {
        return builder;
    }

    Graph graph() {
        return frame.graph;
    }

    @Override
    public void runNested(int thread) {
        threads.runNested(thread, mustRunCode() ? 0 : Integer.MAX_VALUE);
    }

    // Narrating a graph

    /**
     * Runs all threads in the graph without extending it, so that their states are those at its end. Returns the
     * failure.
     */
    private @Nullable Failure retell() {
        Failure known = findings.failure();
        isTold = true;
        findings.keepHopeless();
        Failure found = threads.runInWhole();
        findings.replaceFailure(known);
        return found;
    }

    /**
     * Runs a recorded execution instead of exploring. First each thread runs as far as the values that it reads are
     * written, which takes several runs of the same code. Then all threads run once more in the complete graph.
     *
     * @throws IllegalArgumentException if it is not a recording of this subject under this model
     * @throws dev.cqs.amc.NondeterministicProgramException if the code does something else than recorded
     */
    public Result replay(String recorded) {
        return new Replay(this, Recording.read(recorded)).run();
    }

    /** Creates an empty graph, whose new events follow the recording. */
    void begin(Recording recorded) {
        builder.follow(recorded);
        frames.push(new Frame(new Graph(subject.threads()), null));
        top();
        subject.begin();
    }

    /** Runs a thread until it has added the recorded events of this turn. Failures do not matter yet. */
    void run(Recording.Turn turn) {
        threads.all()[turn.thread()].run(turn.events());
        findings.replaceFailure(null);
    }

    /**
     * Runs the whole recorded execution once more, and returns the failure. {@code accesses} are those of a recorded
     * race or spin.
     */
    @Nullable
    @SuppressWarnings("NullAway") // a recording is run
    Failure judge(Event[] accesses) {
        Failure found = retell();
        Verdict recorded = builder.recording().verdict;
        if (recorded == Verdict.DATA_RACE) {
            findings.failRace(accesses[1], accesses[0]);
        } else if (recorded == Verdict.PLAIN_SPIN) {
            findings.failPlainSpin(accesses[0]);
        } else if (found != null) {
            findings.fail(found);
        } else if (!threads.canAnyGoOn()) {
            finish();
        }
        largest = frame.graph.size();
        return findings.failure();
    }

    @Override
    public void passed(Event event) {
        if (isTold) {
            places.computeIfAbsent(event, key -> StackFrames.place());
        }
    }

    @Override
    public boolean mustRunCode() {
        return isTold || builder.recording() != null;
    }

    // For the estimator

    Frame frame() {
        return frame;
    }

    long visited() {
        return complete + blocked;
    }

    // The result

    @SuppressWarnings("NullAway") // an error has its failure
    Result result(Verdict verdict) {
        CounterExample example = findings.hasFailed()
                ? Snapshot.of(subject, frame.graph, threads.all(), findings.failure(), options, places)
                : null;
        return new Result(
                subject.name(),
                options.model(),
                subject.counted(),
                verdict,
                complete,
                blocked,
                moot,
                inconsistent,
                !cutOffs.isEmpty(),
                List.copyOf(cutOffs),
                options.loopBound(),
                largest,
                outcomes.counts(),
                example,
                List.of(),
                builder.symmetry().names(),
                List.of());
    }

    private final class End implements FinalState {

        @Override
        public long get(Variable variable) {
            return builder.latest(variable.index());
        }

        @Override
        public void check(boolean condition, String message) {
            if (!condition) {
                findings.fail(Verdict.CHECK_FAILED, "At the end: " + message, List.of());
            }
        }
    }
}
