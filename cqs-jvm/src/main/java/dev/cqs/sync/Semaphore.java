package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * A fair counting semaphore that callers of every kind can share: threads, virtual threads and coroutines wait
 * for permits in one queue. This object holds the state and the operations that never wait; waiting is done
 * through a face, for example {@code dev.cqs.threads.Semaphore}.
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
 * {@linkplain #bounded bounded} one refuses releases beyond its maximum.
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
public final class Semaphore extends UnitPermits {
    /*
     * Overview.
     *
     * A semaphore has two forms. It starts in the first and goes to the second at most once, never back.
     *
     *   first form    UnitPermits: a count changed by fetch-and-add. It serves requests for one permit, and
     *                 larger ones and changes of the number of permits as long as they need not wait.
     *   second form   WeightedPermits: permits and requests of any size, debts included, changed by CAS.
     *                 It starts with the first request for several permits that must wait, or the first debt.
     *
     * Why two: with fetch-and-add a request takes what is there before it knows whether that is enough. Two
     * requests for several permits could then each hold a part and wait for the other's. And a negative
     * count means requests in the first form, so it cannot also mean a debt.
     *
     * The change is one CAS of the count from c to moved(c), far below any count of requests. Fetch-and-adds
     * that come late land there harmlessly and are told by what they see to go to the second form. Those who
     * come first there build its state from c, which can be read from the word: c stands in its upper bits
     * and what late additions leave is noise in the lower 24 bits. Each thread that adds noise then helps to
     * build the state before it does anything else, so there is less noise than there are threads (I2).
     *
     * Requests counted in c stay in the queue of the first form, ahead of all others; see WeightedPermits.
     *
     * A release of several permits in the first form is a CAS, not an addition: if the sum is above the
     * maximum then nothing of it may be put back.
     */

    private static final long serialVersionUID = 1L;

    /** The ticket of a request counted in the first form. */
    private static final int IN_FIRST = 1;

    /** The ticket of a request counted in the second form. */
    private static final int IN_SECOND = 2;

    private static final int NOISE_BITS = 24;
    private static final long FAR = -(1L << 62);

    private static final VarHandle WEIGHTED;

    static {
        try {
            WEIGHTED = MethodHandles.lookup().findVarHandle(Semaphore.class, "weighted", WeightedPermits.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offer(new StepsOfSemaphore());
    }

    /** The second form; set by CAS before the count moves, and for good. */
    private transient volatile WeightedPermits weighted;

    /**
     * Creates a semaphore without a maximum, other than {@link Integer#MAX_VALUE}.
     *
     * @param permits how many are free; if negative, so many releases must come before the first acquisition
     */
    public Semaphore(int permits) {
        this(permits, Integer.MAX_VALUE);
    }

    private Semaphore(int permits, int maximum) {
        super(permits >= 0 ? permits : moved(0), maximum);
        if (permits < 0) {
            WeightedPermits second = new WeightedPermits(this);
            second.begin(0);
            second.reduce(-(long) permits);
            WEIGHTED.set(this, second); // plain: the object is not shared yet
        }
    }

    /**
     * Creates a semaphore that never has more than {@code maximum} permits, with all of them free.
     *
     * @throws IllegalArgumentException if {@code maximum} is not positive
     */
    public static Semaphore bounded(int maximum) {
        return bounded(maximum, 0);
    }

    /**
     * Creates a semaphore that never has more than {@code maximum} permits, some of them taken already.
     *
     * @throws IllegalArgumentException if {@code maximum} is not positive, or {@code taken} is not between zero
     *     and {@code maximum}
     */
    public static Semaphore bounded(int maximum, int taken) {
        if (maximum < 1) {
            throw new IllegalArgumentException("maximum must be positive, but is " + maximum);
        }
        if (taken < 0 || taken > maximum) {
            throw new IllegalArgumentException(
                    "taken must be between 0 and the maximum of " + maximum + ", but is " + taken);
        }
        return new Semaphore(maximum - taken, maximum);
    }

    // Acquiring

    /**
     * Takes a permit if one is free.
     *
     * @return whether the caller now holds it
     */
    public boolean tryAcquire() {
        return tryTake() || (isMoved() && second().tryAcquire(1));
    }

    /**
     * Takes {@code n} permits if so many are free.
     *
     * @return whether the caller now holds them
     * @throws IllegalArgumentException if {@code n} is negative or above the maximum
     */
    public boolean tryAcquire(int n) {
        checkRequest(n);
        for (; ; ) {
            long seen = count();
            if (seen < MOVED) {
                return second().tryAcquire(n);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (Math.max(seen, 0) < n) {
                return false;
            } else if (n == 0 || casCount(seen, seen - n)) {
                return true;
            }
        }
    }

    /**
     * Takes all permits that are free; a debt is forgiven.
     *
     * @return how many there were, negative for a debt
     */
    public int drainPermits() {
        for (; ; ) {
            long seen = count();
            if (seen < MOVED) {
                return second().drain();
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

    private int reserve(int n) {
        if (n == 1) {
            long seen = take();
            return seen > 0 ? Steps.GRANTED : seen >= MOVED ? IN_FIRST : reserveInSecond(1);
        }
        return tryReserve(n) ? Steps.GRANTED : reserveInSecond(n);
    }

    private int reserveInSecond(int n) {
        return move().reserve(n) ? Steps.GRANTED : IN_SECOND;
    }

    private boolean tryReserve(int n) {
        checkRequest(n);
        for (; ; ) {
            long seen = count();
            if (seen < MOVED) {
                return second().tryReserve(n);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (seen < n) { // also if n is zero and somebody waits
                return false;
            } else if (n == 0 || casCount(seen, seen - n)) {
                return true;
            }
        }
    }

    private boolean enqueue(Waiter waiter, int ticket) {
        if (ticket == IN_SECOND) {
            second().enqueue(waiter);
            return true;
        }
        boolean done = suspend(waiter);
        serveIfMoved(); // installed, then looked: a server that missed this waiter has moved before
        return done;
    }

    private void abandon(int ticket) {
        if (ticket == IN_SECOND) {
            second().abandon();
        } else {
            abandonTaken();
        }
    }

    // Releasing

    /**
     * Puts a permit back, handing it to the first who waits.
     *
     * @throws IllegalStateException if that would exceed the maximum; nothing is then put back
     */
    public void release() {
        put();
    }

    /**
     * Puts {@code n} permits back, handing them to those who wait, in their order, as far as they suffice.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     * @throws IllegalStateException if that would exceed the maximum; nothing is then put back
     */
    public void release(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("the number of permits must not be negative, but is " + n);
        }
        for (int left = n; left > 0; ) {
            long seen = count();
            if (seen < MOVED) {
                second().release(left);
                return;
            }
            if (seen + left > maximum) {
                dropExcess();
                if (count() + left > maximum) {
                    throw excess();
                }
            } else if (casCount(seen, seen + left)) {
                int served = (int) Math.min(left, Math.max(0, -seen));
                left = served == 0 ? 0 : served - queue().resume(PERMIT, served);
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
        if (n < 0) {
            throw new IllegalArgumentException("the number of permits must not be negative, but is " + n);
        }
        while (n > 0) {
            long seen = count();
            if (seen > maximum) {
                dropExcess();
            } else if (seen < n) {
                move().reduce(n);
                return;
            } else if (casCount(seen, seen - n)) {
                return;
            }
        }
    }

    // Looking

    /** How many permits are free at this moment; negative for a debt. */
    public int availablePermits() {
        long seen = count();
        return seen < MOVED ? second().available() : (int) Math.min(Math.max(seen, 0), maximum);
    }

    /** The number of permits that are never exceeded; {@link Integer#MAX_VALUE} if none was given. */
    public int maximum() {
        return maximum;
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        long seen = count();
        long waiting = seen < MOVED ? second().waiting() : Math.max(0, -seen);
        return (int) Math.min(Integer.MAX_VALUE, waiting);
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        forEachInQueue(action);
        if (isMoved()) {
            second().forEachWaiter(action);
        }
    }

    /** Says how many permits are free and how many requests wait. */
    @Override
    public String toString() {
        String bound = maximum == Integer.MAX_VALUE ? "" : " of " + maximum;
        return "Semaphore@" + Integer.toHexString(hashCode()) + "[" + availablePermits() + bound
                + " permits, " + queueLength() + " waiting]";
    }

    // The two forms

    private static long moved(long count) {
        return FAR + (count << NOISE_BITS);
    }

    /** The count at the move; undoes {@link #moved} and rounds the noise away: I2. */
    private static long countBefore(long moved) {
        return (moved - FAR + (1L << (NOISE_BITS - 1))) >> NOISE_BITS;
    }

    private boolean isMoved() {
        return count() < MOVED;
    }

    /** Goes to the second form, if that has not happened yet. */
    private WeightedPermits move() {
        if (weighted == null) {
            WEIGHTED.compareAndSet(this, null, new WeightedPermits(this));
        }
        for (; ; ) {
            long seen = count();
            if (seen < MOVED || casCount(seen, moved(Math.min(seen, maximum)))) {
                return second();
            }
        }
    }

    /** The second form, begun; only after the move. */
    private WeightedPermits second() {
        WeightedPermits second = weighted;
        if (!second.hasBegun()) {
            second.begin(countBefore(count()));
        }
        return second;
    }

    @Override
    void putMoved() {
        second().release(1);
    }

    @Override
    void cancelMoved() {
        second().cancelInFirst();
    }

    @Override
    void serveIfMoved() {
        if (isMoved()) {
            second().serve();
        }
    }

    private void checkRequest(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("the number of permits must not be negative, but is " + n);
        }
        if (n > maximum) {
            throw new IllegalArgumentException(
                    n + " permits were asked for, but the semaphore never has more than " + maximum);
        }
    }

    @Override
    IllegalStateException excess() {
        return new IllegalStateException(
                "the release would exceed the maximum of " + maximum + " permits");
    }

    private static final class StepsOfSemaphore extends Steps<Semaphore> {
        @Override
        public int reserve(Semaphore semaphore, int n) {
            return semaphore.reserve(n);
        }

        @Override
        public boolean tryReserve(Semaphore semaphore, int n) {
            return semaphore.tryReserve(n);
        }

        @Override
        public boolean enqueue(Semaphore semaphore, Waiter waiter, int ticket) {
            return semaphore.enqueue(waiter, ticket);
        }

        @Override
        public void abandon(Semaphore semaphore, int ticket) {
            semaphore.abandon(ticket);
        }
    }
}
