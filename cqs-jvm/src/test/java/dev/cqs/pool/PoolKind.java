package dev.cqs.pool;

import dev.cqs.TestWaiter;
import java.util.Deque;

/** In which order a pool lends its elements, with what is needed to wait for one. */
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

    /** Takes the element that is to be lent next out of a model to whose end they are put. */
    abstract <E> E next(Deque<E> idle);

    /** Waits, unless there is an element. */
    static TestWaiter take(Pool<?> pool, String name) {
        TestWaiter waiter = new TestWaiter(name);
        Object taken = pool.take(waiter, TestWaiter.ITSELF);
        if (taken != waiter) {
            waiter.value = taken;
        }
        return waiter;
    }

    /** Does something once a request is counted, before its waiter is in the queue. */
    static Object take(Pool<?> pool, TestWaiter waiter, Runnable meanwhile) {
        return pool.take(waiter, (same, argument) -> {
            meanwhile.run();
            return argument;
        });
    }
}
