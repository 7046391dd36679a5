package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Target.Permits;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Starts threads that wait for a target, waits for events with a time limit, and has the time scale of all tests. */
final class TestThreads {
    private static final int SCALE = Integer.getInteger("test.timeScale", 1);

    /** The time limit of every wait in a test. A test that exceeds it fails. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(Integer.getInteger("test.patience", 30)) * SCALE;

    /** A timeout that never passes in a test. */
    static final long LONG = TimeUnit.HOURS.toNanos(1);

    /** A timeout that passes, but usually not before a small queue was built. */
    static final long SHORT = TimeUnit.MILLISECONDS.toNanos(10) * SCALE;

    private TestThreads() {}

    /** Waits until the condition holds. */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int turn = 0; !condition.getAsBoolean(); turn++) {
            if (System.nanoTime() - start > PATIENCE) {
                throw new AssertionError("timed out waiting until " + what);
            }
            if (turn < 1000) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** Waits until the thread is parked with a blocker. */
    static void untilParked(Thread thread) {
        until(
                thread + " is parked",
                () -> LockSupport.getBlocker(thread) != null
                        && (thread.getState() == Thread.State.WAITING
                                || thread.getState() == Thread.State.TIMED_WAITING));
    }

    /** The ways in which an attempt to acquire ends. */
    enum End {
        GRANTED,
        REFUSED,
        INTERRUPTED
    }

    /** A thread that makes one attempt to acquire. */
    static final class Attempt {
        final Thread thread;
        private volatile End end;
        private volatile boolean interruptPending;
        private volatile Throwable thrown;

        private Attempt(ThreadKind kind, Callable<Boolean> entry, Runnable onGrant) {
            thread = kind.start(() -> {
                try {
                    End reached;
                    try {
                        reached = entry.call() ? End.GRANTED : End.REFUSED;
                    } catch (InterruptedException e) {
                        reached = End.INTERRUPTED;
                    }
                    interruptPending = Thread.currentThread().isInterrupted();
                    if (reached == End.GRANTED) {
                        onGrant.run();
                    }
                    end = reached;
                } catch (Throwable t) {
                    thrown = t;
                }
            });
        }

        boolean isOver() {
            return end != null || thrown != null;
        }

        /** Waits for the end of the attempt and checks it. */
        void endsWith(End expected, boolean expectedInterrupt) {
            until(thread + " ends", this::isOver);
            if (thrown != null) {
                throw new AssertionError(thread + " has failed", thrown);
            }
            assertEquals(expected, end);
            assertEquals(expectedInterrupt, interruptPending, "interrupt pending");
        }

        void isGranted() {
            endsWith(End.GRANTED, false);
        }

        void isRefused() {
            endsWith(End.REFUSED, false);
        }

        /** Interrupts the thread and waits until it has thrown. */
        void isInterrupted() {
            thread.interrupt();
            endsWith(End.INTERRUPTED, false);
        }

        /** Checks that the thread is in the queue. */
        void waitsIn(Target target) {
            assertTrue(isQueued(target), () -> thread + " should wait, but: " + end + " " + thrown);
        }

        boolean isQueued(Target target) {
            return target.getQueuedThreads().contains(thread);
        }

        /** Waits until the thread is in the queue or the attempt has ended. */
        Attempt queued(Target target) {
            until(thread + " is queued", () -> isOver() || isQueued(target));
            return this;
        }
    }

    /** Starts a thread that makes the attempt {@code entry}. */
    static Attempt start(ThreadKind kind, Callable<Boolean> entry, Runnable onGrant) {
        return new Attempt(kind, entry, onGrant);
    }

    /** Starts a thread that acquires. */
    static Attempt start(ThreadKind kind, AcquireVariant by, Target target, long nanos, Runnable onGrant) {
        return start(kind, () -> by.enter(target, nanos), onGrant);
    }

    /** Starts a thread that acquires, and waits until it is in the queue. */
    static Attempt startQueued(ThreadKind kind, AcquireVariant by, Target target, Runnable onGrant) {
        Attempt attempt = start(kind, by, target, LONG, onGrant).queued(target);
        attempt.waitsIn(target);
        return attempt;
    }

    /** As above, without an action after the grant. */
    static Attempt startQueued(ThreadKind kind, AcquireVariant by, Target target) {
        return startQueued(kind, by, target, () -> {});
    }

    /** Starts a thread that acquires {@code permits}, and waits until it is in the queue. */
    static Attempt waiter(Permits semaphore, int permits) {
        Attempt attempt = start(
                ThreadKind.PLATFORM,
                () -> {
                    semaphore.acquire(permits);
                    return true;
                },
                () -> {});
        attempt.queued(semaphore).waitsIn(semaphore);
        return attempt;
    }

    /** Starts a thread that runs {@code body}. */
    static Attempt run(ThreadKind kind, Runnable body) {
        return start(kind, () -> true, body);
    }

    /** Checks that no thread waits and {@code free} permits are free. */
    static void assertIdle(Target target, int free) {
        assertEquals(free, target.free(), "free");
        assertEquals(0, target.getQueueLength(), "queue length");
        assertFalse(target.hasQueuedThreads());
        assertEquals(0, target.getQueuedThreads().size(), "queued threads");
    }
}
