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

/** What a run of a thread waits for: says whether a round of a loop or of an await has failed, and what becomes of it then. */
public final class Waiting {
    /*
     * Any execution with failed rounds has a twin without them, as a round of an await that fails leaves no trace that
     * others could use. A thread whose round would fail on the latest writes is therefore not run as long as
     * another one can be: its round is tried, and taken out of the graph again, until something it has read is written.
     * In which order threads run changes nothing, and most waits end this way. When no thread can go on, the failed rounds are
     * added, and their threads are blocked in this graph; a later write to what one has read revisits the read, and in that
     * graph the round is run again. What remains blocked reading the latest writes of all locations it has read waits
     * forever.
     *
     * A round may also end by time: while (!ready) wait(10), or parkNanos, or join(10). It is a failed round like any other,
     * of which the twin execution waits longer, and it has failed for good, too, if it has read the latest writes: then the
     * thread waits in turns for ever. A round in which the clock has been looked at may be the last one, by a deadline; of
     * such a thread nothing is known. What a wait in a monitor does to its wait set is undone when time ends it.
     *
     * A round of a loop inside of a monitor begins and ends within it, and waits outside. To cut it out would take away that
     * the monitor was free. So the rounds of such a loop are told by their waits: what lies between two waits is cut out if the
     * later one begins in the same state, and the twin execution stays in the earlier wait. See waitsAgain.
     */

    private final RunningThread run;
    private final int id;
    private final Exit exit;
    private final Subject subject;
    private final GraphBuilder builder;
    private final Findings findings;
    private final int loopBound;
    private final OpenLoops loops = new OpenLoops();

    /** How many of the last events are reads that are taken out of the graph again if the round fails. */
    private int tried;
    /** Whether no other thread can go on, so that a failed round has to stay. */
    private boolean mustStay;
    /** Of a thread that waits: the sources of the reads of its failed round. */
    private final List<Event> lastSeen = new ArrayList<>();
    /** How many awaits the code is in, one inside the other. */
    private int awaits;
    /** The position at which the round of the innermost await has begun. */
    private int roundBegin;
    /** Where the present round of some loop has begun, and the one before it, if that has left its variables as they were; or -1. */
    private int thisRound;

    private int lastRound;
    /** How many waits the code is in that time may end. */
    private int timedWaits;
    /** Of a thread that joins: with what the thread is created that must end. It may be about to be. */
    private long joined;
    /** How many rounds of loops have touched nothing since the run came to this position. */
    private int idleRounds;

    private int idleSince;
    /** Of a thread that joins: whether time may end the wait. */
    private boolean isJoinTimed;
    /** Of a thread that joins: where something else than 0 would end the wait; -1 if nowhere. */
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

    /** A run begins, of code that waits for nothing yet. */
    public void clear() {
        tried = 0;
        awaits = 0;
        timedWaits = 0;
        idleRounds = 0;
        lastRound = -1;
        loops.clear();
    }

    /** Has failed rounds stay in the graph, or not. */
    public void keepFailedRounds(boolean keep) {
        mustStay = keep;
    }

    /** Where in the graph the failed round begins. It ends at the end of the thread. */
    public int roundBegin() {
        return roundBegin;
    }

    // Rounds of awaits and of loops

    /** Runs {@code round} until it returns true. A round that returns false has no effect, or is repeated up to the bound. */
    public void await(BooleanSupplier round) {
        if (exit.isLeaving()) {
            throw exit.leave();
        }
        int outer = roundBegin;
        awaits++;
        for (int rounds = 0; ; rounds++) {
            int begin = run.position();
            roundBegin = begin;
            if (round.getAsBoolean()) {
                break;
            }
            if (!hasEffect(begin)) {
                throw failedRound(begin);
            }
            if (rounds >= loopBound) {
                throw run.cutOff(CutOff.Bound.LOOP, loopBound, 0);
            }
        }
        awaits--;
        roundBegin = outer;
    }

    /** A loop is entered with these values of its variables; returns what tells it from others that are under way. */
    public int enterLoop(long[] variables, int count) {
        return loops.enter(run.position(), variables, count);
    }

    /**
     * A round of the loop is over. If it has read without effect, and all variables are as they were when it began,
     * then it is a failed round of an await.
     *
     * @param effects whether the round has done something besides what is in the graph
     * @param site the head of the loop
     */
    public void nextRound(int loop, boolean effects, long[] variables, int count, int site) {
        int begin = loops.begin(loop);
        int position = run.position();
        if (begin == position) {
            countIdleRound();
            loops.next(loop, position, variables, count);
            return;
        }
        boolean same = !effects && loops.same(loop, variables, count);
        if (same && !hasEffect(begin)) {
            throw failedRound(begin);
        }
        lastRound = same ? begin : -1;
        thisRound = position;
        if (!isPrivate(begin) && loops.countRound(loop) > loopBound) {
            throw run.cutOff(CutOff.Bound.LOOP, loopBound, site);
        }
        loops.next(loop, position, variables, count);
    }

