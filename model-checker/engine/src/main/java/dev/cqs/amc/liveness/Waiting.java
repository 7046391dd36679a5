package dev.cqs.amc.liveness;

import dev.cqs.amc.CutOff;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.Exit;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.check.Unwinding;
import dev.cqs.amc.dpor.Exploration;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.History;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import dev.cqs.amc.graph.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The awaits of a thread: decides whether an iteration of a loop or of an explicit await has failed, and what to do
 * with it.
 */
public final class Waiting {
    /*
     * An execution with failed iterations has a twin without them, because a failed iteration of an await has no effect
     * that others could observe. (The AMC paper calls the executions with repeated failed iterations wasteful, and
     * filters them out.) So a thread whose iteration would fail on the latest writes does not run while another thread
     * is ready: its iteration is tried, and removed from the graph, until one of the locations that it read is written.
     * The order in which threads run does not matter, and most waits end this way. When no thread is ready, the failed
     * iterations are added, and their threads are blocked in this graph. A later write to a location that was read
     * revisits the read, and in that graph the iteration runs again. A thread that remains blocked, and reads from the
     * last write of every location, waits forever.
     *
     * An iteration may also end by a timeout: while (!ready) wait(10), or parkNanos, or join(10). It is a failed
     * iteration like any other, whose twin execution waits longer. It has failed for good if it reads from the latest
     * writes: then the thread repeats timed waits forever. An iteration that reads the clock may be the last one, by a
     * deadline, so there is no verdict on the waiting of such a thread. A timeout undoes what a wait in a monitor did
     * to the wait set.
     *
     * An iteration of a loop inside a monitor begins and ends while the thread holds the monitor, and waits without
     * holding it. Removing the whole iteration would hide that the monitor was free. So such iterations are delimited
     * by their waits: the events between two waits are removed if the later wait begins in the same state, and the twin
     * execution stays in the earlier wait. See waitsAgain.
     */

    private final RunningThread run;
    private final int id;
    private final Exit exit;
    private final Subject subject;
    private final GraphBuilder builder;
    private final Findings findings;
    private final int loopBound;
    private final OpenLoops loops = new OpenLoops();

    /** How many of the last events are reads that are removed from the graph if the iteration fails. */
    private int tried;
    /** Whether no other thread is ready, so that a failed iteration stays in the graph. */
    private boolean mustStay;
    /** Of a waiting thread: the writes that its failed iteration reads from. */
    private final List<Event> lastSeen = new ArrayList<>();
    /** The nesting depth of awaits. */
    private int awaits;
    /** The position at which the iteration of the innermost await began. */
    private int iterationBegin;
    /**
     * Where the current iteration of some loop began, and the iteration before it if that left the variables unchanged;
     * or -1.
     */
    private int thisIteration;

    private int lastIteration;
    /** The nesting depth of timed waits. */
    private int timedWaits;
    /** Of a thread that joins: the operand that identifies the joined thread, which may not be created yet. */
    private long joined;
    /** How many iterations have accessed nothing shared since the run reached this position. */
    private int idleIterations;

    private int idleSince;
    /** Of a thread that joins: whether the join is timed. */
    private boolean isJoinTimed;
    /** Of a thread that joins: the location at which a value other than 0 ends the wait, an interrupt; -1 if none. */
    private int breakOff;

    public Waiting(RunningThread run, Exploration explorer, Exit exit) {
        this.run = run;
        this.exit = exit;
        id = run.id();
        subject = explorer.subject();
        builder = explorer.builder();
        findings = explorer.findings();
        loopBound = explorer.options().loopBound();
    }

    /** A run begins. */
    public void clear() {
        tried = 0;
        awaits = 0;
        timedWaits = 0;
        idleIterations = 0;
        lastIteration = -1;
        loops.clear();
    }

    /** Sets whether failed iterations stay in the graph. */
    public void keepFailedIterations(boolean keep) {
        mustStay = keep;
    }

    /** Where in the thread's events the failed iteration begins. It extends to the last event. */
    public int iterationBegin() {
        return iterationBegin;
    }

    // Iterations of awaits and of loops

    /**
     * Runs {@code iteration} until it returns true. An iteration that returns false has no effect, or is repeated up to
     * the bound.
     */
    public void await(BooleanSupplier iteration) {
        if (exit.isLeaving()) {
            throw exit.leave();
        }
        int outer = iterationBegin;
        awaits++;
        for (int iterations = 0; ; iterations++) {
            int begin = run.position();
            iterationBegin = begin;
            if (iteration.getAsBoolean()) {
                break;
            }
            if (!hasEffect(begin)) {
                throw failedIteration(begin);
            }
            if (iterations >= loopBound) {
                throw run.cutOff(CutOff.Bound.LOOP, loopBound, 0);
            }
        }
        awaits--;
        iterationBegin = outer;
    }

    /** A loop is entered with these values of its live variables. Returns a token for the loop. */
    public int enterLoop(long[] variables, int count) {
        return loops.enter(run.position(), variables, count);
    }

