package dev.cqs.sync;

import static dev.cqs.sync.SynchronousQueue.TAKEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.RendezvousKind;
import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads send, receive, try, cancel and close concurrently. Each element is received once, or its sender knows that it was
 * not. Every request ends once.
 */
@Tag("slow")
class SynchronousQueueStressTest {
    private static final int LONG = 5_000;

    /** An element, compared by identity. */
    private static final class Element {
        final AtomicInteger received = new AtomicInteger();
        boolean sent;
    }

    /** One queue and its users. */
    private static final class Round {
        final SynchronousQueue<Element> queue;
        final Throwable cause = new Throwable();
        final int requests;
        final int threads;
        final AtomicInteger started = new AtomicInteger();
        final List<Element> elements = Collections.synchronizedList(new ArrayList<>());
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger gaveUp = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();

        Round(RendezvousKind kind, int threads, int requests) {
            this.queue = SynchronousQueueTest.make(kind);
            this.threads = threads;
            this.requests = requests;
        }

        void run(long seed, int closer) throws Exception {
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                SplittableRandom random = new SplittableRandom(seed * threads + t);
                int closeAt = closer == t ? random.nextInt(requests) : -1;
                Thread thread = new Thread(() -> live(random, closeAt));
                thread.setUncaughtExceptionHandler((where, thrown) -> failures.add(thrown));
                all.add(thread);
            }
            all.forEach(Thread::start);
            for (Thread thread : all) {
                thread.join();
            }
            assertEquals(List.of(), failures);
        }

        private void live(SplittableRandom random, int closeAt) {
            started.incrementAndGet();
            while (started.get() < threads) {
                Thread.yield();
            }
            for (int i = 0; i < requests; i++) {
                if (i == closeAt) {
                    assertTrue(queue.close(cause));
                }
                step(random);
            }
        }

        private void step(SplittableRandom random) {
            try {
                switch (random.nextInt(6)) {
                    case 0 -> {
                        Element element = element();
                        element.sent = queue.offer(element);
                    }
                    case 1 -> received(queue.poll());
                    case 2, 3 -> {
                        Element element = element();
                        TestSender<Element> sender = new TestSender<>(element);
                        queue.send(sender);
                        element.sent = end(sender, random) == TAKEN;
                    }
                    default -> {
                        TestWaiter receiver = new TestWaiter("receiver");
                        queue.receive(receiver);
                        received((Element) end(receiver, random));
                    }
                }
            } catch (ClosedException e) {
                assertSame(cause, e.getCause());
            }
        }

        private Element element() {
            Element element = new Element();
            elements.add(element);
            return element;
        }

        private void received(Element element) {
            if (element != null) {
                assertEquals(1, element.received.incrementAndGet(), "received once");
            }
        }

        /** Waits for the value of the waiter, or cancels it. All threads may be on one side, so none waits for ever. */
        private Object end(TestWaiter waiter, SplittableRandom random) {
            int patience = random.nextInt(random.nextInt(4) == 0 ? 8 : 200);
            for (int turn = 0; !waiter.isResumed(); turn++) {
                if (turn >= patience && waiter.cancelNow()) {
                    gaveUp.incrementAndGet();
                    return null;
                }
                if (turn % 16 == 15) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
            if (waiter.value instanceof Closed closing) {
                failed.incrementAndGet();
                throw closing.exception();
            }
            return waiter.value;
        }

        int assertBalance() {
            int sent = 0;
            for (Element element : elements) {
                assertEquals(element.sent ? 1 : 0, element.received.get());
                sent += element.sent ? 1 : 0;
            }
            assertEquals(0, queue.waitingSenders());
            assertEquals(0, queue.waitingReceivers());
            return sent;
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachElementIsReceivedOnceOrStaysWithItsSender(RendezvousKind kind) throws Exception {
        for (int threads = 2; threads <= 5; threads++) {
            Round life = new Round(kind, threads, LONG);
            life.run(threads, -1);
            assertTrue(life.assertBalance() > 0 && life.gaveUp.get() > 0);
            assertNull(life.queue.poll());
        }
    }

    /** The rounds are short, so that in many of them a waiter is enqueued during the close. */
    @ParameterizedTest
    @EnumSource
    void everyRequestEndsWhenTheQueueIsClosed(RendezvousKind kind) throws Exception {
        int sent = 0;
        int failed = 0;
        for (int number = 0; number < 500; number++) {
            Round life = new Round(kind, 3, 6);
            life.run(number, number % 3);
            sent += life.assertBalance();
            failed += life.failed.get();
        }
        assertTrue(sent > 0 && failed > 0);
    }

    /** The waiter fails in either order of the close and its request. */
    @ParameterizedTest
    @EnumSource
    void aWaiterEnqueuedDuringTheCloseFails(RendezvousKind kind) throws Exception {
        int rounds = 20_000;
        List<SynchronousQueue<String>> queues = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            queues.add(SynchronousQueueTest.make(kind));
            assertNull(queues.get(i).poll());
        }
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        Thread closer = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                awaitAtLeast(entered, i);
                for (int turn = i % 32; turn > 0; turn--) {
                    Thread.onSpinWait();
                }
                queues.get(i).close(null);
                closed.set(i + 1);
            }
        });
        closer.start();
        List<TestWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            entered.set(i);
            waiters.add(SynchronousQueueTest.receive(queues.get(i), "receiver " + i));
            awaitAtLeast(closed, i + 1);
        }
        closer.join();
        for (TestWaiter waiter : waiters) {
            assertTrue(waiter.value instanceof Closed, () -> waiter + " has failed");
        }
    }

    private static void awaitAtLeast(AtomicInteger value, int least) {
        for (int turn = 0; value.get() < least; turn++) {
            if (turn % 64 == 63) {
                Thread.yield(); // both threads may share one processor
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
