package dev.cqs.pool;

import dev.cqs.TestWaiter;
import java.util.Deque;

/** The two orders in which a pool lends elements, as a parameter of tests that hold for both; and ways to wait on a pool. */
enum PoolKind {
    QUEUE {
        @Override
        <E> Pool<E> make() {
            return Pool.queue();
        }

        @Override
        <E> E next(Deque<E> idle) {
            return idle.removeFirst();
        }
    },
    STACK {
        @Override
        <E> Pool<E> make() {
            return Pool.stack();
        }

        @Override
        <E> E next(Deque<E> idle) {
            return idle.removeLast();
        }
    };

    abstract <E> Pool<E> make();

    /** Removes from a model the element that this kind lends next. Elements are put at the end of {@code idle}. */
    abstract <E> E next(Deque<E> idle);

    /** Takes an element, or enqueues a waiter. The element is the waiter's value in both cases. */
    static TestWaiter take(Pool<?> pool, String name) {
        TestWaiter waiter = new TestWaiter(name);
        Object taken = pool.take(waiter, TestWaiter.ITSELF);
        if (taken != waiter) {
            waiter.value = taken;
        }
        return waiter;
    }

    /** Requests an element, and runs {@code meanwhile} when the request is counted but its waiter is not in the queue yet. */
    static Object take(Pool<?> pool, TestWaiter waiter, Runnable meanwhile) {
        return pool.take(waiter, (same, argument) -> {
            meanwhile.run();
            return argument;
        });
    }
}
