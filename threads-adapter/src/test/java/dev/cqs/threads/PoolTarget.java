package dev.cqs.threads;

import dev.cqs.threads.Target.Elements;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A pool of ours as a {@link Target}, with the list of its lent elements. */
abstract class PoolTarget implements Elements {
    private final Queue<Object> out = new ConcurrentLinkedQueue<>();

    abstract Object takeOne() throws InterruptedException;

    abstract Object takeOneUninterruptibly();

    abstract Object tryTakeOne();

    abstract Object pollOne(long timeout, TimeUnit unit) throws InterruptedException;

    abstract void put(Object element);

    private boolean noteLent(Object element) {
        return element != null && out.add(element);
    }

    @Override
    public boolean take() throws InterruptedException {
        return noteLent(takeOne());
    }

    @Override
    public boolean takeUninterruptibly() {
        return noteLent(takeOneUninterruptibly());
    }

    @Override
    public boolean tryTake() {
        return noteLent(tryTakeOne());
    }

    @Override
    public boolean poll(long timeout, TimeUnit unit) throws InterruptedException {
        return noteLent(pollOne(timeout, unit));
    }

    @Override
    public void exit(int permits) {
        for (int i = 0; i < permits; i++) {
            put(out.remove());
        }
    }

    /** A pool of elements. */
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

    /** A pool of resources, which makes its elements. */
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

        /** The elements that are idle or could be made. For a closed pool, those that are not lent. */
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
