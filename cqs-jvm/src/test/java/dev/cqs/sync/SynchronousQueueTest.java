package dev.cqs.sync;

import static dev.cqs.sync.Closable.assertClosed;
import static dev.cqs.sync.Closable.assertFailed;
import static dev.cqs.sync.SynchronousQueue.TAKEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Reachable;
import dev.cqs.RendezvousKind;
import dev.cqs.TestWaiter;
import dev.cqs.UncaughtExceptions;
import dev.cqs.Waiter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operations of a synchronous queue, one at a time, and in orders that the test chooses. */
class SynchronousQueueTest {
    private final Throwable cause = new Throwable("the cause");

    static <E> SynchronousQueue<E> make(RendezvousKind kind) {
        return kind == RendezvousKind.FAIR ? SynchronousQueue.fair() : SynchronousQueue.unfair();
    }

    static <E> TestSender<E> send(SynchronousQueue<E> queue, E element) {
        TestSender<E> sender = new TestSender<>(element);
        queue.send(sender);
        return sender;
    }

    static <E> TestWaiter receive(SynchronousQueue<E> queue, String name) {
        TestWaiter receiver = new TestWaiter(name);
        queue.receive(receiver);
        return receiver;
    }

    static List<Waiter> waiting(SynchronousQueue<?> queue) {
        List<Waiter> waiting = new ArrayList<>();
        queue.forEachWaiter(waiting::add);
        return waiting;
    }

    private static void assertNoWaiters(SynchronousQueue<?> queue) {
        assertEquals(List.of(), waiting(queue));
        assertEquals(0, queue.waitingSenders());
        assertEquals(0, queue.waitingReceivers());
    }

    // Hand-offs

    @ParameterizedTest
    @EnumSource
    void withoutAWaiterOfferAndPollFail(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        assertFalse(queue.offer("one"));
        assertNull(queue.poll());
        TestSender<String> sender = send(queue, "two");
        assertFalse(queue.offer("one"));
        assertSame("two", queue.poll());
        assertSame(TAKEN, sender.value);
        TestWaiter receiver = receive(queue, "receiver");
        assertNull(queue.poll());
        assertTrue(queue.offer("three"));
        assertSame("three", receiver.value);
        assertFalse(queue.offer("one"));
        assertNull(queue.poll());
        assertNoWaiters(queue);
    }

    @ParameterizedTest
    @EnumSource
    void theSecondCallerIsResumedAtOnce(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestSender<String> first = send(queue, "one");
        assertFalse(first.isResumed());
        assertSame("one", receive(queue, "second").value);
        assertSame(TAKEN, first.value);
        TestWaiter receiver = receive(queue, "first");
        assertFalse(receiver.isResumed());
        assertSame(TAKEN, send(queue, "two").value);
        assertSame("two", receiver.value);
        assertNoWaiters(queue);
    }

    @ParameterizedTest
    @EnumSource
    void waitersAreServedInTheOrderOfTheKind(RendezvousKind kind) {
        SynchronousQueue<Integer> queue = make(kind);
        assertEquals(kind == RendezvousKind.FAIR, queue.isFair());
        for (int i = 0; i < 3; i++) {
            send(queue, i);
        }
        List<Integer> taken = List.of(queue.poll(), (Integer) receive(queue, "receiver").value, queue.poll());
        assertEquals(kind == RendezvousKind.FAIR ? List.of(0, 1, 2) : List.of(2, 1, 0), taken);
        List<TestWaiter> receivers = List.of(receive(queue, "a"), receive(queue, "b"));
        assertTrue(queue.offer(5));
        assertSame(TAKEN, send(queue, 6).value);
        assertEquals(
                kind == RendezvousKind.FAIR ? List.of(5, 6) : List.of(6, 5),
                receivers.stream().map(receiver -> receiver.value).toList());
    }

    @ParameterizedTest
    @EnumSource
    void theElementOfACancelledSenderIsNeverReceived(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestSender<String> gone = send(queue, "gone");
        TestSender<String> stays = send(queue, "stays");
        assertTrue(gone.cancelNow());
        assertSame("stays", queue.poll());
        assertFalse(stays.cancelNow());
        assertNull(queue.poll());
        assertFalse(gone.isResumed());
        TestWaiter receiver = receive(queue, "receiver");
        assertTrue(receiver.cancelNow());
        assertFalse(queue.offer("one"));
        assertFalse(receiver.isResumed());
    }

