package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.SynchronousQueueVariants.Case;
import dev.cqs.threads.SynchronousQueueVariants.Endpoint;
import dev.cqs.threads.SynchronousQueueVariants.Method;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of a synchronous queue: every method that sends or receives, every kind of thread, our queues and the JDK's.
 */
class SynchronousQueueContractTest {
    private static final int WAITERS = 5;

    static Stream<Case> all() {
        return SynchronousQueueVariants.cases(by -> true);
    }

    static Stream<Case> waiting() {
        return SynchronousQueueVariants.cases(by -> by.waits);
    }

    static Stream<Case> notWaiting() {
        return SynchronousQueueVariants.cases(by -> !by.waits);
    }

    static Stream<Case> timed() {
        return SynchronousQueueVariants.cases(by -> by.timed);
    }

    static Stream<Case> interruptible() {
        return SynchronousQueueVariants.cases(by -> by.interruptible);
    }

    static Stream<Case> notInterruptible() {
        return SynchronousQueueVariants.cases(by -> !by.interruptible);
    }

    /** The element that is handed over between these two. */
    private static Object sent(Method by, Object ours, Object theirs) {
        return by.sends ? ours : theirs;
    }

    // Hand-offs

    @ParameterizedTest
    @MethodSource("all")
    void servesAWaitingCounterpart(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        Object ours = new Object();
        Object theirs = new Object();
        Endpoint counterpart = c.counterpart(queue, theirs);
        c.start(queue, ours).moves(sent(c.by(), ours, theirs));
        counterpart.moves(sent(c.by(), ours, theirs));
        c.assertNoWaiters(queue);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void isServedByALaterCounterpart(Case c) {
        for (Method by : Method.values()) {
            if (by.sends != c.by().sends) {
                BlockingQueue<Object> queue = c.queue().make();
                Object ours = new Object();
                Object theirs = new Object();
                Endpoint waiter = c.startWaiting(queue, ours);
                new Case(c.queue(), by, c.kind()).start(queue, theirs).moves(sent(c.by(), ours, theirs));
                waiter.moves(sent(c.by(), ours, theirs));
                c.assertNoWaiters(queue);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("notWaiting")
    void isRefusedAtOnceWithoutAWaiter(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        c.start(queue, "one").isRefused();
        c.assertNoWaiters(queue);
    }

    @ParameterizedTest
    @MethodSource("notWaiting")
    void isRefusedAtOnceIfOnlyOthersOfItsSideWait(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        Method same = c.by().sends ? Method.PUT : Method.TAKE;
        Endpoint other = new Case(c.queue(), same, c.kind()).startWaiting(queue, "other");
        c.start(queue, "one").isRefused();
        assertFalse(other.attempt.isOver());
        c.startCounterpart(queue, "other").moves("other"); // whichever side sends
        other.moves("other");
        c.assertNoWaiters(queue);
    }

    // Timeouts

    @ParameterizedTest
    @MethodSource("timed")
    void timeoutsOfZeroAndLessDoNotWait(Case c) {
        for (long timeout : new long[] {0, -1, Long.MIN_VALUE}) {
            BlockingQueue<Object> queue = c.queue().make();
            c.start(queue, "one", timeout).isRefused();
            c.assertNoWaiters(queue);
            Endpoint counterpart = c.counterpart(queue, "one");
            c.start(queue, "one", timeout).moves("one");
            counterpart.moves("one");
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void theLongestTimeoutsWait(Case c) {
        for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            BlockingQueue<Object> queue = c.queue().make();
            Endpoint waiter = c.start(queue, "one", timeout).waits();
            c.startCounterpart(queue, "one").moves("one");
            waiter.moves("one");
        }
    }

    @ParameterizedTest
    @MethodSource("timed")
    void isNotServedAfterItsTimeout(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        long start = System.nanoTime();
        c.start(queue, "one", SHORT).isRefused();
        assertTrue(System.nanoTime() - start >= SHORT, "has waited");
        c.assertNoWaiters(queue);
    }

    // Interrupts

    @ParameterizedTest
    @MethodSource("waiting")
    void isNotServedAfterAnInterrupt(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        c.startWaiting(queue, "one").attempt.isInterrupted();
        c.assertNoWaiters(queue);
    }

    @ParameterizedTest
    @MethodSource("interruptible")
    void throwsIfInterruptedBeforeWithoutAWaiter(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        c.startInterrupted(queue, "one").attempt.endsWith(End.INTERRUPTED, false);
        c.assertNoWaiters(queue);
    }

    @ParameterizedTest
    @MethodSource("notInterruptible")
    void leavesAnInterruptPendingWithoutAWaiter(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        c.startInterrupted(queue, "one").attempt.endsWith(End.REFUSED, true);
        c.assertNoWaiters(queue);
    }

    @ParameterizedTest
    @MethodSource("all")
    void anInterruptedCallServesACounterpartOrThrowsAndLeavesItWaiting(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        Endpoint counterpart = c.counterpart(queue, "one");
        Endpoint interrupted = c.startInterrupted(queue, "one");
        if (c.by().interruptFirst(c.queue())) {
            interrupted.attempt.endsWith(End.INTERRUPTED, false);
            assertFalse(counterpart.attempt.isOver());
            c.start(queue, "one").moves("one");
        } else {
            interrupted.moves("one", true);
        }
        counterpart.moves("one");
        c.assertNoWaiters(queue);
    }

    // Order

    @ParameterizedTest
    @MethodSource("waiting")
    void waitersAreServedInFifoOrLifoOrder(Case c) {
        BlockingQueue<Object> queue = c.queue().make();
        List<Endpoint> waiters = startWaiters(c, queue);
        assertServed(c, queue, waiters);
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void cancelledWaitersDoNotChangeTheOrderOfTheOthers(Case c) {
        for (int seed = 0; seed < 5; seed++) {
            BlockingQueue<Object> queue = c.queue().make();
            List<Endpoint> waiters = startWaiters(c, queue);
            List<Endpoint> leaving = new ArrayList<>(waiters);
            Collections.shuffle(leaving, new Random(seed));
            for (Endpoint gone : leaving.subList(0, 3)) {
                gone.attempt.isInterrupted();
                waiters.remove(gone);
            }
            waiters.add(c.startWaiting(queue, "late"));
            assertServed(c, queue, waiters);
        }
    }

    private static List<Endpoint> startWaiters(Case c, BlockingQueue<Object> queue) {
        List<Endpoint> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(c.startWaiting(queue, "element " + i));
            assertFalse(waiters.get(0).attempt.isOver());
        }
        return waiters;
    }

    /** Serves the waiters one after the other, by each method of the other side in turn, and checks which is served. */
    private static void assertServed(Case c, BlockingQueue<Object> queue, List<Endpoint> waiters) {
        List<Endpoint> order = new ArrayList<>(waiters);
        if (!c.queue().isFair()) {
            Collections.reverse(order);
        }
        List<Method> methods = Stream.of(Method.values())
                .filter(by -> by.sends != c.by().sends && by != Method.DRAIN_TO) // which takes all at once
                .toList();
        for (int i = 0; i < order.size(); i++) {
            if (queue instanceof SynchronousQueue<Object> ours) {
                assertEquals(
                        order.subList(i, order.size()).stream()
                                .map(Endpoint::thread)
                                .toList(),
                        List.copyOf(ours.getQueuedThreads()));
                assertEquals(c.by().sends ? order.size() - i : 0, ours.waitingSenders());
                assertEquals(c.by().sends ? 0 : order.size() - i, ours.waitingReceivers());
            }
            Endpoint next = order.get(i);
            Object expected = sent(c.by(), next.element, "sent " + i);
            Case server = new Case(c.queue(), methods.get(i % methods.size()), c.kind());
            server.start(queue, expected).moves(expected);
            next.moves(expected);
        }
        c.assertNoWaiters(queue);
    }

    // Elements

    /** A queue must not confuse a thread that is an element with a thread that waits. */
    @ParameterizedTest
    @MethodSource("waiting")
    void anElementCanBeTheThreadThatSendsOrReceivesIt(Case c) throws InterruptedException {
        BlockingQueue<Object> queue = c.queue().make();
        if (c.by().sends) {
            Thread[] sender = new Thread[1];
            TestThreads.Attempt attempt = TestThreads.start(
                    c.kind(),
                    () -> {
                        sender[0] = Thread.currentThread();
                        return c.by().move(queue, sender[0], TestThreads.LONG) == sender[0];
                    },
                    () -> {});
            Object received = queue.take();
            attempt.isGranted();
            assertSame(sender[0], received);
        } else {
            Endpoint receiver = c.startWaiting(queue, null);
            queue.put(receiver.thread());
            receiver.moves(receiver.thread());
        }
        c.assertNoWaiters(queue);
    }
}
