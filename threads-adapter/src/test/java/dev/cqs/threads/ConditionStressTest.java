package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.Target.Kind;
import dev.cqs.threads.TestThreads.Attempt;
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

/** Many waits and signals. One lost signal, or one lost hand-off of the lock, would leave a thread waiting for ever. */
class ConditionStressTest {
    private static final int ELEMENTS = 20_000;
    private static final int SIDE = 4;
    private static final LongAdder BUFFERS = new LongAdder();
    private static final LongAdder INTERRUPTS = new LongAdder();
    private static final LongAdder TIMEOUTS = new LongAdder();
    private static final int ROUNDS = 1_000;

    static Stream<Arguments> buffers() {
        return Stream.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK)
                .flatMap(kind -> ThreadKind.available().stream()
                        .flatMap(threads -> Stream.of(1, 2, 4).map(capacity -> Arguments.of(kind, threads, capacity))));
    }

    /** The textbook's bounded buffer. Each signal is for one waiter, so each lost signal shows. */
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
        attempts.forEach(attempt -> attempt.endsWith(TestThreads.End.GRANTED, false));
        for (int element = 0; element < ELEMENTS; element++) {
            assertEquals(1, seen.get(element), "element " + element);
        }
        assertEquals(0, buffer.elements.size());
        assertEquals(0, buffer.notFull.waitingThreads().size());
        buffer.notEmpty.assertIdle();
        BUFFERS.increment();
    }

    /** Counted over all buffers: with threads that alternate, a single buffer may never be full or empty. */
    @AfterAll
    static void someWaitsWereInterruptedAndTimedOut() {
        if (BUFFERS.sum() > 0) {
            assertTrue(INTERRUPTS.sum() > 0, "waits were interrupted");
            assertTrue(TIMEOUTS.sum() > 0, "waits were timed out");
        }
    }

    static Stream<Arguments> locks() {
        return Stream.of(Kind.REENTRANT_LOCK, Kind.MUTEX)
                .flatMap(kind -> ThreadKind.available().stream().map(threads -> Arguments.of(kind, threads)));
    }

    /** Many short-lived locks: threads wait, signal and interrupt each other until the lock is closed. */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("locks")
    void everyThreadHoldsTheLockAfterAWaitThatRacesWithTheClose(Kind kind, ThreadKind threads) {
        LongAdder failed = new LongAdder();
        for (int number = 0; number < ROUNDS; number++) {
            Round life = new Round(kind, failed);
            Thread[] all = new Thread[SIDE];
            List<Attempt> attempts = new ArrayList<>();
            for (int t = 0; t < SIDE; t++) {
                int self = t;
                SplittableRandom random = new SplittableRandom(SIDE * number + t);
                attempts.add(run(threads, () -> {
                    all[self] = Thread.currentThread();
                    life.runBody(all, random);
                    Thread.interrupted(); // clears an interrupt that came after its wait
                }));
            }
            for (int turns = new SplittableRandom(number).nextInt(64); turns > 0; turns--) {
                Thread.yield();
            }
            life.close();
            attempts.forEach(attempt -> attempt.endsWith(TestThreads.End.GRANTED, false));
            life.rooms.forEach(ConditionFixture::assertIdleAndClosed);
        }
        assertTrue(failed.sum() > ROUNDS, failed + " waits failed by the close");
    }

    /** Two conditions of a lock. */
    private static final class Round {
        private static final AwaitVariant[] WAYS = AwaitVariant.values();

        final List<ConditionFixture> rooms;
        private final LongAdder failed;

        /** Guarded by the lock. */
        private int inside;

        Round(Kind kind, LongAdder failed) {
            ConditionFixture first = new ConditionFixture(kind);
            this.rooms = List.of(first, first.next());
            this.failed = failed;
        }

        void close() {
            ((AbstractMutexLock) rooms.get(0).lock).core().close(null);
        }

        void runBody(Thread[] all, SplittableRandom random) {
            try {
                for (; ; ) {
                    interruptSomebody(all, random);
                    visit(rooms.get(random.nextInt(2)), random);
                }
            } catch (ClosedException e) {
                // the expected end
            }
        }

        private void visit(ConditionFixture fixture, SplittableRandom random) {
            fixture.lock.lock();
            assertEquals(1, ++inside, "holders");
            try {
                if (random.nextInt(2) == 0) {
                    rooms.get(random.nextInt(2)).condition.signal();
                }
                inside--;
                WAYS[random.nextInt(WAYS.length)].await(fixture.condition, random.nextInt(4) == 0 ? 1 : 50_000);
            } catch (InterruptedException e) {
                // the loop continues as after a signal
            } catch (ClosedException e) {
                failed.increment();
                throw e;
            } finally {
                assertTrue(fixture.lock.isHeldByCurrentThread());
                assertEquals(1, ++inside, "holders");
                inside--;
                fixture.lock.unlock();
            }
        }
    }

    private static void interruptSomebody(Thread[] all, SplittableRandom random) {
        Thread other = random.nextInt(8) == 0 ? all[random.nextInt(all.length)] : null;
        if (other != null) {
            other.interrupt();
        }
    }

    /** Two conditions of one lock. */
    private static final class Buffer {
        private static final AwaitVariant[] WAYS = AwaitVariant.values();

        private final int capacity;
        private final ConditionFixture notEmpty;
        private final ConditionFixture notFull;

        /** Guarded by the lock. */
        private final Deque<Integer> elements = new ArrayDeque<>();

        Buffer(Kind kind, int capacity) {
            this.capacity = capacity;
            this.notEmpty = new ConditionFixture(kind);
            this.notFull = notEmpty.next();
        }

        /** Puts the element, unless the wait is given up. */
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

        /** Takes an element, or returns -1 if the wait is given up. */
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
         * Waits, and says whether the caller should check the buffer again. A wait that is given up has used up no signal.
         * The exception is awaitNanos: it may return no remaining time after a signal, and then must check again.
         */
        private boolean await(ConditionFixture fixture, SplittableRandom random) {
            AwaitVariant by = WAYS[random.nextInt(WAYS.length)];
            try {
                if (by.await(fixture.condition, random.nextInt(4) == 0 ? 1 : 50_000)) {
                    return true;
                }
                TIMEOUTS.increment();
                return by == AwaitVariant.AWAIT_NANOS;
            } catch (InterruptedException e) {
                INTERRUPTS.increment();
                return false;
            }
        }
    }
}
