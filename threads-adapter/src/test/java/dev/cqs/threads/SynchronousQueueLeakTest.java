package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.SHORT;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cqs.threads.SynchronousQueueVariants.Case;
import dev.cqs.threads.SynchronousQueueVariants.Endpoint;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue keeps neither the threads nor the elements of requests that have ended. */
class SynchronousQueueLeakTest {
    static Stream<Case> oursThatWait() {
        return SynchronousQueueVariants.cases(by -> by.waits)
                .filter(c -> c.queue().isOurs());
    }

    static Stream<Case> oursThatAreTimed() {
        return oursThatWait().filter(c -> c.by().timed);
    }

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void servedThreadsAreNotReachable(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Endpoint> staying = new ArrayList<>();
        if (!c.queue().isFair()) {
            staying.add(c.startWaiting(queue, "stays")); // below the waiter that is served
        }
        List<WeakReference<Object>> gone = handOver(c, queue);
        staying.add(c.startWaiting(queue, "stays"));
        assertForgotten(queue, gone, staying);
    }

    private static List<WeakReference<Object>> handOver(Case c, SynchronousQueue<Object> queue) {
        Object element = new Object();
        Endpoint waiter = c.startWaiting(queue, element);
        Endpoint counterpart = c.startCounterpart(queue, element);
        waiter.moves(element);
        counterpart.moves(element);
        return List.of(
                new WeakReference<>(element),
                new WeakReference<>(waiter.thread()),
                new WeakReference<>(counterpart.thread()));
    }

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void interruptedThreadsAreNotReachable(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Endpoint> staying = new ArrayList<>();
        assertForgotten(queue, interrupt(c, queue, staying), staying);
    }

    /** Interrupts a thread in the middle and one at the end. */
    private static List<WeakReference<Object>> interrupt(
            Case c, SynchronousQueue<Object> queue, List<Endpoint> staying) {
        List<Endpoint> leaving = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            staying.add(c.startWaiting(queue, "stays"));
            leaving.add(c.startWaiting(queue, new Object()));
        }
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (Endpoint party : leaving) {
            party.attempt.isInterrupted();
            gone.add(new WeakReference<>(party.element));
            gone.add(new WeakReference<>(party.thread()));
        }
        return gone;
    }

    @ParameterizedTest
    @MethodSource("oursThatAreTimed")
    void timedOutThreadsAreNotReachable(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Endpoint> staying = new ArrayList<>(List.of(c.startWaiting(queue, "stays")));
        List<WeakReference<Object>> gone = timeOut(c, queue);
        assertForgotten(queue, gone, staying);
    }

    private static List<WeakReference<Object>> timeOut(Case c, SynchronousQueue<Object> queue) {
        List<Endpoint> leaving = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            leaving.add(c.start(queue, new Object(), SHORT));
        }
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (Endpoint party : leaving) {
            party.isRefused();
            gone.add(new WeakReference<>(party.element));
            gone.add(new WeakReference<>(party.thread()));
        }
        return gone;
    }

    private static void assertForgotten(
            SynchronousQueue<Object> queue, List<WeakReference<Object>> gone, List<Endpoint> staying) {
        until("the threads that have left are collected", () -> {
            System.gc();
            return gone.stream().allMatch(reference -> reference.get() == null);
        });
        assertEquals(staying.size(), queue.getQueuedThreads().size());
        staying.forEach(party -> assertFalse(party.attempt.isOver()));
        queue.close(null);
    }
}
