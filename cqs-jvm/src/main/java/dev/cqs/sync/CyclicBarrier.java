package dev.cqs.sync;

import dev.cqs.NumberedQueue;
import dev.cqs.CellRef;
import dev.cqs.Waiter;
import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import dev.cqs.spi.BarrierSteps;
import dev.cqs.spi.Passage;
import dev.cqs.spi.SyncAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A barrier at which a fixed number of parties wait for each other, round after round; callers of every kind can be
 * parties of one barrier: threads, virtual threads and coroutines. This object holds the state and the operations that
 * never wait; waiting is done through a face, for example {@code dev.cqs.threads.CyclicBarrier}.
 *
 * <p><b>Rounds.</b> The last party to come runs the action, if there is one, and then all go on, in the order in which
 * they came. Parties that come while the action runs belong to later rounds. Rounds never mix.
 *
 * <p><b>Breaking.</b> A party that gives up waiting breaks the barrier: all who wait, and all who come until {@link
 * #reset}, fail. Once a round is complete and its action has begun, it cannot be given up any more: while the action
 * runs, those who give up, or reset, break what stands behind it. An action that fails breaks its own round as well, and so
 * does one that calls {@link #reset}: the others of its round fail when the action is done.
 *
 * <p><b>Memory consistency.</b> What the parties do before they wait happens-before the action, and that happens-before
 * what they do after they have passed.
 */
public final class CyclicBarrier {
    /*
     * Overview.
     *
     * Parties are numbered as they come, for ever, and number t waits in cell t of the queue. So a waiter of one round
     * can never be met by the resumes of another, whatever stalls in between. The number at which some round begins is
     * the origin: t belongs to round (t - origin) / parties after that.
     *
     * One 64-bit word:
     *
     *      bits 27..63   the number of the next party to come, modulo 2^37
     *      bits  3..26   complete rounds whose action is not done yet
     *      bit  2        RESETTING: the next number is to be the origin
     *      bits  0..1    the phase
     *
     *        party comes
     *           .------.
     *           v      |    last party comes, if              action done
     *         OPEN ----'  ---------------------->  RUNNING  ---------------> OPEN, or RUNNING for the next round
     *          |  ^         there is an action      |   ^
     *    party |  | reset: new                party of  |   | reset: new
     *    gives |  | origin                    a later   |   | origin
     *    up    |  |                           round     |   |
     *          |  |                           gives up  v   |
     *          |  |                                DOOMED
     *          v  |                                   |
     *         BROKEN  <-------------------------------'   action done; from RUNNING as well if it fails
     *
     *   OPEN      the round of the next number collects its parties. Coming, giving up and reset compete for the word.
     *   RUNNING   a round is complete, and its action is being run by its last party. Nobody can break it any more but
     *             the action. Later numbers belong to later rounds, which collect their parties meanwhile.
     *   DOOMED    the same, and one of the later parties has given up: none of them waits any more, and nobody can
     *             come. When the action is done, its round goes on, but the barrier is broken.
     *   BROKEN    nobody waits, and nobody can come.
     *
     * The origin stands beside the word. It moves when a reset cuts a round short: the reset uses up one number, for which
     * nobody comes, and sets RESETTING in the same step; then the origin is moved to the next number, and RESETTING
     * cleared. Whoever comes upon RESETTING does these two steps before its own. Since a number is used up, the word
     * before a move of the origin never comes back, and so:
     *
     *   I1  If the word is the same after the origin was read as before, by a CAS or a second look, then they belong
     *       together.
     *
     * A reset that skipped to the next multiple of `parties` instead would need no origin, but the queue would make the
     * cells of all the parties that are missing.
     *
     * The lower bits of the number are enough because the origin is never that far behind: with the end of a round, and with a
     * reset, it follows now and then, by whole rounds. Only 2^37 numbers, no more and no less, between a look and its CAS would
     * mislead that.
     *
     * If later parties complete the next round while an action is being run, then the last of them waits as well, and
     * is resumed with RUN. So two actions never overlap. Until then it can be broken like a round that is not complete.
     *
     * A reset leaves the round whose action runs alone and breaks all that wait behind it. So it takes back what a party
     * has broken before it, action or not.
     *
     * The thread that runs the action is on record meanwhile, in `runner`, for what it asks and does inside the action. It sees
     * its own round, of which all wait. With a reset it does what others do by one, and besides takes itself off the record;
     * so when the action is done it knows that the others of its round are to be resumed with BROKEN. They are not resumed
     * before, and the phase stays RUNNING: so actions still do not overlap, and who comes after the reset is of a later
     * round. The field is plain. A thread finds itself in it only if it has written it, and actions, which alone write it,
     * are ordered one after the other by the word and the cells; so a look is exact whatever others write.
     *
     * Whoever makes a round end, by completing or by breaking it, resumes all its cells, once. A party that gives up
     * first wins the word, then takes its own waiter out of its cell, and then breaks the others.
     *
     * The places in the queue are read before the word. Their pointers are moved by those who came before to cells not
     * after ours, because later cells are filled, or resumed in turn, after our step only. Out of turn, without moving
     * the pointer, are resumed those behind a round whose action runs: that round is resumed when the action is done.
     *
     * Progress. Lock-free, the action aside, and aside from the last party of a round that comes when 2^24 - 1 rounds are
     * complete behind one action: it waits for the end of that action, without a cell.
     *
     * Ordering. All accesses to word and origin are volatile; what a party did before it came is ordered by the word up to
     * the last party, and from there by the cells.
     */

    private static final int NUMBER_SHIFT = 27;
    private static final int COMPLETE_SHIFT = 3;
    private static final int MOST_COMPLETE = (1 << NUMBER_SHIFT - COMPLETE_SHIFT) - 1;
    private static final long NUMBERS = -1L >>> NUMBER_SHIFT;

    /** From so many numbers on the origin follows; far more than wait at any time, and far less than there are. */
    private static final long FAR = NUMBERS >>> 2;

    private static final long ONE_PARTY = 1L << NUMBER_SHIFT;
    private static final long ONE_COMPLETE = 1L << COMPLETE_SHIFT;
    private static final long RESETTING = 4;
    private static final long PHASE = 3;
    private static final long OPEN = 0;
    private static final long RUNNING = 1;
    private static final long DOOMED = 2;
    private static final long BROKEN = 3;

    private static final VarHandle WORD;
    private static final VarHandle ORIGIN;
    private static final VarHandle QUEUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CyclicBarrier.class, "word", long.class);
            ORIGIN = lookup.findVarHandle(CyclicBarrier.class, "origin", long.class);
            QUEUE = lookup.findVarHandle(CyclicBarrier.class, "queue", NumberedQueue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerBarrier(new StepsOfBarrier());
        rehearse();
    }

    private final int parties;

    /** Run by the last party of each round, or null. */
    private final Runnable action;

    /**
     * The number behind the round whose action runs. Plain: written by whoever has the action run in another place
     * before it resumes that one, who reads it.
     */
    private long runningEnd;

    /** The thread that runs the action, and has not reset the barrier inside it; see the overview. Plain. */
    private Thread runner;

    /** The next number, complete rounds, and the phase; changed by CAS. */
    private volatile long word;

    /** Where some round begins; only grows, by CAS. */
    private volatile long origin;

    /** Made by CAS when the first party has to wait. */
    private volatile NumberedQueue<Passage> queue;

    /**
     * Creates a barrier without an action.
     *
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties) {
        this(parties, null);
    }

    /**
     * Creates a barrier.
     *
     * @param parties how many must come before all go on
     * @param action run in each round by the last one to come, before all go on; or {@code null}
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties, Runnable action) {
        if (parties <= 0) {
            throw new IllegalArgumentException("the number of parties must be positive, but is " + parties);
        }
        this.parties = parties;
        this.action = action;
    }

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        CyclicBarrier barrier = new CyclicBarrier(2);
        barrier.arrive(new RehearsedWaiter());
        barrier.arrive(null);
        RehearsedWaiter leaving = new RehearsedWaiter();
        barrier.arrive(leaving);
        barrier.giveUp(leaving);
        barrier.reset();
        barrier.arrive(new RehearsedWaiter());
        barrier.reset();
        barrier.refuse();
    }

    /** How many parties each round has. */
    public int parties() {
        return parties;
    }

    /**
     * How many parties wait in the round that is collecting its parties. Inside the action, for the thread that runs it, these
     * are all the {@linkplain #parties parties} of its own round, until it resets the barrier.
     */
    public int waiting() {
        if (isInOwnRound()) {
            return parties;
        }
        for (; ; ) {
            long seen = word;
            int waiting = isBroken(seen) || (seen & RESETTING) != 0 ? 0 : inRound(seen, origin);
            if (seen == word) { // I1
                return waiting;
            }
        }
    }

    /** Whether the barrier is broken. */
    public boolean isBroken() {
        return isBroken(word);
    }

    /**
     * Begins a new round. The parties that wait fail as if the barrier were broken; a broken barrier is whole again. A
     * round whose action is being run is not affected, unless it is the action that calls this: then the others of its round
     * fail, too, when the action is done.
     */
    public void reset() {
        StackCheck.ensure();
        for (; ; ) {
            CellRef place = queue().resumePlace();
            long seen = settledWord();
            long from = origin;
            long fresh = opened(seen);
            if (complete(seen) > 0) {
                fresh += ONE_COMPLETE + RUNNING;
            }
            if (inRound(seen, from) > 0) {
                fresh += ONE_PARTY + RESETTING;
            }
            if (seen == fresh) {
                if (word == seen) { // origin and word belong together
                    breakOwnRound();
                    return;
                }
            } else if (casWord(seen, fresh)) {
                breakOwnRound();
                follow(from, begin(seen, from));
                settledWord();
                breakWaiting(seen, from, place);
                return;
            }
        }
    }

    /** Inside an action: the round of which it is. */
    private void breakOwnRound() {
        if (isInOwnRound()) {
            runner = null;
        }
    }

    /** Whether the caller is inside the action of a round that it has not reset. */
    private boolean isInOwnRound() {
        Thread thread = runner;
        return thread != null && thread == Thread.currentThread();
    }

    /** Says how many parties there are, how many wait, and whether the barrier is broken. */
    @Override
    public String toString() {
        return "CyclicBarrier@" + Integer.toHexString(hashCode()) + "[" + parties + " parties, " + waiting() + " waiting"
                + (isBroken() ? ", broken]" : "]");
    }

    // Coming

    private int arrive(Waiter waiter) {
        StackCheck.ensure();
        for (int turns = 0; ; ) {
            CellRef suspendPlace = queue().suspendPlace();
            CellRef resumePlace = queue().resumePlace();
            long seen = settledWord();
            long from = origin;
            int before = inRound(seen, from);
            boolean last = before == parties - 1;
            if (isBroken(seen)) {
                return BarrierSteps.BROKEN;
            } else if (last && phase(seen) == OPEN) {
                if (completeRound(seen, from, resumePlace)) {
                    return BarrierSteps.PASSED;
                }
            } else if (waiter == null) {
                if (seen == word) { // I1
                    return BarrierSteps.WAITS;
                }
            } else if (last && complete(seen) == MOST_COMPLETE) {
                turns = Spin.pause(turns); // for the end of an action, with so many full rounds behind it
            } else if (casWord(seen, seen + ONE_PARTY + (last ? ONE_COMPLETE : 0))) {
                queue.suspendAt(suspendPlace, number(seen, from), waiter);
                return parties - 1 - before;
            }
        }
    }

    /** The step of the last party of a round, and all that follows from it; false if the word has changed. */
    private boolean completeRound(long seen, long from, CellRef place) {
        long end = number(seen, from) + 1;
        if (action == null) {
            if (!casWord(seen, seen + ONE_PARTY)) {
                return false;
            }
            follow(from, end);
            resume(place, end - parties, parties - 1, Passage.TRIPPED);
            return true;
        }
        if (!casWord(seen, seen + ONE_PARTY + ONE_COMPLETE + RUNNING)) {
            return false;
        }
        follow(from, end);
        runAction(end);
        return true;
    }

    // Running the action, by the last party of the round that ends at `end`, in phase RUNNING or DOOMED

    private void runAction(long end) {
        runner = Thread.currentThread();
        try {
            action.run();
        } catch (Throwable t) {
            runner = null;
            breakRunning(end);
            throw t;
        }
        Passage outcome = runner == null ? Passage.BROKEN : Passage.TRIPPED; // null after a reset
        runner = null; // before the step that lets another action run
        finish(end, outcome);
    }

    private void finish(long end, Passage outcome) {
        for (; ; ) {
            CellRef place = queue.resumePlace();
            long seen = settledWord();
            long from = origin;
            if (complete(seen) > 1) {
                if (casWord(seen, seen - ONE_COMPLETE)) {
                    resume(place, end - parties, parties - 1, outcome);
                    long begin = decided(seen, from); // not always `end`: a reset may stand between
                    follow(from, begin);
                    runningEnd = begin + parties;
                    tellToRun(place, runningEnd - 1);
                    return;
                }
            } else if (casWord(seen, opened(seen) + (phase(seen) == DOOMED ? BROKEN : OPEN))) {
                resume(place, end - parties, parties - 1, outcome);
                return;
            }
        }
    }

    /** Only where the others of the round, who go on later, are none, is this in turn. */
    private void tellToRun(CellRef place, long last) {
        if (parties == 1) {
            queue.resumeAt(place, last, 1, Passage.RUN);
        } else {
            queue.resumeAhead(place, last, 1, Passage.RUN);
        }
    }

    private void breakRunning(long end) {
        for (; ; ) {
            CellRef place = queue.resumePlace();
            long seen = settledWord();
            long from = origin;
            if (casWord(seen, opened(seen) + BROKEN)) {
                resume(place, end - parties, parties - 1, Passage.BROKEN);
                breakWaiting(seen, from, place);
                return;
            }
        }
    }

    private boolean run(boolean fit) {
        long end = runningEnd;
        if (fit) {
            runAction(end);
        } else {
            breakRunning(end);
        }
        return fit;
    }

    // Giving up

    private boolean giveUp(Waiter waiter) {
        long own = queue.numberOf(waiter);
        for (; ; ) {
            CellRef place = queue.resumePlace();
            long seen = settledWord();
            long from = origin;
            if (isBroken(seen) || own < decided(seen, from)) {
                if (seen == word) { // I1
                    return false;
                }
            } else if (casWord(seen, brokenOrDoomed(seen))) {
                boolean left = queue.cancel(waiter); // nobody else resumes it: we have won the word
                breakWaiting(seen, from, place);
                return left;
            }
        }
    }

    private boolean refuse() {
        for (; ; ) {
            CellRef place = queue().resumePlace();
            long seen = settledWord();
            long from = origin;
            if (isBroken(seen)) {
                return false;
            }
            if (casWord(seen, brokenOrDoomed(seen))) {
                breakWaiting(seen, from, place);
                return true;
            }
        }
    }

    private static long brokenOrDoomed(long seen) {
        return opened(seen) + (complete(seen) == 0 ? BROKEN : ONE_COMPLETE + DOOMED);
    }

    /** Follows the step that has ended the rounds that could still be broken. */
    private void breakWaiting(long seen, long from, CellRef place) {
        long first = decided(seen, from);
        int count = isBroken(seen) ? 0 : (int) (number(seen, from) - first);
        if (complete(seen) == 0) {
            resume(place, first, count, Passage.BROKEN);
        } else {
            queue.resumeAhead(place, first, count, Passage.BROKEN);
        }
    }

    private void resume(CellRef place, long number, int count, Passage passage) {
        if (count > 0) {
            queue.resumeAt(place, number, count, passage);
        }
    }

    // The word

    /** The word, with nothing left to do for a reset. */
    private long settledWord() {
        for (; ; ) {
            long seen = word;
            if ((seen & RESETTING) == 0) {
                return seen;
            }
            long from = origin;
            long next = number(seen, from);
            if (seen == word && ORIGIN.compareAndSet(this, from, next)) { // I1
                casWord(seen, seen - RESETTING);
            }
        }
    }

    /** Moves the origin forward to the beginning of a round, if it has fallen behind. */
    private void follow(long from, long begin) {
        if (begin - from > FAR) {
            ORIGIN.compareAndSet(this, from, begin);
        }
    }

    /** The same number, with nothing complete, in phase OPEN. */
    private static long opened(long word) {
        return word & -ONE_PARTY;
    }

    private static boolean isBroken(long word) {
        return phase(word) == BROKEN || phase(word) == DOOMED;
    }

    private static int complete(long word) {
        return (int) (word >>> COMPLETE_SHIFT) & MOST_COMPLETE;
    }

    private static long phase(long word) {
        return word & PHASE;
    }

    // With the origin of the word

    /** How many numbers there are from the origin up to the next. */
    private static long sinceOrigin(long word, long from) {
        return (word >>> NUMBER_SHIFT) - from & NUMBERS;
    }

    /** The next number. */
    private static long number(long word, long from) {
        return from + sinceOrigin(word, from);
    }

    /** How many parties of its round have a smaller number than the next. */
    private int inRound(long word, long from) {
        return (int) (sinceOrigin(word, from) % parties);
    }

    /** The first number of the round that collects its parties. */
    private long begin(long word, long from) {
        return number(word, from) - inRound(word, from);
    }

    /** Numbers from here on belong to rounds that can still be broken. */
    private long decided(long word, long from) {
        return begin(word, from) - Math.max(0, complete(word) - 1) * (long) parties;
    }

    private boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    private NumberedQueue<Passage> queue() {
        NumberedQueue<Passage> present = queue;
        if (present != null) {
            return present;
        }
        NumberedQueue<Passage> fresh = new NumberedQueue<>();
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    private static final class StepsOfBarrier extends BarrierSteps {
        @Override
        public int arrive(CyclicBarrier barrier, Waiter waiter) {
            return barrier.arrive(waiter);
        }

        @Override
        public boolean giveUp(CyclicBarrier barrier, Waiter waiter) {
            return barrier.giveUp(waiter);
        }

        @Override
        public boolean refuse(CyclicBarrier barrier) {
            return barrier.refuse();
        }

        @Override
        public boolean run(CyclicBarrier barrier, boolean fit) {
            return barrier.run(fit);
        }
    }
}
