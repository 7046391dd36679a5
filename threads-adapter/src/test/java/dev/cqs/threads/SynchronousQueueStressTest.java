package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.SynchronousQueueVariants.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads send and receive concurrently, by all methods, and interrupt each other. An element is received once if its sender
 * was told that it was sent, and otherwise never.
 */
@Tag("slow")
class SynchronousQueueStressTest {
    private static final int SIDE = 4;
    private static final int EACH = 30_000;
    private static final int CLOSINGS = 200;

    /** Platform threads, virtual threads, and both together. */
    static Stream<Arguments> cases() {
        List<List<ThreadKind>> mixes = new ArrayList<>();
        ThreadKind.available().forEach(kind -> mixes.add(List.of(kind)));
        if (mixes.size() > 1) {
            mixes.add(ThreadKind.available());
        }
        return Stream.of(Kind.values()).flatMap(kind -> mixes.stream().map(mix -> Arguments.of(kind, mix)));
    }

    static Stream<Arguments> ours() {
        return cases().filter(arguments -> ((Kind) arguments.get()[0]).isOurs());
    }

    /** Counts what was sent and received. */
    private static class Balance {
        final BlockingQueue<Integer> queue;
        final int each;
        final AtomicIntegerArray received;
        final AtomicIntegerArray delivered;

        Balance(BlockingQueue<Integer> queue, int each) {
            this.queue = queue;
            this.each = each;
            this.received = new AtomicIntegerArray(SIDE * each);
            this.delivered = new AtomicIntegerArray(SIDE * each);
        }

        void send(Integer element, SplittableRandom random) {
            try {
                boolean sent = switch (random.nextInt(4)) {
                    case 0 -> {
                        queue.put(element);
                        yield true;
                    }
                    case 1 -> queue.offer(element);
                    default -> queue.offer(element, patience(random), NANOSECONDS);
                };
                if (sent) {
                    delivered.incrementAndGet(element);
                }
            } catch (InterruptedException e) {
                // the element stays with its sender
            }
        }

        void receive(SplittableRandom random) {
            List<Integer> elements = new ArrayList<>();
            try {
                switch (random.nextInt(5)) {
                    case 0 -> elements.add(queue.take());
                    case 1 -> elements.add(queue.poll());
                    case 2 -> queue.drainTo(elements, 3);
                    default -> elements.add(queue.poll(patience(random), NANOSECONDS));
                }
            } catch (InterruptedException e) {
                // no element was received
            } finally { // drainTo may fail after it has received some elements
                for (Integer element : elements) {
                    if (element != null) {
                        received.incrementAndGet(element);
                    }
                }
            }
        }

        private static long patience(SplittableRandom random) {
            return random.nextInt(4) == 0 ? random.nextInt(100_000) : random.nextInt(1_000);
        }

        int check() {
            int sum = 0;
            for (int i = 0; i < delivered.length(); i++) {
                assertEquals(delivered.get(i), received.get(i), "element " + i);
                sum += received.get(i);
            }
            return sum;
        }
    }

    /** Runs senders and receivers, which interrupt each other, until each has done all its operations. */
    private static void race(List<ThreadKind> mix, Balance balance) {
        Thread[] all = new Thread[2 * SIDE];
        CountDownLatch started = new CountDownLatch(all.length);
        List<Attempt> attempts = new ArrayList<>();
        for (int t = 0; t < all.length; t++) {
            int self = t;
            attempts.add(run(mix.get(t / 2 % mix.size()), () -> {
                SplittableRandom random = new SplittableRandom(self);
                all[self] = Thread.currentThread();
                started.countDown();
                try {
                    started.await();
                } catch (InterruptedException e) {
                    // until some have begun
                }
                for (int i = 0; i < balance.each; i++) {
                    if (self % 2 == 0) {
                        balance.send(self / 2 * balance.each + i, random);
                    } else {
                        balance.receive(random);
                    }
                    if (random.nextInt(8) == 0) {
                        interrupt(all[random.nextInt(all.length)]);
                    }
                }
            }));
        }
        SplittableRandom random = new SplittableRandom();
        until("all have done their operations", () -> {
            interrupt(all[random.nextInt(all.length)]); // ends waits for which no counterpart is left
            return attempts.stream().allMatch(Attempt::isOver);
        });
        attempts.forEach(Attempt::isGranted);
    }

    private static void interrupt(Thread thread) {
        if (thread != null) {
            thread.interrupt();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void eachElementIsReceivedOnceOrStaysWithItsSender(Kind kind, List<ThreadKind> mix) {
        Balance balance = new Balance(kind.make(), kind.isOurs() ? EACH : EACH / 10);
        race(mix, balance);
        assertTrue(balance.check() > balance.each / 100, "some elements were handed over");
        if (balance.queue instanceof SynchronousQueue<Integer> ours) {
            assertEquals(0, ours.waitingSenders() + ours.waitingReceivers());
        }
    }

    @ParameterizedTest
    @MethodSource("ours")
    void noneIsLostWhenTheQueueIsClosedInTheMiddle(Kind kind, List<ThreadKind> mix) {
        int handedOver = 0;
        for (int i = 0; i < CLOSINGS; i++) {
            SynchronousQueue<Integer> closing = (SynchronousQueue<Integer>) kind.<Integer>make();
            AtomicInteger turns = new AtomicInteger(50 + i);
            Balance balance = new Balance(closing, 100) {
                @Override
                void send(Integer element, SplittableRandom random) {
                    turn(() -> super.send(element, random));
                }

                @Override
                void receive(SplittableRandom random) {
                    turn(() -> super.receive(random));
                }

                private void turn(Runnable action) {
                    if (turns.decrementAndGet() == 0) {
                        assertTrue(closing.close(null));
                    }
                    try {
                        action.run();
                    } catch (ClosedException e) {
                        assertTrue(closing.isClosed());
                    }
                }
            };
            race(mix, balance);
            handedOver += balance.check();
            assertTrue(closing.isClosed());
            assertEquals(0, closing.waitingSenders() + closing.waitingReceivers());
        }
        assertTrue(handedOver > 0, "some elements were handed over");
    }
}
