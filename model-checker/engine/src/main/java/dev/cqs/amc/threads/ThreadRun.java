package dev.cqs.amc.threads;

import dev.cqs.amc.CutOff;
import dev.cqs.amc.Mode;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.Exit;
import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.check.Unwinding;
import dev.cqs.amc.dpor.Exploration;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import dev.cqs.amc.graph.Update;
import dev.cqs.amc.liveness.RunningThread;
import dev.cqs.amc.liveness.ThreadStatus;
import dev.cqs.amc.liveness.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the program in the current execution. It extends the graph by memoized steps (see
 * {@link MemoizedReplay}), or by running the code from its beginning, which first replays the thread's events in the
 * graph.
 */
public final class ThreadRun implements RunningThread {

    private final Exploration explorer;
    private final GraphBuilder builder;
    private final Findings findings;
    private final RunnableSubject subject;
    private final int id;
    private final Exit exit = new Exit();
    private final Waiting waiting;
    private final ThreadLifecycle lifecycle;
    private final UnescapedObjects unescaped;
    private final MemoizedReplay memoized;
    private final List<Long> observations = new ArrayList<>();

    private ThreadStatus status = ThreadStatus.READY;
    /** Of a thread that was cut off at a bound: where. */
    @SuppressWarnings("NullAway.Init") // null for any other
    private CutOff cutOff;
    /** How many of the thread's events the code has replayed or added in this execution. */
    private int ran;
    /**
     * Whether the code ran further in this execution, in a failed iteration that was removed from the graph. There it
     * may have made objects whose numbers other objects get when the thread continues, so the code has to run again.
     */
    private boolean strayed;
    /** Whether the code is on the stack. */
    private boolean active;
    /** How many events of this thread the current run has replayed or added. */
    private int position;
    /** Of a symmetric thread that follows: the leader must have more events than this. */
    private int followed;
    /** How many events the current run may add before its turn is over. */
    private int turn;

    public ThreadRun(Exploration explorer, RunnableSubject subject, int id) {
        this.explorer = explorer;
        builder = explorer.builder();
        findings = explorer.findings();
        this.subject = subject;
        this.id = id;
        waiting = new Waiting(this, explorer, exit);
        lifecycle = new ThreadLifecycle(this, explorer, exit);
        unescaped = new UnescapedObjects(this, builder);
        memoized = new MemoizedReplay(this, explorer, waiting);
    }

    // For the explorer

    @Override
    public int id() {
        return id;
    }

    public void reset() {
        status = ThreadStatus.READY;
        ran = 0;
        strayed = false;
        observations.clear(); // the thread may not be started in this graph
    }

    /** Whether the graph has events of the thread that the code has not replayed in this execution. */
    public boolean isBehind() {
        return ran < builder.graph().length(id);
    }

    /** Whether the thread can continue. */
    public boolean isReady() {
        return status == ThreadStatus.READY
                || status == ThreadStatus.JOINING && builder.graph().hasEnded(waiting.joined())
                || status == ThreadStatus.WAITING && waiting.hasNews()
                || status == ThreadStatus.FOLLOWING
                        && builder.graph().length(builder.symmetry().leader()) > followed;
    }

    @Override
    public boolean runsAtEnd() {
        return subject.start(id) == Subject.Start.AT_END;
    }

    @Override
    public ThreadStatus status() {
        return status;
    }

    /** Where the thread was cut off, if it is at a bound. */
    public CutOff cutOff() {
        return cutOff;
    }

    public boolean hasEnded() {
        return status == ThreadStatus.ENDED;
    }

    public boolean isActive() {
        return active;
    }

    @Override
    public boolean isBrokenOff() {
        return status == ThreadStatus.JOINING && waiting.isBrokenOff();
    }

    /** The thread whose end this one waits for, or -1. */
    public int awaitedEnd() {
        return status == ThreadStatus.JOINING ? waiting.joined() : -1;
    }

    @Override
    public int iterationBegin() {
        return waiting.iterationBegin();
    }

    public List<Long> observations() {
        return observations;
    }

