package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.until;
import static dev.cqs.threads.TestThreads.untilParked;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Synchronous queues, ours and the JDK's, and the methods that send to them and receive from them, as parameters of tests that
 * hold for all of them.
 */
final class SynchronousQueueVariants {
    private SynchronousQueueVariants() {}

    enum Kind {
        FAIR,
        UNFAIR,
        JDK_FAIR,
        JDK_UNFAIR;

        boolean isOurs() {
            return this == FAIR || this == UNFAIR;
        }

        boolean isFair() {
            return this == FAIR || this == JDK_FAIR;
        }

        <E> BlockingQueue<E> make() {
            return isOurs() ? new SynchronousQueue<>(isFair()) : new java.util.concurrent.SynchronousQueue<>(isFair());
        }

        static List<Kind> ours() {
            return List.of(FAIR, UNFAIR);
        }
    }

    private interface Move {
        Object by(BlockingQueue<Object> queue, Object element, long nanos) throws InterruptedException;
    }

    /** The methods that send an element and those that receive one. */
    enum Method {
        PUT("sends, waits, interruptible, interrupt first", (queue, element, nanos) -> {
            queue.put(element);
            return element;
        }),
        OFFER_TIMED(
                "sends, waits, interruptible, timed",
                (queue, element, nanos) -> queue.offer(element, nanos, NANOSECONDS) ? element : null),
        OFFER_TIMED_ZERO(
                "sends, interruptible",
                (queue, element, nanos) -> queue.offer(element, 0, NANOSECONDS) ? element : null),
        OFFER("sends", (queue, element, nanos) -> queue.offer(element) ? element : null),
        ADD("sends", (queue, element, nanos) -> {
            try {
                return queue.add(element) ? element : null;
            } catch (ClosedException e) {
                throw e; // it is an IllegalStateException, too
            } catch (IllegalStateException e) {
                return null;
            }
        }),

        TAKE("waits, interruptible, interrupt first", (queue, element, nanos) -> queue.take()),
        POLL_TIMED("waits, interruptible, timed", (queue, element, nanos) -> queue.poll(nanos, NANOSECONDS)),
        POLL_TIMED_ZERO("interruptible", (queue, element, nanos) -> queue.poll(0, NANOSECONDS)),
        POLL("", (queue, element, nanos) -> queue.poll()),
        REMOVE("", (queue, element, nanos) -> {
            try {
                return queue.remove();
            } catch (NoSuchElementException e) {
                return null;
            }
        }),
        DRAIN_TO("", (queue, element, nanos) -> {
            List<Object> drained = new ArrayList<>();
            assertEquals(queue.drainTo(drained), drained.size());
            return drained.isEmpty() ? null : drained.get(0);
        }),
        DRAIN_TO_ONE("", (queue, element, nanos) -> {
            List<Object> drained = new ArrayList<>();
            assertEquals(queue.drainTo(drained, 1), drained.size());
            return drained.isEmpty() ? null : drained.get(0);
        });

        final boolean sends;
        final boolean waits;
        final boolean interruptible;
        final boolean timed;

        /** Whether the method checks for a pending interrupt before it serves a waiting counterpart. */
        private final boolean interruptFirst;

        private final Move move;

        Method(String traits, Move move) {
            this.sends = traits.contains("sends");
            this.waits = traits.contains("waits");
            this.interruptible = traits.contains("interruptible");
            this.timed = traits.contains("timed");
            this.interruptFirst = traits.contains("interrupt first");
            this.move = move;
        }

        /** On JDK 17, every method of the JDK's class looks for a counterpart first. */
        boolean interruptFirst(Kind kind) {
            return interruptFirst && (kind.isOurs() || Runtime.version().feature() > 17);
        }

        /**
         * Sends this element or receives one.
         *
         * @param nanos the timeout, for a timed method
         * @return the element that was sent or received, or null if there was no counterpart
         */
        Object move(BlockingQueue<Object> queue, Object element, long nanos) throws InterruptedException {
            return move.by(queue, element, nanos);
        }

        /** The untimed method of the other side. */
        Method counterpart() {
            return sends ? TAKE : PUT;
        }
    }

    /** A kind of queue, a method, and a kind of thread. */
    record Case(Kind queue, Method by, ThreadKind kind) {
        Endpoint start(BlockingQueue<Object> queue, Object element) {
            return start(queue, element, LONG);
        }

        Endpoint start(BlockingQueue<Object> queue, Object element, long nanos) {
            return new Endpoint(queue, by, kind, element, nanos, false);
        }

        /** Starts a thread that is interrupted before the call. */
        Endpoint startInterrupted(BlockingQueue<Object> queue, Object element) {
            return new Endpoint(queue, by, kind, element, LONG, true);
        }

        /** Starts a thread that must wait, and waits until it is in the queue. */
        Endpoint startWaiting(BlockingQueue<Object> queue, Object element) {
            return start(queue, element).waits();
        }

        /** Starts a counterpart that must wait, and waits until it is in the queue. */
        Endpoint counterpart(BlockingQueue<Object> queue, Object element) {
            return startCounterpart(queue, element).waits();
        }

        Endpoint startCounterpart(BlockingQueue<Object> queue, Object element) {
            return new Endpoint(queue, by.counterpart(), kind, element, LONG, false);
        }

        /** Checks that neither a sender nor a receiver waits. */
        void assertNoWaiters(BlockingQueue<Object> queue) {
            assertEquals(null, queue.poll());
            assertEquals(false, queue.offer("for no receiver"));
            if (queue instanceof SynchronousQueue<Object> ours) {
                assertEquals(List.of(), List.copyOf(ours.getQueuedThreads()));
                assertEquals(0, ours.waitingSenders() + ours.waitingReceivers());
            }
        }

        @Override
        public String toString() {
            return queue + " " + by + " " + kind;
        }
    }

    static Stream<Case> cases(Predicate<Method> property) {
        List<Case> cases = new ArrayList<>();
        for (Kind queue : Kind.values()) {
            for (Method by : Method.values()) {
                if (property.test(by)) {
                    ThreadKind.available().forEach(kind -> cases.add(new Case(queue, by, kind)));
                }
            }
        }
        return cases.stream();
    }

    /** A thread that sends or receives once. */
    static final class Endpoint {
        final Attempt attempt;
        final Object element;
        private final BlockingQueue<Object> queue;
        private volatile Object moved;

        private Endpoint(
                BlockingQueue<Object> queue,
                Method by,
                ThreadKind kind,
                Object element,
                long nanos,
                boolean interrupted) {
            this.queue = queue;
            this.element = element;
            this.attempt = TestThreads.start(
                    kind,
                    () -> {
                        if (interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        Object moved = by.move(queue, element, nanos);
                        this.moved = moved;
                        return moved != null;
                    },
                    () -> {});
        }

        Thread thread() {
            return attempt.thread;
        }

        /** Waits until it is in the queue. */
        Endpoint waits() {
            if (queue instanceof SynchronousQueue<Object> ours) {
                until(thread() + " waits", () -> ours.getQueuedThreads().contains(thread()));
            } else {
                untilParked(thread());
            }
            return this;
        }

        /** Checks that it has found a counterpart, and which element was handed over. */
        void moves(Object expected) {
            moves(expected, false);
        }

        void moves(Object expected, boolean interruptPending) {
            attempt.endsWith(End.GRANTED, interruptPending);
            assertSame(expected, moved);
        }

        void isRefused() {
            attempt.isRefused();
        }
    }
}
