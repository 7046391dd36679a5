package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue under a lock: everything but giving up is done by one at a time. */
class GuardedQueueTest {
    private static final int SIZE = Segment.SIZE;
    private static final int MANY = 3 * SIZE + 1;
    private static final int MILLION = 1_000_000;

    /** A few segments with their arrays, and the queue. */
    private static final int FEW = 20;

    private final GuardedQueue<Object> queue = new GuardedQueue<>();

    @Test
    void waitersAreClaimedInTheOrderInWhichTheyCame() {
        List<TestWaiter> waiters = enqueue(MANY);
        for (TestWaiter waiter : waiters) {
            assertSame(waiter, queue.first());
            assertSame(waiter, queue.first(), "looking changes nothing");
            assertTrue(queue.claim(waiter));
            assertFalse(queue.claim(waiter), "a second time");
            assertFalse(waiter.cancelNow());
            assertTrue(queue.handOver(waiter, "v"));
            assertEquals("v", waiter.value);
        }
        assertNull(queue.first());
    }

    @Test
    void whoeverComesWhenAllHaveGoneIsTheFirst() {
        for (int i = 0; i < MANY; i++) {
            assertNull(queue.first());
            TestWaiter waiter = enqueue(1).get(0);
            assertSame(waiter, queue.first());
            assertTrue(i % 2 == 0 ? queue.claim(waiter) : waiter.cancelNow());
        }
    }

    @Test
    void cancelledWaitersArePassedWhereverTheyStand() {
        List<TestWaiter> waiters = enqueue(3 * MANY);
        List<TestWaiter> staying = new ArrayList<>();
        for (int i = 0; i < waiters.size(); i++) {
            if (i % 7 == 6 && i / MANY != 1) {
                staying.add(waiters.get(i));
            } else {
                assertTrue(waiters.get(i).cancelNow());
            }
        }
        assertEquals(staying, waiting());
        for (TestWaiter waiter : staying) {
            assertSame(waiter, queue.first());
            assertTrue(queue.claim(waiter));
        }
        assertNull(queue.first());
    }

    @Test
    void aWaiterIsClaimedAnywhereInTheQueue() {
        List<TestWaiter> waiters = enqueue(MANY);
        assertTrue(queue.claim(waiters.get(MANY - 1)));
        assertTrue(queue.claim(waiters.get(1)));
        assertSame(waiters.get(0), queue.first());
        assertTrue(queue.claim(waiters.get(0)));
        assertSame(waiters.get(2), queue.first());
    }

    @Test
    void aWaiterIsInOneQueueAtATime() {
        TestWaiter waiter = enqueue(1).get(0);
        assertThrows(IllegalStateException.class, () -> queue.enqueue(waiter));
        assertEquals(List.of(waiter), waiting());
        assertTrue(queue.claim(waiter));
        queue.enqueue(waiter);
        assertSame(waiter, queue.first());
    }

    /** As by one who comes without the lock, and is slow to write what he has read before others came. */
    @Test
    void indicesThatWereSetBackLoseNobody() {
        List<TestWaiter> waiters = enqueue(2 * SIZE);
        for (TestWaiter waiter : waiters.subList(0, SIZE + 1)) {
            assertSame(waiter, queue.first());
            assertTrue(queue.claim(waiter));
        }
        queue.setSuspendIndex(1);
        queue.setResumeIndex(0);
        waiters.addAll(enqueue(SIZE));
        assertEquals(waiters.subList(SIZE + 1, 3 * SIZE), waiting());
        for (TestWaiter waiter : waiters.subList(SIZE + 1, 3 * SIZE)) {
            assertSame(waiter, queue.first());
            assertTrue(queue.claim(waiter));
        }
        assertNull(queue.first());
    }

    // What stays

    @Test
    void aMillionClaimedWaitersLeaveNothing() {
        for (int i = 0; i < MILLION; i++) {
            enqueue(1);
            assertTrue(queue.claim(queue.first()));
        }
        assertTrue(holds() <= FEW, () -> holds() + " objects");
    }

    @Test
    void aMillionWaitersThatLeaveBehindOneThatStaysLeaveNothing() {
        TestWaiter head = enqueue(1).get(0);
        for (int done = 0; done < MILLION; done += 1000) {
            enqueue(500).forEach(TestWaiter::cancelNow);
            enqueue(500).forEach(queue::claim);
        }
        TestWaiter last = enqueue(1).get(0);
        assertTrue(holds() <= FEW, () -> holds() + " objects");
        assertSame(head, queue.first());
        assertTrue(head.cancelNow());
        assertSame(last, queue.first());
        assertTrue(holds() <= FEW, () -> holds() + " objects");
    }

    @Test
    void theSegmentThatHeadHasLeftIsNotReachableThoughItsClaimsAreNotCounted() {
        Segment first = queue.head;
        for (TestWaiter waiter : enqueue(SIZE + 1)) {
            assertTrue(Reachable.from(queue).contains(first));
            assertSame(waiter, queue.first());
            assertTrue(queue.claim(waiter));
        }
        assertFalse(Reachable.from(queue).contains(first));
    }

    private List<TestWaiter> enqueue(int count) {
        List<TestWaiter> waiters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            TestWaiter waiter = new TestWaiter("waiter " + i);
            queue.enqueue(waiter);
            waiters.add(waiter);
        }
        return waiters;
    }

    private List<Waiter> waiting() {
        List<Waiter> waiting = new ArrayList<>();
        queue.forEachWaiter(waiting::add);
        return waiting;
    }

    private int holds() {
        return Reachable.from(queue).size();
    }
}