    /** Runs from the beginning until the thread ends, is blocked, or has added {@code turn} events. */
    public void run(int turn) {
        begin(turn);
        position = 0;
        strayed = false;
        active = true;
        boolean stopsLeaving = false;
        try {
            stopsLeaving = runCode();
        } finally {
            active = false;
        }
        ran = position;
        exit.throwRefusal();
        // The code may not have returned from its last event, so the event may be incomplete.
        builder.histories()
                .learn(builder.graph(), id, Math.min(position, builder.graph().length(id)) - 1);
        if (stopsLeaving) {
            throw new UncheckableException(name() + " catches the error that takes it out of its code; let it pass.");
        }
    }

    private void begin(int newTurn) {
        turn = newTurn;
        status = ThreadStatus.READY;
        exit.clear();
        waiting.clear();
        observations.clear();
        unescaped.clear();
    }

    /**
     * Continues until the thread ends, is blocked, or has added {@code turn} events. The code runs only where the next
     * step is not memoized.
     */
    public void goOn(int turn) {
        begin(turn);
        position = builder.graph().length(id);
        if (strayed || explorer.mustRunCode() || !memoized.goOn()) {
            run(this.turn);
        }
    }

    /** Whether the turn of this thread is over. */
    boolean isTurnOver() {
        return turn == 0;
    }

    /** The graph has one more event of the thread, from a memoized step. */
    void addedMemoized() {
        turn--;
        position = builder.graph().length(id);
    }

    @Override
    public void dropped(int reads) {
        turn += reads;
        position -= reads;
        strayed |= active;
    }

    /** The thread has ended by a memoized step, with these observations. */
    void endMemoized(List<Long> observed) {
        observations.addAll(observed);
        status = ThreadStatus.ENDED;
    }

    /** Runs the code. Returns whether the code continued after it was told to unwind. */
    private boolean runCode() {
        try {
            start();
            subject.run(this);
            if (!exit.isLeaving()) {
                end();
                return false;
            }
            return true;
        } catch (Unwinding unwinding) {
            // The status of the thread, or the findings, have the reason.
            return false;
        } catch (Throwable thrown) {
            if (!exit.refuseFor(thrown, name())) {
                failWith(thrown);
            }
            return false;
        }
    }

    /**
     * Ends the check with {@code reason}, even if the code catches the error that is returned and that the caller
     * throws.
     */
    public Error refuse(Throwable reason) {
        return exit.refuse(reason);
    }

    private void start() {
        if (subject.start(id) != Subject.Start.AT_ONCE && replay(Kind.START, -1, Mode.PLAIN, 0) == null) {
            Event start = newEvent(Kind.START, -1, Mode.PLAIN, 0);
            builder.addStart(start);
            added(start);
        }
    }

    private void end() {
        waiting.keepTried();
        if (subject.start(id) == Subject.Start.WHEN_CREATED && replay(Kind.END, -1, Mode.PLAIN, 0) == null) {
            Event end = newEvent(Kind.END, -1, Mode.PLAIN, 0);
            builder.addFence(end);
            added(end);
        }
        status = ThreadStatus.ENDED;
        builder.histories().learnEnd(builder.graph(), id, observations);
        if (position < builder.graph().length(id)) {
            throw refuse(Differences.atEnd(subject, builder.graph().event(id, position)));
        }
    }

    /** Fails with an exception of the code that no handler takes. The caller throws the result. */
    public Error fail(Throwable thrown) {
        if (!exit.refuseFor(thrown, name())) {
            failWith(thrown);
        }
        return exit.leave();
    }

    private void failWith(Throwable thrown) {
        if (!exit.isLeaving()) {
            Verdict verdict = thrown instanceof AssertionError ? Verdict.CHECK_FAILED : Verdict.EXCEPTION;
            findings.fail(new Failure(verdict, name() + " throws " + thrown, latestIfAny(), thrown));
        }
    }

    @Override
    public Event latest() {
        return builder.graph().event(id, position - 1);
    }

