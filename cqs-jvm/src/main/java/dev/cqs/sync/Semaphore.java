package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fair counting semaphore that callers of every kind can share: threads, virtual threads and coroutines wait
 * for permits in one queue. This object holds the state and the operations that never wait; waiting is done
 * through a view, for example {@code dev.cqs.threads.Semaphore}.
 *
 * <p><b>Fairness.</b> FIFO, for requests of any size: a request for several permits gets all of them at once, holds none
 * while it waits, and is not overtaken by smaller requests behind it. A request has its place from the moment at which its
 * waiter is in the queue. Only {@link #tryAcquire()}, {@link #tryAcquire(int)} and {@link #drainPermits} may take permits
 * that are free while requests wait. That is the case while the first request needs more, or has not been served yet.
 *
 * <p><b>Cancellation.</b> A waiting request can be cancelled at any time, at a cost that depends on neither the length of
 * the queue nor the number of requests cancelled before. If the request at the head is cancelled, requests behind it that
 * now fit are served.
 *
 * <p><b>Memory consistency.</b> Actions before a {@code release} happen-before actions after an acquisition of one of the
 * permits it has put back.
 *
 * <p><b>Ownership.</b> None: any caller may release a permit. A semaphore may start with fewer than zero permits, or be
 * {@linkplain #reducePermits reduced} to fewer; then as many releases must come first. A {@linkplain #bounded bounded} one
 * refuses releases beyond its maximum, which can be {@linkplain #resize changed}.
 *
 * <pre>{@code
 * Semaphore connections = Semaphore.bounded(10);
 * if (connections.tryAcquire()) {
 *     try {
 *         ...
 *     } finally {
 *         connections.release();
 *     }
 * }
 * }</pre>
 */
public final class Semaphore extends SemaphoreState {
    /*
     * The two modes of the permits, and the upgrade from one to the other, are described in SemaphoreState. Requests for
     * several permits, debts and drains are served here by CAS on the count as long as unit mode can serve them, and go
     * to weighted mode otherwise.
     *
     * A release of several permits in unit mode is a CAS, not an addition: if the sum is above the maximum, none of them
     * may be put back.
     */

    private static final long serialVersionUID = 1L;

    private final transient boolean bounded;

    /**
     * Creates a semaphore without a maximum, other than {@link Integer#MAX_VALUE}.
     *
     * @param permits how many are free; if negative, as many releases must come before the first acquisition
     */
    public Semaphore(int permits) {
        this(permits, Integer.MAX_VALUE, false);
    }

    private Semaphore(int permits, int maximum, boolean bounded) {
        super(permits, maximum);
        this.bounded = bounded;
    }

    /**
     * Creates a semaphore that has no more than {@code maximum} permits, with all of them free. It refuses releases that
     * would make them more, and can be {@linkplain #resize resized}.
     *
     * @param maximum how many permits there are, until a {@link #resize}
     * @return a semaphore with all its permits free
     * @throws IllegalArgumentException if {@code maximum} is not positive
     */
    public static Semaphore bounded(int maximum) {
        return bounded(maximum, 0);
    }

    /**
     * Creates a semaphore that has no more than {@code maximum} permits, some of them taken already.
     *
     * @param maximum how many permits there are, until a {@link #resize}
     * @param taken how many of them are not free; releases put them back
     * @return a semaphore with the rest of its permits free
     * @throws IllegalArgumentException if {@code maximum} is not positive, or {@code taken} is not between zero
     *     and {@code maximum}
     */
    public static Semaphore bounded(int maximum, int taken) {
        checkMaximum(maximum);
        if (taken < 0 || taken > maximum) {
            throw new IllegalArgumentException(
                    "taken must be between 0 and the maximum of " + maximum + ", but is " + taken);
        }
        return new Semaphore(maximum - taken, maximum, true);
    }

    // Acquiring

    /**
     * Takes a permit if one is free.
     *
     * @return whether the caller now holds it
     * @throws ClosedException if this semaphore is closed
     */
    public boolean tryAcquire() {
        return tryTake(0);
    }

    /**
     * Takes {@code n} permits if at least that many are free.
     *
     * @param n how many, from zero to the maximum
     * @return whether the caller now holds them
     * @throws IllegalArgumentException if {@code n} is negative or above the maximum
     * @throws ClosedException if this semaphore is closed
     */
    public boolean tryAcquire(int n) {
        checkNotNegative(n);
        for (; ; ) {
            long seen = count();
            if (seen < UPGRADED) {
                return upgradedState().tryAcquire(n);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (Math.max(seen, 0) < n) {
                checkPossible(n);
                return false;
            } else if (n == 0 || casCount(seen, seen - n)) {
                return true;
            }
        }
    }

    /**
     * Takes all permits that are free. If their number is negative, the debt is forgiven. A {@linkplain #bounded bounded}
     * semaphore keeps its debt, because its permits are out and will be put back.
     *
     * @return how many there were, negative for a debt that was forgiven
     * @throws ClosedException if this semaphore is closed
     */
    public int drainPermits() {
        for (; ; ) {
            long seen = count();
            if (seen < UPGRADED) {
                return upgradedState().drain(!bounded);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (seen <= 0) {
                return 0;
            } else if (casCount(seen, 0)) {
                return (int) seen;
            }
        }
    }

    /**
     * As {@link #acquire(int, Object, BiFunction)}, for one permit.
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param argument passed to the factory; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed; under the rules of the other method
     * @return the waiter, or {@code null} if the caller holds the permit
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W acquire(
            A argument, BiFunction<? super Semaphore, ? super A, ? extends W> newWaiter) {
        long before = take();
        return before > 0 ? null : await(before, this, argument, newWaiter);
    }

    /**
     * Takes {@code n} permits if that is possible at once and overtakes no request; otherwise makes a waiter and puts it into
     * the queue.
     *
     * <p>A waiter that this returns is in the queue, or has been resumed already. It is resumed with this semaphore, and its
     * owner then holds the permits, or with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. An
     * owner that cannot use permits that were handed over {@linkplain #release(int) releases} them.
     *
     * @param <A> what the factory is called with
     * @param <W> the class of the waiter
     * @param n how many, from zero to the maximum
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. A waiter for another number of permits
     *     than one must be a {@link WeightedWaiter}. The factory must neither block nor use this semaphore. If it throws,
     *     the request is abandoned and the exception is passed on
     * @return the waiter, or {@code null} if the caller holds the permits
     * @throws IllegalArgumentException if {@code n} is negative or above the maximum, or if the waiter has another {@linkplain
     *     WeightedWaiter#weight weight}; nothing is then changed
     * @throws ClosedException if this semaphore is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object, W extends Waiter> @Nullable W acquire(
            int n, A argument, BiFunction<? super Semaphore, ? super A, ? extends W> newWaiter) {
        if (n == 1) {
            return acquire(argument, newWaiter);
        }
        return tryAcquireFairly(n) ? null : upgrade().takeOrWait(n, null, this, argument, newWaiter);
    }

    /**
     * Takes {@code n} permits if at least that many are free and no request waits. Unlike {@link #tryAcquire(int)} this never
     * overtakes a request, so it can come before {@link #acquire(int, Object, BiFunction) acquire}.
     *
     * @param n how many, from zero to the maximum
     * @return whether the caller now holds them
     * @throws IllegalArgumentException if {@code n} is negative or above the maximum
     * @throws ClosedException if this semaphore is closed
     */
    public boolean tryAcquireFairly(int n) {
        if (n == 1) { // what coroutines do first each time
            long seen = count();
            if (seen > 0 && seen <= maximum && casCount(seen, seen - 1)) {
                return true;
            }
        }
        checkNotNegative(n);
        for (; ; ) {
            long seen = count();
            if (seen < UPGRADED) {
                return upgradedState().tryReserve(n);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (seen < n) { // also if n is zero and a request waits
                checkPossible(n);
                return false;
            } else if (n == 0 || casCount(seen, seen - n)) {
                return true;
            }
        }
    }

    // Releasing

    /**
     * Puts a permit back, handing it to the first waiter.
     *
     * @throws IllegalStateException if that would exceed the maximum; nothing is then put back
     */
    public void release() {
        checkStack();
        put();
    }

    /**
     * Puts {@code n} permits back, handing them to waiters in FIFO order as far as they suffice.
     *
     * @param n how many, zero or more; the caller need not have acquired them
     * @throws IllegalArgumentException if {@code n} is negative
     * @throws IllegalStateException if that would exceed the maximum; nothing is then put back
     */
    public void release(int n) {
        checkNotNegative(n);
        checkStack();
        for (int left = n; left > 0; ) {
            long seen = count();
            if (seen < UPGRADED) {
                upgradedState().release(left);
                return;
            }
            if (seen + left > maximum) {
                dropExcess();
                if (count() + left > maximum) {
                    throw excess(maximum);
                }
            } else if (casCount(seen, seen + left)) {
                int served = (int) Math.min(left, Math.max(0, -seen));
                left = served == 0 ? 0 : served - queue().resume(this, served);
            }
        }
    }

    /**
     * Takes {@code n} permits away, whether free or not. What is missing becomes a debt, which later releases pay before any
     * request is served.
     *
     * @param n how many, zero or more
     * @throws IllegalArgumentException if {@code n} is negative
     * @throws IllegalStateException if the debt would exceed the range of {@code int}; it then stays as it is
     */
    public void reducePermits(int n) {
        checkNotNegative(n);
        while (n > 0) {
            long seen = count();
            if (seen > maximum) {
                dropExcess();
            } else if (seen < n) {
                upgrade().reduce(n);
                return;
            } else if (casCount(seen, seen - n)) {
                return;
            }
        }
    }

    // Resizing

    /**
     * Changes the number of permits of a {@linkplain #bounded bounded} semaphore to {@code maximum}. The number includes
     * permits that are free, permits that are out, and permits by which it was {@linkplain #reducePermits reduced}.
     *
     * <p>Permits that are gained go to waiting requests, as if they were released. Permits that are lost are taken from the
     * free ones; what is missing becomes a debt, which later releases pay before any request is served. Holders may release
     * all of their permits at any time. A request for more than the maximum is refused from now on. One that waits already
     * fails in the same way when its turn comes, unless the semaphore has grown again by then.
     *
     * <p>Resizes that race take effect one after the other. A closed semaphore can be resized, and stays closed.
     *
     * @param maximum how many permits there are from now on
     * @throws IllegalArgumentException if {@code maximum} is not positive
     * @throws IllegalStateException if this semaphore is not bounded, or if the debt would exceed the range of {@code int};
     *     nothing is then changed
     */
    public void resize(int maximum) {
        checkMaximum(maximum);
        if (!bounded) {
            throw new IllegalStateException(
                    "the number of permits is not fixed: the semaphore was not made by bounded()");
        }
        upgrade().resize(maximum);
    }

    // Closing

    /**
     * Closes this semaphore for good. Requests that wait, and requests that come later, fail with a {@link ClosedException}
     * with this cause. Holders may put their permits back as before.
     *
     * <p>A release that races with this may still serve some of the waiting requests; each request is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        return closeWith(cause);
    }

    /** {@return whether this semaphore was closed} */
    public boolean isClosed() {
        return closing() != null;
    }

    // Looking

    /** {@return how many permits are free at this moment; negative for a debt} */
    public int availablePermits() {
        return available();
    }

    /**
     * {@return the limit on the number of permits, until a {@link #resize}; {@link Integer#MAX_VALUE} if none was
     * given}
     */
    public int maximum() {
        return count() < UPGRADED ? upgradedState().maximum() : maximum;
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

    /** Says how many permits are free, how many requests wait, and whether the semaphore is closed. */
    @Override
    public String toString() {
        String bound = bounded ? " of " + maximum() : "";
        return "Semaphore@" + Integer.toHexString(hashCode()) + "[" + availablePermits() + bound + " permits, "
                + queueLength() + " waiting" + (isClosed() ? ", closed]" : "]");
    }

    // Serialization, for the views whose namesakes in the JDK are serializable

    private Object writeReplace() {
        long balance = balance();
        return new SerialForm((int) (balance >> 32), bounded ? (int) balance : 0, true);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a semaphore is not written to a stream itself, but as its serialized form");
    }

    /**
     * What a stream holds of a semaphore: the permits that were free at the moment. It holds nothing of holders or waiters,
     * and does not say whether the semaphore was closed. Its name and components are for good.
     *
     * @param permits how many are free, negative for a debt
     * @param maximum that of a bounded semaphore, or zero
     * @param fair always written as {@code true}; {@code false} permits barging but does not require it
     */
    private record SerialForm(int permits, int maximum, boolean fair) implements Serializable {
        private static final long serialVersionUID = 1L;

        SerialForm {
            if (maximum < 0) {
                throw new IllegalArgumentException("the maximum of a serialized semaphore must be positive, or zero for"
                        + " none, but is " + maximum);
            }
            if (maximum > 0 && permits > maximum) {
                throw new IllegalArgumentException("a serialized semaphore with a maximum of " + maximum
                        + " permits cannot have " + permits + " of them free");
            }
        }

        private Object readResolve() {
            boolean bounded = maximum > 0;
            return new Semaphore(permits, bounded ? maximum : Integer.MAX_VALUE, bounded);
        }
    }

    private static void checkMaximum(int maximum) {
        if (maximum < 1) {
            throw new IllegalArgumentException("maximum must be positive, but is " + maximum);
        }
    }

    private static void checkNotNegative(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("the number of permits must not be negative, but is " + n);
        }
    }

    /** In unit mode. */
    private void checkPossible(int n) {
        if (n > maximum) {
            throw new TooLarge(n, maximum).exception();
        }
    }

    @Override
    String what() {
        return "semaphore";
    }

    @Override
    IllegalStateException excess(int maximum) {
        return new IllegalStateException(
                "the semaphore has no more than " + maximum + " permits, which the release would exceed");
    }
}
