package dev.cqs.spi;

import java.util.ArrayDeque;

/**
 * Runs actions in place that may cause further ones, without growing the stack. Waking a parked thread runs nothing of
 * it, but completing a future, or resuming a coroutine without a dispatcher, runs the code that waited; if that
 * releases, the next one is woken in the middle of it, and so on. A {@link dev.cqs.Waiter} of such a kind runs its
 * owner's code through this.
 */
public final class Trampoline {
    /** What is still to be run by the outermost {@link #run} of a thread; null outside of it. */
    private static final ThreadLocal<ArrayDeque<Runnable>> PENDING = new ThreadLocal<>();

    private Trampoline() {}

    /**
     * Runs the action, and then all that it and its successors have passed to this method, in their order. Called by
     * one of them, it only takes note. What an action throws goes to the uncaught-exception handler of the thread.
     */
    public static void run(Runnable action) {
        ArrayDeque<Runnable> pending = PENDING.get();
        boolean outermost = pending == null;
        try {
            if (outermost) {
                pending = new ArrayDeque<>();
                PENDING.set(pending);
            } else {
                pending.add(action);
            }
        } catch (OutOfMemoryError e) { // rather a deeper stack than a waiter that is never run
            runGuarded(action);
            return;
        }
        if (outermost) {
            runAll(action, pending);
        }
    }

    private static void runAll(Runnable action, ArrayDeque<Runnable> pending) {
        try {
            for (Runnable next = action; next != null; next = pending.poll()) {
                runGuarded(next);
            }
        } finally {
            PENDING.remove();
        }
    }

    private static void runGuarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) { // the others wait for their turn all the same
            report(t);
        }
    }

    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) {
            // as the JVM ignores what a handler throws
        }
    }
}
