package dev.cqs.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The state of a {@link CyclicBarrier}: how many parties have arrived, where their rounds begin, and the phase. */
abstract class BarrierState {
    /*
     * Overview.
     *
     * Parties are numbered as they arrive, for ever, and number t waits in cell t of the queue. So the resumes of one round
     * can never meet a waiter of another, no matter which thread stalls. The origin is the number at which some round
     * begins: t belongs to round (t - origin) / parties after that.
     *
     * One 64-bit word, changed by compare-and-set:
     *
     *      bits 27..63   the number of the next party to arrive, modulo 2^37
     *      bits  3..26   complete rounds whose action is not done yet
     *      bit  2        RESETTING: the next number is to be the origin
     *      bits  0..1    the phase: see CyclicBarrier
     *
     * The origin stands beside the word. It moves when a reset cuts a round short. The reset uses up one number, with which
     * no party arrives, and sets RESETTING in the same step. Then the origin is moved to the next number, and RESETTING
     * is cleared. A thread that finds RESETTING does these two steps before its own. Since a number is used up, the word
     * before a move of the origin never comes back, and so:
     *
     *   BAR-1  If the word is the same before and after the read of the origin, by a compare-and-set or a second look, then
     *          the two belong together.
     *
     * A reset that skipped to the next multiple of `parties` instead would need no origin, but the queue would make the
     * cells of all the parties that are missing.
     *
     *   BAR-2  The origin is less than 2^37 numbers behind the next number, so the lower bits of the number are enough. The
     *          end of a round, and a reset, move an origin that is FAR behind forward by whole rounds.
     *
     * Only exactly 2^37 numbers between a look and its compare-and-set would break that.
     *
     * Ordering. All accesses to word and origin are volatile.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    static final int NUMBER_SHIFT = 27;
    private static final int COMPLETE_SHIFT = 3;
    static final int MOST_COMPLETE = (1 << NUMBER_SHIFT - COMPLETE_SHIFT) - 1;
    private static final long NUMBERS = -1L >>> NUMBER_SHIFT;

    /** How far the origin may fall behind: far more than the parties that wait, and far less than there are numbers. */
    private static final long FAR = NUMBERS >>> 2;

    static final long ONE_PARTY = 1L << NUMBER_SHIFT;
    static final long ONE_COMPLETE = 1L << COMPLETE_SHIFT;
    static final long RESETTING = 4;
    private static final long PHASE = 3;
    static final long OPEN = 0;
    static final long RUNNING = 1;
    static final long DOOMED = 2;
    static final long BROKEN = 3;

    private static final VarHandle WORD;
    private static final VarHandle ORIGIN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(BarrierState.class, "word", long.class);
            ORIGIN = lookup.findVarHandle(BarrierState.class, "origin", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int parties;

    /** The next number, complete rounds, and the phase; changed by CAS. */
    private volatile long word;

    /** Where some round begins; only grows, by CAS. */
    private volatile long origin;

    BarrierState(int parties) {
        this.parties = parties;
    }

    final long word() {
        return word;
    }

    final long origin() {
        return origin;
    }

    final boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    /** The word, with nothing left to do for a reset. */
    final long settledWord() {
        for (; ; ) {
            long seen = word;
            if ((seen & RESETTING) == 0) {
                return seen;
            }
            long from = origin;
            long next = number(seen, from);
            if (seen == word && ORIGIN.compareAndSet(this, from, next)) { // BAR-1
                casWord(seen, seen - RESETTING);
            }
        }
    }

    /** Moves the origin forward to the beginning of a round, if it has fallen behind: BAR-2. */
    final void follow(long from, long begin) {
        if (begin - from > FAR) {
            ORIGIN.compareAndSet(this, from, begin);
        }
    }

    // The word

    /** The same number, with nothing complete, in phase OPEN. */
    static long opened(long word) {
        return word & -ONE_PARTY;
    }

    static boolean isBroken(long word) {
        return phase(word) == BROKEN || phase(word) == DOOMED;
    }

    /** The same number, broken: at once, or if an action runs, when that is done. */
    static long brokenOrDoomed(long word) {
        return opened(word) + (complete(word) == 0 ? BROKEN : ONE_COMPLETE + DOOMED);
    }

    static int complete(long word) {
        return (int) (word >>> COMPLETE_SHIFT) & MOST_COMPLETE;
    }

    static long phase(long word) {
        return word & PHASE;
    }

    // The word with its origin

    /** How many numbers there are from the origin up to the next. */
    private static long sinceOrigin(long word, long from) {
        return (word >>> NUMBER_SHIFT) - from & NUMBERS;
    }

    /** The next number. */
    static long number(long word, long from) {
        return from + sinceOrigin(word, from);
    }

    /** How many parties of its round have a smaller number than the next. */
    final int inRound(long word, long from) {
        return (int) (sinceOrigin(word, from) % parties);
    }

    /** The first number of the round that collects its parties. */
    final long begin(long word, long from) {
        return number(word, from) - inRound(word, from);
    }

    /** The first number that belongs to a round that can still be broken. */
    final long decided(long word, long from) {
        return begin(word, from) - Math.max(0, complete(word) - 1) * (long) parties;
    }
}
