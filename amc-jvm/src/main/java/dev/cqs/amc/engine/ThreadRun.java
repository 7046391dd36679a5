package dev.cqs.amc.engine;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.Mode;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** A thread of the program in the present execution: replays what the graph has of it, then extends the graph. */
public final class ThreadRun {

    /** A loop that turns so often without touching what is shared does not end, as far as anybody can wait for it. */
    private static final int MOST_IDLE_ROUNDS = 10_000_000;

    private enum State {
        READY,
        ENDED,
        /** A round of an await would fail, and is not in the graph. */
        WAITING,
        /** A round of an await has failed. */
        AWAITING,
        /** Another thread must end first. */
        JOINING,
        /** An assumption does not hold, or what is waited for may still come to nothing. */
        LEFT_OUT,
        /** A loop has been run as often as it may be. */
        AT_BOUND
    }

    private final Explorer explorer;
    private final Subject subject;
    private final int id;
    private final List<Long> observations = new ArrayList<>();
    private final Loops loops = new Loops();

    private State state = State.READY;
    /** Whether the code is running, perhaps further down on the stack. */
    private boolean active;
    /** How many events of this thread the present run has passed. */
    private int position;
    /** How many events the present run may add before another thread has its turn. */
    private int turn;
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
    /** How many waits the code is in that time may end. */
    private int timedWaits;
    /** Of a thread that joins: the thread that must end. */
    private int joined;
    /** Of a thread that joins: where something else than 0 would end the wait; -1 if nowhere. */
    private int breakOff;
    /** Set when the present run is over. What the code still does on its way out, in a finally for example, has no effect. */
    private boolean leaving;
    private IllegalArgumentException misuse;
    /** What the check is to be ended with. The code may catch what is thrown, so it is kept here. */
    private Throwable refusal;

    ThreadRun(Explorer explorer, int id) {
        this.explorer = explorer;
        this.subject = explorer.subject();
        this.id = id;
    }

    // For the explorer

    /** The number of the thread. */
    public int id() {
        return id;
    }

    void reset() {
        state = State.READY;
        observations.clear();
    }

    /** Whether the code can go on, as far as this thread is concerned. */
    boolean isReady() {
        return state == State.READY || state == State.JOINING && hasEnded(joined) || state == State.WAITING && hasNews();
    }

