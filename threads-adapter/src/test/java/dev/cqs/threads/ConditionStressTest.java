package dev.cqs.threads;

import static dev.cqs.threads.Waiting.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.Waiting.Attempt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The textbook's bounded buffer, where one lost signal leaves somebody waiting for ever. */
class ConditionStressTest {
    private static final int ELEMENTS = 20_000;
    private static final int SIDE = 4;
    private static final LongAdder INTERRUPTS = new LongAdder();
    private static final LongAdder TIMEOUTS = new LongAdder();

    static Stream<Arguments> buffers() {
        return Stream.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK)
                .flatMap(kind -> ThreadKind.available().stream()
                        .flatMap(threads -> Stream.of(1, 2, 4).map(capacity -> Arguments.of(kind, threads, capacity))));
    }

    /** Signals go to one waiter each, so each one that is lost or that reaches nobody shows. */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("buffers")
    void everyElementPassesExactlyOnceWhileWaitsAreInterruptedAndTimedOut(Kind kind, ThreadKind threads, int capacity) {
        Buffer buffer = new Buffer(kind, capacity);
        AtomicIntegerArray seen = new AtomicIntegerArray(ELEMENTS);
        Thread[] all = new Thread[2 * SIDE];
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < SIDE; t++) {
            int self = t;
            attempts.add(run(threads, () -> {
                all[self] = Thread.currentThread();
                SplittableRandom random = new SplittableRandom(self);
                for (int element = self; element < ELEMENTS; element += SIDE) {
                    interruptSomebody(all, random);
                    while (!buffer.put(element, random)) {
                        interruptSomebody(all, random);
                    }
                }
            }));
            attempts.add(run(threads, () -> {
                all[SIDE + self] = Thread.currentThread();
                SplittableRandom random = new SplittableRandom(SIDE + self);
                for (int left = ELEMENTS / SIDE; left > 0; left--) {
                    interruptSomebody(all, random);
                    int element = buffer.take(random);
                    while (element < 0) {
                        interruptSomebody(all, random);
                        element = buffer.take(random);
                    }
                    seen.incrementAndGet(element);
                }
            }));
        }
        attempts.forEach(attempt -> attempt.endsWith(Waiting.End.GRANTED, false));
        for (int element = 0; element < ELEMENTS; element++) {
            assertEquals(1, seen.get(element), "element " + element);
        }
        assertEquals(0, buffer.elements.size());
        assertEquals(0, buffer.notFull.waitingThreads().size());
        buffer.notEmpty.assertIdle();
    }

    /** In all buffers together: where threads take the lock in turns, a buffer can be neither full nor empty all the time. */
    @AfterAll
    static void waitsWereGivenUp() {
        assertTrue(INTERRUPTS.sum() > 0, "waits were interrupted");
        assertTrue(TIMEOUTS.sum() > 0, "waits were timed out");
    }

    private static void interruptSomebody(Thread[] all, SplittableRandom random) {
        Thread other = random.nextInt(8) == 0 ? all[random.nextInt(all.length)] : null;
        if (other != null) {
            other.interrupt();
        }
    }

    /** Two conditions of one lock. */
    private static final class Buffer {
        private static final ConditionWay[] WAYS = ConditionWay.values();

        private final int capacity;
        private final Room notEmpty;
        private final Room notFull;

        /** Guarded by the lock. */
        private final Deque<Integer> elements = new ArrayDeque<>();

        Buffer(Kind kind, int capacity) {
            this.capacity = capacity;
            this.notEmpty = new Room(kind);
            this.notFull = notEmpty.next();
        }

        /** Whether it was put. */
        boolean put(int element, SplittableRandom random) {
            notFull.lock.lock();
            try {
                while (elements.size() == capacity) {
                    if (!await(notFull, random)) {
                        return false;
                    }
                }
                elements.add(element);
                assertTrue(elements.size() <= capacity);
                notEmpty.condition.signal();
                return true;
            } finally {
                notFull.lock.unlock();
            }
        }

        /** The element, or -1. */
        int take(SplittableRandom random) {
            notEmpty.lock.lock();
            try {
                while (elements.isEmpty()) {
                    if (!await(notEmpty, random)) {
                        return -1;
                    }
                }
                int element = elements.remove();
                notFull.condition.signal();
                return element;
            } finally {
                notEmpty.lock.unlock();
            }
        }

        /**
         * Whether it is worth looking again. Whoever gives up has not been signalled, so it owes nobody a signal, but for
         * awaitNanos, which may find after the signal that no time is left: then there is something to look for.
         */
        private boolean await(Room room, SplittableRandom random) {
            ConditionWay by = WAYS[random.nextInt(WAYS.length)];
            try {
                if (by.await(room.condition, random.nextInt(4) == 0 ? 1 : 50_000)) {
                    return true;
                }
                TIMEOUTS.increment();
                return by == ConditionWay.AWAIT_NANOS;
            } catch (InterruptedException e) {
                INTERRUPTS.increment();
                return false;
            }
        }
    }
}
