package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.SynchronousQueueVariants.Case;
import dev.cqs.threads.SynchronousQueueVariants.Endpoint;
import dev.cqs.threads.SynchronousQueueVariants.Kind;
import dev.cqs.threads.SynchronousQueueVariants.Method;
import dev.cqs.threads.TestThreads.Attempt;
import dev.cqs.threads.TestThreads.End;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Synchronous queues as collections, bad arguments, and what our queues offer beyond the JDK's. */
class SynchronousQueueViewsTest {
    static Stream<Case> oursThatWait() {
        return SynchronousQueueVariants.cases(by -> by.waits)
                .filter(c -> c.queue().isOurs());
    }

    static Stream<Case> ours() {
        return SynchronousQueueVariants.cases(by -> true).filter(c -> c.queue().isOurs());
    }

    static List<Kind> ourKinds() {
        return Kind.ours();
    }

    private static Case putting(Kind kind) {
        return new Case(kind, Method.PUT, ThreadKind.PLATFORM);
    }

    // Draining

    @ParameterizedTest
    @EnumSource
    void drainToReceivesFromAllWaitersInOrder(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        List<Endpoint> senders = startSenders(kind, queue);
        List<Object> drained = new ArrayList<>(List.of("before"));
        assertEquals(4, queue.drainTo(drained));
        assertEquals("before", drained.remove(0));
        assertOrder(kind, List.of("0", "1", "2", "3"), drained);
        senders.forEach(sender -> sender.moves(sender.element));
        assertEquals(0, queue.drainTo(drained));
        assertEquals(0, queue.drainTo(drained, 1));
        assertEquals(4, drained.size());
    }

    @ParameterizedTest
    @EnumSource
    void drainToReceivesNoMoreThanItIsTold(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        List<Endpoint> senders = startSenders(kind, queue);
        List<Object> drained = new ArrayList<>();
        for (int none : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertEquals(0, queue.drainTo(drained, none));
        }
        assertEquals(List.of(), drained);
        assertEquals(3, queue.drainTo(drained, 3));
        assertOrder(kind, kind.isFair() ? List.of("0", "1", "2") : List.of("1", "2", "3"), drained);
        assertEquals(1, queue.drainTo(drained, 3));
        senders.forEach(sender -> sender.moves(sender.element));
    }

