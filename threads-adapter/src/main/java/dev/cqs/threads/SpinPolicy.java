package dev.cqs.threads;

import org.jspecify.annotations.Nullable;

/** Whether, and how, a waiting thread stays awake before it parks. */
final class SpinPolicy {
    /*
     * Parking and waking up costs two passes through the kernel's scheduler queues, far longer than most holders hold. How to
     * avoid it depends on the processors.
     *
     * On several processors, the holder is running. To spin for about as long as parking takes costs at most as much again.
     *
     * On one processor, the holder cannot run while this thread spins. So this thread yields, once. When it runs again, every
     * thread that was ready has had a turn, and often the wait is over. If it is, it has cost one context switch; parking
     * takes a call to sleep, one to be woken, and the switch. The danger is a thread that computes: the kernel may give it
     * milliseconds, whereas it would have let a woken thread run before it. See YieldBackoff. (A program with a quota of one
     * processor may in fact run on several; the yield then returns at once.)
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** Processors that this program may use. */
    static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /**
     * Spins of a thread that may soon be served, before it parks; together ten or twenty microseconds, about the time to park
     * and wake up. Tests shrink it to make parking common.
     */
    static final int SPINS_BEFORE_PARK = spinsBeforePark();

    /** Spins between two looks at the clock, for a wait with a timeout. */
    static final int LOOK = 32;

    /** Nanoseconds; in a shorter time a thread cannot park and be back. */
    static final long BRIEF = 10_000;

    /**
     * The common superclass of virtual threads, or null on a JDK without them. This class is made for older JDKs as well, so
     * it could call {@code Thread.isVirtual} only by a method handle. That allocates when it is linked, and once more after a
     * number of calls, in a thread that has a waiter in a queue.
     */
    private static final @Nullable Class<?> VIRTUAL = superclassOfVirtualThreads();

    private static final YieldBackoff YIELDS = new YieldBackoff();

    private SpinPolicy() {}

    /**
     * Whether spinning pays. Not in a virtual thread, which parks at little cost, and would keep other virtual threads from
     * its carrier.
     */
    static boolean pays(Thread current) {
        return PROCESSORS > 1 && !isVirtual(current);
    }

    /** On a single processor, yields once, if that has lately been quick. */
    static void handOnProcessor(Thread current) {
        if (PROCESSORS == 1 && !isVirtual(current)) {
            YIELDS.yieldOnce();
        }
    }

    /** Backs off in a wait too short for parking. Yields if the resumer may need the processor or carrier of this thread. */
    static void briefly(Thread current) {
        if (pays(current)) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    static boolean isVirtual(Thread thread) {
        return VIRTUAL != null && VIRTUAL.isInstance(thread);
    }

    private static int spinsBeforePark() {
        int spins = Integer.getInteger("dev.cqs.spinsBeforePark", 1000);
        if (spins < 1 || spins > 1 << 20) {
            throw new IllegalArgumentException(
                    "dev.cqs.spinsBeforePark must be between 1 and " + (1 << 20) + ", but is " + spins);
        }
        return spins;
    }

    private static @Nullable Class<?> superclassOfVirtualThreads() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /**
     * Measures how long a yield takes, and decides whether it pays.
     *
     * <p>A few long ones are chance, or come just after many parked threads were woken, which the kernel runs before the thread
     * that yields. Of long yields that several threads take at the same time, one counts. If too many are long, the next waits
     * park without yielding, a number of them. Then yields are tried again, and if too many are long again, the number doubles,
     * so that such trials become a small part of all waits. A calm time makes it small again.
     */
    static final class YieldBackoff {
        /** Nanoseconds: more than a yield to some hundred threads that only hand off, less than a kernel's time slice. */
        static final long LONG = 500_000;

        /** The lateness at which a trial has failed: a long yield adds PER_LONG, and a short one subtracts one. */
        static final int LATE = 64;

        static final int PER_LONG = 16;

        /** The number of waits that park without yielding after the first failure, and its upper bound. */
        static final int FIRST = 1 << 10;

        static final int MOST = 1 << 20;

        /** This many short timed yields in succession make a calm time. */
        static final int CALM = 64;

        /** One in this many yields is timed while none is late, because reading the clock costs a part of a yield. */
        private static final int BETWEEN_TIMED = 32;

        /*
         * All plain: a lost update, or a time of which another thread has written a half, has a few more or fewer waits park, or
         * yields timed. `parksOwed` may fall below 0.
         */

        private int parksOwed;
        private int untimed;
        private int lateness;
        private long lateUntil = System.nanoTime();
        private int calm;
        private int nextParks = FIRST;

        private void yieldOnce() {
            if (!mayTake()) {
                return;
            }
            if (untimed > 0) {
                untimed--;
                Thread.yield();
                return;
            }
            long begin = System.nanoTime();
            Thread.yield();
            took(begin, System.nanoTime());
        }

        /** Whether to yield now; if not, this wait parks and counts against the number that is owed. */
        boolean mayTake() {
            if (parksOwed <= 0) {
                return true;
            }
            parksOwed--;
            return false;
        }

        /** Evaluates a timed yield, from the times at which it began and ended. */
        void took(long begin, long end) {
            if (end - begin < LONG) {
                lateness = Math.max(0, lateness - 1);
                untimed = lateness == 0 ? BETWEEN_TIMED - 1 : 0;
                if (++calm >= CALM) {
                    nextParks = FIRST;
                }
                return;
            }
            if (begin - lateUntil < 0) {
                return; // late for the same reason as another yield
            }
            lateUntil = end;
            calm = 0;
            lateness += PER_LONG;
            if (lateness >= LATE) {
                lateness = 0;
                parksOwed = nextParks;
                nextParks = Math.min(MOST, 2 * nextParks);
            }
        }
    }
}