    /** The latest event of the run, if there is one. */
    private List<Event> latestIfAny() {
        return position == 0 ? List.of() : List.of(latest());
    }

    /** The name of a thread, for reports. */
    public String nameOf(int thread) {
        return subject.threadName(thread);
    }

    @Override
    public String name() {
        return subject.threadName(id);
    }

    /** The awaits of the thread. */
    public Waiting waiting() {
        return waiting;
    }

    /** The thread's objects that have not escaped, and its final fields. */
    public UnescapedObjects unescaped() {
        return unescaped;
    }

    /** Operations on other threads. */
    public ThreadLifecycle lifecycle() {
        return lifecycle;
    }

    // Accesses

    /** Reads. The mode must be valid for a read. */
    public long load(int location, Mode mode, int site) {
        Event replayed = replay(Kind.READ, location, mode, site);
        if (replayed != null) {
            if (replayed.change != null) {
                throw differs(replayed, "reads " + subject.locationName(location), site);
            }
            return replayed.value;
        }
        Event read = newEvent(Kind.READ, location, mode, site);
        read.polled = mode == Mode.PLAIN && waiting.isPolled(site);
        waiting.add(read);
        added(read);
        return read.value;
    }

    @Override
    public void store(int location, long value, Mode mode, int site) {
        Event replayed = replay(Kind.WRITE, location, mode, site);
        if (replayed == null) {
            Event write = newEvent(Kind.WRITE, location, mode, site);
            write.value = value;
            builder.addWrite(write);
            added(write);
        } else if (replayed.value != value) {
            throw differs(
                    replayed,
                    "writes " + subject.valueName(location, value) + " to " + subject.locationName(location),
                    site);
        }
    }

    @Override
    public long update(int location, Update update, long expected, long operand, Mode mode, int site) {
        Event read = replay(Kind.READ, location, mode.readPart(), site);
        if (read == null) {
            read = newEvent(Kind.READ, location, mode.readPart(), site);
            read.change = new Step.Change(update, expected, operand, mode.writePart());
            waiting.add(read);
            added(read);
        } else if (read.change == null || !read.change.is(update, expected, operand, mode.writePart())) {
            throw differs(read, "updates " + subject.locationName(location) + " in another way", site);
        }
        if (read.paired) {
            position++;
        }
        return read.value;
    }

    /** Adds a fence, in a mode that is neither plain nor opaque. */
    public void fence(Mode mode, int site) {
        if (replay(Kind.FENCE, -1, mode, site) == null) {
            Event fence = newEvent(Kind.FENCE, -1, mode, site);
            builder.addFence(fence);
            added(fence);
        }
    }

    // Choosing and checking

    /** Picks a number from 0 to {@code choices - 1}; there is at least one. */
    public int choose(int choices, int site) {
        return choose(choices, false, false, site);
    }

    private int choose(int choices, boolean timed, boolean expiry, int site) {
        Event replayed = replay(Kind.CHOICE, -1, Mode.PLAIN, site);
        if (replayed != null) {
            if (replayed.options != choices) {
                throw differs(replayed, "chooses from " + choices, site);
            }
            return (int) replayed.value;
        }
        Event choice = newEvent(Kind.CHOICE, -1, Mode.PLAIN, site);
        choice.options = choices;
        choice.timed = timed;
        choice.expiry = expiry;
        builder.addChoice(choice);
        added(choice);
        return (int) choice.value;
    }

    /**
     * Chooses whether a deadline has passed: 1 if so, else 0. If it has not, the iteration can still be a failed one,
     * but the thread does not wait forever.
     */
    public int chooseTime(int site) {
        return choose(2, true, false, site);
    }

    /**
     * Chooses whether the timed wait that begins times out: 1 if so, else 0. An iteration that times out without
     * another effect is a failed one: the loop waits again.
     */
    public int chooseExpiry(int site) {
        return choose(2, true, true, site);
    }

    /** Reads the wait set of a monitor. */
    public long loadWaitSet(int location, int site) {
        long waiters = load(location, Mode.OPAQUE, site);
        latest().waitSet = true;
        return waiters;
    }

