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

/** Locks, semaphores and conditions, for threads and futures; each method is a case of FullHeap. */
final class FullHeapCases {
    private static final long SOON = 1_000_000_000L;

    private FullHeapCases() {}

    // Locks

    static Case lockThatHasToWait() {
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
            works(lock);
        });
    }

    static Case futureOfALockThatHasToWait() {
        Mutex lock = new Mutex();
        return new Case(lock::lock, lock::lockAsync, thrown -> {
            requireRefused(thrown);
            lock.unlock();
            works(lock);
        });
    }

    static Case futureOfAFreeLock() {
        Mutex lock = new Mutex();
        return new Case(() -> {}, lock::lockAsync, thrown -> {
            requireRefused(thrown);
            works(lock);
        });
    }

    static Case lockThatIsFree() {
        Mutex lock = new Mutex();
        return new Case(() -> {}, lock::lock, thrown -> {
            requireNothing(thrown);
            lock.unlock();
            works(lock);
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
                    require(lock.getQueueLength() == 1, "one waits for a lock that is held");
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
                    works(lock);
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
                    require(lock.getQueueLength() == 0, "nobody waits");
                    lock.unlock();
                    works(lock);
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
                    require(lock.getQueueLength() == 0, "nobody waits");
                    lock.unlock();
                    works(lock);
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
                () -> future[0].complete(null), // cancel() allocates
                thrown -> {
                    requireNothing(thrown);
                    require(lock.getQueueLength() == 0, "nobody waits");
                    lock.unlock();
                    works(lock);
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
            works(semaphore, 1);
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
                () -> behind.endWithin(2 * SOON), // the one who gives up insists on memory to serve the next
                thrown -> {
                    requireNothing(thrown);
                    waiting.endWell();
                    behind.endWell();
                    semaphore.release();
                    works(semaphore, 1);
                });
    }

    static Case acquireOfSeveralThatHasToWait() {
        Semaphore semaphore = new Semaphore(1);
        return new Case(() -> {}, () -> semaphore.acquire(3), thrown -> {
            requireRefused(thrown);
            works(semaphore, 1);
        });
    }

    static Case acquireThatHasToWaitInTheSecondForm() {
        Semaphore semaphore = new Semaphore(-1);
        return new Case(() -> {}, semaphore::acquire, thrown -> {
            requireRefused(thrown);
            semaphore.release(2);
            works(semaphore, 1);
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
                    works(semaphore, 1);
                });
    }

    static Case interruptInTheSecondForm() {
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
                    works(semaphore, 1);
                });
    }

    static Case reductionAndRelease() {
        Reducible semaphore = new Reducible();
        return new Case(() -> {}, () -> semaphore.reducePermits(3), thrown -> {
            require(semaphore.availablePermits() == (thrown == null ? -2 : 1), "all or nothing: " + semaphore);
            semaphore.release(thrown == null ? 3 : 0);
            works(semaphore, 1);
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
                        require(!semaphore.core().isClosed(), "it was not closed");
                        semaphore.release();
                        waiting.endWell();
                        works(semaphore, 0);
                    } else {
                        require(closed[0] && waiting.end() != null, "the wait has failed");
                    }
                });
    }

    static Case acquireAsyncAndCancelSeveral() {
        Semaphore semaphore = new Semaphore(1);
        CompletableFuture<Grant>[] future = futures(1);
        return new Case(() -> future[0] = semaphore.acquireAsync(3), () -> future[0].complete(null), thrown -> {
            requireNothing(thrown);
            works(semaphore, 1);
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
                    works(lock);
                });
    }

    static Case awaitThatHasToWait() {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        return new Case(lock::lock, condition::await, thrown -> {
            requireRefused(thrown);
            require(lock.isHeldByCurrentThread() && lock.getWaitQueueLength(condition) == 0, "still held");
            lock.unlock();
            works(lock);
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
                    require(held[0], "it has the lock again");
                    works(lock);
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
                    works(lock);
                });
    }

    // Latches and barriers

    static Case awaitOfALatch() {
        CountDownLatch latch = new CountDownLatch(1);
        return new Case(() -> {}, latch::await, thrown -> {
            requireRefused(thrown);
            require(latch.core().queueLength() == 0, "nobody waits");
        });
    }

    static Case interruptAndOpeningOfALatch() {
        CountDownLatch latch = new CountDownLatch(1);
        Actor interrupted = new Actor(latch::await);
        Actor served = new Actor(latch::await);
        return new Case(
                () -> {
                    interrupted.startAndPark();
                    served.startAndPark();
                },
                () -> {
                    interrupted.interrupt();
                    interrupted.end();
                    latch.countDown();
                    served.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(interrupted.end());
                    served.endWell();
                });
    }

    static Case roundOfABarrier() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Actor party = new Actor(barrier::await);
        return new Case(
                party::startAndPark,
                () -> {
                    barrier.await();
                    party.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    party.endWell();
                    worksAgain(barrier);
                });
    }

    static Case awaitOfABarrier() {
        CyclicBarrier barrier = new CyclicBarrier(2);
        return new Case(() -> {}, barrier::await, thrown -> {
            requireRefused(thrown);
            worksAgain(barrier);
        });
    }

    static Case timeoutAtABarrier() {
        CyclicBarrier barrier = new CyclicBarrier(3);
        Actor late = new Actor(() -> barrier.await(SOON, TimeUnit.NANOSECONDS));
        Actor other = new Actor(barrier::await);
        return new Case(
                () -> {
                    late.startAndPark();
                    other.startAndPark();
                },
                () -> {
                    late.end();
                    other.end();
                    barrier.reset();
                },
                thrown -> {
                    requireNothing(thrown);
                    require(late.end() != null && other.end() != null, "the barrier was broken");
                    require(!barrier.isBroken() && barrier.getNumberWaiting() == 0, "and is whole again");
                });
    }

    // Read-write locks

    static Case readersAreLetIn() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Actor reader = new Actor(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
        });
        Actor writer = new Actor(() -> {
            lock.writeLock().lock();
            lock.writeLock().unlock();
        });
        return new Case(
                () -> {
                    lock.writeLock().lock();
                    reader.startAndPark();
                    writer.startAndPark();
                },
                () -> {
                    lock.writeLock().unlock();
                    reader.end();
                    writer.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireGrantedOrRefused(reader.end()); // its record may have found no memory
                    writer.endWell();
                    works(lock);
                });
    }

    static Case cancelledHeadWriter() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Actor writer = new Actor(lock.writeLock()::lockInterruptibly);
        Actor reader = new Actor(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
        });
        return new Case(
                () -> {
                    lock.readLock().lock();
                    writer.startAndPark();
                    reader.startAndPark();
                },
                () -> {
                    writer.interrupt();
                    writer.end();
                    reader.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(writer.end());
                    requireGrantedOrRefused(reader.end());
                    lock.readLock().unlock();
                    works(lock);
                });
    }

    static Case locksForReadingAndWritingThatHaveToWait() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Actor holder = new Actor(() -> {
            lock.writeLock().lock();
            LockSupport.park();
            lock.writeLock().unlock();
        });
        Throwable[] ofWriter = new Throwable[1];
        return new Case(
                holder::startAndPark,
                () -> {
                    try {
                        lock.writeLock().lock();
                    } catch (OutOfMemoryError e) {
                        ofWriter[0] = e;
                    }
                    lock.readLock().lock();
                },
                thrown -> {
                    requireRefused(ofWriter[0]);
                    requireRefused(thrown);
                    LockSupport.unpark(holder);
                    holder.endWell();
                    works(lock);
                });
    }

    static Case unlockOfManyReadHolds() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Actor first = new Actor(() -> {
            lock.readLock().lock();
            LockSupport.park();
            lock.readLock().unlock();
        });
        return new Case(
                () -> {
                    first.startAndPark();
                    for (int i = 0; i < 1000; i++) {
                        lock.readLock().lock();
                    }
                },
                () -> {
                    for (int i = 0; i < 1000; i++) {
                        lock.readLock().unlock();
                    }
                },
                thrown -> {
                    requireNothing(thrown);
                    LockSupport.unpark(first);
                    first.endWell();
                    works(lock);
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

    /** There may have been no memory for the exception. */
    static void requireInterrupted(Throwable thrown) {
        require(
                thrown instanceof InterruptedException || thrown instanceof OutOfMemoryError,
                "it was interrupted: " + thrown);
    }

    /** The lock is free, nobody is counted, and it is handed on. */
    static void works(AbstractMutexLock lock) throws Throwable {
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

    /** So many permits are there, nobody is counted, and they are handed on. */
    static void works(Semaphore semaphore, int permits) throws Throwable {
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

    static void works(ReentrantReadWriteLock lock) throws Throwable {
        require(
                !lock.isWriteLocked() && lock.getReadLockCount() == 0 && lock.getQueueLength() == 0,
                "it is free: " + lock);
        Actor reader = new Actor(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
        });
        lock.writeLock().lock();
        reader.startAndPark();
        lock.writeLock().unlock();
        reader.endWell();
        require(lock.writeLock().tryLock(), "it is free again: " + lock);
    }

    static void worksAgain(CyclicBarrier barrier) throws Throwable {
        require(!barrier.isBroken() && barrier.getNumberWaiting() == 0, "nobody waits: " + barrier);
        Actor party = new Actor(barrier::await);
        party.startAndPark();
        barrier.await();
        party.endWell();
    }
}