    /** Whether all that the thread has done from {@code begin} on is private. Such rounds are repeated as those that do nothing shared. */
    private boolean isPrivate(int begin) {
        for (int i = begin; i < run.position(); i++) {
            if (!builder.graph().event(id, i).isPrivate) {
                return false;
            }
        }
        return true;
    }

    /**
     * A thread begins to wait in a monitor, for some time, and has left it. It is a failed round that ends here if the round
     * before has come to the same wait in the same way, and nothing has happened since.
     */
    public void waitsAgain() {
        int before = run.position() - thisRound + lastRound;
        if (lastRound >= 0 && before < thisRound && repeats() && !hasEffect(before)) {
            throw failedRound(before);
        }
    }

    /** Whether the present round has done the same so far as the one before it, but for when a wait ends. */
    private boolean repeats() {
        Graph graph = builder.graph();
        for (int i = thisRound; i < run.position(); i++) {
            Event event = graph.event(id, i);
            Event before = graph.event(id, i - thisRound + lastRound);
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

    /** The code is in a loop that neither changes nor touches anything. */
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

    /** Gives a monitor back. */
    public void exitMonitor(int location, int site) {
        run.store(location, 0, Mode.RELEASE, site);
        run.latest().monitor = true;
    }

    // Whether a round has failed

    /**
     * Whether the round has written or chosen; to swap in the value that is there already does not count, nor does it to
     * enter a monitor and to leave it, or to wait in one until the time is over.
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
                // A thread that has been notified is taken out of the wait set by another one.
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
            // What no other thread can know is kept in mind by its maker; see nextRound.
            case WRITE ->
                event.monitor
                        || event.waitSet
                        || event.isPrivate
                        || event.paired && builder.graph().previous(event).value == event.value;
            default -> event.timed && (event.value == 0 || event.expiry);
        };
    }

    /** What to throw when a round has failed that began here. */
    private Unwinding failedRound(int begin) {
        builder.histories().learnRound(builder.graph(), id, begin, timedWaits > 0);
        return failRound(begin, timedWaits > 0);
    }

    /** Leaves a round that has failed as it is, or out. Returns what to throw. */
    public Unwinding failRound(int begin, boolean inTimedWait) {
        roundBegin = begin;
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
            // It stays blocked whatever comes, on a value that it must not see for ever: no execution, no hang.
            findings.abandonHopeless();
        }
        return run.stop(timed ? ThreadStatus.LEFT_OUT : ThreadStatus.AWAITING);
    }

    /** Whether a wait has ended by time, as it would in every further round. */
    static boolean endsByTime(Event event) {
        return event.expiry && event.value == 1;
    }

    // Plain reads that a compiler may do once for all rounds

    /** Whether a plain read that is added now may be done before the round. */
    public boolean isPolled(int site) {
        return awaits > 0 && !acquiresFrom(roundBegin)
                || loops.areOpen() && subject.spins(site) && !acquiresFrom(loops.latestBegin());
    }

    /** Whether something in the thread from {@code begin} on keeps later reads from being done before it. */
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

    // Rounds that are tried

    /** Adds a read, of which a failed round may leave nothing if it writes nothing. */
    public void add(Event read) {
        read.inLoop = awaits > 0 || loops.areOpen();
        addKnown(read);
    }

    /** The same for one that knows whether it is in a loop. */
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

    /** What has been read so far stays in the graph. */
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

    /** What was tried is taken out of the graph, to be tried again. */
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
     * Whether the read, which comes next, would be a failed round if it read the latest write, and be taken out of the graph
     * again. Then it need not be added, and the thread waits.
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

    /** Whether a round that has failed may not fail now. */
    public boolean hasNews() {
        for (Event source : lastSeen) {
            if (builder.graph().next(source) != null) {
                return true;
            }
        }
        return false;
    }

    // Waiting for time and for the ends of threads

    /** A round of some loop has touched nothing that is shared. Refuses the code if there have been very many one after the other. */
    public void countIdleRound() {
        idleRounds = run.position() == idleSince ? idleRounds + 1 : 1;
        idleSince = run.position();
        if (IdleLoops.isTooLong(idleRounds)) {
            throw exit.refuse(IdleLoops.refusal(run.name()));
        }
    }

    /** What is waited for from here to {@link #endTimedWait} may not come: the wait ends another way in other executions. */
    public void beginTimedWait() {
        timedWaits++;
    }

    /** The timed wait is over. */
    public void endTimedWait() {
        timedWaits--;
    }

    /** The thread cannot go on before another one has ended, or, if the location is not -1, holds something else than 0. */
    public Unwinding forEnd(long operand, int interrupt) {
        joined = operand;
        breakOff = interrupt;
        roundBegin = run.position();
        isJoinTimed = timedWaits > 0;
        return run.stop(ThreadStatus.JOINING);
    }

    /** Of a thread that joins: the thread that must end, or -1 if there is none yet. */
    public int joined() {
        return builder.graph().created(joined);
    }

    /** Of a thread that joins: whether its wait has another end in other executions. */
    public boolean isBrokenOff() {
        return isJoinTimed || breakOff >= 0 && builder.latest(breakOff) != 0;
    }
}
