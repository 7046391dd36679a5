package dev.cqs.internal;

/**
 * Reports an exception of a callback whose caller has to go on: a hook of a primitive, a waiter that is resumed, a callback
 * of a pool. The caller may be in the middle of serving other waiters, and its own caller needs its result.
 */
public final class UncaughtExceptions {
    private UncaughtExceptions() {}

    /**
     * Hands the exception to the uncaught-exception handler of the current thread. Never throws. A class that calls this
     * where there may be no memory initializes this class beforehand: see {@link Rehearsal}.
     */
    public static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) {
            // as the JVM ignores what a handler throws
        }
    }
}
