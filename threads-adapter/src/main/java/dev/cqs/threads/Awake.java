package dev.cqs.threads;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Whether, and for how long, a thread that waits stays awake before it parks. */
final class Awake {
    /** Processors that this program may use. */
    static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Turns of a loop; together ten or twenty microseconds, about what it takes to park and to be woken. */
    static final int TURNS = 1000;

    /** Turns between two looks at the clock, for a wait with a timeout. */
    static final int LOOK = 32;

    /** Nanoseconds for which nobody parks: falling asleep takes longer, and timers of the system much longer. */
    static final long NOT_WORTH_PARKING = 1000;

    /** {@code Thread.isVirtual}, or null on a JDK without virtual threads. */
    private static final MethodHandle IS_VIRTUAL = find();

    private Awake() {}

    /**
     * Not on a single processor, which the one that is waited for needs; nor in a virtual thread, which parks at little cost
     * and would keep others from its carrier.
     */
    static boolean pays(Thread current) {
        return PROCESSORS > 1 && !isVirtual(current);
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
}
