package dev.cqs.threads;

import dev.cqs.pool.Pool;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A thread that waits for an element of a pool, or for a slot of a pool of resources. */
final class PoolWaiter extends ThreadWaiter {
    /*
     * The slot of the superclass holds the waiting thread, and then the element. An element can be a thread as well, even the
     * waiting one, and would look as if the waiter still waited. So such an element comes in a wrapper. That is rare, and
     * saves every other waiter a field.
     */

    /** Makes the waiter of a thread. */
    static final BiFunction<Object, Thread, PoolWaiter> NEW = (pool, thread) -> new PoolWaiter(thread);

    static { // as ThreadWaiter.rehearse
        Thread current = Thread.currentThread();
        Pool<Object> nobodys = Pool.queue();
        waiter(nobodys, current).leaveAtOnce(nobodys);
        PoolWaiter waiter = waiter(nobodys, current);
        nobodys.put(current);
        getUninterruptibly(waiter, nobodys);
    }

    private PoolWaiter(Thread thread) {
        super(thread);
    }

    private static PoolWaiter waiter(Pool<?> pool, Thread current) {
        return (PoolWaiter) pool.take(current, NEW);
    }

    /** Initializes this class, and with it what waiting needs; see {@link ThreadWaiter}. */
    static void prepare() {}

    /**
     * The element, waiting for it if need be.
     *
     * @param taken the answer of the pool to the current thread: an element or a slot, or the waiter for one
     * @param nanos how long to wait at most, or {@link #FOREVER}
     * @return the element or slot, or {@code null} if the time is over
     * @throws InterruptedException if the thread is interrupted meanwhile
     * @throws dev.cqs.sync.ClosedException if the pool is closed meanwhile
     */
    @SuppressWarnings("unchecked") // what is no waiter is from the pool
    static <E> @Nullable E get(Object taken, Object pool, long nanos) throws InterruptedException {
        if (taken instanceof PoolWaiter waiter) {
            return waiter.await(pool, nanos) ? (E) waiter.element() : null;
        }
        return (E) taken;
    }

    /** The same without a limit of time; an interrupt meanwhile stays pending. */
    @SuppressWarnings("unchecked") // as above
    static <E> E getUninterruptibly(Object taken, Object pool) {
        if (taken instanceof PoolWaiter waiter) {
            waiter.awaitUninterruptibly(pool);
            return (E) waiter.element();
        }
        return (E) taken;
    }

    @Override
    protected boolean tryResume(Object value) {
        return super.tryResume(value instanceof Thread thread ? ThreadElement.of(thread) : value);
    }

    private Object element() {
        Object value = value();
        return value instanceof ThreadElement wrapper ? wrapper.thread : value;
    }

    private static final class ThreadElement {
        final Thread thread;

        private ThreadElement(Thread thread) {
            this.thread = thread;
        }

        /** Retries if memory is exhausted: the element has been taken from the pool. */
        static ThreadElement of(Thread thread) {
            for (; ; ) {
                try {
                    return new ThreadElement(thread);
                } catch (OutOfMemoryError e) {
                    Thread.yield();
                }
            }
        }
    }
}