    /** Whether a round that has failed may not fail now. */
    private boolean hasNews() {
        for (Event source : lastSeen) {
            if (explorer.graph().next(source) != null) {
                return true;
            }
        }
        return false;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    boolean isActive() {
        return active;
    }

    boolean isBlocked() {
        return state != State.READY && state != State.ENDED;
    }

    boolean isAwaiting() {
        return state == State.AWAITING || state == State.JOINING;
    }

    /** Whether the wait of this thread, which joins, has another end in other executions. */
    boolean isBrokenOff() {
        return state == State.JOINING && breakOff >= 0 && explorer.latest(breakOff) != 0;
    }

    /** The thread whose end this one waits for, or -1. */
    int awaitedEnd() {
        return state == State.JOINING ? joined : -1;
    }

    boolean hasHitBound() {
        return state == State.AT_BOUND;
    }

    /** Of a thread that awaits: where in the graph the failed round begins. It ends at the end of the thread. */
    int roundBegin() {
        return roundBegin;
    }

    List<Long> observations() {
        return observations;
    }

    /** Runs a thread that waits when nobody else can go on. */
    void runIntoWait() {
        mustStay = true;
        run(Integer.MAX_VALUE);
        mustStay = false;
    }

    /** Runs from the beginning until the thread ends, is blocked, or has added {@code turn} events. */
    void run(int turn) {
        this.turn = turn;
        state = State.READY;
        position = 0;
        tried = 0;
        awaits = 0;
        timedWaits = 0;
        leaving = false;
        refusal = null;
        observations.clear();
        loops.clear();
        active = true;
        boolean stopsLeaving = false;
        try {
            stopsLeaving = runCode();
        } finally {
            active = false;
        }
        if (refusal != null) {
            throw ThreadRun.<Error>sneaky(refusal);
        }
        if (stopsLeaving) {
            throw new UncheckableException(name() + " catches the error that takes it out of its code; let it pass.");
        }
    }

    /** Whether the code has gone on after it had been told to leave. */
    private boolean runCode() {
        try {
            start();
            subject.run(this);
            if (!leaving) {
                end();
                return false;
            }
            return true;
        } catch (Unwinding unwinding) {
            // The reason is in the state of the thread or of the explorer.
            return false;
        } catch (StackOverflowError thrown) {
            refuse(new UncheckableException(name() + " has used up its stack: a recursion does not end, or is too deep.", thrown));
            return false;
        } catch (LinkageError | VirtualMachineError thrown) {
            refuse(thrown);
            return false;
        } catch (Throwable thrown) {
            if (endsCheck(thrown) || thrown == misuse) {
                refuse(thrown);
                return false;
            }
            failWith(thrown);
            return false;
        }
    }

    /** Whether this says that the checker does not know, or can not go on, which is no error of the program. */
    public static boolean endsCheck(Throwable thrown) {
        return thrown instanceof NondeterministicProgramException || thrown instanceof UncheckableException
                || thrown instanceof InstrumentationException || thrown instanceof LinkageError || thrown instanceof VirtualMachineError;
    }

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Ends the check with {@code reason}, whatever the code makes of the error that is returned and has to be thrown. */
    public Error refuse(Throwable reason) {
        if (!leaving) {
            refusal = reason;
        }
        return leave();
    }

    private void start() {
        if (subject.start(id) != Subject.Start.AT_ONCE && replay(Kind.START, -1, Mode.PLAIN, 0) == null) {
            Event start = new Event(id, position, Kind.START, -1, Mode.PLAIN);
            explorer.addStart(start);
            added(start);
        }
    }

    private void end() {
        keepTried(position);
        if (subject.start(id) == Subject.Start.WHEN_CREATED && replay(Kind.END, -1, Mode.PLAIN, 0) == null) {
            Event end = new Event(id, position, Kind.END, -1, Mode.PLAIN);
            explorer.addFence(end);
            added(end);
        }
        state = State.ENDED;
        if (position < explorer.graph().length(id)) {
            Event before = explorer.graph().event(id, position);
            throw refuse(new NondeterministicProgramException(name() + " ends, where it has gone on with "
                    + Snapshot.describe(subject, before) + place(before.site) + " before, having read the same values."));
        }
    }

    private void failWith(Throwable thrown) {
        if (!leaving) {
            boolean check = thrown instanceof AssertionError;
            explorer.fail(new Failure(check ? Verdict.CHECK_FAILED : Verdict.EXCEPTION, name() + " throws " + thrown, latest(), thrown));
        }
    }

    /** What the run has done last, if anything. */
    private List<Event> latest() {
        return position == 0 ? List.of() : List.of(explorer.graph().event(id, position - 1));
    }

    /** What the reports call a thread. */
    public String nameOf(int thread) {
        return subject.threadName(thread);
    }

    /** What the reports call this thread. */
    public String name() {
        return subject.threadName(id);
    }

    // Accesses

    /** Reads. The mode is one that a read has. */
    public long load(int location, Mode mode, int site) {
        Event replayed = replay(Kind.READ, location, mode, site);
        if (replayed != null) {
            if (replayed.update != null) {
                throw differs(replayed, "reads " + subject.locationName(location), site);
            }
            return replayed.value;
        }
        Event read = new Event(id, position, Kind.READ, location, mode);
        read.site = site;
        read.polled = mode == Mode.PLAIN && isPolled(site);
        add(read);
        return read.value;
    }

    private void add(Event read) {
        boolean isTried = !mustStay && explorer.mayTry() && (awaits > 0 || loops.areOpen());
        if (isTried && !(read.update != null && explorer.wouldWrite(read))) {
            explorer.tryRead(read);
            tried++;
        } else {
            keepTried(position);
            explorer.addRead(read);
        }
        added(read);
    }

    /** The reads before this place stay in the graph. */
    private void keepTried(int end) {
        for (int i = position - tried; i < end; i++) {
            explorer.keepRead(explorer.graph().event(id, i));
            tried--;
        }
    }

    private boolean isPolled(int site) {
        return awaits > 0 && !acquiresFrom(roundBegin)
                || loops.areOpen() && subject.spins(site) && !acquiresFrom(loops.latestBegin());
    }

    /** Writes. The mode is one that a write has. */
    public void store(int location, long value, Mode mode, int site) {
        Event replayed = replay(Kind.WRITE, location, mode, site);
        if (replayed == null) {
            Event write = new Event(id, position, Kind.WRITE, location, mode);
            write.site = site;
            write.value = value;
            explorer.addWrite(write);
            added(write);
        } else if (replayed.value != value) {
            throw differs(replayed, "writes " + subject.valueName(location, value) + " to " + subject.locationName(location), site);
        }
    }

    /** Writes the first value of a field of an object that others get to know now. */
    public void storeFirst(int location, long value, Mode mode, int site) {
        store(location, value, mode, site);
        explorer.graph().event(id, position - 1).first = true;
    }

    /** Updates, in a mode that is not plain, and returns what was there before. */
    public long update(int location, Update update, long expected, long operand, Mode mode, int site) {
        Event read = replay(Kind.READ, location, mode.readPart(), site);
        if (read == null) {
            read = new Event(id, position, Kind.READ, location, mode.readPart());
            read.site = site;
            read.update = update;
            read.expected = expected;
            read.operand = operand;
            read.writeMode = mode.writePart();
            add(read);
        } else if (read.update != update || read.expected != expected || read.operand != operand
                || read.writeMode != mode.writePart()) {
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
            Event fence = new Event(id, position, Kind.FENCE, -1, mode);
            fence.site = site;
            explorer.addFence(fence);
            added(fence);
        }
    }

    // Other threads

    /** Starts a thread that has not been started. The operand comes back from {@link #creation}. */
    public void create(int thread, long operand, int site) {
        Event replayed = replay(Kind.CREATE, -1, Mode.PLAIN, site);
        if (replayed == null) {
            Event create = new Event(id, position, Kind.CREATE, -1, Mode.PLAIN);
            create.site = site;
            create.value = thread;
            create.operand = operand;
            explorer.addFence(create);
            added(create);
        } else if (replayed.value != thread || replayed.operand != operand) {
            throw differs(replayed, "starts " + subject.threadName(thread), site);
        }
    }

    /** The operand with which this thread has been created. */
    public long creation() {
        return explorer.graph().creation(id).operand;
    }

    /** The thread that has been created with this operand. */
    public int created(long operand) {
        for (int thread = 0; thread < explorer.graph().threads(); thread++) {
            Event creation = explorer.graph().creation(thread);
            if (creation != null && creation.operand == operand) {
                return thread;
            }
        }
        throw new IllegalArgumentException("No thread has been created with " + operand + ".");
    }

    /** Waits until a thread that has been started has ended; for good only if the location (-1 if none) keeps holding 0. */
    public void join(int thread, int interrupt, int site) {
        if (position >= explorer.graph().length(id) && !hasEnded(thread)) {
            joined = thread;
            breakOff = interrupt;
            roundBegin = position;
            throw stop(timedWaits > 0 ? State.LEFT_OUT : State.JOINING);
        }
        if (replay(Kind.JOIN, -1, Mode.PLAIN, site) != null) {
            return;
        }
        Event join = new Event(id, position, Kind.JOIN, -1, Mode.PLAIN);
        join.site = site;
        explorer.addJoin(join, explorer.graph().last(thread));
        added(join);
    }

    private boolean hasEnded(int thread) {
        Event last = explorer.graph().last(thread);
        return last != null && last.kind == Kind.END;
    }

    // Waiting

    /** Runs {@code round} until it returns true. A round that returns false has no effect, or is repeated up to the bound. */
    public void await(BooleanSupplier round) {
        if (leaving) {
            throw leave();
        }
        int outer = roundBegin;
        awaits++;
        for (int rounds = 0; ; rounds++) {
            int begin = position;
            roundBegin = begin;
            if (round.getAsBoolean()) {
                break;
            }
            if (!hasEffect(begin)) {
                throw failedRound(begin);
            }
            if (rounds >= explorer.options().loopBound()) {
                throw stop(State.AT_BOUND);
            }
        }
        awaits--;
        roundBegin = outer;
    }

    /** A loop is entered with these values of its variables; returns what tells it from others that are under way. */
    public int enterLoop(long[] variables, int count) {
        return loops.enter(position, variables, count);
    }

    /**
     * A round of the loop is over. If it has read without effect, and all variables are as they were when it began,
     * then it is a failed round of an await.
     *
     * @param effects whether the round has done something besides what is in the graph
     */
    public void nextRound(int loop, boolean effects, long[] variables, int count) {
        int begin = loops.begin(loop);
        if (begin == position) {
            if (loops.isIdleForTooLong(loop)) {
                throw refuse(idleForTooLong(name()));
            }
            loops.next(loop, position, variables, count);
            return;
        }
        if (!effects && !hasEffect(begin) && loops.same(loop, variables, count)) {
            throw failedRound(begin);
        }
        if (loops.countRound(loop) > explorer.options().loopBound()) {
            throw stop(State.AT_BOUND);
        }
        loops.next(loop, position, variables, count);
    }

    /** Whether a loop that does not touch what is shared has turned so often that it may never end. */
    public static boolean isIdleForTooLong(int rounds) {
        return rounds > MOST_IDLE_ROUNDS;
    }

    /** What to say of such a loop. No execution ends as long as it turns, so no limit of the search would end it. */
    public static UncheckableException idleForTooLong(String who) {
        return new UncheckableException(who + " is in a loop that has turned " + MOST_IDLE_ROUNDS
                + " times without touching anything shared, so it may never end.");
    }

    /** The code is in a loop that neither changes nor touches anything. */
    public void spinForever() {
        if (!leaving) {
            explorer.fail(Verdict.HANG, name() + " is in a loop that does nothing, so it never ends.", List.of());
        }
        throw leave();
    }

    /** What is waited for from here to {@link #endTimedWait} may not come: the wait ends another way in other executions. */
    public void beginTimedWait() {
        timedWaits++;
    }

    /** The timed wait is over. */
    public void endTimedWait() {
        timedWaits--;
    }

    /** Waits until a monitor is free, and takes it. */
    public void enterMonitor(int location, int site) {
        await(() -> update(location, Update.COMPARE_AND_SET, 0, 1, Mode.ACQUIRE, site) == 0);
        explorer.graph().event(id, position - 1).monitor = true;
    }

    /** Gives a monitor back. */
    public void exitMonitor(int location, int site) {
        store(location, 0, Mode.RELEASE, site);
        explorer.graph().event(id, position - 1).monitor = true;
    }

    /**
     * Whether the round has written or chosen; to swap in the value that is there already does not count, nor does it to
     * enter a monitor and to leave it.
     */
    private boolean hasEffect(int begin) {
        int depth = 0;
        for (int i = begin; i < position; i++) {
            Event event = explorer.graph().event(id, i);
            if (event.monitor) {
                depth += event.value == 0 ? -1 : 1;
            }
            if (depth < 0 || !isIdle(event)) {
                return true;
            }
        }
        return depth > 0;
    }

    private boolean isIdle(Event event) {
        return switch (event.kind) {
            case READ, FENCE -> true;
            case WRITE -> event.monitor || event.paired && explorer.graph().previous(event).value == event.value;
            default -> event.timed && event.value == 0;
        };
    }

    private Unwinding failedRound(int begin) {
        roundBegin = begin;
        Event lastRead = null;
        boolean timed = timedWaits > 0;
        for (int i = begin; i < position; i++) {
            Event event = explorer.graph().event(id, i);
            timed |= event.timed;
            if (event.isRead()) {
                lastRead = event;
                if (event.polled && !acquiresFrom(begin)) {
                    explorer.failPlainSpin(event);
                    return leave();
                }
            }
        }
        int first = Math.max(begin, position - tried);
        if (first < position && !timed) {
            return waitForNews(first);
        }
        if (lastRead != null && !lastRead.addedMax) {
            // It stays blocked whatever comes, on a value that it must not see for ever: no execution, no hang.
            explorer.abandonHopeless();
        }
        return stop(timed ? State.LEFT_OUT : State.AWAITING);
    }

    private Unwinding waitForNews(int first) {
        keepTried(first);
        lastSeen.clear();
        for (int i = first; i < position; i++) {
            lastSeen.add(explorer.graph().event(id, i).source);
        }
        explorer.dropReads(id, first);
        tried = 0;
        state = State.WAITING;
        return leave();
    }

    /** Whether something in the thread from {@code begin} on keeps later reads from being done before it. */
    private boolean acquiresFrom(int begin) {
        for (int i = begin; i < position; i++) {
            Event event = explorer.graph().event(id, i);
            if ((event.isRead() || event.kind == Kind.FENCE) && event.mode.acquires()) {
                return true;
            }
        }
        return false;
    }

    // Choosing and checking

    /** Picks a number from 0 to {@code choices - 1}; there is at least one. */
    public int choose(int choices, int site) {
        return choose(choices, false, site);
    }

    private int choose(int choices, boolean timed, int site) {
        Event replayed = replay(Kind.CHOICE, -1, Mode.PLAIN, site);
        if (replayed != null) {
            if (replayed.options != choices) {
                throw differs(replayed, "chooses from " + choices, site);
            }
            return (int) replayed.value;
        }
        Event choice = new Event(id, position, Kind.CHOICE, -1, Mode.PLAIN);
        choice.site = site;
        choice.options = choices;
        choice.timed = timed;
        explorer.addChoice(choice);
        added(choice);
        return (int) choice.value;
    }

    /**
     * Asks whether the time has come: 0 if not, 1 if so. A round of a loop that ends with no is a failed one if it is
     * otherwise; but it does not wait forever.
     */
    public int chooseTime(int site) {
        return choose(2, true, site);
    }

    /** Leaves out the execution if {@code condition} does not hold. */
    public void assume(boolean condition) {
        if (!condition) {
            throw stop(State.LEFT_OUT);
        }
    }

    /** Fails the execution if {@code condition} does not hold. */
    public void check(boolean condition, String message) {
        if (!condition) {
            if (!leaving) {
                explorer.fail(Verdict.CHECK_FAILED, name() + ": " + message, latest());
            }
            throw leave();
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

    /**
     * Lets another thread run, from its beginning, before this one goes on. It is the way to have what that thread
     * makes in memory outside of the graph.
     */
    public void runFirst(int thread) {
        keepTried(position);
        try {
            explorer.runNested(thread);
        } catch (NondeterministicProgramException | UncheckableException | InstrumentationException | LinkageError thrown) {
            throw refuse(thrown);
        }
        if (explorer.hasFailed() || explorer.isAbandoned()) {
            throw leave();
        }
    }

    /** Leaves the code for now; the thread is run again, from the beginning, later in this execution. */
    public Error yieldToOthers() {
        keepTried(position);
        return leave();
    }

    /** Whether the code is on its way out. */
    public boolean isLeaving() {
        return leaving;
    }

    // Replaying

    /** The next event if the graph has it already; null if it must be added, which this thread may do now. */
    private Event replay(Kind kind, int location, Mode mode, int site) {
        if (leaving || explorer.hasFailed() || explorer.isAbandoned()) {
            throw leave();
        }
        if (position < explorer.graph().length(id)) {
            Event event = explorer.graph().event(id, position);
            if (event.kind != kind || event.location != location || event.mode != mode) {
                throw differs(event, "does " + words(kind, location, mode), site);
            }
            explorer.passed(event);
            position++;
            return event;
        }
        if (position >= explorer.options().maxEvents()) {
            throw stop(State.AT_BOUND);
        }
        if (turn == 0) {
            keepTried(position);
            throw leave();
        }
        if (kind != Kind.READ) {
            keepTried(position);
        }
        return null;
    }

    private String words(Kind kind, int location, Mode mode) {
        String words = "a " + mode.name().toLowerCase(Locale.ROOT) + " " + kind.name().toLowerCase(Locale.ROOT);
        return location < 0 ? words : words + " of " + subject.locationName(location);
    }

    /** The event is in the graph now. It may be the one that something is wrong with. */
    private void added(Event event) {
        explorer.checkRecorded(event);
        turn--;
        position++;
        if (explorer.hasFailed()) {
            throw leave();
        }
    }

    private Unwinding stop(State reason) {
        if (!leaving) {
            keepTried(position);
            state = reason;
        }
        return leave();
    }

    private Unwinding leave() {
        leaving = true;
        return Unwinding.INSTANCE;
    }

    IllegalArgumentException misuse(String message) {
        return misuse(new IllegalArgumentException(message));
    }

    IllegalArgumentException misuse(IllegalArgumentException thrown) {
        misuse = thrown;
        return thrown;
    }

    private Error differs(Event before, String now, int site) {
        return refuse(new NondeterministicProgramException(name() + " " + now + place(site) + " as its operation "
                + (before.index + 1) + ", where it has done " + Snapshot.describe(subject, before) + place(before.site)
                + " before, having read the same values."));
    }

    private String place(int site) {
        String place = subject.placeName(site);
        return place == null ? "" : " (" + place + ")";
    }
}
