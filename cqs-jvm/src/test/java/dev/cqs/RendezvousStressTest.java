package dev.cqs;

import static dev.cqs.Rendezvous.Side.RECEIVER;
import static dev.cqs.Rendezvous.Side.SENDER;
import static dev.cqs.RendezvousTest.other;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Rendezvous.Side;
import dev.cqs.internal.Spin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Many short races of a few threads on a rendezvous. Every waiter and every match is accounted for. */
@Tag("slow")
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop does not respond to interrupts
class RendezvousStressTest {
    private static final int RACES = 60_000;
    private static final int CELLS = 300_000;

    /** In each round, runs all bodies at the same time, each in a thread of its own. */
    private static void race(int rounds, List<Runnable> bodies, Runnable before, Runnable after) throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        before.run();
        for (Runnable body : bodies) {
            threads.add(new Thread(() -> {
                for (int round = 0; round < rounds && failures.isEmpty(); round++) {
                    await(arrived, (3 * round + 1) * bodies.size(), failures);
                    try {
                        body.run();
                    } catch (Throwable t) {
                        failures.add(t);
                    }
                    await(arrived, (3 * round + 2) * bodies.size(), failures);
                    if (body == bodies.get(0)) {
                        try {
                            after.run();
                            before.run();
                        } catch (Throwable t) {
                            failures.add(t);
                        }
                    }
                    await(arrived, (3 * round + 3) * bodies.size(), failures);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
    }

    private static void await(AtomicInteger arrived, int all, List<Throwable> failures) {
        arrived.incrementAndGet();
        for (int turn = 0; arrived.get() < all && failures.isEmpty(); turn++) {
            if (turn > 100) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** A waiter that is cancelled has been waiting until then, so a call of tryMatch before that must have seen it. */
    @ParameterizedTest
    @MethodSource("dev.cqs.RendezvousTest#kindsAndSides")
    void aWaiterThatTryMatchHasMissedIsNotCancelledLater(RendezvousKind kind, Side side) throws Exception {
        class Round {
            final Rendezvous rendezvous = kind.make();
            final TestWaiter waiter = RendezvousTest.enqueue(rendezvous, side, "waiter");
            Waiter matched;
            Waiter seen;
            boolean cancelled;

            void end() {
                assertFalse(seen == null && cancelled, "tryMatch has missed it, and then it was cancelled");
                assertEquals(1, (matched == waiter ? 1 : 0) + (seen == waiter ? 1 : 0) + (cancelled ? 1 : 0));
            }
        }
        Round[] round = {null};
        int[] hidden = {0};
        race(
                RACES,
                List.of(
                        () -> {
                            Round now = round[0];
                            now.matched = now.rendezvous.matchOrEnqueue(other(side), new TestWaiter("counterpart"));
                        },
                        () -> {
                            Round now = round[0];
                            now.seen = now.rendezvous.tryMatch(other(side));
                            now.cancelled = now.waiter.cancelNow();
                        }),
                () -> round[0] = new Round(),
                () -> {
                    round[0].end();
                    hidden[0] += round[0].seen == null ? 1 : 0;
                });
        assertTrue(hidden[0] > 0, "the two sides have raced");
    }

    /**
     * The owner of a cell reaches it when tryMatch() is about to break it. The next owner starts later if this one was in
     * time, and sooner if not.
     */
    @Test
    void anOwnerThatReachesItsCellWhileItIsBrokenIsMatchedOrLearnsIt() throws Exception {
        FairRendezvous queue = new FairRendezvous();
        Segment first = queue.head;
        queue.suspendIndex = CELLS; // as if the owners of these cells had taken them
        List<Waiter> entered = new ArrayList<>();
        List<Waiter> matched = new ArrayList<>();
        race(
                1,
                List.of(
                        () -> {
                            int delay = Spin.BOUND;
                            Segment segment = first;
                            for (int i = 0; i < CELLS; i++) {
                                segment = segment.find(i >> Segment.SHIFT);
                                TestWaiter late = new TestWaiter("late " + i);
                                late.cellRef = segment;
                                late.index = (short) (i & Segment.MASK);
                                for (int turn = 0; queue.resumeIndex <= i; turn++) {
                                    Spin.pause(turn);
                                }
                                for (int turn = 0; turn < delay; turn++) {
                                    segment.cellAcquire(late.index);
                                }
                                if (segment.casCell(late.index, null, late)) {
                                    entered.add(late);
                                    delay += 8;
                                } else {
                                    delay = Math.max(0, delay - 8);
                                }
                            }
                        },
                        () -> {
                            for (Waiter waiter = queue.tryMatch(RECEIVER);
                                    waiter != null;
                                    waiter = queue.tryMatch(RECEIVER)) {
                                matched.add(waiter);
                            }
                        }),
                () -> {},
                () -> {});
        assertIterableEquals(entered, matched);
        assertTrue(!entered.isEmpty() && entered.size() < CELLS, "each side was first in some rounds");
    }

    /** Both callers find no waiter at first; then one of them matches the other. */
    @ParameterizedTest
    @EnumSource
    void aCallerThatIsMatchedBeforeItIsEnqueuedDoesNotWait(RendezvousKind kind) throws Exception {
        class Round {
            final Rendezvous rendezvous = kind.make();
            final TestWaiter sender = new TestWaiter("sender");
            final TestWaiter receiver = new TestWaiter("receiver");
            Waiter bySender;
            Waiter byReceiver;

            void end() {
                assertTrue(bySender == null ^ byReceiver == null);
                assertSame(bySender == null ? sender : receiver, bySender == null ? byReceiver : bySender);
                assertNull(sender.cellRef);
                assertNull(receiver.cellRef);
            }
        }
        Round[] round = {null};
        race(
                RACES,
                List.of(
                        () -> {
                            Round now = round[0];
                            now.bySender = now.rendezvous.matchOrEnqueue(SENDER, now.sender);
                        },
                        () -> {
                            Round now = round[0];
                            now.byReceiver = now.rendezvous.matchOrEnqueue(RECEIVER, now.receiver);
                        }),
                () -> round[0] = new Round(),
                () -> round[0].end());
    }

    /** Each waiter is matched once, or is cancelled, or still waits at the end. Each match takes one waiter. */
    @ParameterizedTest
    @EnumSource
    void everyWaiterEndsOnce(RendezvousKind kind) throws Exception {
        for (int threads : List.of(2, 4)) {
            for (int number = 0; number < 30; number++) {
                Life life = new Life(kind, number);
                List<Runnable> bodies = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    SplittableRandom random = new SplittableRandom(number * 10L + t);
                    bodies.add(() -> life.live(random));
                }
                race(1, bodies, () -> {}, () -> {});
                life.assertBalance();
            }
        }
    }

    /** A waiter that counts how often it has ended. */
    private static final class Counted extends TestWaiter {
        final AtomicInteger ends = new AtomicInteger();
        final Side side;
        final int thread;

        Counted(Side side, int thread) {
            super(side.toString());
            this.side = side;
            this.thread = thread;
        }
    }

    /** One rendezvous with the threads that use it. */
    private static final class Life {
        private static final int REQUESTS = 3_000;

        private final Rendezvous rendezvous;
        private final int senders;
        private final AtomicInteger handOvers = new AtomicInteger();
        private final AtomicInteger matches = new AtomicInteger();
        private final AtomicInteger cancels = new AtomicInteger();
        private final List<Counted> entered = Collections.synchronizedList(new ArrayList<>());

        Life(RendezvousKind kind, int number) {
            this.rendezvous = kind.make();
            this.senders = 1 + number % 9; // of ten callers
        }

        void live(SplittableRandom random) {
            List<Counted> mine = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                Side side = random.nextInt(10) < senders ? SENDER : RECEIVER;
                switch (random.nextInt(4)) {
                    case 0 -> handOver(side, rendezvous.tryMatch(side));
                    case 1 -> cancelOne(mine, random);
                    default -> {
                        Counted waiter = new Counted(side, 0);
                        Waiter matched = rendezvous.matchOrEnqueue(side, waiter);
                        handOver(side, matched);
                        if (matched == null) {
                            entered.add(waiter);
                            mine.add(waiter);
                        } else {
                            assertNull(waiter.cellRef, "a matched caller was not enqueued");
                        }
                    }
                }
            }
        }

        private void handOver(Side side, Waiter waiter) {
            if (waiter instanceof Counted matched) {
                handOvers.incrementAndGet();
                assertTrue(matched.side != side, "it is of the other side");
                assertEquals(1, matched.ends.incrementAndGet(), "matched once");
                assertTrue(Rendezvous.handOver(matched, "matched"));
                matches.incrementAndGet();
            }
        }

        private void cancelOne(List<Counted> mine, SplittableRandom random) {
            if (!mine.isEmpty()) {
                Counted waiter = mine.remove(mine.size() - 1 - random.nextInt(Math.min(mine.size(), 5)));
                if (waiter.cancelNow()) {
                    cancels.incrementAndGet();
                    assertEquals(1, waiter.ends.incrementAndGet(), "cancelled, and not matched");
                }
            }
        }

        void assertBalance() {
            List<Waiter> left = RendezvousTest.waiting(rendezvous);
            assertEquals(entered.size(), matches.get() + cancels.get() + left.size());
            assertEquals(
                    1,
                    1
                            + left.stream()
                                    .map(waiter -> ((Counted) waiter).side)
                                    .distinct()
                                    .skip(1)
                                    .count());
            for (Waiter waiter : left) {
                Counted counted = (Counted) waiter;
                assertEquals(0, counted.ends.getAndIncrement());
                assertSame(waiter, rendezvous.tryMatch(other(counted.side)));
            }
            entered.forEach(waiter -> assertEquals(1, waiter.ends.get()));
            assertNull(rendezvous.tryMatch(SENDER));
            assertNull(rendezvous.tryMatch(RECEIVER));
            assertTrue(matches.get() > 0 && cancels.get() > 0);
        }
    }

    /** A single receiver gets the elements of each sender in FIFO order. */
    @Test
    void theElementsOfASenderArriveInOrder() throws Exception {
        class Numbered extends TestWaiter {
            final int sender;
            final int number;

            Numbered(int sender, int number) {
                super(sender + ":" + number);
                this.sender = sender;
                this.number = number;
            }
        }
        for (int life = 0; life < 20; life++) {
            Rendezvous rendezvous = Rendezvous.fair();
            int each = 3_000;
            int[] last = {-1, -1};
            AtomicInteger open = new AtomicInteger(2 * each);
            List<Runnable> bodies = new ArrayList<>();
            for (int sender = 0; sender < 2; sender++) {
                int me = sender;
                SplittableRandom random = new SplittableRandom(life * 2L + me);
                bodies.add(() -> {
                    for (int i = 0; i < each; i++) {
                        Numbered waiter = new Numbered(me, i);
                        Waiter receiver = rendezvous.matchOrEnqueue(SENDER, waiter);
                        if (receiver != null) {
                            Rendezvous.handOver(receiver, waiter);
                        } else if (random.nextInt(3) == 0 && waiter.cancelNow()) {
                            open.decrementAndGet();
                        }
                    }
                });
            }
            SplittableRandom random = new SplittableRandom(life);
            bodies.add(() -> {
                while (open.get() > 0) {
                    TestWaiter receiver = new TestWaiter("receiver");
                    boolean enters = random.nextBoolean();
                    Waiter sender =
                            enters ? rendezvous.matchOrEnqueue(RECEIVER, receiver) : rendezvous.tryMatch(RECEIVER);
                    if (enters && sender == null && !receiver.cancelNow()) {
                        while (!receiver.isResumed()) {
                            Thread.onSpinWait();
                        }
                    }
                    Numbered matched = (Numbered) (sender != null ? sender : receiver.value);
                    if (matched != null) {
                        assertTrue(last[matched.sender] < matched.number, matched + " after " + last[matched.sender]);
                        last[matched.sender] = matched.number;
                        open.decrementAndGet();
                    }
                }
            });
            race(1, bodies, () -> {}, () -> {});
            assertNull(rendezvous.tryMatch(RECEIVER));
        }
    }

    /** Threads cancel at the top, below it, and while others push. Afterwards the stack has few cancelled nodes. */
    @Test
    void afterCancellationsByManyThreadsTheStackHasFewNodes() throws Exception {
        UnfairRendezvous stack = new UnfairRendezvous();
        TestWaiter bottom = RendezvousTest.enqueue(stack, SENDER, "bottom");
        List<Runnable> bodies = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            bodies.add(() -> {
                TestWaiter last = RendezvousTest.enqueue(stack, SENDER, "first");
                for (int i = 0; i < 50_000; i++) {
                    TestWaiter next = RendezvousTest.enqueue(stack, SENDER, "next");
                    assertTrue(last.cancelNow());
                    last = next;
                }
                assertTrue(last.cancelNow());
            });
        }
        race(1, bodies, () -> {}, () -> {});
        int nodes = 0;
        for (UnfairRendezvous.Node at = stack.top; at != null; at = at.below) {
            nodes++;
        }
        assertTrue(nodes <= 1 + UnfairRendezvous.SWEEP_THRESHOLD, nodes + " nodes");
        assertSame(bottom, stack.tryMatch(RECEIVER));
        assertNull(stack.tryMatch(RECEIVER));
        assertNull(stack.top.below, "only the node that was matched last is left");
    }

    /** A node that ends while another is pushed over it is counted as buried, or the new node is not above it. */
    @Test
    void aNodeBuriedByTheNextIsCounted() throws Exception {
        // How long a push takes depends on what the compiler made of it, and on the load: if none met, wider ranges
        // follow.
        int buried = 0;
        for (int tries = 0; buried == 0 && tries < 20; tries++) {
            buried = raceOfPushAndMatch(32 << tries % 5);
        }
        assertTrue(buried > 0, "the two have raced");
    }

    /** Gives the push a head start of up to {@code range} spins. Returns in how many rounds the two have met. */
    private static int raceOfPushAndMatch(int range) throws Exception {
        UnfairRendezvous[] round = {null};
        int[] buried = {0};
        int[] head = {0};
        List<Runnable> pushAndMatch = List.of(() -> RendezvousTest.enqueue(round[0], SENDER, "next"), () -> {
            for (int spins = Math.abs(head[0] % (2 * range) - range); spins > 0; spins--) {
                Thread.onSpinWait(); // varies the head start of the push, so that some rounds race
            }
            round[0].tryMatch(RECEIVER);
        });
        race(
                RACES,
                pushAndMatch,
                () -> {
                    head[0]++;
                    round[0] = new UnfairRendezvous();
                    RendezvousTest.enqueue(round[0], SENDER, "first");
                },
                () -> {
                    UnfairRendezvous.Node below = round[0].top.below;
                    if (below != null && below.gone) {
                        buried[0]++;
                        assertTrue(round[0].buriedCount > 0, "the buried node is counted");
                    }
                });
        return buried[0];
    }
}
