package dev.cqs.threads;

import static dev.cqs.threads.FullHeap.require;
import static dev.cqs.threads.FullHeap.requireNothing;
import static dev.cqs.threads.FullHeap.requireRefused;

import dev.cqs.threads.FullHeap.Actor;
import dev.cqs.threads.FullHeap.Case;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/** Cases of {@link FullHeap} on locks, semaphores and conditions, for threads and futures. Each method is a case. */
final class FullHeapCases {
    private static final long SOON = 1_000_000_000L;

    private FullHeapCases() {}

    // Locks

    static Case lockThatMustWait() {
        Mutex lock = new Mutex();
        Actor holder = new Actor(() -> {
            lock.lock();
            LockSupport.park();
            lock.unlock();
        });
        return new Case(holder::startAndPark, lock::lock, thrown -> {
            requireRefused(thrown);
            LockSupport.unpark(holder);
            holder.endWell();
            assertWorks(lock);
        });
    }

    static Case futureOfALockThatMustWait() {
        Mutex lock = new Mutex();
        return new Case(lock::lock, lock::lockAsync, thrown -> {
            requireRefused(thrown);
            lock.unlock();
            assertWorks(lock);
        });
    }

    static Case futureOfAFreeLock() {
        Mutex lock = new Mutex();
        return new Case(() -> {}, lock::lockAsync, thrown -> {
            requireRefused(thrown);
            assertWorks(lock);
        });
    }

    static Case lockThatIsFree() {
        Mutex lock = new Mutex();
        return new Case(() -> {}, lock::lock, thrown -> {
            requireNothing(thrown);
            lock.unlock();
            assertWorks(lock);
        });
    }

    static Case unlockToAThread() {
        Mutex lock = new Mutex();
        Actor next = new Actor(lock::lock);
        Actor last = new Actor(() -> {
            lock.lock();
            lock.unlock();
        });
        return new Case(
                () -> {
                    lock.lock();
                    next.startAndPark();
                },
                () -> {
                    lock.unlock();
                    next.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    next.endWell();
                    last.startAndPark();
                    require(lock.getQueueLength() == 1, "a request waits for the held lock");
                });
    }

    static Case unlockToAFuture() {
        Mutex lock = new Mutex();
        CompletableFuture<Grant>[] future = futures(1);
        return new Case(
                () -> {
                    lock.lock();
                    future[0] = lock.lockAsync();
                },
                lock::unlock,
                thrown -> {
                    requireNothing(thrown);
                    future[0].get(1, TimeUnit.SECONDS).close();
                    assertWorks(lock);
                });
    }

    static Case interruptOfALock() {
        Mutex lock = new Mutex();
        Actor waiting = new Actor(lock::lockInterruptibly);
        return new Case(
                () -> {
                    lock.lock();
                    waiting.startAndPark();
                },
                () -> {
                    waiting.interrupt();
                    waiting.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(waiting.end());
                    require(lock.getQueueLength() == 0, "no request waits");
                    lock.unlock();
                    assertWorks(lock);
                });
    }

    static Case timeoutOfALock() {
        Mutex lock = new Mutex();
        boolean[] locked = new boolean[1];
        Actor waiting = new Actor(() -> locked[0] = lock.tryLock(SOON, TimeUnit.NANOSECONDS));
        return new Case(
                () -> {
                    lock.lock();
                    waiting.startAndPark();
                },
                waiting::end,
                thrown -> {
                    requireNothing(thrown);
                    waiting.endWell();
                    require(!locked[0], "the lock was not free");
                    require(lock.getQueueLength() == 0, "no request waits");
                    lock.unlock();
                    assertWorks(lock);
                });
    }

    static Case cancellationOfTheFutureOfALock() {
        Mutex lock = new Mutex();
        CompletableFuture<Grant>[] future = futures(1);
        return new Case(
                () -> {
                    lock.lock();
                    future[0] = lock.lockAsync();
                },
                () -> future[0].complete(null), // cancel() would allocate
                thrown -> {
                    requireNothing(thrown);
                    require(lock.getQueueLength() == 0, "no request waits");
                    lock.unlock();
                    assertWorks(lock);
                });
    }

