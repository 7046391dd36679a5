package dev.cqs.threads;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.PoolSteps;
import dev.cqs.spi.SyncAccess;
import dev.cqs.Trampoline;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.Pool;
import java.util.concurrent.CompletableFuture;

/** A request for an element of a pool that waits as an incomplete future. Its two contests are those of FutureWaiter. */
final class PoolFutureWaiter<E> extends Waiter implements Runnable {
    private static final PoolSteps STEPS = SyncAccess.pool();

    private final CompletableFuture<E> future = new CompletableFuture<>();
    private final Pool<E> pool;

    /** What it was resumed with; plain: written and read by the thread that resumes. */
    private Object outcome;

    static {
        FutureWaiter.rehearse();
        new PoolFutureWaiter<>(null).listen(); // links its lambda
    }

    /** Initializes this class, and with it what waiting needs; see {@link ThreadWaiter#leaveAtOnce}. */
    static void prepare() {}

    private PoolFutureWaiter(Pool<E> pool) {
        this.pool = pool;
    }

    /** A future for an element. */
    static <E> CompletableFuture<E> request(Pool<E> pool) {
        try {
            for (; ; ) {
                E element = STEPS.reserve(pool);
                if (element != null) {
                    return taken(pool, element);
                }
                PoolFutureWaiter<E> waiter = enqueue(pool);
                if (waiter != null) {
                    return waiter.future;
                }
            }
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <E> CompletableFuture<E> taken(Pool<E> pool, E element) {
        try {
            return CompletableFuture.completedFuture(element);
        } catch (Throwable t) { // no memory for a future: the element is nobody's
            pool.put(element);
            throw t;
        }
    }

    private static <E> PoolFutureWaiter<E> enqueue(Pool<E> pool) {
        PoolFutureWaiter<E> waiter;
        try {
            waiter = new PoolFutureWaiter<>(pool);
            waiter.listen();
        } catch (Throwable t) { // no memory for a waiter: do not leave the request counted
            STEPS.abandon(pool);
            throw t;
        }
        return STEPS.enqueue(pool, waiter) ? waiter : null;
    }

    /** Has the future take its request out of the queue if others complete it, which they can when it is returned. */
    private void listen() {
        future.whenComplete((result, thrown) -> cancel()); // false, and nothing, after a resume
    }

    @Override
    protected boolean tryResume(Object value) {
        outcome = value;
        Trampoline.run(this);
        return true;
    }

    /** Completes the future, for {@link #tryResume} alone. */
    @Override
    public void run() {
        Object value = outcome;
        outcome = null; // the future may be kept longer than the element is borrowed
        for (; ; ) {
            try {
                complete(value);
                return;
            } catch (OutOfMemoryError e) {
                if (future.isDone()) {
                    throw e; // from what depends on it
                }
                Thread.yield(); // others may free some
            }
        }
    }

    @SuppressWarnings("unchecked") // what is no Closing is an element of the pool
    private void complete(Object value) {
        if (value instanceof Closed closing) {
            future.completeExceptionally(closing.exception());
        } else if (!future.complete((E) value)) {
            pool.put((E) value); // somebody else was faster
        }
    }
}
