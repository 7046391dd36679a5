package dev.cqs.threads;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Whether, and how, a thread that waits stays awake before it parks. */
final class Awake {
    /*
     * Parking and being woken costs two passes through the kernel's queues, many times what the one who is waited for
     * mostly needs. What can be had without depends on the processors.
     *
     * On several, the other one is running: to look for it for about as long as parking takes costs at most as much again.
     *
     * On one, the other one cannot run while this thread looks. So the processor is handed on, once: when this thread
     * gets it back, everybody who was ready has had a turn, and often the wait is over. If it is, one switch of threads was
     * all it cost, where parking takes a call to sleep, one to be woken, and the switch. The danger is in a thread that
     * computes: to that the kernel may give milliseconds, where it would have let one that is woken in front of it. See Turns.
     */

    /** Processors that this program may use. */
    static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Turns of a loop; together ten or twenty microseconds, about what it takes to park and to be woken. */
    static final int TURNS = 1000;

    /** Turns between two looks at the clock, for a wait with a timeout. */
    static final int LOOK = 32;

    /** A time so short, in nanoseconds, that a thread cannot park and be back in time. */
    static final long BRIEF = 10_000;

    /** {@code Thread.isVirtual}, or null on a JDK without virtual threads. */
    private static final MethodHandle IS_VIRTUAL = find();

    private static final Turns HANDED_ON = new Turns();

    private Awake() {}

    /** Whether to look for a while; not in a virtual thread, which parks at little cost, and keeps others from its carrier. */
    static boolean pays(Thread current) {
        return PROCESSORS > 1 && !isVirtual(current);
    }

    /** On a single processor, lets others have it for a turn; if that has lately been quick. */
    static void handOnProcessor(Thread current) {
        if (PROCESSORS == 1 && !isVirtual(current)) {
            HANDED_ON.next();
        }
    }

    /** A wait that ends so soon that parking does not pay: others that are ready go first, if there is one processor. */
    static void briefly() {
        if (PROCESSORS > 1) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup().findVirtual(
                    Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /**
     * How long the turns of the others take, of which one in some is timed, because the clock costs a part of what a turn
     * costs. One long turn may be chance. If the next is long as well, so many waits park at once that the long turns,
     * spread over them, are a small part of what they take; then one more turn tells whether that goes on.
     */
    static final class Turns {
        /** Longer than a turn of some hundred threads that only hand things on, and shorter than a kernel's slice. */
        static final long LONG = 250_000;

        /** Nanoseconds of a long turn for which one wait parks at once: some hundredths of what parking takes. */
        static final long PER_WAIT = 64;

        private static final int BETWEEN_TIMED = 8;

        /* Plain, all three: a lost update has a few more or fewer waits park, or turns timed. */

        /** So many waits are to park at once. */
        private int owed;

        /** So many turns are not timed. */
        private int untimed;

        /** Whether the last timed turn was long. */
        private boolean late;

        private void next() {
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
            took(System.nanoTime() - begin);
        }

        /** Whether a turn may be taken now; otherwise one that is owed is paid. */
        boolean mayTake() {
            if (owed == 0) {
                return true;
            }
            owed--;
            return false;
        }

        /** Draws the consequences of a timed turn. */
        void took(long nanos) {
            if (nanos < LONG) {
                late = false;
                untimed = BETWEEN_TIMED - 1;
            } else if (late) {
                owed = (int) Math.min(Integer.MAX_VALUE, nanos / PER_WAIT);
            } else {
                late = true;
            }
        }
    }
}
