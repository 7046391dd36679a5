package dev.cqs.sync;

import static dev.cqs.sync.BarrierResult.BROKEN;
import static dev.cqs.sync.BarrierResult.PASSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.AgedQueue;
import dev.cqs.CellRef;
import dev.cqs.NumberedQueue;
import dev.cqs.Reachable;
import dev.cqs.TestWaiter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A barrier and the steps of its parties, for tests that take one step at a time. What other threads do while the action runs
 * is the test's: see {@link #insideNextAction}.
 */
abstract class CyclicBarrierFixture {
    /** Objects: two or three segments with their arrays, the queue and the barrier. */
    static final int FEW = 20;

    /** What other threads do inside the next action; or null. */
    Runnable insideNextAction;

    int runs;

    CyclicBarrier barrier = new CyclicBarrier(2);

    void withAction(int parties) {
        runs = 0;
        barrier = new CyclicBarrier(parties, () -> {
            runs++;
            Runnable now = insideNextAction;
            insideNextAction = null;
            if (now != null) {
                inAnotherThread(now);
            }
        });
    }

    /** Runs {@code body} in another thread, since the barrier treats the thread that runs the action differently. */
    static void inAnotherThread(Runnable body) {
        FutureTask<Void> task = new FutureTask<>(body, null);
        new Thread(task).start();
        try {
            task.get();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    /** Arrives with a party that must wait. {@code missing} parties have not arrived yet. */
    TestWaiter enqueueParty(int missing) {
        TestWaiter waiter = new TestWaiter("waiter");
        assertEquals(missing, barrier.arrive(waiter));
        assertUnresumed(waiter);
        return waiter;
    }

    /** Arrives with the last party of a round. */
    void completeRound() {
        TestWaiter waiter = new TestWaiter("last");
        assertEquals(0, barrier.arrive(waiter));
        assertPassed(waiter);
    }

    void assertPassed(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertEquals(PASSED, waiter.value);
        }
    }

    void assertBroken(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertEquals(BROKEN, waiter.value);
        }
    }

    void assertUnresumed(TestWaiter... waiters) {
        for (TestWaiter waiter : waiters) {
            assertNull(waiter.value);
        }
    }

    void assertIsBroken() {
        assertTrue(barrier.isBroken());
        assertEquals(0, barrier.waiting());
        TestWaiter late = new TestWaiter("late");
        barrier.arrive(late);
        assertBroken(late);
        assertFalse(barrier.tryArrive());
    }

    void assertWholeAfterReset() {
        barrier.reset();
        for (int round = 0; round < 3; round++) {
            assertFalse(barrier.isBroken());
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 1; i < barrier.parties(); i++) {
                waiters.add(enqueueParty(barrier.parties() - i));
            }
            int before = runs;
            completeRound();
            assertPassed(waiters.toArray(TestWaiter[]::new));
            assertTrue(runs == before || runs == before + 1);
        }
    }

    /** A party that is counted, and stalls before it reaches its cell. */
    final class Stalled {
        final TestWaiter waiter = new TestWaiter("stalled");
        final NumberedQueue<BarrierResult> queue;
        final CellRef place;
        final long number;

        Stalled() {
            this(0);
        }

        /** A stalled party whose arrival completes {@code complete} rounds while an action runs. */
        Stalled(int complete) {
            queue = makeQueue();
            place = queue.suspendRef();
            long word = CyclicBarrierFixture.this.<Long>get("word");
            number = word >>> 27;
            set("word", word + (1L << 27) + complete * (1L << 3));
        }

        TestWaiter reachCell() {
            queue.suspendAt(place, number, waiter);
            return waiter;
        }
    }

    @SuppressWarnings("unchecked")
    <T> T get(String name) {
        try {
            return (T) field(name).get(barrier);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    void set(String name, Object value) {
        try {
            field(name).set(barrier, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** The queue of the barrier, which is created if there is none. */
    @SuppressWarnings("unchecked")
    NumberedQueue<BarrierResult> makeQueue() {
        try {
            Method method = CyclicBarrier.class.getDeclaredMethod("queue");
            method.setAccessible(true);
            return (NumberedQueue<BarrierResult>) method.invoke(barrier);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Field field(String name) {
        try {
            Class<?> owner = name.equals("queue") ? CyclicBarrier.class : BarrierState.class;
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    void assertFewObjects(List<TestWaiter> gone) {
        Set<Object> reachable = Reachable.from(barrier);
        assertTrue(reachable.size() <= FEW, () -> reachable.size() + " objects");
        assertTrue(gone.stream().noneMatch(reachable::contains));
    }

    /** Sets the barrier and its queue as if {@code number} parties had arrived before. */
    void startAt(long origin, long number) {
        set("origin", origin);
        set("word", number << 27);
        set("queue", null);
        AgedQueue.startAt(makeQueue(), number);
    }
}
