package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A fair counting semaphore that callers of every kind can share: threads, virtual threads and coroutines wait
 * for permits in one queue. This object holds the state and the operations that never wait; waiting is done
 * through a view, for example {@code dev.cqs.threads.Semaphore}.
 *
 * <p><b>Fairness.</b> First in, first out, for requests of any size: a request for several permits gets all of
 * them at once, holds none while it waits, and is not overtaken by smaller ones behind it. A request has its
 * place from the moment at which its waiter is in the queue. Only {@link #tryAcquire()}, {@link
 * #tryAcquire(int)} and {@link #drainPermits} may take permits that are free while requests wait: because the
 * first one needs more, or because it has not been served yet.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the
 * length of the queue nor the number of requests given up before. If the request at the head is given up, those
 * behind it that now fit are served.
 *
 * <p><b>Memory consistency.</b> What is done before a {@code release} happens-before what is done after an
 * acquisition of one of the permits it has put back.
 *
 * <p><b>Ownership.</b> None: whoever holds a permit may let anybody release it. A semaphore may start with, or be
 * {@linkplain #reducePermits reduced} to, fewer than no permits; then so many releases must come first. A
 * {@linkplain #bounded bounded} one refuses releases beyond its maximum, which can be {@linkplain #resize changed}.
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
     * The two forms of the permits, and the change between them, are described in Permits. Requests for several
     * permits, debts and drains are made here as long as the first form can serve them, by CAS on its count,
     * and go to the second otherwise.
     *
     * A release of several permits in the first form is a CAS, not an addition: if the sum is above the
     * maximum then nothing of it may be put back.
     */

    private static final long serialVersionUID = 1L;

    private final transient boolean bounded;

    /**
     * Creates a semaphore without a maximum, other than {@link Integer#MAX_VALUE}.
     *
     * @param permits how many are free; if negative, so many releases must come before the first acquisition
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
     * @throws IllegalArgumentException if {@code maximum} is not positive
     */
    public static Semaphore bounded(int maximum) {
        return bounded(maximum, 0);
    }

    /**
     * Creates a semaphore that has no more than {@code maximum} permits, some of them taken already.
     *
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
        return tryTake();
    }

    /**
     * Takes {@code n} permits if so many are free.
     *
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
     * Takes all permits that are free. If there are fewer than none, then the debt is forgiven; a {@linkplain #bounded
     * bounded} semaphore keeps it, because its permits are out and will be put back.
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

    /** As {@link #acquire(int, Object, BiFunction)}, for one permit. */
    public <A, W extends Waiter> W acquire(A argument, BiFunction<? super Semaphore, ? super A, ? extends W> newWaiter) {
        return takeOrWait(this, argument, newWaiter);
    }

    /**
     * Takes {@code n} permits if that is possible at once and overtakes no request; otherwise makes a waiter and puts it into
     * the queue.
     *
     * <p>A waiter that this returns is in the queue, or has been resumed already. It is resumed with this semaphore, and its
     * owner then holds the permits, or with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. Whoever
     * cannot use permits that were handed over {@linkplain #release(int) releases} them.
     *
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. A waiter for another number of permits
     *     than one must be a {@link WeightedWaiter}. The factory must neither block nor use this semaphore. If it throws,
     *     the request is given up and what it has thrown is passed on
     * @return the waiter, or {@code null} if the caller holds the permits
     * @throws IllegalArgumentException if {@code n} is negative or above the maximum, or if the waiter has another {@linkplain
     *     WeightedWaiter#weight weight}; nothing is then changed
     * @throws ClosedException if this semaphore is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A, W extends Waiter> W acquire(
            int n, A argument, BiFunction<? super Semaphore, ? super A, ? extends W> newWaiter) {
        if (n == 1) {
            return takeOrWait(this, argument, newWaiter);
        }
        return tryAcquireFairly(n) ? null : upgrade().takeOrWait(n, null, this, argument, newWaiter);
    }

    /**
     * Takes {@code n} permits if so many are free and no request waits for permits: unlike {@link #tryAcquire(int)} this never
     * overtakes a request, so it can come before {@link #acquire(int, Object, BiFunction) acquire}.
     *
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
            } else if (seen < n) { // also if n is zero and somebody waits
                checkPossible(n);
                return false;
            } else if (n == 0 || casCount(seen, seen - n)) {
                return true;
            }
        }
    }

    // Releasing

    /**
     * Puts a permit back, handing it to the first who waits.
     *
     * @throws IllegalStateException if that would exceed the maximum; nothing is then put back
     */
    public void release() {
        checkStack();
        put();
    }

    /**
     * Puts {@code n} permits back, handing them to those who wait, in their order, as far as they suffice.
     *
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
     * Takes {@code n} permits away, whether free or not: what is missing becomes a debt, which later releases
     * pay before anybody is served.
     *
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
     * Makes {@code maximum} the number of permits of a {@linkplain #bounded bounded} semaphore: those that are free, those
     * that are out, and those it was {@linkplain #reducePermits reduced} by are so many from now on.
     *
     * <p>What it grows by goes to those who wait, as if it were released. What it shrinks by is taken from the free permits;
     * what is missing becomes a debt, which later releases pay before anybody is served. Those who hold permits may
     * release all of them at any time. A request for more than the maximum is refused from now on; one that waits
     * already fails in the same way when its turn comes, unless the semaphore has grown again by then.
     *
     * <p>Resizes that race take effect one after the other. A closed semaphore can be resized, and stays closed.
     *
     * @throws IllegalArgumentException if {@code maximum} is not positive
     * @throws IllegalStateException if this semaphore is not bounded, or if the debt would exceed the range of {@code int};
     *     nothing is then changed
     */
    public void resize(int maximum) {
        checkMaximum(maximum);
        if (!bounded) {
            throw new IllegalStateException("the number of permits is not fixed: the semaphore was not made by bounded()");
        }
        upgrade().resize(maximum);
    }

    // Closing

    /**
     * Closes this semaphore for good: those who wait, and everybody who asks for permits later, get a {@link
     * ClosedException} with this cause. Those who hold permits may put them back as before.
     *
     * <p>A release that races with this may still serve some of those who wait; everybody is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        return closeWith(cause);
    }

    /** Whether this semaphore was closed. */
    public boolean isClosed() {
        return closing() != null;
    }

    // Looking

    /** How many permits are free at this moment; negative for a debt. */
    public int availablePermits() {
        return available();
    }

    /** The number of permits that is not exceeded, until a {@link #resize}; {@link Integer#MAX_VALUE} if none was given. */
    public int maximum() {
        return count() < UPGRADED ? upgradedState().maximum() : maximum;
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        return waiting();
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        forEach(action);
    }

    /** Says how many permits are free, how many requests wait, and whether the semaphore is closed. */
    @Override
    public String toString() {
        String bound = bounded ? " of " + maximum() : "";
        return "Semaphore@" + Integer.toHexString(hashCode()) + "[" + availablePermits() + bound
                + " permits, " + queueLength() + " waiting" + (isClosed() ? ", closed]" : "]");
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
     * What a stream holds of a semaphore: the permits that were free at the moment, and nothing of those who held permits
     * or waited, or of the closing. Its name and components are for good.
     *
     * @param permits how many are free, negative for a debt
     * @param maximum that of a bounded semaphore, or zero
     * @param fair always written as {@code true}; {@code false} permits barging, and does not ask for it
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

    /** In the first form. */
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
