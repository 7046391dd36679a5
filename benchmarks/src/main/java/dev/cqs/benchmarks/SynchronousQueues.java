package dev.cqs.benchmarks;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/** The compared synchronous queues. */
final class SynchronousQueues {
    private SynchronousQueues() {}

    /** The common interface. One implementation is loaded per fork, so the calls are direct. */
    interface Shared {
        void put(Object element) throws InterruptedException;

        Object take() throws InterruptedException;
    }

    static Shared create(String name) {
        return switch (name) {
            case "semaphores" -> new ThreeSemaphores();
            case "monitor" -> new Monitor();
            default -> new Queue(queue(name));
        };
    }

    /** The queues that implement more than {@code put} and {@code take}. */
    static <E> BlockingQueue<E> queue(String name) {
        return switch (name) {
            case "fair" -> new dev.cqs.threads.SynchronousQueue<>(true);
            case "unfair" -> new dev.cqs.threads.SynchronousQueue<>(false);
            case "jdkFair" -> new java.util.concurrent.SynchronousQueue<>(true);
            case "jdkUnfair" -> new java.util.concurrent.SynchronousQueue<>(false);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static final class Queue implements Shared {
        private final BlockingQueue<Object> queue;

        Queue(BlockingQueue<Object> queue) {
            this.queue = queue;
        }

        @Override
        public void put(Object element) throws InterruptedException {
            queue.put(element);
        }

        @Override
        public Object take() throws InterruptedException {
            return queue.take();
        }
    }

    /** The textbook's queue by Hanson: one slot and three semaphores. */
    private static final class ThreeSemaphores implements Shared {
        private final Semaphore free = new Semaphore(1);
        private final Semaphore filled = new Semaphore(0);
        private final Semaphore taken = new Semaphore(0);

        /** Written by the holder of `free`, read by the holder of `filled`. */
        private Object slot;

        @Override
        public void put(Object element) throws InterruptedException {
            free.acquire();
            slot = element;
            filled.release();
            taken.acquire();
        }

        @Override
        public Object take() throws InterruptedException {
            filled.acquire();
            Object element = slot;
            slot = null;
            taken.release();
            free.release();
            return element;
        }
    }

    /** One slot and one monitor: every change wakes all waiters, and all but one wait again. */
    private static final class Monitor implements Shared {
        private boolean occupied;
        private Object slot;

        @Override
        public synchronized void put(Object element) throws InterruptedException {
            while (occupied) {
                wait();
            }
            occupied = true;
            slot = element;
            notifyAll();
            while (slot != null) {
                wait();
            }
            occupied = false;
            notifyAll();
        }

        @Override
        public synchronized Object take() throws InterruptedException {
            while (slot == null) {
                wait();
            }
            Object element = slot;
            slot = null;
            notifyAll();
            return element;
        }
    }
}