    /**
     * An iteration of the loop is over. If it had no effect, and all live variables are as they were when it began,
     * then it is a failed iteration of an await.
     *
     * @param effects whether the iteration had an effect that is not in the graph
     * @param site the head of the loop
     */
    public void nextIteration(int loop, boolean effects, long[] variables, int count, int site) {
        int begin = loops.begin(loop);
        int position = run.position();
        if (begin == position) {
            countIdleIteration();
            loops.next(loop, position, variables, count);
            return;
        }
        boolean same = !effects && loops.same(loop, variables, count);
        if (same && !hasEffect(begin)) {
            throw failedIteration(begin);
        }
        lastIteration = same ? begin : -1;
        thisIteration = position;
        if (!isPrivate(begin) && loops.countIteration(loop) > loopBound) {
            throw run.cutOff(CutOff.Bound.LOOP, loopBound, site);
        }
        loops.next(loop, position, variables, count);
    }

    /**
     * Whether all events of the thread from {@code begin} on are accesses to objects that have not escaped. Such
     * iterations count as idle.
     */
    private boolean isPrivate(int begin) {
        for (int i = begin; i < run.position(); i++) {
            if (!builder.graph().event(id, i).isPrivate) {
                return false;
            }
        }
        return true;
    }

    /**
     * The thread begins a timed wait in a monitor, and has left the monitor. A failed iteration ends here if the
     * previous iteration reached the same wait in the same way, and had no effect since.
     */
    public void waitsAgain() {
        int before = run.position() - thisIteration + lastIteration;
        if (lastIteration >= 0 && before < thisIteration && repeats() && !hasEffect(before)) {
            throw failedIteration(before);
        }
    }

    /** Whether the current iteration has the same events so far as the previous one, apart from how a wait ended. */
    private boolean repeats() {
        Graph graph = builder.graph();
        for (int i = thisIteration; i < run.position(); i++) {
            Event event = graph.event(id, i);
            Event before = graph.event(id, i - thisIteration + lastIteration);
            if (event.kind != before.kind
                    || event.location != before.location
                    || event.mode != before.mode
                    || event.site != before.site
                    || event.value != before.value && !event.waitSet && !event.expiry) {
                return false;
            }
        }
        return true;
    }

    /** The code is in a loop that neither changes nor accesses anything. */
    public void spinForever() {
        if (!exit.isLeaving()) {
            findings.fail(Verdict.HANG, run.name() + " is in a loop that does nothing, so it never ends.", List.of());
        }
        throw exit.leave();
    }

    /** Waits until a monitor is free, and takes it. */
    public void enterMonitor(int location, int site) {
        await(() -> run.update(location, Update.ENTER_MONITOR, 0, 1, Mode.ACQUIRE, site) == 0);
    }

    /** Releases a monitor. */
    public void exitMonitor(int location, int site) {
        run.store(location, 0, Mode.RELEASE, site);
        run.latest().monitor = true;
    }

    // Whether an iteration has failed

    /**
     * Whether the iteration has written or chosen. Exceptions are a swap that leaves the old value, entering and
     * leaving a monitor, and a wait in a monitor that timed out.
     */
    private boolean hasEffect(int begin) {
        Graph graph = builder.graph();
        int end = run.position();
        int depth = 0;
        int waits = 0;
        for (int i = begin; i < end; i++) {
            Event event = graph.event(id, i);
            if (event.monitor) {
                depth += event.value == 0 ? -1 : 1;
            }
            if (event.waitSet && event.kind == Kind.WRITE) {
                // The notifier removes a notified thread from the wait set.
                waits += (event.value & 1L << id) == 0 ? -1 : 1;
            }
            if (depth < 0 || !isIdle(event)) {
                return true;
            }
        }
        return depth > 0 || waits != 0;
    }

    @SuppressWarnings("NullAway") // its read comes before
    private boolean isIdle(Event event) {
        return switch (event.kind) {
            case READ, FENCE -> true;
            // Writes to objects that have not escaped are counted elsewhere; see the effects of nextIteration.
            case WRITE ->
                event.monitor
                        || event.waitSet
                        || event.isPrivate
                        || event.paired && builder.graph().previousInThread(event).value == event.value;
            default -> event.timed && (event.value == 0 || event.expiry);
        };
    }

    /** The iteration that began here has failed. The caller throws the result. */
    private Unwinding failedIteration(int begin) {
        builder.histories().learnIteration(builder.graph(), id, begin, timedWaits > 0);
        return failIteration(begin, timedWaits > 0);
    }

    /** Keeps a failed iteration in the graph, or removes it. The caller throws the result. */
    public Unwinding failIteration(int begin, boolean inTimedWait) {
        iterationBegin = begin;
        Graph graph = builder.graph();
        int end = run.position();
        Event lastRead = null;
        boolean timed = inTimedWait;
        for (int i = begin; i < end; i++) {
            Event event = graph.event(id, i);
            timed |= event.timed && !endsByTime(event);
            if (event.isRead()) {
                lastRead = event;
                if (event.polled && !acquiresFrom(begin)) {
                    findings.failPlainSpin(event);
                    return exit.leave();
                }
            }
        }
        int first = Math.max(begin, end - tried);
        if (first < end && !timed) {
            return waitForNews(first);
        }
        if (lastRead != null && !lastRead.addedMax) {
            // The thread stays blocked on a value that it must not read forever: neither an execution nor a hang.
            findings.abandonHopeless();
        }
        return run.stop(timed ? ThreadStatus.LEFT_OUT : ThreadStatus.AWAITING);
    }

