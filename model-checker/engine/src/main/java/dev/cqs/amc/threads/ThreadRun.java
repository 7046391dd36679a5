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
 * A thread of the program in the present execution: extends the graph, from memory (see {@link MemoizedReplay}) or by running the code
 * from its beginning, which replays what the graph has of it first.
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
    private final Unshared unshared;
    private final MemoizedReplay memoized;
    private final List<Long> observations = new ArrayList<>();

    private ThreadStatus status = ThreadStatus.READY;
    /** Of one that is at a bound: where. */
    @SuppressWarnings("NullAway.Init") // null for any other
    private CutOff cutOff;
    /** How many events of the graph the code has passed in this execution. */
    private int ran;
    /**
     * Whether the code has done more in this execution than that: a round that was taken out of the graph. It may have made
     * objects that it makes otherwise when it goes on, with the same numbers, so it has to run again.
     */
    private boolean strayed;
    /** Whether the code is running, perhaps further down on the stack. */
    private boolean active;
    /** How many events of this thread the present run has passed. */
    private int position;
    /** Of one that follows: how many events the one that leads must have more than. */
    private int followed;
    /** How many events the present run may add before another thread has its turn. */
    private int turn;

    public ThreadRun(Exploration explorer, RunnableSubject subject, int id) {
        this.explorer = explorer;
        builder = explorer.builder();
        findings = explorer.findings();
        this.subject = subject;
        this.id = id;
        waiting = new Waiting(this, explorer, exit);
        lifecycle = new ThreadLifecycle(this, explorer, exit);
        unshared = new Unshared(this, builder);
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
        observations.clear(); // it may not be started in this graph
    }

    /** Whether the graph has more of the thread than the code has done in this execution. */
    public boolean isBehind() {
        return ran < builder.graph().length(id);
    }

    /** Whether the code can go on, as far as this thread is concerned. */
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

    /** Where a thread that is at a bound was cut off. */
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
    public int roundBegin() {
        return waiting.roundBegin();
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
        // The code may not have come back from the last event, and so not have said all of it.
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
        unshared.clear();
    }

    /**
     * Goes on until the thread ends, is blocked, or has added {@code turn} events. The code runs only if it is not known
     * what it does.
     */
    public void goOn(int turn) {
        begin(turn);
        position = builder.graph().length(id);
        if (strayed || explorer.mustRunCode() || !memoized.goOn()) {
            run(this.turn);
        }
    }

    /** Whether another thread has its turn now. */
    boolean isTurnOver() {
        return turn == 0;
    }

    /** The graph has one more event of the thread, without the code having run. */
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

    /** The thread has come to its end, without the code having run, and having observed this. */
    void endMemoized(List<Long> observed) {
        observations.addAll(observed);
        status = ThreadStatus.ENDED;
    }

    /** Whether the code has gone on after it had been told to leave. */
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
            // The reason is in the state of the thread or of the explorer.
            return false;
        } catch (Throwable thrown) {
            if (!exit.refuseFor(thrown, name())) {
                failWith(thrown);
            }
            return false;
        }
    }

    /** Ends the check with {@code reason}, whatever the code makes of the error that is returned and has to be thrown. */
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

    /** Fails with what the code has thrown and nothing takes. Returns what has to be thrown then. */
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

    /** What the run has done last, if anything. */
    private List<Event> latestIfAny() {
        return position == 0 ? List.of() : List.of(latest());
    }

    /** What the reports call a thread. */
    public String nameOf(int thread) {
        return subject.threadName(thread);
    }

    @Override
    public String name() {
        return subject.threadName(id);
    }

    /** What the thread waits for. */
    public Waiting waiting() {
        return waiting;
    }

    /** What the thread does with objects that no other thread knows. */
    public Unshared unshared() {
        return unshared;
    }

    /** What the thread does with others. */
    public ThreadLifecycle lifecycle() {
        return lifecycle;
    }

    // Accesses

    /** Reads. The mode is one that a read has. */
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

    /** Orders, in a mode that orders something. */
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
     * Asks whether the time has come: 0 if not, 1 if so. A round of a loop that ends with no is a failed one if it is
     * otherwise; but it does not wait forever.
     */
    public int chooseTime(int site) {
        return choose(2, true, false, site);
    }

    /**
     * Asks whether the wait that begins ends by time: 0 if not, 1 if so. A round of a loop that ends by time, and has had no
     * other effect, is a failed one: the loop waits in turns.
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

    /** Leaves out the execution if {@code condition} does not hold. */
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
        // Nothing is read of these unless all threads end.
        observations.add(value);
    }

    /** How many values are part of the outcome so far. */
    public int observed() {
        return observations.size();
    }

    /** Leaves the code for now; the thread is run again, from the beginning, later in this execution. */
    public Error yieldToOthers() {
        waiting.keepTried();
        return exit.leave();
    }

    /** Whether the code is on its way out. */
    public boolean isLeaving() {
        return exit.isLeaving();
    }

    // Replaying

    /** The next event if the graph has it already; null if it must be added, which this thread may do now. */
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
            unshared.clear();
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

    /** The event that comes now, not yet in the graph. */
    Event newEvent(Kind kind, int location, Mode mode, int site) {
        Event event = new Event(id, position, kind, location, mode);
        event.site = site;
        unshared.announceBy(event);
        return event;
    }

    /** The event is in the graph now. It may be the one that something is wrong with. */
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

    /** Leaves the code until another thread with the same code has gone first. */
    Unwinding follow() {
        followed = position;
        waiting.dropTried();
        status = ThreadStatus.FOLLOWING;
        return exit.leave();
    }

    /** What to throw when the program calls the checker in a wrong way. */
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
