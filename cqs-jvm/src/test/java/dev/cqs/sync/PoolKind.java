package dev.cqs.sync;

import dev.cqs.TestWaiter;
import dev.cqs.spi.PoolSteps;
import dev.cqs.spi.SyncAccess;
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

    static final PoolSteps STEPS = SyncAccess.pool();

    abstract <E> Pool<E> make();

    /** Takes the element that is to be lent next out of a model to whose end they are put. */
    abstract <E> E next(Deque<E> idle);

    /** Waits, unless there is an element. */
    static TestWaiter take(Pool<?> pool, String name) {
        TestWaiter waiter = new TestWaiter(name);
        do {
            Object element = STEPS.reserve(pool);
            if (element != null) {
                waiter.value = element;
                return waiter;
            }
        } while (!STEPS.enqueue(pool, waiter));
        return waiter;
    }
}
