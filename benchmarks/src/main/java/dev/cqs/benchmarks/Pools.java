package dev.cqs.benchmarks;

import com.zaxxer.hikari.util.ConcurrentBag;
import dev.cqs.threads.BlockingPool;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import stormpot.Pool;
import stormpot.Pooled;
import stormpot.Timeout;

/** The compared pools, each with all of its elements made in advance, and with default settings otherwise. */
final class Pools {
    private Pools() {}

    /** The common interface. One implementation is loaded per fork, so the calls are direct. */
    interface Shared {
        Object take() throws Exception;

        void put(Object element) throws Exception;
    }

    static Shared create(String name, int elements) throws Exception {
        return switch (name) {
            case "queuePool" -> filled(new Ours(BlockingPool.queue()), elements);
            case "stackPool" -> filled(new Ours(BlockingPool.stack()), elements);
            case "fairArrayQueue" -> filled(new Queue(new ArrayBlockingQueue<>(elements, true)), elements);
            case "arrayQueue" -> filled(new Queue(new ArrayBlockingQueue<>(elements)), elements);
            case "linkedQueue" -> filled(new Queue(new LinkedBlockingQueue<>()), elements);
            case "commonsPool" -> filled(new Commons(elements), elements);
            case "hikariBag" -> new Bag(elements);
            case "stormpot" -> new Storm(elements);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Shared filled(Shared pool, int elements) throws Exception {
        if (pool instanceof Commons commons) {
            commons.pool.preparePool();
            return pool;
        }
        for (int i = 0; i < elements; i++) {
            pool.put(new Object());
        }
        return pool;
    }

    private static final class Ours implements Shared {
        private final BlockingPool<Object> pool;

        Ours(BlockingPool<Object> pool) {
            this.pool = pool;
        }

        @Override
        public Object take() throws InterruptedException {
            return pool.take();
        }

        @Override
        public void put(Object element) {
            pool.put(element);
        }
    }

    private static final class Queue implements Shared {
        private final BlockingQueue<Object> queue;

        Queue(BlockingQueue<Object> queue) {
            this.queue = queue;
        }

        @Override
        public Object take() throws InterruptedException {
            return queue.take();
        }

        @Override
        public void put(Object element) throws InterruptedException {
            queue.put(element);
        }
    }

    private static final class Commons implements Shared {
        private final GenericObjectPool<Object> pool;

        Commons(int elements) {
            GenericObjectPoolConfig<Object> config = new GenericObjectPoolConfig<>();
            config.setJmxEnabled(false);
            config.setMaxTotal(elements);
            config.setMaxIdle(elements);
            config.setMinIdle(elements);
            pool = new GenericObjectPool<>(
                    new BasePooledObjectFactory<>() {
                        @Override
                        public Object create() {
                            return new Object();
                        }

                        @Override
                        public PooledObject<Object> wrap(Object element) {
                            return new DefaultPooledObject<>(element);
                        }
                    },
                    config);
        }

        @Override
        public Object take() throws Exception {
            return pool.borrowObject();
        }

        @Override
        public void put(Object element) {
            pool.returnObject(element);
        }
    }

    private static final class Bag implements Shared {
        private final ConcurrentBag<Entry> bag = new ConcurrentBag<>(waiting -> {});

        Bag(int elements) {
            for (int i = 0; i < elements; i++) {
                bag.add(new Entry());
            }
        }

        @Override
        public Object take() throws InterruptedException {
            return bag.borrow(1, TimeUnit.HOURS);
        }

        @Override
        public void put(Object element) {
            bag.requite((Entry) element);
        }

        private static final class Entry extends AtomicInteger implements ConcurrentBag.IConcurrentBagEntry {
            private static final long serialVersionUID = 1L;

            @Override
            public void setState(int state) {
                lazySet(state);
            }

            @Override
            public int getState() {
                return get();
            }
        }
    }

    private static final class Storm implements Shared {
        private static final Timeout LONG = new Timeout(1, TimeUnit.HOURS);

        private final Pool<Pooled<Object>> pool;

        Storm(int elements) {
            Object[] made = new Object[elements];
            for (int i = 0; i < elements; i++) {
                made[i] = new Object();
            }
            pool = Pool.of(made);
        }

        @Override
        public Object take() throws InterruptedException {
            return pool.claim(LONG);
        }

        @Override
        public void put(Object element) {
            ((Pooled<?>) element).release();
        }
    }
}
