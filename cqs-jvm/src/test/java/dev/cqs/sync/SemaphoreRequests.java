package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import org.junit.jupiter.api.function.Executable;

/** Makes requests of a semaphore that must wait, or that must be refused. */
final class SemaphoreRequests {
    private SemaphoreRequests() {}

    static TestWaiter enqueue(Semaphore semaphore, int permits) {
        return enqueue(semaphore, permits, new TestWaiter("for " + permits, permits));
    }

    static WeightHookWaiter enqueueWithHook(Semaphore semaphore, int permits) {
        return enqueue(semaphore, permits, new WeightHookWaiter(permits));
    }

    private static <W extends TestWaiter> W enqueue(Semaphore semaphore, int permits, W waiter) {
        assertSame(waiter, semaphore.acquire(permits, waiter, TestWaiter.ITSELF), "must wait");
        return waiter;
    }

    static void assertRefused(Class<? extends Exception> type, String message, Executable request) {
        String actual = assertThrows(type, request).getMessage();
        assertTrue(actual.contains(message), actual);
    }
}
