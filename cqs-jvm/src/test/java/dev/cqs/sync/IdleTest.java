package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Reachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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
