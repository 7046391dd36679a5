package dev.cqs.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Reachable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stores of idle elements. */
class ElementStoreTest {
    static Stream<ElementStore<Object>> stores() {
        return Stream.of(new ElementQueue<>(), new ElementStack<>(), withStripes());
    }

    /** A stack that has seen contention, and so has stripes. */
    private static ElementStack<Object> withStripes() {
        ElementStack<Object> stack = new ElementStack<>();
        stack.makeStripes();
        return stack;
    }

    @Test
    void aStackIsLifoForASingleThreadEvenWithStripes() {
        for (ElementStack<Object> stack : List.of(new ElementStack<>(), withStripes())) {
            for (int i = 0; i < 3; i++) {
                stack.insert(i);
            }
            assertEquals(2, stack.poll());
            stack.insert(3);
            assertEquals(List.of(3, 1, 0), List.of(stack.poll(), stack.poll(), stack.poll()));
            assertNull(stack.poll());
        }
    }

    /** Does what an inserter does before it stalls: takes a cell. */
    private static void takeCell(ElementQueue<Object> queue) {
        queue.insertIndex++;
    }

    @Test
    void aRemoverDoesNotWaitForAStalledInserter() {
        ElementQueue<Object> queue = new ElementQueue<>();
        ElementQueue.Run<Object> run = queue.tail;
        for (int stopped = 0; stopped < ElementQueue.SIZE - 1; stopped++) {
            takeCell(queue);
        }
        queue.insert("last of the run");
        takeCell(queue); // the first cell of the next run, which does not exist yet
        queue.insert("in the next run");
        assertEquals("last of the run", queue.takeReserved());
        assertEquals("in the next run", queue.takeReserved());
        assertNull(queue.poll());
        for (int stopped = 0; stopped < ElementQueue.SIZE - 1; stopped++) {
            assertFalse(run.put(stopped, "late"), "its cell is broken, so it takes another");
        }
        assertFalse(queue.tail.put(0, "late"));
    }

    @Test
    void anInserterWhoseCellIsBrokenTakesAnother() {
        ElementQueue<Object> queue = new ElementQueue<>();
        for (int i = 0; i < 3; i++) {
            takeCell(queue);
        }
        assertNull(queue.poll(), "three cells are empty");
        assertEquals(3, queue.removeIndex);
        queue.insertIndex = 0; // the stalled inserters continue
        for (int i = 0; i < 4; i++) {
            queue.insert(i);
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(i, queue.poll());
        }
        assertNull(queue.poll());
    }

    @Test
    void theBackOffIsDoubledOrHalvedByWhatOtherThreadsDidMeanwhile() {
        int least = ElementQueue.MIN_BACKOFF;
        int most = ElementQueue.MAX_BACKOFF;
        assertEquals(2 * least, ElementQueue.nextBackoff(least, least));
        assertEquals(most, ElementQueue.nextBackoff(most, most), "the maximum is kept");
        assertEquals(most / 2, ElementQueue.nextBackoff(most, 0));
        assertEquals(least, ElementQueue.nextBackoff(least, 0), "the minimum is kept");
        assertEquals(128, ElementQueue.nextBackoff(64, 8), "at least one operation in eight spins doubles it");
        assertEquals(32, ElementQueue.nextBackoff(64, 7));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Concurrent removals get different elements, whether or not they back off. */
    @ParameterizedTest
    @MethodSource("stores")
    @Tag("slow")
    void concurrentUseNeitherLosesNorDuplicatesAnElement(ElementStore<Object> store) throws Exception {
        List<AtomicBoolean> elements = List.of(new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean());
        elements.forEach(store::insert);
        Callable<Void> uses = () -> {
            for (int turn = 0; turn < 1_000_000; turn++) {
                AtomicBoolean element = (AtomicBoolean) store.takeReserved();
                assertTrue(element.compareAndSet(false, true), "the element has one holder");
                element.set(false);
                store.insert(element);
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(
                2, ElementStoreTest::daemon); // a thread would look for a lost element for ever
        for (Future<Void> use : List.of(threads.submit(uses), threads.submit(uses))) {
            use.get(1, TimeUnit.MINUTES);
        }
        threads.shutdown();
        Set<Object> left = Collections.newSetFromMap(new IdentityHashMap<>());
        elements.forEach(element -> assertTrue(left.add(store.poll())));
        assertTrue(left.containsAll(elements));
        assertNull(store.poll());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anEmptyStoreReturnsNull(ElementStore<Object> store) {
        assertNull(store.poll());
        store.insert("one");
        assertEquals("one", store.takeReserved());
        assertNull(store.poll());
        store.insert("two");
        assertEquals("two", store.poll());
        assertNull(store.poll());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aRemovedElementIsNotReachable(ElementStore<Object> store) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < 5 * ElementQueue.SIZE; i++) {
            elements.add(new Object());
            store.insert(elements.get(i));
        }
        List<Object> gone = new ArrayList<>();
        for (int i = 0; i < 2 * ElementQueue.SIZE + ElementQueue.SIZE / 2; i++) {
            gone.add(i % 2 == 0 ? store.takeReserved() : store.poll());
        }
        elements.removeAll(gone);
        Set<Object> reachable = Reachable.from(store);
        assertTrue(gone.stream().noneMatch(reachable::contains));
        assertTrue(reachable.containsAll(elements));
        assertEquals(5 * ElementQueue.SIZE, gone.size() + elements.size());
    }

    @Test
    void finishedRunsAreNotReachable() {
        ElementQueue<Object> queue = new ElementQueue<>();
        ElementQueue.Run<Object> first = queue.head;
        for (int i = 0; i < 3 * ElementQueue.SIZE; i++) {
            queue.insert("element");
        }
        assertTrue(Reachable.from(queue).contains(first));
        for (int i = 0; i < 2 * ElementQueue.SIZE; i++) {
            queue.takeReserved();
        }
        assertSame(first, queue.head.id == 1 ? first : null, "the head is the run of the last cell");
        assertFalse(Reachable.from(queue).contains(first));
    }
}
