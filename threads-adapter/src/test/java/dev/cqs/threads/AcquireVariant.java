package dev.cqs.threads;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.cqs.threads.Target.Elements;
import dev.cqs.threads.Target.Locked;
import dev.cqs.threads.Target.Permits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The methods that acquire permits of a semaphore, lock a lock, or take an element of a pool, as a parameter of tests that
 * hold for all of them.
 */
enum AcquireVariant {
    ACQUIRE(Permits.class, 1, "waits, interruptible", (s, nanos) -> {
        s.acquire();
        return true;
    }),
    ACQUIRE_1(Permits.class, 1, "waits, interruptible", (s, nanos) -> {
        s.acquire(1);
        return true;
    }),
    ACQUIRE_2(Permits.class, 2, "waits, interruptible", (s, nanos) -> {
        s.acquire(2);
        return true;
    }),
    ACQUIRE_UNINTERRUPTIBLY(Permits.class, 1, "waits", (s, nanos) -> {
        s.acquireUninterruptibly();
        return true;
    }),
    ACQUIRE_UNINTERRUPTIBLY_1(Permits.class, 1, "waits", (s, nanos) -> {
        s.acquireUninterruptibly(1);
        return true;
    }),
    ACQUIRE_UNINTERRUPTIBLY_2(Permits.class, 2, "waits", (s, nanos) -> {
        s.acquireUninterruptibly(2);
        return true;
    }),
    ACQUIRE_TIMED(Permits.class, 1, "waits, interruptible, timed", (s, nanos) -> s.tryAcquire(nanos, NANOSECONDS)),
    ACQUIRE_TIMED_1(Permits.class, 1, "waits, interruptible, timed", (s, nanos) -> s.tryAcquire(1, nanos, NANOSECONDS)),
    ACQUIRE_TIMED_2(Permits.class, 2, "waits, interruptible, timed", (s, nanos) -> s.tryAcquire(2, nanos, NANOSECONDS)),
    TRY_ACQUIRE(Permits.class, 1, "", (s, nanos) -> s.tryAcquire()),
    TRY_ACQUIRE_1(Permits.class, 1, "", (s, nanos) -> s.tryAcquire(1)),
    TRY_ACQUIRE_2(Permits.class, 2, "", (s, nanos) -> s.tryAcquire(2)),
    TRY_ACQUIRE_TIMED_ZERO(Permits.class, 1, "interruptible", (s, nanos) -> s.tryAcquire(0, NANOSECONDS)),
    TRY_ACQUIRE_TIMED_ZERO_1(Permits.class, 1, "interruptible", (s, nanos) -> s.tryAcquire(1, 0, NANOSECONDS)),
    TRY_ACQUIRE_TIMED_ZERO_2(Permits.class, 2, "interruptible", (s, nanos) -> s.tryAcquire(2, 0, NANOSECONDS)),

    LOCK(Locked.class, 1, "waits", (l, nanos) -> {
        l.lock();
        return true;
    }),
    LOCK_INTERRUPTIBLY(Locked.class, 1, "waits, interruptible", (l, nanos) -> {
        l.lockInterruptibly();
        return true;
    }),
    LOCK_TIMED(Locked.class, 1, "waits, interruptible, timed", (l, nanos) -> l.tryLock(nanos, NANOSECONDS)),
    TRY_LOCK(Locked.class, 1, "", (l, nanos) -> l.tryLock()),
    TRY_LOCK_TIMED_ZERO(Locked.class, 1, "interruptible", (l, nanos) -> l.tryLock(0, NANOSECONDS)),

    TAKE(Elements.class, 1, "waits, interruptible", (p, nanos) -> p.take()),
    TAKE_UNINTERRUPTIBLY(Elements.class, 1, "waits", (p, nanos) -> p.takeUninterruptibly()),
    POLL(Elements.class, 1, "waits, interruptible, timed", (p, nanos) -> p.poll(nanos, NANOSECONDS)),
    TRY_TAKE(Elements.class, 1, "", (p, nanos) -> p.tryTake()),
    POLL_ZERO(Elements.class, 1, "interruptible", (p, nanos) -> p.poll(0, NANOSECONDS));

    private interface Method<T> {
        boolean enter(T target, long nanos) throws InterruptedException;
    }

    /** How many permits it takes. */
    final int permits;

    final boolean waits;
    final boolean interruptible;
    final boolean timed;

    private final Class<?> on;
    private final Method<Object> way;

    <T> AcquireVariant(Class<T> on, int permits, String traits, Method<T> way) {
        this.on = on;
        this.permits = permits;
        this.waits = traits.contains("waits");
        this.interruptible = traits.contains("interruptible");
        this.timed = traits.contains("timed");
        this.way = (target, nanos) -> way.enter(on.cast(target), nanos);
    }

    /** Whether this kind of target has the method. */
    boolean on(Class<?> kind) {
        return on == kind;
    }

    /**
     * Calls the method.
     *
     * @param nanos the timeout, for a timed method
     */
    boolean enter(Target target, long nanos) throws InterruptedException {
        return way.enter(target, nanos);
    }

    /** Calls the method where it must succeed at once. */
    void enterNow(Target target) {
        try {
            if (!enter(target, 0)) {
                throw new AssertionError(this + " must not wait");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A target, a method, and a kind of thread. */
    record Case(Target.Kind target, AcquireVariant by, ThreadKind kind) {
        /** A target that one caller can hold at a time. */
        Target free() {
            return target.make(by.permits);
        }

        /** Such a target, held by the current thread. */
        Target held() {
            Target made = free();
            by.enterNow(made);
            return made;
        }

        @Override
        public String toString() {
            return target + " " + by + " " + kind;
        }
    }

    /** The methods with this property, on all targets, by all kinds of threads. */
    static Stream<Case> cases(Predicate<AcquireVariant> property) {
        List<Case> cases = new ArrayList<>();
        for (Target.Kind target : Target.Kind.values()) {
            for (AcquireVariant by : values()) {
                if (by.on(target.type()) && property.test(by)) {
                    ThreadKind.available().forEach(kind -> cases.add(new Case(target, by, kind)));
                }
            }
        }
        return cases.stream();
    }
}
