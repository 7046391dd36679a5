package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A model of Linux's futex: an integer on which threads can wait. It orders nothing by itself.
 */
final class Futex {
    /*
     * No wake-up is lost. A waiter compares the value and enqueues itself in one critical section. A waker first
     * changes the value, and then dequeues in another critical section. If the waiter's section is first, the waker
     * finds the waiter. If the waker's section is first, the waiter reads the changed value, and does not wait.
     */

    static final VarHandle VALUE = Fields.handle(MethodHandles.lookup(), "value", int.class);

    /** The value. */
    volatile int value;
    /** Guards the queue. */
    private final TicketLock guard = new TicketLock();

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** A waiting thread. */
    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        /**
         * Volatile, because the specification of park and unpark promises no order, although HotSpot's implementation
         * has one.
         */
        volatile boolean woken;

        @Nullable
        Waiter next;
    }

    /** Waits until this thread is woken, if the value is {@code expected}. */
    void await(int expected) {
        Waiter mine = new Waiter();
        if (!enqueue(mine, expected)) {
            return;
        }
        boolean interrupted = false;
        do { // park at least once, to consume the permit, which would otherwise end the thread's next wait
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        } while (!mine.woken);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("NullAway") // there is a last one if there is a first
    private boolean enqueue(Waiter mine, int expected) {
        int ticket = guard.enter();
        // opaque: the guard orders it
        boolean waits = (int) VALUE.getOpaque(this) == expected;
        if (waits) {
            if (first == null) {
                first = mine;
            } else {
                last.next = mine;
            }
            last = mine;
        }
        guard.leave(ticket);
        return waits;
    }

    /** Wakes the longest-waiting thread, if there is one. */
    void wakeOne() {
        Waiter woken = dequeue();
        if (woken != null) {
            woken.woken = true;
            LockSupport.unpark(woken.thread);
        }
    }

    private @Nullable Waiter dequeue() {
        int ticket = guard.enter();
        Waiter woken = first;
        if (woken != null) {
            first = woken.next;
            if (first == null) {
                last = null;
            }
        }
        guard.leave(ticket);
        return woken;
    }
}
