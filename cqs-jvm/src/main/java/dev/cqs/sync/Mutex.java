package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fair mutual exclusion lock that callers of every kind can share: threads, virtual threads and coroutines
 * wait for it in one queue. This object holds the state and the operations that never wait; waiting for it is
 * done through a view, for example {@code dev.cqs.threads.Mutex}.
 *
 * <p><b>Fairness.</b> FIFO. {@link #unlock} hands the mutex to the request that has waited longest. A request has its place
 * from the moment at which its waiter is in the queue. {@link #tryLock} succeeds only if the mutex is free, and it is never
 * free while a request waits.
 *
 * <p><b>Cancellation.</b> A waiting request can be cancelled at any time, at a cost that depends on neither the length of
 * the queue nor the number of requests cancelled before; later owners do not pay for it.
 *
 * <p><b>Memory consistency.</b> Actions before {@code unlock} happen-before actions of the next holder after it has got
 * the mutex.
 *
 * <p><b>Ownership.</b> The mutex itself does not check who unlocks it; views for threads do.
 *
 * <pre>{@code
 * Mutex mutex = new Mutex();
 * if (mutex.tryLock()) {
 *     try {
 *         ...
 *     } finally {
 *         mutex.unlock();
 *     }
 * }
 * }</pre>
 */
public final class Mutex extends MutexOwnership {
    /*
     * A mutex is a single permit, see SemaphoreState. Its holder is on record in MutexOwnership.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    private static final VarHandle CONDITIONS;

    static {
        try {
            CONDITIONS = MethodHandles.lookup().findVarHandle(Mutex.class, "conditions", ConditionLock.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** This mutex as its conditions see it; made by CAS with the first of them. */
    private transient volatile @Nullable ConditionLock conditions;

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        Mutex mutex = new Mutex();
        mutex.tryLock();
        mutex.newCondition().rehearse();
        mutex.unlock();
        new Mutex().rehearseTokens(); // without waiters: the mutex with the condition is handed on
    }

    /** Creates a free mutex. */
    public Mutex() {}

    /**
     * Takes the mutex if it is free.
     *
     * @return whether the caller now holds it
     * @throws ClosedException if this mutex is closed
     */
    public boolean tryLock() {
        return tryTake(0);
    }

    /**
     * Takes the mutex if it is free; otherwise makes a waiter and puts it into the queue.
     *
     * <p>A waiter that this returns is in the queue, or has been resumed already. It is resumed with this mutex, which its
     * owner then holds, or with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. An owner that
     * cannot use a mutex that was handed over {@linkplain #unlock unlocks} it.
     *
     * <pre>{@code
     * Parked waiter = mutex.lock(null, (m, nothing) -> new Parked());     // the example of Waiter
     * if (waiter != null) waiter.await();
     * }</pre>
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. It must neither block nor use this
     *     mutex. If it throws, the request is abandoned and the exception is passed on
     * @return the waiter, or {@code null} if the caller holds the mutex
     * @throws ClosedException if this mutex is closed
     * @throws IllegalArgumentException if the waiter waits for another number of permits than one; nothing is then changed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W lock(
            A argument, BiFunction<? super Mutex, ? super A, ? extends W> newWaiter) {
        long before = take();
        return before > 0 ? null : await(before, this, argument, newWaiter);
    }

    /** {@return a condition of this mutex} */
    @SuppressWarnings("NullAway") // set once
    public Condition newCondition() {
        if (conditions == null) {
            CONDITIONS.compareAndSet(this, null, new MutexConditionLock());
        }
        return new Condition(conditions);
    }

    /**
     * Closes this mutex for good. Requests that wait, and requests that come later, fail with a {@link ClosedException} with
     * this cause. The holder may unlock it as before. Callers that wait on its {@linkplain Condition conditions} get the
     * exception as well, but only with the mutex, one after the other.
     *
     * <p>An unlock that races with this may still serve some of the waiting requests; each request is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        boolean closed = closeWith(cause);
        ConditionLock present = conditions; // after the closing: a thread that makes them later sees it
        if (present != null) {
            present.failAll();
        }
        return closed;
    }

    /** {@return whether this mutex was closed} */
    public boolean isClosed() {
        return closing() != null;
    }

    /** {@return whether the mutex is held at this moment} */
    public boolean isLocked() {
        return available() <= 0;
    }

    /** {@return how many requests wait at this moment, including requests that are about to enter the queue} */
    public int queueLength() {
        return waiting();
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show waiters that
     * come or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        forEach(action);
    }

    /** Says whether the mutex is locked, the holder if that is on record, how many requests wait, and whether it is closed. */
    @Override
    public String toString() {
        Object name = holderName();
        String held = !isLocked() ? "unlocked" : name == null ? "locked" : "locked by " + name;
        return "Mutex@" + Integer.toHexString(hashCode()) + "[" + held + ", " + queueLength() + " waiting"
                + (isClosed() ? ", closed]" : "]");
    }

    @Override
    String what() {
        return "mutex";
    }

    @Override
    IllegalStateException excess(int maximum) {
        return new IllegalStateException("This mutex is not locked");
    }

    private final class MutexConditionLock extends ConditionLock {
        @Override
        Mutex mutex() {
            return Mutex.this;
        }

        @Override
        String what() {
            return Mutex.this.what();
        }

        @Override
        boolean isHeld() {
            return isLocked();
        }

        @Override
        @Nullable
        Closed closing() {
            return Mutex.this.closing();
        }

        @Override
        void unlock() {
            Mutex.this.unlock();
        }

        @Override
        void prepareToRelock() {
            queue();
        }

        @Override
        void relock(Waiter waiter) {
            reacquire(waiter);
        }
    }
}
