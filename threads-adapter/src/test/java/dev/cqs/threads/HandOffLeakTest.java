package dev.cqs.threads;

import static dev.cqs.threads.Waiting.SHORT;
import static dev.cqs.threads.Waiting.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cqs.threads.HandOff.Case;
import dev.cqs.threads.HandOff.Party;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue keeps neither the threads nor the elements of those who have left, in whichever way. */
class HandOffLeakTest {
    static Stream<Case> oursThatWait() {
        return HandOff.cases(by -> by.waits).filter(c -> c.queue().isOurs());
    }

    static Stream<Case> oursThatAreTimed() {
        return oursThatWait().filter(c -> c.by().timed);
    }

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void thoseWhoHaveMetAreForgotten(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Party> staying = new ArrayList<>();
        if (!c.queue().isFair()) {
            staying.add(c.startWaiting(queue, "stays")); // below the one who is met
        }
        List<WeakReference<Object>> gone = meet(c, queue);
        staying.add(c.startWaiting(queue, "stays"));
        assertForgotten(queue, gone, staying);
    }

    private static List<WeakReference<Object>> meet(Case c, SynchronousQueue<Object> queue) {
        Object element = new Object();
        Party waiter = c.startWaiting(queue, element);
        Party counterpart = c.startCounterpart(queue, element);
        waiter.moves(element);
        counterpart.moves(element);
        return List.of(
                new WeakReference<>(element),
                new WeakReference<>(waiter.thread()),
                new WeakReference<>(counterpart.thread()));
    }

    @ParameterizedTest
    @MethodSource("oursThatWait")
    void thoseWhoWereInterruptedAreForgotten(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Party> staying = new ArrayList<>();
        assertForgotten(queue, interrupt(c, queue, staying), staying);
    }

    /** One in the middle and one at the end. */
    private static List<WeakReference<Object>> interrupt(
            Case c, SynchronousQueue<Object> queue, List<Party> staying) {
        List<Party> leaving = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            staying.add(c.startWaiting(queue, "stays"));
            leaving.add(c.startWaiting(queue, new Object()));
        }
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (Party party : leaving) {
            party.attempt.isInterrupted();
            gone.add(new WeakReference<>(party.element));
            gone.add(new WeakReference<>(party.thread()));
        }
        return gone;
    }

    @ParameterizedTest
    @MethodSource("oursThatAreTimed")
    void thoseWhoseTimeWasOverAreForgotten(Case c) {
        SynchronousQueue<Object> queue = (SynchronousQueue<Object>) c.queue().<Object>make();
        List<Party> staying = new ArrayList<>(List.of(c.startWaiting(queue, "stays")));
        List<WeakReference<Object>> gone = timeOut(c, queue);
        assertForgotten(queue, gone, staying);
    }

    private static List<WeakReference<Object>> timeOut(Case c, SynchronousQueue<Object> queue) {
        List<Party> leaving = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            leaving.add(c.start(queue, new Object(), SHORT));
        }
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (Party party : leaving) {
            party.isRefused();
            gone.add(new WeakReference<>(party.element));
            gone.add(new WeakReference<>(party.thread()));
        }
        return gone;
    }

    private static void assertForgotten(
            SynchronousQueue<Object> queue, List<WeakReference<Object>> gone, List<Party> staying) {
        until("those who have left are collected", () -> {
            System.gc();
            return gone.stream().allMatch(reference -> reference.get() == null);
        });
        assertEquals(staying.size(), queue.getQueuedThreads().size());
        staying.forEach(party -> assertFalse(party.attempt.isOver()));
        queue.close(null);
    }
}
