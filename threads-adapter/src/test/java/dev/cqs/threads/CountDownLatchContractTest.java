package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.untilParked;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a {@link java.util.concurrent.CountDownLatch}, on ours and the JDK's. */
class CountDownLatchContractTest {
    /** The methods of {@link java.util.concurrent.CountDownLatch}. */
    private interface Latch {
        void await() throws InterruptedException;

        boolean await(long timeout, TimeUnit unit) throws InterruptedException;

        void countDown();

        long getCount();
    }

    private static final class Ours extends CountDownLatch implements Latch {
        Ours(int count) {
            super(count);
        }
    }

    private static final class Jdks extends java.util.concurrent.CountDownLatch implements Latch {
        Jdks(int count) {
            super(count);
        }
    }

    private enum Kind {
        OURS,
        JDK;

        Latch make(int count) {
            return this == OURS ? new Ours(count) : new Jdks(count);
        }
    }

    private enum Variant {
        AWAIT,
        AWAIT_TIMED;

        boolean pass(Latch latch, long nanos) throws InterruptedException {
            if (this == AWAIT_TIMED) {
                return latch.await(nanos, NANOSECONDS);
            }
            latch.await();
            return true;
        }
    }

    private record Case(Kind kind, Variant variant, ThreadKind threads) {
        Attempt startTo(Latch latch, long nanos) {
            return start(threads, () -> variant.pass(latch, nanos), () -> {});
        }

        Attempt startToWaitFor(Latch latch) {
            Attempt attempt = startTo(latch, LONG);
            untilParked(attempt.thread);
            return attempt;
        }

        @Override
        public String toString() {
            return kind + " " + variant + " " + threads;
        }
    }

    static Stream<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Variant variant : Variant.values()) {
                ThreadKind.available().forEach(threads -> cases.add(new Case(kind, variant, threads)));
            }
        }
        return cases.stream();
    }

    static Stream<Case> timed() {
        return all().filter(c -> c.variant == Variant.AWAIT_TIMED);
    }

    @ParameterizedTest
    @EnumSource
    void aNegativeCountIsRefused(Kind kind) {
        assertThrows(IllegalArgumentException.class, () -> kind.make(-1));
        assertThrows(IllegalArgumentException.class, () -> kind.make(Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @EnumSource
    void theCountGoesDownToZeroAndNoFurther(Kind kind) {
        Latch latch = kind.make(2);
        for (long count : new long[] {2, 1, 0, 0}) {
            assertEquals(count, latch.getCount());
            latch.countDown();
        }
        assertEquals(0, latch.getCount());
        assertEquals(Integer.MAX_VALUE, kind.make(Integer.MAX_VALUE).getCount());
    }

    @ParameterizedTest
    @EnumSource
    void saysItsCount(Kind kind) {
        Latch latch = kind.make(3);
        latch.countDown();
        String identity = latch.getClass().getName() + "@" + Integer.toHexString(latch.hashCode());
        assertEquals(identity + "[Count = 2]", latch.toString());
    }

    @ParameterizedTest
    @EnumSource
    void aMissingUnitIsRefused(Kind kind) {
        assertThrows(NullPointerException.class, () -> kind.make(1).await(1, null));
        assertThrows(NullPointerException.class, () -> kind.make(0).await(1, null));
    }

    @ParameterizedTest
    @MethodSource("all")
    void aCountOfZeroNeedsNoWait(Case c) {
        c.startTo(c.kind.make(0), LONG).isGranted();
        Latch latch = c.kind.make(1);
        latch.countDown();
        c.startTo(latch, LONG).isGranted();
    }

    @ParameterizedTest
    @MethodSource("all")
    void allWaitersContinueWithTheLastCountDownAndNotBefore(Case c) {
        Latch latch = c.kind.make(2);
        List<Attempt> waiters =
                Stream.generate(() -> c.startToWaitFor(latch)).limit(40).toList();
        latch.countDown();
        waiters.forEach(waiter -> untilParked(waiter.thread));
        assertTrue(waiters.stream().noneMatch(Attempt::isOver));
        latch.countDown();
        waiters.forEach(Attempt::isGranted);
    }

    @ParameterizedTest
    @MethodSource("timed")
    void timeoutsOfZeroAndLessDoNotWait(Case c) {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            c.startTo(c.kind.make(1), timeout).isRefused();
            c.startTo(c.kind.make(0), timeout).isGranted();
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        for (TimeUnit unit : new TimeUnit[] {NANOSECONDS, DAYS}) {
            for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
                Latch latch = c.kind.make(1);
                Attempt waiter = start(c.threads, () -> latch.await(timeout, unit), () -> {});
                untilParked(waiter.thread);
                latch.countDown();
                waiter.isGranted();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void aTimeoutEndsItsOwnWaitOnly(Case c) {
        Latch latch = c.kind.make(1);
        Attempt before = c.startToWaitFor(latch);
        c.startTo(latch, SHORT).isRefused();
        Attempt after = c.startToWaitFor(latch);
        c.startTo(latch, SHORT).isRefused();
        assertFalse(before.isOver() || after.isOver());
        assertEquals(1, latch.getCount());
        latch.countDown();
        before.isGranted();
        after.isGranted();
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptEndsItsOwnWaitOnly(Case c) {
        Latch latch = c.kind.make(1);
        List<Attempt> waiters =
                Stream.generate(() -> c.startToWaitFor(latch)).limit(5).toList();
        for (int i : new int[] {0, 2, 4}) {
            waiters.get(i).isInterrupted();
        }
        assertEquals(1, latch.getCount());
        assertFalse(waiters.get(1).isOver() || waiters.get(3).isOver());
        latch.countDown();
        waiters.get(1).isGranted();
        waiters.get(3).isGranted();
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptBeforeTheCallThrowsWhateverTheCount(Case c) {
        for (int count = 0; count <= 1; count++) {
            for (long timeout : new long[] {LONG, 0}) {
                Latch latch = c.kind.make(count);
                start(
                                c.threads,
                                () -> {
                                    Thread.currentThread().interrupt();
                                    return c.variant.pass(latch, timeout);
                                },
                                () -> {})
                        .endsWith(End.INTERRUPTED, false);
                assertEquals(count, latch.getCount());
            }
        }
    }

    // Ours only

    @Test
    void viewsOfOneCoreShareItsCount() {
        CountDownLatch one = new CountDownLatch(2);
        CountDownLatch other = CountDownLatch.viewOf(one.core());
        assertSame(one.core(), other.core());
        Attempt waiter = start(ThreadKind.PLATFORM, () -> other.await(LONG, NANOSECONDS), () -> {});
        untilParked(waiter.thread);
        assertEquals(1, one.core().queueLength());
        one.countDown();
        assertEquals(1, other.getCount());
        one.core().countDown();
        waiter.isGranted();
        assertThrows(NullPointerException.class, () -> CountDownLatch.viewOf(null));
    }
}