    // Semaphores

    static Case timeoutOfAnAcquire() {
        Semaphore semaphore = new Semaphore(0);
        Actor waiting = new Actor(() -> semaphore.tryAcquire(SOON, TimeUnit.NANOSECONDS));
        return new Case(waiting::startAndPark, waiting::end, thrown -> {
            requireNothing(thrown);
            waiting.endWell();
            semaphore.release();
            assertWorks(semaphore, 1);
        });
    }

    static Case timeoutOfAnAcquireOfSeveral() {
        Semaphore semaphore = new Semaphore(1);
        Actor waiting = new Actor(() -> semaphore.tryAcquire(3, SOON, TimeUnit.NANOSECONDS));
        Actor behind = new Actor(semaphore::acquire);
        return new Case(
                () -> {
                    waiting.startAndPark();
                    behind.startAndPark();
                },
                () -> behind.endWithin(
                        2 * SOON), // the cancelled request repeats its allocation until it can serve the next
                thrown -> {
                    requireNothing(thrown);
                    waiting.endWell();
                    behind.endWell();
                    semaphore.release();
                    assertWorks(semaphore, 1);
                });
    }

    static Case acquireOfSeveralThatMustWait() {
        Semaphore semaphore = new Semaphore(1);
        return new Case(() -> {}, () -> semaphore.acquire(3), thrown -> {
            requireRefused(thrown);
            assertWorks(semaphore, 1);
        });
    }

    static Case acquireThatMustWaitInWeightedMode() {
        Semaphore semaphore = new Semaphore(-1);
        return new Case(() -> {}, semaphore::acquire, thrown -> {
            requireRefused(thrown);
            semaphore.release(2);
            assertWorks(semaphore, 1);
        });
    }

    static Case releaseOfSeveral() {
        Semaphore semaphore = new Semaphore(0);
        Actor one = new Actor(semaphore::acquire);
        Actor two = new Actor(semaphore::acquire);
        return new Case(
                () -> {
                    one.startAndPark();
                    two.startAndPark();
                },
                () -> {
                    semaphore.release(3);
                    one.end();
                    two.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    assertWorks(semaphore, 1);
                });
    }

    static Case interruptInWeightedMode() {
        Semaphore semaphore = new Semaphore(-1);
        Actor waiting = new Actor(semaphore::acquire);
        return new Case(
                waiting::startAndPark,
                () -> {
                    waiting.interrupt();
                    waiting.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(waiting.end());
                    semaphore.release(2);
                    assertWorks(semaphore, 1);
                });
    }

    static Case reductionAndRelease() {
        Reducible semaphore = new Reducible();
        return new Case(() -> {}, () -> semaphore.reducePermits(3), thrown -> {
            require(semaphore.availablePermits() == (thrown == null ? -2 : 1), "all or nothing: " + semaphore);
            semaphore.release(thrown == null ? 3 : 0);
            assertWorks(semaphore, 1);
        });
    }

    static Case closeOfASemaphore() {
        Semaphore semaphore = new Semaphore(0);
        Actor waiting = new Actor(semaphore::acquire);
        boolean[] closed = new boolean[1];
        return new Case(
                waiting::startAndPark,
                () -> {
                    closed[0] = semaphore.core().close(null);
                    waiting.end();
                },
                thrown -> {
                    if (thrown != null) {
                        requireRefused(thrown);
                        require(!semaphore.core().isClosed(), "the semaphore was not closed");
                        semaphore.release();
                        waiting.endWell();
                        assertWorks(semaphore, 0);
                    } else {
                        require(closed[0] && waiting.end() != null, "the wait failed");
                    }
                });
    }

    static Case acquireAsyncAndCancelSeveral() {
        Semaphore semaphore = new Semaphore(1);
        CompletableFuture<Grant>[] future = futures(1);
        return new Case(() -> future[0] = semaphore.acquireAsync(3), () -> future[0].complete(null), thrown -> {
            requireNothing(thrown);
            assertWorks(semaphore, 1);
        });
    }

