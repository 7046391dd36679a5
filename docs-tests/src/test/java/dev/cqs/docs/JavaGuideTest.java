package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.CountDownLatch;
import dev.cqs.threads.CyclicBarrier;
import dev.cqs.threads.ReentrantLock;
import dev.cqs.threads.ReentrantReadWriteLock;
import dev.cqs.threads.ResourcePool;
import dev.cqs.threads.Semaphore;
import dev.cqs.threads.SynchronousQueue;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java code of the README and the guide. {@link CodeInDocumentationTest} compares the two. */
@Timeout(60)
class JavaGuideTest {
    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicInteger shed = new AtomicInteger();

    private void query() {
        queries.incrementAndGet();
    }

    private void shedLoad() {
        shed.incrementAndGet();
    }

    @Test
    void aTimeoutShedsLoad() throws InterruptedException {
        Semaphore connections = new Semaphore(10);

        for (int round = 0; round < 2; round++) {
            if (connections.tryAcquire(50, TimeUnit.MILLISECONDS)) {
                try {
                    query();
                } finally {
                    connections.release();
                }
            } else {
                shedLoad(); // a timeout costs no more behind a million waiters than behind one
            }
            connections.drainPermits();
        }
        assertEquals(1, queries.get());
        assertEquals(1, shed.get());
    }

    @Test
    void aFutureWaitsForPermits() throws InterruptedException {
        Semaphore connections = new Semaphore(2);
        connections.acquireAsync(2).orTimeout(50, TimeUnit.MILLISECONDS).thenAcceptAsync(grant -> {
            try (grant) {
                query();
            }
        });
        connections.acquire(2);
        assertEquals(1, queries.get(), "the grant was closed after the query");
    }

    private int balance;

    private void deposit(ReentrantLock given, int amount) {
        ReentrantLock lock = new ReentrantLock();

        lock.lock();
        try {
            balance += amount;
        } finally {
            lock.unlock();
        }
        assertFalse(lock.isLocked());
    }

    @Test
    void aLockGuardsABalance() {
        deposit(new ReentrantLock(), 7);
        assertEquals(7, balance);
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Queue<String> mail = new ArrayDeque<>();

    private String receive() throws InterruptedException {
        lock.lock();
        try {
            while (mail.isEmpty()) {
                filled.await();
            }
            return mail.remove();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aConditionWaitsForMail() throws InterruptedException {
        Thread sender = new Thread(() -> {
            lock.lock();
            try {
                mail.add("letter");
                filled.signal();
            } finally {
                lock.unlock();
            }
        });
        sender.start();
        assertEquals("letter", receive());
        sender.join();
    }

    @Test
    void aBoundedSemaphoreGivesSeveralPermitsAtOnce() throws InterruptedException {
        Semaphore connections = Semaphore.bounded(10);

        connections.acquire(2);
        try {
            query();
        } finally {
            connections.release(2);
        }
        assertEquals(10, connections.availablePermits());
    }

    private final Map<String, Integer> table = new HashMap<>(Map.of("one", 1));

    private Integer find(String key) {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

        lock.readLock().lock();
        try {
            return table.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Test
    void aReadLockGuardsATable() {
        assertEquals(1, find("one"));
    }

    @Test
    void aLatchOpensWhenAllWorkersHaveEnded() throws InterruptedException {
        int workers = 1;
        CountDownLatch done = new CountDownLatch(workers);

        done.countDown(); // each worker, at its end
        done.await(); // the caller that needs all of them
        assertEquals(0, done.getCount());
    }

    /** Two workers compute three rounds. */
    private static final class Computation {
        private final int workers = 2;
        private int rounds;

        CyclicBarrier barrier = new CyclicBarrier(workers, this::merge);

        private void merge() {
            rounds++;
        }

        private boolean finished() {
            return rounds == 3;
        }

        private void compute(int part) {}

        void work(int part) throws InterruptedException, BrokenBarrierException {
            while (!finished()) {
                compute(part);
                barrier.await();
            }
        }
    }

    @Test
    void aBarrierHoldsTheWorkersOfARoundTogether() throws Exception {
        Computation computation = new Computation();
        Thread other = new Thread(() -> {
            try {
                computation.work(1);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        computation.work(0);
        other.join();
        assertTrue(computation.finished());
    }

    private record Task(String name) {}

    private void reject(Task task) {
        shed.incrementAndGet();
    }

    @Test
    void anOfferIsRejectedWhenNoWorkerComes() throws InterruptedException {
        Task task = new Task("work");
        SynchronousQueue<Task> queue = new SynchronousQueue<>();

        if (!queue.offer(task, 50, TimeUnit.MILLISECONDS)) {
            reject(task); // no worker came in time
        }
        assertEquals(1, shed.get());
    }

    private record Row(int id) {}

    private static final class Connection {
        Row query(int id) {
            return new Row(id);
        }
    }

    private Connection connect() {
        return new Connection();
    }

    @Test
    void aPoolLendsConnections() throws InterruptedException {
        int id = 5;
        ResourcePool<Connection> pool = ResourcePool.of(10, this::connect);

        Row row = pool.use(connection -> connection.query(id));

        Connection connection = pool.poll(50, TimeUnit.MILLISECONDS); // null if the time is over
        assertEquals(5, row.id());
        pool.put(connection);
        assertEquals(1, pool.size());
    }
}
