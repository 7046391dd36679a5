package dev.cqs.sync;

import dev.cqs.NumberedQueue;
import dev.cqs.Place;
import dev.cqs.Waiter;
import dev.cqs.internal.Spin;
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
 * runs, those who give up, or reset, break what stands behind it. An action that fails breaks its own round as well.
 *
 * <p><b>Memory consistency.</b> What the parties do before they wait happens-before the action, and that happens-before
 * what they do after they have passed.
 */
public final class CyclicBarrier {
    /*
     * Overview.
     *
     * Parties are numbered as they come, for ever: number t belongs to round t / parties, and waits in cell t of the
     * queue. So a waiter of one round can never be met by the resumes of another, whatever stalls in between.
     *
     * One 64-bit word:
     *
     *      bits 10..63   the number of the next party to come
     *      bits  2..9    complete rounds whose action is not done yet
     *      bits  0..1    the phase
     *
     *        party comes
     *           .------.
     *           v      |    last party comes, if              action done
     *         OPEN ----'  ---------------------->  RUNNING  ---------------> OPEN, or RUNNING for the next round
     *          |  ^         there is an action      |   ^
     *    party |  | reset: number         party of  |   | reset: number
     *    gives |  | to the next           a later   |   | to the next
     *    up    |  | round                 round     |   | round
     *          |  |                       gives up  v   |
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
     * If later parties complete the next round while an action is being run, then the last of them waits as well, and
     * is resumed with RUN. So two actions never overlap. Until then it can be broken like a round that is not complete.
     *
     * A reset leaves the round whose action runs alone and breaks all that wait behind it. So it takes back what a party
     * has broken before it, action or not.
     *
     * Whoever makes a round end, by completing or by breaking it, resumes all its cells, once. A party that gives up
     * first wins the word, then takes its own waiter out of its cell, and then breaks the others.
     *
     * The places in the queue are read before the word. Their pointers are moved by those who came before to cells not
     * after ours, because later cells are filled, or resumed in turn, after our step only. Out of turn, without moving
     * the pointer, are resumed those behind a round whose action runs: that round is resumed when the action is done.
     *
     * Progress. Lock-free, the action aside. Ordering: all accesses to the word are volatile; what a party did before
     * it came is ordered by the word up to the last party, and from there by the cells.
     */

    private static final int NUMBER_SHIFT = 10;
    private static final int COMPLETE_SHIFT = 2;
    private static final int MOST_COMPLETE = 255;
    private static final long ONE_PARTY = 1L << NUMBER_SHIFT;
    private static final long ONE_COMPLETE = 1L << COMPLETE_SHIFT;
    private static final long PHASE = 3;
    private static final long OPEN = 0;
    private static final long RUNNING = 1;
    private static final long DOOMED = 2;
    private static final long BROKEN = 3;