    // Conditions

    static Case signal() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Actor waiting = new Actor(() -> {
            lock.lock();
            condition.await();
            lock.unlock();
        });
        return new Case(
                () -> {
                    waiting.startAndPark();
                    lock.lock();
                },
                () -> {
                    condition.signal();
                    lock.unlock();
                    waiting.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    waiting.endWell();
                    assertWorks(lock);
                });
    }

    static Case awaitThatMustWait() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        return new Case(lock::lock, condition::await, thrown -> {
            requireRefused(thrown);
            require(lock.isHeldByCurrentThread() && lock.getWaitQueueLength(condition) == 0, "still held");
            lock.unlock();
            assertWorks(lock);
        });
    }

    static Case interruptOfAnAwait() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        boolean[] held = new boolean[1];
        Actor waiting = new Actor(() -> {
            lock.lock();
            try {
                condition.await();
            } finally {
                held[0] = lock.isHeldByCurrentThread();
                lock.unlock();
            }
        });
        return new Case(
                waiting::startAndPark,
                () -> {
                    waiting.interrupt();
                    waiting.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(waiting.end());
                    require(held[0], "it has reacquired the lock");
                    assertWorks(lock);
                });
    }

    static Case timeoutOfAnAwaitWhileTheLockIsHeld() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Actor waiting = new Actor(() -> {
            lock.lock();
            condition.awaitNanos(SOON);
            lock.unlock();
        });
        return new Case(
                () -> {
                    waiting.startAndPark();
                    lock.lock();
                },
                () -> {
                    while (lock.getQueueLength() == 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    lock.unlock();
                    waiting.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    waiting.endWell();
                    assertWorks(lock);
                });
    }

    // Helpers

    private static final class Reducible extends Semaphore {
        Reducible() {
            super(1);
        }

        @Override
        public void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }

    @SuppressWarnings("unchecked")
    static CompletableFuture<Grant>[] futures(int count) {
        return new CompletableFuture[count];
    }

    static void requireGrantedOrRefused(Throwable thrown) {
        if (thrown != null) {
            requireRefused(thrown);
        }
    }

    /** Requires an interrupt. There may have been no memory for the exception. */
    static void requireInterrupted(Throwable thrown) {
        require(
                thrown instanceof InterruptedException || thrown instanceof OutOfMemoryError,
                "it was interrupted: " + thrown);
    }

    /** Checks that the lock is free, that no request is counted, and that it is handed over as before. */
    static void assertWorks(AbstractMutexLock lock) throws Throwable {
        require(!lock.isLocked() && lock.getQueueLength() == 0, "it is free: " + lock + lock.getQueueLength());
        for (int round = 0; round < 3; round++) {
            lock.lock();
            Actor next = new Actor(() -> {
                lock.lock();
                lock.unlock();
            });
            Actor cancelled = new Actor(lock::lockInterruptibly);
            cancelled.startAndPark();
            next.startAndPark();
            cancelled.interrupt();
            requireInterrupted(cancelled.end());
            lock.unlock();
            next.endWell();
            require(!lock.isLocked() && lock.getQueueLength() == 0, "it is free again: " + lock);
        }
    }

    /** Checks that {@code permits} are free, that no request is counted, and that permits are handed over as before. */
    static void assertWorks(Semaphore semaphore, int permits) throws Throwable {
        for (int round = 0; round < 3; round++) {
            require(
                    semaphore.availablePermits() == permits && semaphore.getQueueLength() == 0,
                    permits + " are free: " + semaphore + semaphore.getQueueLength());
            semaphore.acquire(permits);
            Actor cancelled = new Actor(semaphore::acquire);
            Actor next = new Actor(semaphore::acquire);
            cancelled.startAndPark();
            next.startAndPark();
            cancelled.interrupt();
            requireInterrupted(cancelled.end());
            semaphore.release();
            next.endWell();
            semaphore.release(permits);
        }
    }
}