    private static List<Endpoint> startSenders(Kind kind, BlockingQueue<Object> queue) {
        List<Endpoint> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            senders.add(putting(kind).startWaiting(queue, String.valueOf(i)));
        }
        return senders;
    }

    private static void assertOrder(Kind kind, List<Object> sent, List<Object> received) {
        List<Object> expected = new ArrayList<>(sent);
        if (!kind.isFair()) {
            Collections.reverse(expected);
        }
        assertEquals(expected, received);
    }

    @ParameterizedTest
    @EnumSource
    void aCollectionThatThrowsStopsDrainTo(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        List<Endpoint> senders = startSenders(kind, queue);
        Collection<Object> small = new LinkedBlockingQueue<>(1);
        assertThrows(IllegalStateException.class, () -> queue.drainTo(small));
        assertEquals(1, small.size());
        assertEquals(2, queue.drainTo(new ArrayList<>())); // the second is lost
        senders.forEach(sender -> sender.moves(sender.element));
    }

    // Arguments

    @ParameterizedTest
    @EnumSource
    void badArgumentsAreRefusedAndChangeNothing(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        List<Executable> bad = List.of(
                () -> queue.put(null),
                () -> queue.offer(null),
                () -> queue.add(null),
                () -> queue.offer(null, 1, NANOSECONDS),
                () -> queue.offer(null, 0, NANOSECONDS),
                () -> queue.offer("one", 1, null),
                () -> queue.offer("one", 0, null),
                () -> queue.poll(1, null),
                () -> queue.poll(0, null),
                () -> queue.drainTo(null),
                () -> queue.drainTo(null, 1),
                () -> queue.drainTo(null, 0),
                () -> queue.addAll(null),
                () -> queue.addAll(Arrays.asList(null, "one")),
                () -> queue.containsAll(null),
                () -> queue.removeIf(null),
                () -> queue.forEach(null),
                () -> queue.toArray((Object[]) null),
                () -> queue.iterator().forEachRemaining(null));
        List<Executable> itself = List.of(
                () -> queue.drainTo(queue),
                () -> queue.drainTo(queue, 1),
                () -> queue.drainTo(queue, 0),
                () -> queue.addAll(queue));
        for (boolean sends : new boolean[] {false, true}) {
            Case other = new Case(kind, sends ? Method.PUT : Method.TAKE, ThreadKind.PLATFORM);
            Endpoint waiter = other.startWaiting(queue, "two");
            bad.forEach(call -> assertThrows(NullPointerException.class, call));
            itself.forEach(call -> assertThrows(IllegalArgumentException.class, call));
            Thread.currentThread().interrupt();
            bad.forEach(call -> assertThrows(NullPointerException.class, call));
            itself.forEach(call -> assertThrows(IllegalArgumentException.class, call));
            assertTrue(Thread.interrupted(), "interrupt pending");
            assertFalse(waiter.attempt.isOver());
            other.startCounterpart(queue, "two").moves("two");
            waiter.moves("two");
        }
    }

    @ParameterizedTest
    @MethodSource("ourKinds")
    void aViewOfTheSameCoreIsTheQueueItself(Kind kind) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) kind.make();
        SynchronousQueue<Object> view = SynchronousQueue.viewOf(queue.core());
        Endpoint sender = putting(kind).startWaiting(queue, "one");
        for (Executable bad : List.<Executable>of(() -> queue.drainTo(view), () -> view.drainTo(queue, 1))) {
            String message = assertThrows(IllegalArgumentException.class, bad).getMessage();
            assertEquals("the queue cannot be drained to itself", message);
        }
        SynchronousQueue<Object> another = new SynchronousQueue<>();
        Endpoint receiver = new Case(kind, Method.TAKE, ThreadKind.PLATFORM).startWaiting(another, null);
        assertEquals(1, view.drainTo(another));
        sender.moves("one");
        receiver.moves("one");
    }

    // The empty collection

    @ParameterizedTest
    @EnumSource
    void theQueueIsAnEmptyCollectionThoughSendersWait(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        assertEmpty(queue);
        Endpoint sender = putting(kind).startWaiting(queue, "one");
        assertEmpty(queue);
        assertFalse(sender.attempt.isOver());
        assertEquals("one", queue.poll());
        sender.moves("one");
        assertEmpty(queue);
    }

    private static void assertEmpty(BlockingQueue<Object> queue) {
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.size());
        assertEquals(0, queue.remainingCapacity());
        assertNull(queue.peek());
        assertThrows(NoSuchElementException.class, queue::element);
        queue.clear();
        assertFalse(queue.contains("one"));
        assertFalse(queue.contains(null));
        assertFalse(queue.remove("one"));
        assertFalse(queue.remove(null));
        assertTrue(queue.containsAll(List.of()));
        assertTrue(queue.containsAll(queue));
        assertFalse(queue.containsAll(List.of("one")));
        assertFalse(queue.removeAll(List.of("one")));
        assertFalse(queue.removeAll(null));
        assertFalse(queue.retainAll(List.of()));
        assertFalse(queue.retainAll(null));
        assertFalse(queue.removeIf(element -> true));
        assertFalse(queue.addAll(List.of()));
        assertNothingIn(queue);
        assertEquals("[]", queue.toString());
        assertEquals(queue, queue);
        assertNotEquals(queue, new java.util.concurrent.SynchronousQueue<>());
    }

    private static void assertNothingIn(BlockingQueue<Object> queue) {
        Iterator<Object> iterator = queue.iterator();
        assertFalse(iterator.hasNext());
        assertThrows(NoSuchElementException.class, iterator::next);
        assertThrows(IllegalStateException.class, iterator::remove);
        assertEquals(0, queue.spliterator().getExactSizeIfKnown());
        assertFalse(queue.spliterator().tryAdvance(element -> {}));
        assertEquals(0, queue.stream().count());
        assertEquals(0, queue.parallelStream().count());
        List<Object> seen = new ArrayList<>();
        queue.forEach(seen::add);
        assertEquals(List.of(), seen);
        assertArrayEquals(new Object[0], queue.toArray());
        assertSame(Object[].class, queue.toArray().getClass());
        assertArrayEquals(new String[0], queue.toArray(String[]::new));
        String[] none = {};
        assertSame(none, queue.toArray(none));
        String[] two = {"one", "two"};
        assertSame(two, queue.toArray(two));
        assertArrayEquals(new String[] {null, "two"}, two);
    }

    @ParameterizedTest
    @EnumSource
    void addAllServesWaitingReceiversAndThenThrows(Kind kind) {
        BlockingQueue<Object> queue = kind.make();
        Case taking = new Case(kind, Method.TAKE, ThreadKind.PLATFORM);
        List<Endpoint> receivers =
                new ArrayList<>(List.of(taking.startWaiting(queue, null), taking.startWaiting(queue, null)));
        if (!kind.isFair()) {
            Collections.reverse(receivers);
        }
        assertThrows(IllegalStateException.class, () -> queue.addAll(List.of("one", "two", "three")));
        receivers.get(0).moves("one");
        receivers.get(1).moves("two");
        assertThrows(IllegalStateException.class, () -> queue.add("four"));
        assertThrows(NoSuchElementException.class, queue::remove);
    }

    // Beyond the JDK's

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void closingEndsTheWaitAndLeavesTheElementWithItsSender(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().make();
        Throwable cause = new Throwable();
        List<Attempt> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Attempt waiter = TestThreads.start(
                    c.kind(),
                    () -> {
                        ClosedException thrown =
                                assertThrows(ClosedException.class, () -> c.by().move(queue, "one", LONG));
                        assertEquals("the synchronous queue is closed", thrown.getMessage());
                        return thrown.getCause() == cause;
                    },
                    () -> {});
            until("it waits", () -> queue.getQueuedThreads().contains(waiter.thread));
            waiters.add(waiter);
        }
        assertFalse(queue.isClosed());
        assertTrue(queue.close(cause));
        waiters.forEach(Attempt::isGranted);
        assertTrue(queue.isClosed());
        assertFalse(queue.close(null));
        assertEquals(List.of(), List.copyOf(queue.getQueuedThreads()));
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aRequestToAClosedQueueFails(Case c) {
        for (boolean used : new boolean[] {false, true}) {
            SynchronousQueue<Object> queue =
                    (SynchronousQueue<Object>) c.queue().make();
            if (used) {
                Endpoint counterpart = c.counterpart(queue, "one");
                c.start(queue, "one").moves("one");
                counterpart.moves("one");
            }
            Throwable cause = new Throwable();
            assertTrue(queue.close(cause));
            TestThreads.start(
                            c.kind(),
                            () -> {
                                ClosedException thrown =
                                        assertThrows(ClosedException.class, () -> c.by().move(queue, "one", LONG));
                                return thrown.getCause() == cause;
                            },
                            () -> {})
                    .isGranted();
            assertEmpty(queue);
        }
    }

    @ParameterizedTest
    @MethodSource("ours")
    void onAClosedQueueAnInterruptIsReportedOrStaysPending(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().make();
        queue.close(null);
        Attempt attempt = TestThreads.start(
                c.kind(),
                () -> {
                    Thread.currentThread().interrupt();
                    try {
                        return c.by().move(queue, "one", LONG) != null;
                    } catch (ClosedException e) {
                        return true;
                    }
                },
                () -> {});
        boolean first = c.by().interruptFirst(c.queue());
        attempt.endsWith(first ? End.INTERRUPTED : End.GRANTED, !first);
    }

    @Test
    void viewsOfOneCoreShareTheirWaiters() throws InterruptedException {
        dev.cqs.sync.SynchronousQueue<Object> core = dev.cqs.sync.SynchronousQueue.fair();
        SynchronousQueue<Object> one = SynchronousQueue.viewOf(core);
        SynchronousQueue<Object> other = SynchronousQueue.viewOf(core);
        assertSame(core, one.core());
        assertTrue(one.isFair());
        Endpoint sender = putting(Kind.FAIR).startWaiting(one, "one");
        assertEquals(1, other.waitingSenders());
        assertEquals("one", other.take());
        sender.moves("one");
        Endpoint receiver = new Case(Kind.FAIR, Method.POLL_TIMED, ThreadKind.PLATFORM).startWaiting(one, null);
        assertEquals(1, other.waitingReceivers());
        assertTrue(core.offer("two"));
        receiver.moves("two");
        assertTrue(other.close(null));
        assertTrue(one.isClosed());
        assertThrows(NullPointerException.class, () -> SynchronousQueue.viewOf(null));
    }

    @Test
    void theDefaultIsUnfairAsInTheJdk() {
        assertFalse(new SynchronousQueue<>().isFair());
        assertFalse(new SynchronousQueue<>(false).isFair());
        assertTrue(new SynchronousQueue<>(true).isFair());
    }
}
