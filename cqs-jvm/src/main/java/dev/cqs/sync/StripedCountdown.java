package dev.cqs.sync;

import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that threads take down, striped over cache lines to avoid contention. */
final class StripedCountdown {
    /*
     * Overview.
     *
     * An atomic subtraction has to fetch the cache line if another processor has written to it meanwhile, and costs a
     * small part of that otherwise. So a count from which many will be taken is divided into stripes. A thread has a
     * stripe of its own, or one that few others share, and takes from it until nothing is left there. A thread that takes
     * only once gains nothing.
     *
     *   stripe   a part of the count, taken from by fetch-and-add. A take that reads zero or less has taken nothing. Such a
     *            stripe falls below zero by one for each thread at most: the thread clears the bit before it looks again.
     *   live     a bit for each stripe that may have some left; read by all, written a few times a stripe. A thread that has
     *            taken the last of a stripe, or found nothing in it, clears its bit.
     *
     * Nothing is ever put into a stripe. So an empty stripe stays empty, and a thread that reads no bit in live knows that
     * nothing is left. left() is linearizable, although it reads the stripes one after the other. The whole goes down one by
     * one. It is no less than the result when left() begins, and no more than the result when left() ends.
     *
     * Which stripe. Fibonacci hashing: the numbers of threads times the golden ratio, modulo 1, lie far apart where the
     * numbers follow each other. So the threads of a group have stripes of their own. A thread that finds its own stripe empty
     * looks for a live one. It begins at another place, which depends on the number of live stripes, so that threads that
     * meet in one stripe separate again.
     *
     * Progress. Wait-free: take() tries each stripe at most once, and the number of changes of live is bounded.
     *
     * Ordering. All accesses are volatile. What was done before a take() that takes one happens-before what follows a
     * take() that finds nothing. The former writes to its stripe; the thread that clears the bit of that stripe has read all
     * such writes; and the latter has read the bit as cleared.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** A smaller count per stripe is not worth its memory. */
    private static final int MIN_STRIPE_SIZE = Tuning.positive("dev.cqs.minStripeSize", 128, 1 << 20);

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** From one stripe to the next, in elements: two cache lines, since processors fetch them in pairs. */
    private static final int APART = 128 / Long.BYTES;

    /** 2^32 divided by the golden ratio. */
    private static final int GOLDEN = 0x9E3779B9;

    private static final VarHandle STRIPES = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle LIVE;

    static {
        try {
            LIVE = MethodHandles.lookup().findVarHandle(StripedCountdown.class, "live", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /**
     * Stripe i is at (i + 1) * APART, so that the length of the array stands apart as well. Plain in the constructor, then
     * changed by fetch-and-add.
     */
    private final long[] stripes;

    /** The shift that reduces a 32-bit hash to the number of a stripe. */
    private final int shift;

    /** Bit i is set if stripe i may have some left; cleared by fetch-and-and. */
    private volatile long live;

    /**
     * Divides a count.
     *
     * @param size the number of stripes; a power of two, from 2 to 64
     */
    StripedCountdown(int count, int size) {
        stripes = new long[(size + 1) * APART];
        for (int stripe = 0; stripe < size; stripe++) {
            stripes[at(stripe)] = (long) count / size + (stripe < count % size ? 1 : 0);
        }
        shift = Integer.numberOfLeadingZeros(size - 1);
        LIVE.set(this, -1L >>> Long.SIZE - size); // plain: the object is not shared yet
    }

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        StripedCountdown count = new StripedCountdown(2, 2);
        while (count.take()) {
            count.left();
        }
    }

    /** The number of stripes worth having for a count; less than two means that it should not be divided. */
    static int worth(int count) {
        return worth(count, PROCESSORS);
    }

    /** Several stripes per processor, so that few running threads share one; a single processor has no contention. */
    static int worth(int count, int processors) {
        int most = processors == 1 ? 1 : Math.min(4 * processors, Long.SIZE);
        return Integer.highestOneBit(Math.min(most, count / MIN_STRIPE_SIZE));
    }

    /** Takes one. Returns false if there is none. */
    boolean take() {
        int own = own(Thread.currentThread().getId());
        for (long living = live; living != 0; living = live) {
            int stripe = (living >>> own & 1) != 0 ? own : other(own, living);
            long left = (long) STRIPES.getAndAdd(stripes, at(stripe), -1L);
            if (left <= 1) {
                LIVE.getAndBitwiseAnd(this, ~(1L << stripe));
            }
            if (left >= 1) {
                return true;
            }
        }
        return false;
    }

    /** How many are left. */
    int left() {
        long left = 0;
        for (int i = APART; i < stripes.length; i += APART) {
            left += Math.max(0, (long) STRIPES.getVolatile(stripes, i));
        }
        return (int) left;
    }

    /** The stripe that a thread takes from first. */
    int own(long thread) {
        return (int) thread * GOLDEN >>> shift;
    }

    /** A live stripe, for a thread whose own is empty; there must be one. */
    static int other(int own, long living) {
        int from = own ^ Long.bitCount(living);
        return from + Long.numberOfTrailingZeros(Long.rotateRight(living, from)) & Long.SIZE - 1;
    }

    private static int at(int stripe) {
        return (stripe + 1) * APART;
    }
}
