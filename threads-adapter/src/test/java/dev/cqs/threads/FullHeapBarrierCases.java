package dev.cqs.threads;

import static dev.cqs.threads.FullHeap.require;
import static dev.cqs.threads.FullHeap.requireNothing;
import static dev.cqs.threads.FullHeap.requireRefused;
import static dev.cqs.threads.FullHeapCases.requireGrantedOrRefused;
import static dev.cqs.threads.FullHeapCases.requireInterrupted;

import dev.cqs.threads.FullHeap.Actor;
import dev.cqs.threads.FullHeap.Case;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Cases of {@link FullHeap} on latches, barriers and read-write locks. Each method is a case. */
final class FullHeapBarrierCases {
    private static final long SOON = 1_000_000_000L;

    private FullHeapBarrierCases() {}

    // Latches and barriers

    static Case awaitOfALatch() {
        CountDownLatch latch = new CountDownLatch(1);
        return new Case(() -> {}, latch::await, thrown -> {
            requireRefused(thrown);
            require(latch.core().queueLength() == 0, "no request waits");
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
                    assertWorksAgain(barrier);
                });
    }

    static Case awaitOfABarrier() {
        CyclicBarrier barrier = new CyclicBarrier(2);
        return new Case(() -> {}, barrier::await, thrown -> {
            requireRefused(thrown);
            assertWorksAgain(barrier);
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
                    require(!barrier.isBroken() && barrier.getNumberWaiting() == 0, "the barrier is whole again");
                });
    }

    // Read-write locks

    static Case readersEnter() {
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
                    requireGrantedOrRefused(reader.end()); // there may have been no memory to record the reader
                    writer.endWell();
                    assertWorks(lock);
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
                    assertWorks(lock);
                });
    }

    static Case readAndWriteLocksThatMustWait() {
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
                    assertWorks(lock);
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
                    assertWorks(lock);
                });
    }

    // Helpers

    static void assertWorks(ReentrantReadWriteLock lock) throws Throwable {
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

    static void assertWorksAgain(CyclicBarrier barrier) throws Throwable {
        require(!barrier.isBroken() && barrier.getNumberWaiting() == 0, "no party waits: " + barrier);
        Actor party = new Actor(barrier::await);
        party.startAndPark();
        barrier.await();
        party.endWell();
    }
}
