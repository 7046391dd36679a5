package dev.cqs.sync;

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
class IdleTest {
    static Stream<Idle<Object>> stores() {
        return Stream.of(new IdleQueue<>(), new IdleStack<>(), withSlots());
    }

    /** A stack on which threads have met. */
    private static IdleStack<Object> withSlots() {
        IdleStack<Object> stack = new IdleStack<>();
        stack.makeSlots();
        return stack;
    }

    @Test
    void aStackIsLastInFirstOutForASingleThreadEvenOnceThreadsHaveMet() {
        for (IdleStack<Object> stack : List.of(new IdleStack<>(), withSlots())) {
            for (int i = 0; i < 3; i++) {
                stack.insert(i);
            }
            assertEquals(2, stack.poll());
            stack.insert(3);
            assertEquals(List.of(3, 1, 0), List.of(stack.poll(), stack.poll(), stack.poll()));
            assertNull(stack.poll());
        }
    }

    /** An inserter that has taken a cell and lost its processor. */
    private static void takeCell(IdleQueue<Object> queue) {
        queue.insertIndex++;
    }

    @Test
    void aRetrieverDoesNotWaitForAnInserterThatHasStopped() {
        IdleQueue<Object> queue = new IdleQueue<>();
        IdleQueue.Run<Object> run = queue.tail;
        for (int stopped = 0; stopped < IdleQueue.SIZE - 1; stopped++) {
            takeCell(queue);
        }
        queue.insert("last of the run");
        takeCell(queue); // the first of the next run, which is not there yet
        queue.insert("in the next run");
        assertEquals("last of the run", queue.retrieve());
        assertEquals("in the next run", queue.retrieve());
        assertNull(queue.poll());
        for (int stopped = 0; stopped < IdleQueue.SIZE - 1; stopped++) {
            assertFalse(run.put(stopped, "late"), "it takes another cell");
        }
        assertFalse(queue.tail.put(0, "late"));
    }

    @Test
    void anInserterWhoseCellIsBrokenTakesAnother() {
        IdleQueue<Object> queue = new IdleQueue<>();
        for (int i = 0; i < 3; i++) {
            takeCell(queue);
        }
        assertNull(queue.poll(), "three cells that are empty");
        assertEquals(3, queue.retrieveIndex);
        queue.insertIndex = 0; // the inserters go on
        for (int i = 0; i < 4; i++) {
            queue.insert(i);
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(i, queue.poll());
        }
        assertNull(queue.poll());
    }

    @Test
    void howLongAThreadStandsAsideFollowsFromWhatTheOthersDidMeanwhile() {
        int least = IdleQueue.LEAST_ASIDE;
        int most = IdleQueue.MOST_ASIDE;
        assertEquals(2 * least, IdleQueue.better(least, least));
        assertEquals(most, IdleQueue.better(most, most), "not longer than that");
        assertEquals(most / 2, IdleQueue.better(most, 0));
        assertEquals(least, IdleQueue.better(least, 0), "not shorter than that");
        assertEquals(128, IdleQueue.better(64, 8), "an operation in eight turns");
        assertEquals(32, IdleQueue.better(64, 7));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Retrievals that overlap get different elements, whether or not they stand aside on the way. */
    @ParameterizedTest
    @MethodSource("stores")
    @Tag("slow")
    void threadsThatMeetNeitherLoseNorDoubleAnElement(Idle<Object> store) throws Exception {
        List<AtomicBoolean> elements = List.of(new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean());
        elements.forEach(store::insert);
        Callable<Void> uses = () -> {
            for (int turn = 0; turn < 1_000_000; turn++) {
                AtomicBoolean element = (AtomicBoolean) store.retrieve();
                assertTrue(element.compareAndSet(false, true), "the element has another holder");
                element.set(false);
                store.insert(element);
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2, IdleTest::daemon); // one may look for ever for a lost element
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
    void anEmptyStoreHasNothing(Idle<Object> store) {
        assertNull(store.poll());
        store.insert("one");
        assertEquals("one", store.retrieve());
        assertNull(store.poll());
        store.insert("two");
        assertEquals("two", store.poll());
        assertNull(store.poll());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void whatWasTakenOutIsNotReachable(Idle<Object> store) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < 5 * IdleQueue.SIZE; i++) {
            elements.add(new Object());
            store.insert(elements.get(i));
        }
        List<Object> gone = new ArrayList<>();
        for (int i = 0; i < 2 * IdleQueue.SIZE + IdleQueue.SIZE / 2; i++) {
            gone.add(i % 2 == 0 ? store.retrieve() : store.poll());
        }
        elements.removeAll(gone);
        Set<Object> reachable = Reachable.from(store);
        assertTrue(gone.stream().noneMatch(reachable::contains));
        assertTrue(reachable.containsAll(elements));
        assertEquals(5 * IdleQueue.SIZE, gone.size() + elements.size());
    }

    @Test
    void runsThatAreDoneWithAreNotReachable() {
        IdleQueue<Object> queue = new IdleQueue<>();
        IdleQueue.Run<Object> first = queue.head;
        for (int i = 0; i < 3 * IdleQueue.SIZE; i++) {
            queue.insert("element");
        }
        assertTrue(Reachable.from(queue).contains(first));
        for (int i = 0; i < 2 * IdleQueue.SIZE; i++) {
            queue.retrieve();
        }
        assertSame(first, queue.head.id == 1 ? first : null, "head stands on the run of the last cell");
        assertFalse(Reachable.from(queue).contains(first));
    }
}
