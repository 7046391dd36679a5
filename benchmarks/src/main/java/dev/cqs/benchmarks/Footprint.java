package dev.cqs.benchmarks;

import dev.cqs.threads.Mutex;
import dev.cqs.threads.ReentrantLock;
import dev.cqs.threads.Semaphore;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.openjdk.jol.info.GraphLayout;

/**
 * The bytes that one more primitive retains: never used, or idle again after one thread has waited for it.
 *
 * <p>The figure is what a second object adds to a first, so shared constants are not included. The layout is that of the
 * running JVM, usually with compressed references. Not included: a waiter while it waits, which is in the bytes per operation
 * of {@link PermitHandOff}.
 */
final class Footprint {
    private Footprint() {}

    static long coreMutex() {
        return bytes(dev.cqs.sync.Mutex::new);
    }

    static long coreSemaphore() {
        return bytes(() -> new dev.cqs.sync.Semaphore(1));
    }

    static long mutex(boolean contended) {
        return bytes(() -> {
            Mutex mutex = new Mutex();
            return used(mutex, contended, mutex::lock, mutex::unlock, mutex::getQueueLength);
        });
    }

    static long lock(boolean contended) {
        return bytes(() -> {
            ReentrantLock lock = new ReentrantLock();
            return used(lock, contended, lock::lock, lock::unlock, lock::getQueueLength);
        });
    }

    static long semaphore(boolean contended) {
        return bytes(() -> {
            Semaphore semaphore = new Semaphore(1);
            return used(
                    semaphore,
                    contended,
                    semaphore::acquireUninterruptibly,
                    semaphore::release,
                    semaphore::getQueueLength);
        });
    }

    static long jdkLock(boolean contended) {
        return bytes(() -> {
            var lock = new java.util.concurrent.locks.ReentrantLock(true);
            return used(lock, contended, lock::lock, lock::unlock, lock::getQueueLength);
        });
    }

    static long jdkSemaphore(boolean contended) {
        return bytes(() -> {
            var semaphore = new java.util.concurrent.Semaphore(1, true);
            return used(
                    semaphore,
                    contended,
                    semaphore::acquireUninterruptibly,
                    semaphore::release,
                    semaphore::getQueueLength);
        });
    }

    static long coreHandOff(boolean fair) {
        return bytes(() -> Peers.core(fair));
    }

    static long handOff(String name, boolean used) {
        return bytes(() -> {
            BlockingQueue<Object> queue = SynchronousQueues.queue(name);
            if (used) {
                transfer(queue);
            }
            return queue;
        });
    }

    /** Hands one element to a waiting thread. */
    private static void transfer(BlockingQueue<Object> queue) {
        Thread receiver = new Thread(() -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        receiver.start();
        while (receiver.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        try {
            queue.put("");
            receiver.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static long coroutineHandOff(String whose) {
        return bytes(() -> Peers.handOff(whose));
    }

    static long coroutineMutex(String whose) {
        return bytes(() -> Peers.mutex(whose, false));
    }

    static long coroutineSemaphore(String whose) {
        return bytes(() -> Peers.semaphore(whose, 1, 0));
    }

    private static long bytes(Supplier<Object> maker) {
        Object first = maker.get();
        Object second = maker.get();
        return GraphLayout.parseInstance(first, second).totalSize()
                - GraphLayout.parseInstance(first).totalSize();
    }

    private static Object used(Object primitive, boolean contended, Runnable take, Runnable give, IntSupplier waiting) {
        if (contended) {
            take.run();
            Thread waiter = new Thread(() -> {
                take.run();
                give.run();
            });
            waiter.start();
            while (waiting.getAsInt() == 0 || waiter.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
            give.run();
            try {
                waiter.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return primitive;
    }
}
