package dev.cqs.threads;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.cqs.threads.Target.Kind;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The methods of {@link Condition} that wait for a signal, as a parameter of tests that hold for all of them. */
enum AwaitVariant {
    AWAIT("interruptible", (condition, nanos) -> {
        condition.await();
        return true;
    }),
    AWAIT_UNINTERRUPTIBLY("", (condition, nanos) -> {
        condition.awaitUninterruptibly();
        return true;
    }),
    AWAIT_NANOS("interruptible, timed", (condition, nanos) -> condition.awaitNanos(nanos) > 0),
    AWAIT_TIMED("interruptible, timed", (condition, nanos) -> condition.await(nanos, NANOSECONDS)),
    AWAIT_UNTIL("interruptible, timed", (condition, nanos) -> condition.awaitUntil(dateIn(nanos)));

    private interface Method {
        boolean await(Condition condition, long nanos) throws InterruptedException;
    }

    final boolean interruptible;
    final boolean timed;
    private final Method way;

    AwaitVariant(String traits, Method way) {
        this.interruptible = traits.contains("interruptible");
        this.timed = traits.contains("timed");
        this.way = way;
    }

    /**
     * Waits.
     *
     * @param nanos the timeout, for a timed method
     * @return whether the wait was signalled in time, if the method says so
     */
    boolean await(Condition condition, long nanos) throws InterruptedException {
        return way.await(condition, nanos);
    }

    /** A date that is at least {@code nanos} nanoseconds away. */
    private static Date dateIn(long nanos) {
        long millis = nanos > 0 ? NANOSECONDS.toMillis(nanos - 1) + 2 : NANOSECONDS.toMillis(nanos);
        long now = System.currentTimeMillis();
        return new Date(nanos == Long.MIN_VALUE ? nanos : nanos == Long.MAX_VALUE ? nanos : now + millis);
    }

    /** A number of milliseconds in nanoseconds, in the scale of this machine. */
    static long millis(int millis) {
        return MILLISECONDS.toNanos(millis) * Math.max(1, TestThreads.SHORT / MILLISECONDS.toNanos(10));
    }

    /** A lock, a method to wait on its condition, and a kind of thread. */
    record Case(Kind lock, AwaitVariant by, ThreadKind kind) {
        ConditionFixture fixture() {
            return new ConditionFixture(lock);
        }

        @Override
        public String toString() {
            return lock + " " + by + " " + kind;
        }
    }

    /** The methods with this property, on all locks, by all kinds of threads. */
    static Stream<Case> cases(Predicate<AwaitVariant> property) {
        List<Case> cases = new ArrayList<>();
        for (Kind lock : List.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK, Kind.JDK_LOCK)) {
            for (AwaitVariant by : values()) {
                if (property.test(by)) {
                    ThreadKind.available().forEach(kind -> cases.add(new Case(lock, by, kind)));
                }
            }
        }
        return cases.stream();
    }
}
