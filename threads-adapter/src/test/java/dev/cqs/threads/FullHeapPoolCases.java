package dev.cqs.threads;

import static dev.cqs.threads.FullHeap.require;
import static dev.cqs.threads.FullHeap.requireNothing;
import static dev.cqs.threads.FullHeap.requireRefused;
import static dev.cqs.threads.FullHeapCases.requireInterrupted;

import dev.cqs.Trampoline;
import dev.cqs.threads.FullHeap.Actor;
import dev.cqs.threads.FullHeap.Case;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Cases of {@link FullHeap} on pools, synchronous queues and many futures. Each method is a case. */
final class FullHeapPoolCases {
    private static final long SOON = 1_000_000_000L;
    private static final String ELEMENT = "element";

    private FullHeapPoolCases() {}

    // Pools

    static Case putToAThread() {
        BlockingPool<String> pool = BlockingPool.queue();
        Actor taker = new Actor(pool::take);
        return new Case(
                taker::startAndPark,
                () -> {
                    pool.put(ELEMENT);
                    taker.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    taker.endWell();
                    assertWorks(pool, 0);
                });
    }

    static Case takeThatMustWait() {
        BlockingPool<String> pool = BlockingPool.queue();
        return new Case(() -> {}, pool::take, thrown -> {
            requireRefused(thrown);
            assertWorks(pool, 0);
        });
    }

    static Case takeOfAFutureThatMustWait() {
        BlockingPool<String> pool = BlockingPool.stack();
        return new Case(() -> {}, pool::takeAsync, thrown -> {
            requireRefused(thrown);
            assertWorks(pool, 0);
        });
    }

    static Case interruptOfATake() {
        BlockingPool<String> pool = BlockingPool.queue();
        Actor taker = new Actor(pool::take);
        return new Case(
                taker::startAndPark,
                () -> {
                    taker.interrupt();
                    taker.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(taker.end());
                    assertWorks(pool, 0);
                });
    }

    static Case timeoutAndCancellationOfTakes() {
        BlockingPool<String> pool = BlockingPool.stack();
        Actor late = new Actor(() -> pool.poll(SOON, TimeUnit.NANOSECONDS));
        Object[] future = new Object[1];
        return new Case(
                () -> {
                    late.startAndPark();
                    future[0] = pool.takeAsync();
                },
                () -> {
                    late.end();
                    ((CompletableFuture<?>) future[0]).complete(null);
                },
                thrown -> {
                    requireNothing(thrown);
                    late.endWell();
                    assertWorks(pool, 0);
                });
    }

    static Case putAndTakeOfAnIdleElement() {
        BlockingPool<String> pool = BlockingPool.queue();
        return new Case(
                () -> {
                    pool.put("a");
                    pool.put("b");
                },
                () -> {
                    String taken = pool.take();
                    pool.put(taken);
                },
                thrown -> {
                    requireNothing(thrown);
                    assertWorks(pool, 2);
                });
    }

    static Case useOfAResource() {
        ResourcePool<Object> pool = resources();
        Object[] taken = new Object[1];
        return new Case(() -> taken[0] = pool.take(), () -> pool.put(taken[0]), thrown -> {
            requireNothing(thrown);
            assertWorks(pool);
        });
    }

    static Case invalidationOfAResource() {
        ResourcePool<Object> pool = resources();
        Object[] taken = new Object[1];
        return new Case(() -> taken[0] = pool.take(), () -> pool.invalidate(taken[0]), thrown -> {
            requireNothing(thrown);
            assertWorks(pool);
        });
    }

    static Case makingOfAResource() {
        ResourcePool<Object> pool = resources();
        return new Case(() -> {}, pool::take, thrown -> {
            requireRefused(thrown);
            assertWorks(pool);
        });
    }

    static Case evictionAndResizeOfResources() {
        ResourcePool<Object> pool = ResourcePool.viewOf(dev.cqs.pool.ResourcePool.builder(2, Object::new)
                .evictAfter(Duration.ofNanos(1))
                .build());
        return new Case(
                () -> {
                    Object one = pool.take();
                    Object two = pool.take();
                    pool.put(one);
                    pool.put(two);
                },
                () -> {
                    pool.resize(1);
                    pool.evictIdle();
                    pool.resize(2);
                },
                thrown -> {
                    if (thrown != null) {
                        requireRefused(thrown);
                        pool.resize(2);
                    }
                    assertWorks(pool);
                });
    }

    // Synchronous queues

    static Case offerToAReceiver() {
        return offer(true);
    }

    static Case offerToAReceiverOfAnUnfairQueue() {
        return offer(false);
    }

    private static Case offer(boolean fair) {
        SynchronousQueue<String> queue = new SynchronousQueue<>(fair);
        String[] received = new String[1];
        Actor receiver = new Actor(() -> received[0] = queue.take());
        return new Case(
                receiver::startAndPark,
                () -> {
                    queue.offer(ELEMENT);
                    receiver.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    receiver.endWell();
                    require(received[0] == ELEMENT, "it was received");
                    assertWorks(queue);
                });
    }

    static Case pollFromASender() {
        return poll(true);
    }

