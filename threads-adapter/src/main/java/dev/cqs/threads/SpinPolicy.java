package dev.cqs.threads;

/** Whether, and how, a thread that waits stays awake before it parks. */
final class SpinPolicy {
    /*
     * Parking and being woken costs two passes through the kernel's queues, many times what the one who is waited for
     * mostly needs. What can be had without depends on the processors.
     *
     * On several, the other one is running: to look for it for about as long as parking takes costs at most as much again.
     *
     * On one, the other one cannot run while this thread looks. So the processor is handed on, once: when this thread
     * gets it back, everybody who was ready has had a turn, and often the wait is over. If it is, one switch of threads was
     * all it cost, where parking takes a call to sleep, one to be woken, and the switch. The danger is in a thread that
     * computes: to that the kernel may give milliseconds, where it would have let one that is woken in front of it. See
     * Turns. (A program with a quota of one processor may in fact run on several; the turn is then over at once.)
     */

    /** Processors that this program may use. */
    static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /**
     * Turns of a loop in which a thread that may soon be served looks for its value before it parks; together ten or twenty
     * microseconds, about what it takes to park and to be woken. Tests shrink it to make parking common.
     */
    static final int SPINS_BEFORE_PARK = spinsBeforePark();

    /** Turns between two looks at the clock, for a wait with a timeout. */
    static final int LOOK = 32;

    /** A time so short, in nanoseconds, that a thread cannot park and be back in time. */
    static final long BRIEF = 10_000;

    /**
     * What virtual threads have in common, or null on a JDK without them. Not {@code Thread.isVirtual}, which this class,
     * made for older JDKs as well, could only call by a method handle: that allocates when it is linked, and once more after
     * a number of calls, by a thread that has a waiter in a queue.
     */
    private static final Class<?> VIRTUAL = find();

    private static final YieldBackoff HANDED_ON = new YieldBackoff();

    private SpinPolicy() {}

    /**
     * Whether to look for a while; not in a virtual thread, which parks at little cost, and would keep others from its
     * carrier.
     */
    static boolean pays(Thread current) {
        return PROCESSORS > 1 && !isVirtual(current);
    }

    /** On a single processor, lets others have it for a turn; if that has lately been quick. */
    static void handOnProcessor(Thread current) {
        if (PROCESSORS == 1 && !isVirtual(current)) {
            HANDED_ON.take();
        }
    }

    /** For a wait that ends so soon that parking does not pay: others go first where they need what this thread runs on. */
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
            throw new IllegalArgumentException("dev.cqs.spinsBeforePark must be between 1 and " + (1 << 20) + ", but is " + spins);
        }
        return spins;
    }

    private static Class<?> find() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /**
     * How long the turns of the others take, and whether that is worth it.
     *
     * <p>A few long ones are chance, or the first after many threads have been parked, whom the kernel lets go first when
     * they are woken; of those that several threads take at a time, one counts. If too many are long, a number of waits park
     * at once. Then it is tried again, and if that fails again, the number doubles, so that the trials are a small part of
     * all waits in the end. A calm time makes it small again.
     */
    static final class YieldBackoff {
        /** Nanoseconds: more than a turn of some hundred threads that only hand things on, less than a kernel's slice. */
        static final long LONG = 500_000;

        /** The lateness at which a trial has failed: a long turn adds so much, and a short one takes one away. */
        static final int LATE = 64;

        static final int PER_LONG = 16;

        /** Waits that park at once after the first failure, and at the most. */
        static final int FIRST = 1 << 10;

        static final int MOST = 1 << 20;

        /** So many timed turns in succession are short in a calm time. */
        static final int CALM = 64;

        /** Of so many turns one is timed while none is late, because the clock costs a part of what a turn costs. */
        private static final int BETWEEN_TIMED = 32;

        /* Plain, all of them: a lost update has a few more or fewer waits park, or turns timed. `owed` may fall below 0. */

        private int owed;
        private int untimed;
        private int lateness;
        private long lateUntil = System.nanoTime();
        private int calm;
        private int next = FIRST;

        private void take() {
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

        /** Whether a turn may be taken now; otherwise one that is owed is paid. */
        boolean mayTake() {
            if (owed <= 0) {
                return true;
            }
            owed--;
            return false;
        }

        /** Draws the consequences of a timed turn, from the times at which it began and ended. */
        void took(long begin, long end) {
            if (end - begin < LONG) {
                lateness = Math.max(0, lateness - 1);
                untimed = lateness == 0 ? BETWEEN_TIMED - 1 : 0;
                if (++calm >= CALM) {
                    next = FIRST;
                }
                return;
            }
            if (begin - lateUntil < 0) {
                return; // it was late for the same reason as another
            }
            lateUntil = end;
            calm = 0;
            lateness += PER_LONG;
            if (lateness >= LATE) {
                lateness = 0;
                owed = next;
                next = Math.min(MOST, 2 * next);
            }
        }
    }
}
