package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A number that threads can wait for, as the system call of Linux that the mutexes here are made for. It orders nothing by
 * itself.
 */
final class Futex {
    /*
     * No wake-up is lost. A waiter compares the number and enqueues in one critical section, a waker changes the number
     * first and dequeues in another one. If the waiter's comes first, the waker finds it. If the waker's comes first, the
     * waiter sees the number changed, and does not wait.
     */

    static final VarHandle VALUE = Fields.handle(MethodHandles.lookup(), "value", int.class);

    /** The number. */
    volatile int value;
    /** Guards the queue. */
    private final TicketLock guard = new TicketLock();

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** A thread in the queue. */
    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        /** Volatile, though what park and unpark do orders it in HotSpot: they promise nothing. */
        volatile boolean woken;

        @Nullable
        Waiter next;
    }

    /** Waits until this thread is woken, if the number is {@code expected}. */
    void await(int expected) {
        Waiter mine = new Waiter();
        if (!enqueue(mine, expected)) {
            return;
        }
        boolean interrupted = false;
        do { // it parks in any case, so that no permit is left over for the next wait of the thread
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
        // opaque: the guard is what orders it
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

    /** Wakes the one that has waited for longest, if there is one. */
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