    static Case pollFromASenderOfAnUnfairQueue() {
        return poll(false);
    }

    private static Case poll(boolean fair) {
        SynchronousQueue<String> queue = new SynchronousQueue<>(fair);
        String[] received = new String[1];
        Actor sender = new Actor(() -> queue.put(ELEMENT));
        return new Case(
                sender::startAndPark,
                () -> {
                    received[0] = queue.poll();
                    sender.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    sender.endWell();
                    require(received[0] == ELEMENT, "it was received");
                    assertWorks(queue);
                });
    }

    static Case timeoutAndInterruptAtAQueue() {
        return timeoutAndInterrupt(true);
    }

    static Case timeoutAndInterruptAtAnUnfairQueue() {
        return timeoutAndInterrupt(false);
    }

    private static Case timeoutAndInterrupt(boolean fair) {
        SynchronousQueue<String> queue = new SynchronousQueue<>(fair);
        Actor late = new Actor(() -> queue.poll(SOON, TimeUnit.NANOSECONDS));
        Actor interrupted = new Actor(queue::take);
        return new Case(
                () -> {
                    late.startAndPark();
                    interrupted.startAndPark();
                },
                () -> {
                    interrupted.interrupt();
                    interrupted.end();
                    late.end();
                },
                thrown -> {
                    requireNothing(thrown);
                    requireInterrupted(interrupted.end());
                    late.endWell();
                    assertWorks(queue);
                });
    }

    static Case putThatMustWait() {
        SynchronousQueue<String> queue = new SynchronousQueue<>(true);
        return new Case(() -> {}, () -> queue.put(ELEMENT), thrown -> {
            requireRefused(thrown);
            assertWorks(queue);
        });
    }

    static Case takeThatMustWaitAtAnUnfairQueue() {
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        return new Case(() -> {}, queue::take, thrown -> {
            requireRefused(thrown);
            assertWorks(queue);
        });
    }

    // Many futures

    /**
     * There is some memory at first, and then not enough to note all futures that must be completed. The dependents of a
     * future are run by the future, which may find no memory for that.
     */
    static Case releaseToManyFutures() {
        int many = 40;
        Semaphore semaphore = new Semaphore(0);
        CompletableFuture<Grant>[] futures = FullHeapCases.futures(many);
        Object[] reserve = new Object[1];
        Runnable release = () -> semaphore.release(many);
        return new Case(
                () -> {
                    for (int i = 0; i < many; i++) {
                        futures[i] = semaphore.acquireAsync();
                    }
                    reserve[0] = new byte[240];
                },
                () -> {
                    reserve[0] = null;
                    Trampoline.run(release);
                },
                thrown -> {
                    requireNothing(thrown);
                    for (CompletableFuture<Grant> future : futures) {
                        future.get(0, TimeUnit.SECONDS).close();
                    }
                    require(semaphore.availablePermits() == many, "all were granted: " + semaphore);
                });
    }

    // Helpers

    private static ResourcePool<Object> resources() {
        return ResourcePool.viewOf(dev.cqs.pool.ResourcePool.builder(2, () -> (Object) new byte[1000])
                .build());
    }

    static void assertWorks(BlockingPool<String> pool, int idle) throws Throwable {
        require(pool.size() == idle && pool.getQueueLength() == 0, idle + " are idle: " + pool);
        for (int i = 0; i < idle; i++) {
            require(pool.tryTake() != null, "it can be taken");
        }
        Actor interrupted = new Actor(pool::take);
        Actor taker = new Actor(pool::take);
        interrupted.startAndPark();
        taker.startAndPark();
        interrupted.interrupt();
        requireInterrupted(interrupted.end());
        pool.put(ELEMENT);
        taker.endWell();
        require(pool.size() == 0 && pool.getQueueLength() == 0, "nothing is left: " + pool);
    }

    /** Checks that two elements can be taken, and that a third taker waits and gets the returned one. */
    static void assertWorks(ResourcePool<Object> pool) throws Throwable {
        require(pool.getQueueLength() == 0, "no request waits: " + pool);
        Object one = pool.poll(1, TimeUnit.SECONDS);
        Object two = pool.poll(1, TimeUnit.SECONDS);
        require(one != null && two != null && one != two, "there are two: " + pool);
        Actor taker = new Actor(pool::take);
        taker.startAndPark();
        pool.put(one);
        taker.endWell();
        pool.put(two);
        require(pool.size() <= 2 && pool.getQueueLength() == 0, "no request waits: " + pool);
    }

    static void assertWorks(SynchronousQueue<String> queue) throws Throwable {
        require(queue.poll() == null && !queue.offer(ELEMENT), "no request waits: " + queue);
        Actor sender = new Actor(() -> queue.put(ELEMENT));
        sender.startAndPark();
        require(queue.take() == ELEMENT, "it was handed over");
        sender.endWell();
        Actor receiver = new Actor(queue::take);
        receiver.startAndPark();
        queue.put(ELEMENT);
        receiver.endWell();
        require(queue.poll() == null && !queue.offer(ELEMENT), "no request is left: " + queue);
    }
}