    private static final VarHandle WORD;
    private static final VarHandle QUEUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CyclicBarrier.class, "word", long.class);
            QUEUE = lookup.findVarHandle(CyclicBarrier.class, "queue", NumberedQueue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerBarrier(new StepsOfBarrier());
    }

    private final int parties;

    /** Run by the last party of each round, or null. */
    private final Runnable action;

    /**
     * The number behind the round whose action runs. Plain: written by whoever has the action run in another place
     * before it resumes that one, who reads it.
     */
    private long runningEnd;

    /** The next number, complete rounds, and the phase; changed by CAS. */
    private volatile long word;

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

    /** How many parties each round has. */
    public int parties() {
        return parties;
    }

    /** How many parties wait in the round that is collecting its parties. */
    public int waiting() {
        long seen = word;
        return isBroken(seen) ? 0 : inRound(seen);
    }

    /** Whether the barrier is broken. */
    public boolean isBroken() {
        return isBroken(word);
    }

    /**
     * Begins a new round. The parties that wait fail as if the barrier were broken; a broken barrier is whole again. A
     * round whose action is being run is not affected.
     */
    public void reset() {
        for (; ; ) {
            Place place = queue().resumePlace();
            long seen = word;
            long fresh = inRound(seen) == 0 ? open(number(seen)) : open(begin(seen) + parties);
            if (complete(seen) > 0) {
                fresh += ONE_COMPLETE + RUNNING;
            }
            if (seen == fresh) {
                return;
            }
            if (casWord(seen, fresh)) {
                breakWaiting(seen, place);
                return;
            }
        }
    }

    /** Says how many parties there are, how many wait, and whether the barrier is broken. */
    @Override
    public String toString() {
        return "CyclicBarrier@" + Integer.toHexString(hashCode()) + "[" + parties + " parties, " + waiting() + " waiting"
                + (isBroken() ? ", broken]" : "]");
    }

    // Coming

    private int arrive(Waiter waiter) {
        for (int turns = 0; ; ) {
            Place suspendPlace = queue().suspendPlace();
            Place resumePlace = queue().resumePlace();
            long seen = word;
            int before = inRound(seen);
            boolean last = before == parties - 1;
            if (isBroken(seen)) {
                return BarrierSteps.BROKEN;
            } else if (last && phase(seen) == OPEN) {
                if (completeRound(seen, resumePlace)) {
                    return BarrierSteps.PASSED;
                }
            } else if (waiter == null) {
                return BarrierSteps.WAITS;
            } else if (last && complete(seen) == MOST_COMPLETE) {
                Spin.pause(turns++); // for the end of an action, with so many full rounds behind it
            } else if (casWord(seen, seen + ONE_PARTY + (last ? ONE_COMPLETE : 0))) {
                queue.suspendAt(suspendPlace, number(seen), waiter);
                return parties - 1 - before;
            }
        }
    }

    /** The step of the last party of a round, and all that follows from it; false if the word has changed. */
    private boolean completeRound(long seen, Place place) {
        long end = number(seen) + 1;
        if (action == null) {
            if (!casWord(seen, open(end))) {
                return false;
            }
            resume(place, end - parties, parties - 1, Passage.TRIPPED);
            return true;
        }
        if (!casWord(seen, open(end) + ONE_COMPLETE + RUNNING)) {
            return false;
        }
        runAction(end);
        return true;
    }

    // Running the action, by the last party of the round that ends at `end`, in phase RUNNING or DOOMED

    private void runAction(long end) {
        try {
            action.run();
        } catch (Throwable t) {
            breakRunning(end);
            throw t;
        }
        finish(end);
    }

    private void finish(long end) {
        for (; ; ) {
            Place place = queue.resumePlace();
            long seen = word;
            if (complete(seen) > 1) {
                if (casWord(seen, seen - ONE_COMPLETE)) {
                    resume(place, end - parties, parties - 1, Passage.TRIPPED);
                    runningEnd = decided(seen) + parties; // not always end + parties: a reset may stand between
                    queue.resumeAhead(place, runningEnd - 1, 1, Passage.RUN);
                    return;
                }
            } else if (casWord(seen, open(number(seen)) + (phase(seen) == DOOMED ? BROKEN : OPEN))) {
                resume(place, end - parties, parties - 1, Passage.TRIPPED);
                return;
            }
        }
    }

    private void breakRunning(long end) {
        for (; ; ) {
            Place place = queue.resumePlace();
            long seen = word;
            if (casWord(seen, open(number(seen)) + BROKEN)) {
                resume(place, end - parties, parties - 1, Passage.BROKEN);
                breakWaiting(seen, place);
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
            Place place = queue.resumePlace();
            long seen = word;
            if (isBroken(seen) || own < decided(seen)) {
                return false;
            }
            if (casWord(seen, brokenOrDoomed(seen))) {
                boolean left = queue.cancel(waiter); // nobody else resumes it: we have won the word
                breakWaiting(seen, place);
                return left;
            }
        }
    }

    private boolean refuse() {
        for (; ; ) {
            Place place = queue().resumePlace();
            long seen = word;
            if (isBroken(seen)) {
                return false;
            }
            if (casWord(seen, brokenOrDoomed(seen))) {
                breakWaiting(seen, place);
                return true;
            }
        }
    }

    private static long brokenOrDoomed(long seen) {
        return open(number(seen)) + (complete(seen) == 0 ? BROKEN : ONE_COMPLETE + DOOMED);
    }

    /** Follows the step that has ended the rounds that could still be broken. */
    private void breakWaiting(long seen, Place place) {
        long first = decided(seen);
        int count = isBroken(seen) ? 0 : (int) (number(seen) - first);
        if (complete(seen) == 0) {
            resume(place, first, count, Passage.BROKEN);
        } else {
            queue.resumeAhead(place, first, count, Passage.BROKEN);
        }
    }

    private void resume(Place place, long number, int count, Passage passage) {
        if (count > 0) {
            queue.resumeAt(place, number, count, passage);
        }
    }

    // The word

    private static long open(long number) {
        return number << NUMBER_SHIFT;
    }

    private static boolean isBroken(long word) {
        return phase(word) == BROKEN || phase(word) == DOOMED;
    }

    private static long number(long word) {
        return word >>> NUMBER_SHIFT;
    }

    private static int complete(long word) {
        return (int) (word >>> COMPLETE_SHIFT) & MOST_COMPLETE;
    }

    private static long phase(long word) {
        return word & PHASE;
    }

    /** How many parties of its round have a smaller number than the next. */
    private int inRound(long word) {
        return (int) (number(word) % parties);
    }

    /** The first number of the round that collects its parties. */
    private long begin(long word) {
        return number(word) - inRound(word);
    }

    /** Numbers from here on belong to rounds that can still be broken. */
    private long decided(long word) {
        return begin(word) - Math.max(0, complete(word) - 1) * (long) parties;
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