    /** Waiters of this library never refuse. The element of one that does goes to the next. */
    @ParameterizedTest
    @EnumSource
    void aWaiterThatRefusesIsSkipped(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        for (int i = 0; i < 2; i++) {
            receive(queue, "refuses").accepts = false;
        }
        assertFalse(queue.offer("one"), "no other receiver waits");
        receive(queue, "refuses").accepts = false;
        TestSender<String> sender = send(queue, "two");
        assertFalse(sender.isResumed(), "it waits for the next receiver");
        sender.accepts = false;
        assertNull(queue.poll());
        send(queue, "three").accepts = false;
        TestWaiter receiver = receive(queue, "receiver");
        assertFalse(receiver.isResumed());
        assertTrue(queue.offer("four"));
        assertSame("four", receiver.value);
    }

    @ParameterizedTest
    @EnumSource
    void aReceiverThatThrowsStillHasTheElement(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        RuntimeException thrown = new RuntimeException();
        TestWaiter receiver = receive(queue, "receiver");
        receiver.onResume = value -> {
            throw thrown;
        };
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            assertTrue(queue.offer("one"));
            assertEquals(List.of(thrown), uncaught.seen);
        }
        assertSame("one", receiver.value);
        assertNoWaiters(queue);
    }

    @ParameterizedTest
    @EnumSource
    void aResumedWaiterMayUseTheQueue(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestWaiter receiver = receive(queue, "receiver");
        receiver.onResume = value -> send(queue, value + " again");
        assertTrue(queue.offer("one"));
        assertEquals("one again", queue.poll());
        assertNoWaiters(queue);
    }

    // Bad arguments

    @ParameterizedTest
    @EnumSource
    void nullIsRefusedAndChangesNothing(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestWaiter receiver = receive(queue, "receiver");
        assertThrows(NullPointerException.class, () -> queue.offer(null));
        assertThrows(NullPointerException.class, () -> queue.send((TestSender<String>) null));
        assertThrows(NullPointerException.class, () -> queue.send(new TestSender<>(null)));
        assertThrows(NullPointerException.class, () -> queue.receive(null));
        assertThrows(NullPointerException.class, () -> queue.forEachWaiter(null));
        assertThrows(NullPointerException.class, () -> make(kind).forEachWaiter(null));
        assertEquals(List.of(receiver), waiting(queue));
        assertTrue(queue.offer("one"));
        assertSame("one", receiver.value);
    }

    @ParameterizedTest
    @EnumSource
    void anEnqueuedWaiterCannotBeEnqueuedAgain(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestWaiter receiver = receive(queue, "receiver");
        assertThrows(IllegalStateException.class, () -> queue.receive(receiver));
        assertThrows(IllegalStateException.class, () -> make(kind).receive(receiver));
        assertEquals(1, queue.waitingReceivers());
    }

    // Queries

    @ParameterizedTest
    @EnumSource
    void waitersAreCountedAndShown(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        String name = "SynchronousQueue@" + Integer.toHexString(queue.hashCode())
                + (kind == RendezvousKind.FAIR ? "[fair, " : "[unfair, ");
        assertEquals(name + "0 senders, 0 receivers waiting]", queue.toString());
        List<Waiter> senders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            senders.add(send(queue, "element " + i));
        }
        assertEquals(3, queue.waitingSenders());
        assertEquals(0, queue.waitingReceivers());
        assertEquals(name + "3 senders, 0 receivers waiting]", queue.toString());
        List<Waiter> shown = waiting(queue);
        assertEquals(kind == RendezvousKind.FAIR ? senders.get(0) : senders.get(2), shown.get(0));
        assertEquals(3, shown.size());
        assertTrue(((TestWaiter) senders.get(1)).cancelNow());
        assertEquals(2, queue.waitingSenders());
        queue.poll();
        queue.poll();
        receive(queue, "receiver");
        assertEquals(0, queue.waitingSenders());
        assertEquals(1, queue.waitingReceivers());
        assertEquals(name + "0 senders, 1 receivers waiting]", queue.toString());
        queue.close(null);
        assertEquals(name + "0 senders, 0 receivers waiting, closed]", queue.toString());
    }

    /** Assumes headers of 12 bytes and references of 4 bytes. */
    @ParameterizedTest
    @EnumSource
    void anIdleQueueIsOneSmallObject(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        assertFalse(queue.offer("one"));
        assertNull(queue.poll());
        assertEquals(1, Reachable.from(queue).size());
        int bytes = 12;
        for (Field field : SynchronousQueue.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                bytes += field.getType() == boolean.class ? 1 : field.getType().isPrimitive() ? 8 : 4;
            }
        }
        assertTrue(bytes < 64, bytes + " bytes");
    }

    @ParameterizedTest
    @EnumSource
    void handedOverElementsAreNotReachable(RendezvousKind kind) {
        SynchronousQueue<Object> queue = make(kind);
        List<Object> gone = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Object element = new Object();
            TestSender<Object> sender = send(queue, element);
            gone.add(element);
            gone.add(sender);
            if (i % 3 == 0) {
                assertTrue(sender.cancelNow());
            } else {
                gone.add(receive(queue, "receiver"));
            }
        }
        assertTrue(gone.stream().noneMatch(Reachable.from(queue)::contains));
    }

    // Closing

    @ParameterizedTest
    @EnumSource
    void closingFailsPresentAndLaterRequests(RendezvousKind kind) {
        for (boolean senders : List.of(true, false)) {
            SynchronousQueue<String> queue = make(kind);
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                waiters.add(senders ? send(queue, "element " + i) : receive(queue, "receiver " + i));
            }
            assertTrue(waiters.get(50).cancelNow());
            assertFalse(queue.isClosed());
            assertTrue(queue.close(cause));
            assertTrue(queue.isClosed());
            assertFalse(waiters.remove(50).isResumed());
            waiters.forEach(waiter -> assertFailed(cause, waiter));
            assertNoWaiters(queue);
            assertFalse(queue.close(new Throwable("another")));
            assertClosed(cause, queue::poll);
            assertClosed(cause, () -> queue.offer("late"));
            assertFailed(cause, send(queue, "late"));
            assertFailed(cause, receive(queue, "late"));
            assertNoWaiters(queue);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnusedQueueCanBeClosed(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        assertTrue(queue.close(null));
        assertClosed(null, queue::poll);
        assertFailed(null, receive(queue, "late"));
        assertThrows(NullPointerException.class, () -> queue.offer(null));
        assertEquals(
                "the synchronous queue is closed",
                assertThrows(ClosedException.class, () -> queue.offer("late")).getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void aReceiverMayCloseTheQueueAsItIsResumedAndTheOthersFail(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        List<TestWaiter> receivers = List.of(receive(queue, "a"), receive(queue, "b"));
        receivers.forEach(receiver -> receiver.onResume = value -> queue.close(cause));
        assertTrue(queue.offer("one"));
        TestWaiter served = receivers.get(kind == RendezvousKind.FAIR ? 0 : 1);
        assertSame("one", served.value);
        assertFailed(cause, receivers.get(kind == RendezvousKind.FAIR ? 1 : 0));
    }

    @ParameterizedTest
    @EnumSource
    void aCancellationDuringTheCloseStopsNoOtherWaiterFromFailing(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        List<TestSender<String>> senders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            senders.add(send(queue, "element " + i));
        }
        int first = kind == RendezvousKind.FAIR ? 0 : 4;
        senders.get(first).onResume = value -> {
            assertTrue(senders.get(2).cancelNow(), "the close has not resumed it yet");
            assertClosed(cause, queue::poll);
        };
        assertTrue(queue.close(cause));
        assertFalse(senders.remove(2).isResumed());
        senders.forEach(sender -> assertFailed(cause, sender));
    }

    /** The sender was matched with a receiver that refused, and starts again after the close. */
    @ParameterizedTest
    @EnumSource
    void aSenderThatStartsAgainFindsTheQueueClosed(RendezvousKind kind) {
        SynchronousQueue<String> queue = make(kind);
        TestWaiter refuses = receive(queue, "refuses");
        refuses.accepts = false;
        refuses.onResume = value -> queue.close(cause);
        assertFailed(cause, send(queue, "one"));
        assertNoWaiters(queue);
    }
}
