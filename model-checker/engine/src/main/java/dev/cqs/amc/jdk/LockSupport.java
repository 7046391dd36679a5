package dev.cqs.amc.jdk;

import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.bytecode.runtime.ThreadHooks;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Parking. Each thread has a permit; see {@link Thread} for its ordering. There are no spurious wake-ups here.
 */
public final class LockSupport {

    private LockSupport() {}

    /** Makes the permit available, if {@code thread} is not null and has been started. */
    public static void unpark(Thread thread) {
        if (thread != null) {
            thread.givePermit();
        }
    }

    /** Waits for the permit, or for an interrupt. */
    public static void park() {
        Thread.currentThread().takePermit();
    }

    /** The same; the blocker does not matter here. */
    public static void park(Object blocker) {
        park();
    }

    /** Waits for the permit, for an interrupt, or for some time. */
    public static void parkNanos(long nanos) {
        if (nanos > 0 && !ThreadHooks.timesOut(nanos)) {
            try {
                park();
            } finally {
                ThreadHooks.endTimedWait();
            }
        }
    }

    /** The same; the blocker does not matter here. */
    public static void parkNanos(Object blocker, long nanos) {
        parkNanos(nanos);
    }

    /** Waits for the permit, for an interrupt, or for a time to come. */
    public static void parkUntil(long deadline) {
        parkNanos(TimeUnit.MILLISECONDS.toNanos(deadline - Hooks.currentTimeMillis()));
    }

    /** The same; the blocker does not matter here. */
    public static void parkUntil(Object blocker, long deadline) {
        parkUntil(deadline);
    }

    /** Does nothing: no code reads the blocker. */
    public static @Nullable Object getBlocker(Thread thread) {
        if (thread == null) {
            throw new NullPointerException();
        }
        return null;
    }

    /** Does nothing: no code reads the blocker. */
    public static void setCurrentBlocker(Object blocker) {}
}
