package dev.cqs.threads;

import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.PoolSteps;
import dev.cqs.spi.SyncAccess;
import dev.cqs.sync.Pool;

/** A thread that waits for an element of a pool. */
final class PoolWaiter extends ThreadWaiter {
    private static final PoolSteps STEPS = SyncAccess.pool();

    static { // as ThreadWaiter.rehearse
        Pool<Object> nobodys = Pool.queue();
        STEPS.reserve(nobodys);
        enqueue(nobodys).await(nobodys, false, true, System.nanoTime());
        STEPS.reserve(nobodys);
        PoolWaiter waiter = enqueue(nobodys);
        nobodys.put("");
        waiter.element();
    }

    /**
     * What it was resumed with; the slot of the superclass only says that it was, because an element may be a thread.
     * Plain: written before the slot and read after it.
     */
    private Object outcome;

    /** Initializes this class, and with it what waiting needs; see {@link ThreadWaiter#leaveAtOnce}. */
    static void prepare() {}

    private PoolWaiter() {
        super(Thread.currentThread());
    }

    /**
     * Takes an element, waiting for it if need be.
     *
     * @param nanos how long to wait at the most, or {@link #FOREVER}
     * @return the element, or {@code null} if the time is over
     * @throws InterruptedException if the wait is interruptible and was interrupted
     * @throws dev.cqs.sync.ClosedException if the pool is closed, before or meanwhile
     */
    static <E> E take(Pool<E> pool, boolean interruptible, long nanos) throws InterruptedException {
        E element = STEPS.reserve(pool);
        return element != null ? element : await(pool, interruptible, nanos);
    }

    /** The same for a request that is counted as waiting. */
    private static <E> E await(Pool<E> pool, boolean interruptible, long nanos) throws InterruptedException {
        long deadline = nanos == FOREVER ? 0 : System.nanoTime() + nanos;
        for (; ; ) {
            PoolWaiter waiter = enqueue(pool);
            if (waiter != null) {
                End end = waiter.await(pool, interruptible, nanos != FOREVER, deadline);
                if (end == End.INTERRUPTED) {
                    throw new InterruptedException();
                }
                return end == End.TIMED_OUT ? null : waiter.element();
            }
            E element = STEPS.reserve(pool);
            if (element != null) {
                return element;
            }
        }
    }

    private static PoolWaiter enqueue(Pool<?> pool) {
        PoolWaiter waiter;
        try {
            waiter = new PoolWaiter();
        } catch (Throwable t) { // no memory for a waiter: do not leave the request counted
            STEPS.abandon(pool);
            throw t;
        }
        return STEPS.enqueue(pool, waiter) ? waiter : null;
    }

    @Override
    protected boolean tryResume(Object value) {
        outcome = value;
        return super.tryResume(this);
    }

    @SuppressWarnings("unchecked") // what is no Closing is an element of the pool
    private <E> E element() {
        if (outcome instanceof Closed closing) {
            throw closing.exception();
        }
        return (E) outcome;
    }
}
