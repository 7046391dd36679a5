package dev.cqs.amc.engine;

import dev.cqs.amc.Mode;
import dev.cqs.amc.ModelThread;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** A thread of the program in the present execution: replays what the graph has of it, then extends the graph. */
final class ThreadRun implements ModelThread {

    private enum State {
        READY,
        ENDED,
        /** A round of an await has failed. */
        AWAITING,
        /** An assumption does not hold. */
        LEFT_OUT,
        /** A loop has been run as often as it may be. */
        AT_BOUND
    }

    private final Explorer explorer;
    private final int id;
    private final List<Long> observations = new ArrayList<>();

    private State state = State.READY;
    /** How many events of this thread the present run has passed. */
    private int position;
    /** How many events the present run may add before another thread has its turn. */
    private int turn;
    /** How many awaits the code is in, one inside the other. */
    private int awaits;
    /** The position at which the round of the innermost await has begun. */
    private int roundBegin;
    /** Set when the present run is over. What the code still does on its way out, in a finally for example, has no effect. */
    private boolean leaving;
    private IllegalArgumentException misuse;

    ThreadRun(Explorer explorer, int id) {
        this.explorer = explorer;
        this.id = id;
    }

    // For the explorer

    int id() {
        return id;
    }

    void reset() {
        state = State.READY;
    }

    boolean isReady() {
        return state == State.READY;
    }

    boolean isBlocked() {
        return state != State.READY && state != State.ENDED;
    }

