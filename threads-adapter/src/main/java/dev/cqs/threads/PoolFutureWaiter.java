package dev.cqs.threads;

import dev.cqs.pool.Pool;
import dev.cqs.sync.ClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A request for an element of a pool that waits as an incomplete future. */
final class PoolFutureWaiter<E> extends CompletionWaiter<E> {
    private static final BiFunction<Pool<?>, @Nullable Object, PoolFutureWaiter<?>> NEW =
            (pool, nothing) -> listening(pool);

    private final Pool<E> pool;

    static {
        FutureWaiter.rehearse();
        Pool<Object> nobodys = Pool.queue();
        request(nobodys).cancel(false);
        CompletableFuture<Object> unused = request(nobodys);
        nobodys.put("");
    }

    private PoolFutureWaiter(Pool<E> pool) {
        this.pool = pool;
    }

    /** Initializes this class, and with it what waiting needs; see {@link ThreadWaiter}. */
    static void prepare() {}

    private static <E> PoolFutureWaiter<E> listening(Pool<E> pool) {
        PoolFutureWaiter<E> waiter = new PoolFutureWaiter<>(pool);
        waiter.leaveWhenCompleted();
        return waiter;
    }

    /** A future for an element. */
    @SuppressWarnings({"unchecked", "NullAway"}) // an element of the pool, or a waiter; the argument of NEW is null
    static <E> CompletableFuture<E> request(Pool<E> pool) {
        Object taken;
        try {
            taken = pool.take(null, NEW);
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        return taken instanceof PoolFutureWaiter<?> waiter
                ? (CompletableFuture<E>) waiter.future
                : completed(pool, (E) taken);
    }

    private static <E> CompletableFuture<E> completed(Pool<E> pool, E element) {
        try {
            return CompletableFuture.completedFuture(element);
        } catch (Throwable t) { // no memory for a future: no caller has the element
            pool.put(element);
            throw t;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // what is no failure is an element of the pool
    E granted(Object value) {
        return (E) value;
    }

    @Override
    void giveBack(E element) {
        pool.put(element);
    }
}