    /** Adds this thread to the wait set of a monitor, or takes it out. */
    public void storeWaitSet(int location, long waiters, int site) {
        store(location, waiters, Mode.OPAQUE, site);
        latest().waitSet = true;
    }

    /** Excludes the execution if {@code condition} does not hold. */
    public void assume(boolean condition) {
        if (!condition) {
            throw stop(ThreadStatus.LEFT_OUT);
        }
    }

    /** Fails the execution if {@code condition} does not hold. */
    public void check(boolean condition, String message) {
        if (!condition) {
            if (!exit.isLeaving()) {
                findings.fail(Verdict.CHECK_FAILED, name() + ": " + message, latestIfAny());
            }
            throw exit.leave();
        }
    }

    /** Makes {@code value} part of the outcome. */
    public void observe(long value) {
        // They are read only if all threads end.
        observations.add(value);
    }

    /** How many values are part of the outcome so far. */
    public int observed() {
        return observations.size();
    }

    /** Unwinds the code. The thread runs again from its beginning later in this execution. */
    public Error yieldToOthers() {
        waiting.keepTried();
        return exit.leave();
    }

    /** Whether the code is unwinding. */
    public boolean isLeaving() {
        return exit.isLeaving();
    }

    // Replaying

    /** The next event if the graph has it; null if this thread has to add it now. */
    @Nullable
    Event replay(Kind kind, int location, Mode mode, int site) {
        if (exit.isLeaving() || findings.isRunOver()) {
            throw exit.leave();
        }
        if (position < builder.graph().length(id)) {
            Event event = builder.graph().event(id, position);
            if (event.kind != kind || event.location != location || event.mode != mode) {
                throw differs(event, "does " + Differences.words(subject, kind, location, mode), site);
            }
            explorer.passed(event);
            unescaped.clear();
            position++;
            return event;
        }
        if (position >= explorer.options().maxEvents()) {
            throw cutOff(CutOff.Bound.EVENTS, explorer.options().maxEvents(), site);
        }
        if (builder.mustWait(id, kind)) {
            throw follow();
        }
        if (turn == 0) {
            waiting.keepTried();
            throw exit.leave();
        }
        if (kind != Kind.READ) {
            waiting.keepTried();
        }
        return null;
    }

    /** A new event at the current position, not in the graph yet. */
    Event newEvent(Kind kind, int location, Mode mode, int site) {
        Event event = new Event(id, position, kind, location, mode);
        event.site = site;
        unescaped.announceBy(event);
        return event;
    }

    /** The event has been added to the graph, and is checked against a recording. */
    void added(Event event) {
        builder.checkRecorded(event);
        turn--;
        position++;
        if (findings.hasFailed()) {
            throw exit.leave();
        }
    }

    @Override
    public int position() {
        return position;
    }

    @Override
    public Unwinding stop(ThreadStatus reason) {
        if (!exit.isLeaving()) {
            waiting.keepTried();
            status = reason;
        }
        return exit.leave();
    }

    @Override
    public Unwinding cutOff(CutOff.Bound bound, int limit, int site) {
        String code = subject.codeName(site);
        cutOff = new CutOff(bound, limit, code == null ? name() : code, subject.placeName(site));
        return stop(ThreadStatus.AT_BOUND);
    }

    @Override
    public Unwinding waitForNews() {
        status = ThreadStatus.WAITING;
        return exit.leave();
    }

    /** Unwinds the code until the symmetric thread has gone first. */
    Unwinding follow() {
        followed = position;
        waiting.dropTried();
        status = ThreadStatus.FOLLOWING;
        return exit.leave();
    }

    /** Records an illegal call of the checker's API. The caller throws the result. */
    public IllegalArgumentException misuse(IllegalArgumentException thrown) {
        return exit.misuse(thrown);
    }

    public IllegalArgumentException misuse(String message) {
        return misuse(new IllegalArgumentException(message));
    }

    Error differs(Event before, String now, int site) {
        return refuse(Differences.inOperation(subject, before, now, site));
    }
}
