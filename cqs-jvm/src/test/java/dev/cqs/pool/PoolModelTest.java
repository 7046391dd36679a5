package dev.cqs.pool;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long random histories, one operation at a time, on a pool and on a model: a list of elements and a list of waiters. */
class PoolModelTest {
    private final Random random = new Random();
    private PoolKind kind;
    private Pool<String> pool;
    private Throwable cause;
    private final Deque<String> idle = new ArrayDeque<>();
    private final Deque<TestWaiter> queue = new ArrayDeque<>();
    private final List<TestWaiter> all = new ArrayList<>();
    private final List<String> lent = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void agreesWithAListOfElementsAndAListOfWaiters(PoolKind kind) {
        this.kind = kind;
        for (int seed = 0; seed < 600; seed++) {
            begin(seed);
            int end = random.nextBoolean() ? random.nextInt(200) : 200; // half of the pools are closed on the way
            for (int i = 0; i < 200; i++) {
                String done = i == end ? close() : step();
                check("seed " + seed + ", operation " + i + ": " + done);
            }
        }
    }

    private void begin(int seed) {
        random.setSeed(seed);
        pool = kind.make();
        cause = null;
        idle.clear();
        queue.clear();
        all.clear();
        lent.clear();
        for (int i = random.nextInt(50); i > 0; i--) {
            lent.add("element " + i);
        }
    }

    private String step() {
        switch (random.nextInt(cause == null ? 8 : 10)) {
            case 0:
            case 1:
            case 2:
                return take();
            case 3:
                return tryTake();
            case 4:
                return cancel();
            case 8:
                assertEquals(false, pool.close(new Throwable("another")));
                return "close again";
            case 9:
                return drain();
            default:
                return put();
        }
    }

    private String take() {
        if (cause != null) {
            assertClosed(cause, () -> pool.take(null, FactoryFailure.FACTORY));
            return "take once closed";
        }
        if (!idle.isEmpty()) {
            String expected = kind.next(idle);
            assertSame(expected, pool.take(null, FactoryFailure.FACTORY));
            lent.add(expected);
            return "take " + expected;
        }
        if (random.nextInt(10) == 0) {
            FactoryFailure.propagatesFrom(newWaiter -> pool.take(null, newWaiter));
            return "take and fail in the factory";
        }
        TestWaiter waiter = new TestWaiter("waiter " + all.size());
        waiter.accepts = random.nextInt(10) > 0;
        all.add(waiter);
        queue.add(waiter);
        assertSame(waiter, pool.take(waiter, TestWaiter.ITSELF));
        return "wait";
    }

    private String tryTake() {
        if (cause != null) {
            assertClosed(cause, pool::tryTake);
            return "tryTake once closed";
        }
        String expected = idle.isEmpty() ? null : kind.next(idle);
        assertSame(expected, pool.tryTake());
        if (expected != null) {
            lent.add(expected);
        }
        return "tryTake " + expected;
    }

    private String put() {
        if (lent.isEmpty()) {
            return "nothing";
        }
        String element = lent.remove(random.nextInt(lent.size()));
        pool.put(element);
        while (!queue.isEmpty()) {
            TestWaiter head = queue.remove();
            if (head.accepts) {
                assertSame(element, head.value);
                lent.add(element);
                return "hand over " + element;
            }
        }
        idle.add(element);
        return "put " + element;
    }

    private String cancel() {
        if (all.isEmpty()) {
            return "nothing";
        }
        TestWaiter waiter = all.get(random.nextInt(all.size()));
        assertEquals(queue.remove(waiter), waiter.cancelNow());
        return "cancel " + waiter;
    }

    private String close() {
        cause = new Throwable();
        assertTrue(pool.close(cause));
        for (TestWaiter waiter : queue) {
            if (waiter.accepts) {
                assertFailed(cause, waiter);
            }
        }
        queue.clear();
        return "close";
    }

    private String drain() {
        List<String> expected = new ArrayList<>();
        while (!idle.isEmpty()) {
            expected.add(kind.next(idle));
        }
        List<String> drained = new ArrayList<>();
        assertEquals(expected.size(), pool.drain(drained::add));
        assertEquals(expected, drained);
        lent.addAll(drained);
        return "drain";
    }

    private void check(String done) {
        assertEquals(cause != null, pool.isClosed(), done);
        assertEquals(idle.size(), pool.size(), done);
        assertEquals(queue.size(), pool.queueLength(), done);
        List<Object> waiting = new ArrayList<>();
        pool.forEachWaiter(waiting::add);
        assertEquals(new ArrayList<>(queue), waiting, done);
        for (TestWaiter waiter : queue) {
            assertNull(waiter.value, done);
        }
    }
}
