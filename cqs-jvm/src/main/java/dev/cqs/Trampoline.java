package dev.cqs;

import dev.cqs.internal.Rehearsal;
import dev.cqs.internal.UncaughtExceptions;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions in place that may cause further actions; hand-offs never recurse, and the depth of the stack is bounded.
 * Waking a parked thread runs none of its code. But completing a future, or resuming a coroutine without a dispatcher, runs
 * the code that waited. If that code releases, the next waiter is woken in the middle of it, and so on. A {@link Waiter} of
 * such a kind runs its owner's code through this class.
 *
 * <p>No action is lost for want of memory: an action that cannot be queued runs at once, on a deeper stack.
 */
public final class Trampoline {
    /** What is still to be run by the outermost {@link #run} of a thread; null outside of it. */
    private static final ThreadLocal<@Nullable Pending> PENDING = new ThreadLocal<>();

    static {
        Rehearsal.initialize(MethodHandles.lookup(), UncaughtExceptions.class);
        Runnable none = new Runnable() { // no lambda: it would have to be linked
                    @Override
                    public void run() {}
                };
        run(new Runnable() {
            @Override
            public void run() {
                Trampoline.run(none);
            }
        });
    }

    private Trampoline() {}

    /**
     * Runs the action, and then all actions that it and its successors have passed to this method, in their order. A call
     * from inside an action only queues. An exception of an action goes to the uncaught-exception handler of the thread.
     *
     * @param action runs before this returns, unless the thread is in a call of this method already
     */
    public static void run(Runnable action) {
        boolean outermost = true;
        Pending pending;
        try {
            pending = PENDING.get(); // makes an entry, in the outermost call
            outermost = pending == null;
            if (outermost) {
                pending = new Pending();
                PENDING.set(pending);
            } else {
                pending.add(action);
            }
        } catch (OutOfMemoryError e) { // a deeper stack is better than a waiter that is never run
            if (outermost) {
                PENDING.remove(); // set() may have entered it before it found no memory for a larger table
            }
            runGuarded(action);
            return;
        }
        if (outermost) {
            runAll(action, pending);
        }
    }

    private static void runAll(Runnable action, Pending pending) {
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
        } catch (Throwable t) { // the actions behind it are run all the same
            UncaughtExceptions.report(t);
        }
    }

    /** A list of its own: a java.util.ArrayDeque that finds no memory to grow has lost all its elements. */
    private static final class Pending {
        private @Nullable Node first;
        private @Nullable Node last;

        @SuppressWarnings("NullAway") // there is a last one if there is a first
        void add(Runnable action) {
            Node added = new Node(action);
            if (first == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
        }

        @Nullable
        Runnable poll() {
            Node polled = first;
            if (polled == null) {
                return null;
            }
            first = polled.next;
            return polled.action;
        }
    }

    private static final class Node {
        final Runnable action;

        @Nullable
        Node next;

        Node(Runnable action) {
            this.action = action;
        }
    }
}
