package dev.cqs.sync;

import dev.cqs.internal.Tuning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that threads take down, each in a part of it that lies apart from the others in memory. */
final class StripedCountdown {
    /*
     * Overview.
     *
     * An atomic subtraction has to fetch the cache line if another processor has written to it meanwhile, and costs a small
     * part of that otherwise. So a count from which many will be taken is divided, and a thread has a part of its own, or
     * one that few others have, from which it takes until nothing is left there. Who takes only once gains nothing.
     *
     *   part     taken from by fetch-and-add. Who reads zero or less has taken nothing; such a part falls below zero by
     *            one for each thread at the most, which then clears the bit before it looks again.
     *   live     a bit for each part that may have some left; read by all, written a few times a part. Who has taken the
     *            last of a part, or found nothing in it, clears its bit.
     *
     * Nothing is ever put into a part. So one that is empty stays so, and who reads no bit in live knows that nothing is
     * left. And left() is linearizable, although it reads the parts one after the other: what is left in all goes down
     * one by one, from no less than left() finds, when it begins, to no more than that, when it ends.
     *
     * Which part. The numbers of threads times the golden section, modulo 1, lie far apart where the numbers follow each
     * other; so those of a group of threads have parts of their own. Who finds its own part empty looks for one that lives
     * from another place on, which depends on how many live, so that threads that meet go apart again.
     *
     * Progress. Wait-free: take() tries each part once at the most, and there are only so many changes of live.
     *
     * Ordering. All accesses are volatile. What was done before a take() that takes one happens-before what follows a
     * take() that finds nothing. The former writes to its part, whoever clears the bit of that part has read all such
     * writes, and the latter has read the bit as cleared.
     */

    /** A count of less for each part is not worth its memory. */
    private static final int LEAST = Tuning.positive("dev.cqs.minStripeSize", 128, 1 << 20);

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** From one part to the next, in elements: two cache lines, since processors fetch them in pairs. */
    private static final int APART = 128 / Long.BYTES;

    /** 2^32 divided by the golden section. */
    private static final int GOLDEN = 0x9E3779B9;

    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[].class);
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
     * Part i is at (i + 1) * APART, so that the length of the array stands apart as well. Plain in the constructor, then
     * changed by fetch-and-add.
     */
    private final long[] parts;

    /** Makes 32 bits the number of a part. */
    private final int shift;

    /** Bit i is set if part i may have some left; cleared by fetch-and-and. */
    private volatile long live;

    /**
     * Divides a count.
     *
     * @param size into how many parts; a power of two, from 2 to 64
     */
    StripedCountdown(int count, int size) {
        parts = new long[(size + 1) * APART];
        for (int part = 0; part < size; part++) {
            parts[at(part)] = count / size + (part < count % size ? 1 : 0);
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

    /** Into how many parts a count should be divided; if that is less than two, it should not. */
    static int worth(int count) {
        return worth(count, PROCESSORS);
    }

    /** Some parts for each processor, so that few threads that run share one; a single processor has nothing to fetch. */
    static int worth(int count, int processors) {
        int most = processors == 1 ? 1 : Math.min(4 * processors, Long.SIZE);
        return Integer.highestOneBit(Math.min(most, count / LEAST));
    }

    /** Takes one. Returns false if there is none. */
    boolean take() {
        int own = own(Thread.currentThread().getId());
        for (long living = live; living != 0; living = live) {
            int part = (living >>> own & 1) != 0 ? own : other(own, living);
            long left = (long) PART.getAndAdd(parts, at(part), -1L);
            if (left <= 1) {
                LIVE.getAndBitwiseAnd(this, ~(1L << part));
            }
            if (left >= 1) {
                return true;
            }
        }
        return false;
    }

    /** How many there are. */
    int left() {
        long left = 0;
        for (int i = APART; i < parts.length; i += APART) {
            left += Math.max(0, (long) PART.getVolatile(parts, i));
        }
        return (int) left;
    }

    /** The part of a thread. */
    int own(long thread) {
        return (int) thread * GOLDEN >>> shift;
    }

    /** One of the parts that live, of which there must be some, for a thread whose own does not. */
    static int other(int own, long living) {
        int from = own ^ Long.bitCount(living);
        return from + Long.numberOfTrailingZeros(Long.rotateRight(living, from)) & Long.SIZE - 1;
    }

    private static int at(int part) {
        return (part + 1) * APART;
    }
}
