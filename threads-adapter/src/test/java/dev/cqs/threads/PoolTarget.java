package dev.cqs.threads;

import dev.cqs.threads.Target.Elements;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A pool of ours, and those of its elements that are out. */
abstract class PoolTarget implements Elements {
    private final Queue<Object> out = new ConcurrentLinkedQueue<>();

    abstract Object takeOne() throws InterruptedException;

    abstract Object takeOneUninterruptibly();

    abstract Object tryTakeOne();

    abstract Object pollOne(long timeout, TimeUnit unit) throws InterruptedException;

    abstract void put(Object element);

    private boolean goesOut(Object element) {
        return element != null && out.add(element);
    }

    @Override
    public boolean take() throws InterruptedException {
        return goesOut(takeOne());
    }

    @Override
    public boolean takeUninterruptibly() {
        return goesOut(takeOneUninterruptibly());
    }

    @Override
    public boolean tryTake() {
        return goesOut(tryTakeOne());
    }

    @Override
    public boolean poll(long timeout, TimeUnit unit) throws InterruptedException {
        return goesOut(pollOne(timeout, unit));
    }

    @Override
    public void exit(int permits) {
        for (int i = 0; i < permits; i++) {
            put(out.remove());
        }
    }

    /** Keeps what is put into it. */
    static final class OfElements extends PoolTarget {
        private final BlockingPool<Object> pool;

        OfElements(BlockingPool<Object> pool, int elements) {
            this.pool = pool;
            for (int i = 1; i <= elements; i++) {
                pool.put("element " + i);
            }
        }

        @Override
        Object takeOne() throws InterruptedException {
            return pool.take();
        }

        @Override
        Object takeOneUninterruptibly() {
            return pool.takeUninterruptibly();
        }

        @Override
        Object tryTakeOne() {
            return pool.tryTake();
        }

        @Override
        Object pollOne(long timeout, TimeUnit unit) throws InterruptedException {
            return pool.poll(timeout, unit);
        }

        @Override
        void put(Object element) {
            pool.put(element);
        }

        @Override
        public boolean close(Throwable cause) {
            return pool.core().close(cause);
        }

        @Override
        public int free() {
            return pool.size();
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return pool.getQueuedThreads();
        }

        @Override
        public boolean hasQueuedThreads() {
            return pool.hasQueuedThreads();
        }

        @Override
        public int getQueueLength() {
            return pool.getQueueLength();
        }
    }

    /** Makes what it lends. */
    static final class OfResources extends PoolTarget {
        private final ResourcePool<Object> pool;

        OfResources(int maximum) {
            pool = ResourcePool.of(maximum, Object::new);
        }

        @Override
        Object takeOne() throws InterruptedException {
            return pool.take();
        }

        @Override
        Object takeOneUninterruptibly() {
            return pool.takeUninterruptibly();
        }

        @Override
        Object tryTakeOne() {
            return pool.tryTake();
        }

        @Override
        Object pollOne(long timeout, TimeUnit unit) throws InterruptedException {
            return pool.poll(timeout, unit);
        }

        @Override
        void put(Object element) {
            pool.put(element);
        }

        @Override
        public boolean close(Throwable cause) {
            return pool.core().close(cause);
        }

        /** Elements that are idle or could be made; of a closed pool, those that need not come back any more. */
        @Override
        public int free() {
            return pool.isClosed() ? pool.maximum() - pool.size() : pool.core().available();
        }

        @Override
        public Collection<Thread> getQueuedThreads() {
            return pool.getQueuedThreads();
        }

        @Override
        public boolean hasQueuedThreads() {
            return pool.hasQueuedThreads();
        }

        @Override
        public int getQueueLength() {
            return pool.getQueueLength();
        }
    }
}