    /** Whether the event is a timeout of a wait, as every further iteration may have. */
    static boolean endsByTime(Event event) {
        return event.expiry && event.value == 1;
    }

    // Plain reads that a compiler may hoist out of the loop

    /** Whether a compiler may hoist a plain read that is added now out of the loop. */
    public boolean isPolled(int site) {
        return awaits > 0 && !acquiresFrom(iterationBegin)
                || loops.areOpen() && subject.spins(site) && !acquiresFrom(loops.latestBegin());
    }

    /** Whether an acquire of the thread from {@code begin} on keeps later reads from being hoisted. */
    private boolean acquiresFrom(int begin) {
        Graph graph = builder.graph();
        int end = run.position();
        for (int i = begin; i < end; i++) {
            Event event = graph.event(id, i);
            if ((event.isRead() || event.kind == Kind.FENCE) && event.mode.acquires()) {
                return true;
            }
        }
        return false;
    }

    // Iterations that are tried

    /** Adds a read. If it writes nothing, it is removed again when its iteration fails. */
    public void add(Event read) {
        read.inLoop = awaits > 0 || loops.areOpen();
        addKnown(read);
    }

    /** The same, for a read with {@code inLoop} already set. */
    public void addKnown(Event read) {
        boolean isTried = !mustStay && builder.mayTry() && read.inLoop;
        if (isTried && !(read.change != null && builder.wouldWrite(read))) {
            builder.tryRead(read);
            tried++;
        } else {
            keepTried();
            builder.addRead(read);
        }
    }

    /** Keeps the tried reads in the graph. */
    public void keepTried() {
        if (tried > 0) { // asked for each event
            keepTriedBefore(run.position());
        }
    }

    private void keepTriedBefore(int end) {
        for (int i = run.position() - tried; i < end; i++) {
            builder.keepRead(builder.graph().event(id, i));
            tried--;
        }
    }

    /** Removes the tried reads from the graph, to be tried again. */
    public void dropTried() {
        if (tried > 0) {
            drop(run.position() - tried);
        }
    }

    private void drop(int first) {
        builder.dropReads(id, first);
        run.dropped(run.position() - first);
        tried = 0;
    }

    private Unwinding waitForNews(int first) {
        keepTriedBefore(first);
        lastSeen.clear();
        for (int i = first; i < run.position(); i++) {
            lastSeen.add(builder.graph().event(id, i).source);
        }
        drop(first);
        return run.waitForNews();
    }

    /**
     * Whether the next read would complete a failed iteration if it read from the latest write, and so be removed
     * again. Then it is not added, and the thread waits.
     */
    public boolean waitsAlready(History history, Step.Add read) {
        if (mustStay || !builder.fails(id, history, read, run.position())) {
            return false;
        }
        keepTried();
        lastSeen.clear();
        lastSeen.add(builder.graph().latest(read.location()));
        run.waitForNews();
        return true;
    }

    /** Whether a location of the failed iteration has been written since, so that the iteration may succeed now. */
    public boolean hasNews() {
        for (Event source : lastSeen) {
            if (builder.graph().nextInCoherence(source) != null) {
                return true;
            }
        }
        return false;
    }

    // Waiting for time and for the ends of threads

    /** Counts an iteration that accessed nothing shared. Refuses the code after very many consecutive ones. */
    public void countIdleIteration() {
        idleIterations = run.position() == idleSince ? idleIterations + 1 : 1;
        idleSince = run.position();
        if (IdleLoops.isTooLong(idleIterations)) {
            throw exit.refuse(IdleLoops.refusal(run.name()));
        }
    }

    /** A timed wait begins, up to {@link #endTimedWait}: in other executions it ends otherwise. */
    public void beginTimedWait() {
        timedWaits++;
    }

    /** The timed wait is over. */
    public void endTimedWait() {
        timedWaits--;
    }

    /**
     * Blocks the thread until another one has ended, or until the location, unless it is -1, has a value other than 0.
     */
    public Unwinding forEnd(long operand, int interrupt) {
        joined = operand;
        breakOff = interrupt;
        iterationBegin = run.position();
        isJoinTimed = timedWaits > 0;
        return run.stop(ThreadStatus.JOINING);
    }

    /** Of a thread that joins: the joined thread, or -1 if it is not created yet. */
    public int joined() {
        return builder.graph().created(joined);
    }

    /** Of a thread that joins: whether its wait ends otherwise in other executions. */
    public boolean isBrokenOff() {
        return isJoinTimed || breakOff >= 0 && builder.latest(breakOff) != 0;
    }
}
