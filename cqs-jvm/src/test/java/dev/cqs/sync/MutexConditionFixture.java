package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A mutex and a condition of it, with waiters in both queues, for tests that take one step at a time. */
abstract class MutexConditionFixture {
    /** More than two segments. */
    static final int MANY = 80;

    final Mutex mutex = new Mutex();
    final Condition condition = mutex.newCondition();

    void lock() {
        assertTrue(mutex.tryLock());
    }

    /** Enqueues a waiter on the condition. */
    TestConditionWaiter waiter(String name) {
        return waiter(condition, name);
    }

    static TestConditionWaiter waiter(Condition condition, String name) {
        TestConditionWaiter waiter = new TestConditionWaiter(name);
        await(condition, waiter);
        return waiter;
    }

    /** The wait hands the mutex to the first request for it. If there is none, the mutex is locked again. */
    static void await(Condition condition, TestConditionWaiter waiter) {
        condition.await(waiter);
        if (!condition.mutex().isLocked()) {
            assertTrue(condition.mutex().tryLock());
        }
    }

    /** Enqueues a request for the mutex that does not come from a condition. */
    TestWaiter queuedWaiter(String name) {
        return queuedWaiter(mutex, name);
    }

    static TestWaiter queuedWaiter(Mutex mutex, String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertSame(waiter, mutex.lock(waiter, TestWaiter.ITSELF));
        return waiter;
    }

    /** Unlocks until each waiter has had the mutex, in this order. Another caller must hold it. */
    void assertGetTheMutexInOrder(List<? extends TestWaiter> waiters) {
        waiters.forEach(waiter -> assertFalse(waiter.isResumed(), waiter.name));
        mutex.unlock();
        assertHaveTheMutexInOrder(waiters);
    }

    /** Unlocks until each waiter has had the mutex, in this order. The first must hold it. */
    void assertHaveTheMutexInOrder(List<? extends TestWaiter> waiters) {
        for (int i = 0; i < waiters.size(); i++) {
            assertSame(mutex, waiters.get(i).value, waiters.get(i).name);
            assertTrue(mutex.isLocked());
            waiters.subList(i + 1, waiters.size()).forEach(waiter -> assertFalse(waiter.isResumed(), waiter.name));
            mutex.unlock();
        }
        assertFalse(mutex.isLocked());
        assertEquals(0, mutex.queueLength());
        assertEquals(List.of(), queued());
    }

    /** The waiters on the condition. */
    List<Waiter> waiting() {
        return shown(condition::forEachWaiter);
    }

    /** The waiters in the queue of the mutex. */
    List<Waiter> queued() {
        return shown(mutex::forEachWaiter);
    }

    static List<Waiter> shown(Consumer<Consumer<Waiter>> forEachWaiter) {
        List<Waiter> waiters = new ArrayList<>();
        forEachWaiter.accept(waiters::add);
        return waiters;
    }
}
