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

/** All ways to wait for a signal. */
enum ConditionWay {
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

    private interface Way {
        boolean await(Condition condition, long nanos) throws InterruptedException;
    }

    final boolean interruptible;
    final boolean timed;
    private final Way way;

    ConditionWay(String traits, Way way) {
        this.interruptible = traits.contains("interruptible");
        this.timed = traits.contains("timed");
        this.way = way;
    }

    /**
     * Waits.
     *
     * @param nanos the timeout, for the timed ones
     * @return whether it was signalled in time, as far as the method says so
     */
    boolean await(Condition condition, long nanos) throws InterruptedException {
        return way.await(condition, nanos);
    }

    /** Not before so many nanoseconds have passed. */
    private static Date dateIn(long nanos) {
        long millis = nanos > 0 ? NANOSECONDS.toMillis(nanos - 1) + 2 : NANOSECONDS.toMillis(nanos);
        long now = System.currentTimeMillis();
        return new Date(nanos == Long.MIN_VALUE ? nanos : nanos == Long.MAX_VALUE ? nanos : now + millis);
    }

    /** A number of milliseconds in nanoseconds, in the scale of this machine. */
    static long millis(int millis) {
        return MILLISECONDS.toNanos(millis) * Math.max(1, Waiting.SHORT / MILLISECONDS.toNanos(10));
    }

    /** A way to wait on a condition of a lock by a kind of thread. */
    record Case(Kind lock, ConditionWay by, ThreadKind kind) {
        ConditionFixture room() {
            return new ConditionFixture(lock);
        }

        @Override
        public String toString() {
            return lock + " " + by + " " + kind;
        }
    }

    /** The ways with this property, on all locks, by all kinds of threads. */
    static Stream<Case> cases(Predicate<ConditionWay> property) {
        List<Case> cases = new ArrayList<>();
        for (Kind lock : List.of(Kind.REENTRANT_LOCK, Kind.MUTEX, Kind.WRITE_LOCK, Kind.JDK_LOCK)) {
            for (ConditionWay by : values()) {
                if (property.test(by)) {
                    ThreadKind.available().forEach(kind -> cases.add(new Case(lock, by, kind)));
                }
            }
        }
        return cases.stream();
    }
}