    boolean isAwaiting() {
        return state == State.AWAITING;
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

    /** Runs from the beginning until the thread ends, is blocked, or has added {@code turn} events. */
    void run(Consumer<ModelThread> body, int turn) {
        this.turn = turn;
        position = 0;
        awaits = 0;
        leaving = false;
        observations.clear();
        try {
            body.accept(this);
        } catch (Unwinding unwinding) {
            // The reason is in the state of the thread or of the explorer.
            return;
        } catch (NondeterministicProgramException thrown) {
            throw thrown;
        } catch (RuntimeException | AssertionError thrown) {
            if (thrown == misuse) {
                throw thrown;
            }
            if (!leaving) {
                explorer.fail(new Failure(Verdict.EXCEPTION, name() + " throws " + thrown, List.of(), thrown));
            }
            return;
        }
        if (leaving) {
            throw new IllegalStateException(name() + " catches the error that takes it out of its code; let it pass.");
        }
        state = State.ENDED;
        if (position < explorer.graph().length(id)) {
            throw new NondeterministicProgramException(name() + " ends, where it has gone on with "
                    + Snapshot.describe(explorer.program(), explorer.graph().event(id, position))
                    + " before, having read the same values.");
        }
    }

    private String name() {
        return explorer.program().threadNames().get(id);
    }

    // Accesses

    @Override
    public long load(Variable variable, Mode mode) {
        if (mode == Mode.RELEASE || mode == Mode.ACQUIRE_RELEASE) {
            throw misuse("A read has the mode PLAIN, OPAQUE, ACQUIRE or VOLATILE, but not " + mode + ".");
        }
        int location = location(variable);
        Event replayed = replay(Kind.READ, location, mode);
        if (replayed != null) {
            if (replayed.update != null) {
                throw differs(replayed, "reads " + variable);
            }
            return replayed.value;
        }
        Event read = new Event(id, position, Kind.READ, location, mode);
        read.polled = mode == Mode.PLAIN && awaits > 0 && !acquiresFrom(roundBegin);
        added(explorer.addRead(read));
        return read.value;
    }

    @Override
    public void store(Variable variable, long value, Mode mode) {
        if (mode == Mode.ACQUIRE || mode == Mode.ACQUIRE_RELEASE) {
            throw misuse("A write has the mode PLAIN, OPAQUE, RELEASE or VOLATILE, but not " + mode + ".");
        }
        int location = location(variable);
        Event replayed = replay(Kind.WRITE, location, mode);
        if (replayed == null) {
            Event write = new Event(id, position, Kind.WRITE, location, mode);
            write.value = value;
            explorer.addWrite(write);
            added(write);
        } else if (replayed.value != value) {
            throw differs(replayed, "writes " + value);
        }
    }

    @Override
    public boolean compareAndSet(Variable variable, long expected, long value, Mode mode) {
        return update(variable, Update.COMPARE_AND_SET, expected, value, mode) == expected;
    }

    @Override
    public long compareAndExchange(Variable variable, long expected, long value, Mode mode) {
        return update(variable, Update.COMPARE_AND_SET, expected, value, mode);
    }

    @Override
    public long getAndSet(Variable variable, long value, Mode mode) {
        return update(variable, Update.SET, 0, value, mode);
    }

    @Override
    public long getAndAdd(Variable variable, long delta, Mode mode) {
        return update(variable, Update.ADD, 0, delta, mode);
    }

    private long update(Variable variable, Update update, long expected, long operand, Mode mode) {
        if (mode == Mode.PLAIN) {
            throw misuse("A read-modify-write is atomic, so it is at least OPAQUE, not PLAIN.");
        }
        int location = location(variable);
        Event read = replay(Kind.READ, location, mode.readPart());
        if (read == null) {
            read = new Event(id, position, Kind.READ, location, mode.readPart());
            read.update = update;
            read.expected = expected;
            read.operand = operand;
            read.writeMode = mode.writePart();
            added(explorer.addRead(read));
        } else if (read.update != update || read.expected != expected || read.operand != operand
                || read.writeMode != mode.writePart()) {
            throw differs(read, "updates " + variable + " in another way");
        }
        if (read.paired) {
            position++;
        }
        return read.value;
    }

    @Override
    public void fence(Mode mode) {
        if (mode == Mode.PLAIN || mode == Mode.OPAQUE) {
            throw misuse("A fence has the mode ACQUIRE, RELEASE, ACQUIRE_RELEASE or VOLATILE, but not " + mode + ".");
        }
        if (replay(Kind.FENCE, -1, mode) == null) {
            Event fence = new Event(id, position, Kind.FENCE, -1, mode);
            explorer.addFence(fence);
            added(fence);
        }
    }

    // Waiting

    @Override
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
            roundBegin = begin;
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

    @Override
    public long await(Variable variable, Mode mode, LongPredicate wanted) {
        long[] seen = new long[1];
        await(() -> {
            seen[0] = load(variable, mode);
            return wanted.test(seen[0]);
        });
        return seen[0];
    }

    /** Whether the round has written; to swap in the value that is there already does not count. */
    private boolean hasEffect(int begin) {
        for (int i = begin; i < position; i++) {
            Event event = explorer.graph().event(id, i);
            if (event.kind == Kind.WRITE && !isIdle(event)) {
                return true;
            }
        }
        return false;
    }

    private boolean isIdle(Event write) {
        return write.paired && explorer.graph().previous(write).value == write.value;
    }

    private Unwinding failedRound(int begin) {
        Event lastRead = null;
        for (int i = begin; i < position; i++) {
            Event event = explorer.graph().event(id, i);
            if (event.isRead()) {
                lastRead = event;
                if (event.polled && !acquiresFrom(begin)) {
                    explorer.failPlainSpin(event);
                    return leave();
                }
            }
        }
        if (lastRead != null && !lastRead.addedMax) {
            // It stays blocked whatever comes, on a value that it must not see for ever: no execution, no hang.
            explorer.abandonHopeless();
        }
        return stop(State.AWAITING);
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

    @Override
    public int choose(int choices) {
        if (choices < 1) {
            throw misuse("There must be something to choose from, but there are " + choices + " options.");
        }
        Event replayed = replay(Kind.CHOICE, -1, Mode.PLAIN);
        if (replayed != null) {
            if (replayed.options != choices) {
                throw differs(replayed, "chooses from " + choices);
            }
            return (int) replayed.value;
        }
        Event choice = new Event(id, position, Kind.CHOICE, -1, Mode.PLAIN);
        choice.options = choices;
        explorer.addChoice(choice);
        added(choice);
        return 0;
    }

    @Override
    public void assume(boolean condition) {
        if (!condition) {
            throw stop(State.LEFT_OUT);
        }
    }

    @Override
    public void check(boolean condition, String message) {
        if (!condition) {
            if (!leaving) {
                explorer.fail(Verdict.CHECK_FAILED, name() + ": " + message, List.of());
            }
            throw leave();
        }
    }

    @Override
    public void observe(long value) {
        // Nothing is read of these unless all threads end.
        observations.add(value);
    }

    // Replaying

    /** The next event if the graph has it already; null if it must be added, which this thread may do now. */
    private Event replay(Kind kind, int location, Mode mode) {
        if (leaving || explorer.hasFailed() || explorer.isAbandoned()) {
            throw leave();
        }
        if (position < explorer.graph().length(id)) {
            Event event = explorer.graph().event(id, position);
            if (event.kind != kind || event.location != location || event.mode != mode) {
                throw differs(event, "does something else");
            }
            position++;
            return event;
        }
        if (position >= explorer.options().maxEvents()) {
            throw stop(State.AT_BOUND);
        }
        if (turn == 0) {
            throw leave();
        }
        return null;
    }

    /** The event is in the graph now. It may be the one that something is wrong with. */
    private void added(Event event) {
        turn--;
        position++;
        if (explorer.hasFailed()) {
            throw leave();
        }
    }

    private Unwinding stop(State reason) {
        if (!leaving) {
            state = reason;
        }
        return leave();
    }

    private Unwinding leave() {
        leaving = true;
        return Unwinding.INSTANCE;
    }

    private int location(Variable variable) {
        try {
            return explorer.program().indexOf(variable);
        } catch (IllegalArgumentException thrown) {
            misuse = thrown;
            throw thrown;
        }
    }

    private IllegalArgumentException misuse(String message) {
        misuse = new IllegalArgumentException(message);
        return misuse;
    }

    private NondeterministicProgramException differs(Event before, String now) {
        return new NondeterministicProgramException(name() + " " + now + " at its operation " + position
                + ", where it was " + Snapshot.describe(explorer.program(), before) + " before, having read the same values.");
    }
}
