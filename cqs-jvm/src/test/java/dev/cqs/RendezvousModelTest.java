package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.cqs.Rendezvous.Side;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long random histories, one operation at a time, on a rendezvous and on a model: one list of waiters, all of one side. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // an endless loop does not respond to interrupts
class RendezvousModelTest {
    private static final int HISTORIES = 600;
    private static final int LENGTH = 300;

    private final Random random = new Random();
    private RendezvousKind kind;
    private Rendezvous rendezvous;
    private final Deque<TestWaiter> waiting = new ArrayDeque<>();
    private Side side;
    private final List<TestWaiter> all = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void agreesWithAListOfWaitersOfOneSide(RendezvousKind kind) {
        this.kind = kind;
        for (int seed = 0; seed < HISTORIES; seed++) {
            random.setSeed(seed);
            rendezvous = kind.make();
            waiting.clear();
            all.clear();
            int patience = 1 + random.nextInt(10);
            for (int i = 0; i < LENGTH; i++) {
                // for a while, one side comes more often than the other
                Side comes = random.nextInt(10) < (i / 100 % 2 == 0 ? 2 : 8) ? Side.SENDER : Side.RECEIVER;
                String done = random.nextInt(12) < patience ? come(comes) : cancel();
                check("seed " + seed + ", operation " + i + ": " + done);
            }
        }
    }

    private String come(Side comes) {
        TestWaiter expected = !waiting.isEmpty() && side != comes ? kind.next(waiting) : null;
        if (random.nextInt(3) == 0) {
            assertSame(expected, rendezvous.tryMatch(comes), () -> "tryMatch of a " + comes);
            return "tryMatch of a " + comes;
        }
        TestWaiter waiter = new TestWaiter("waiter " + all.size());
        assertSame(expected, rendezvous.matchOrEnqueue(comes, waiter), () -> "matchOrEnqueue of a " + comes);
        if (expected == null) {
            waiting.add(waiter);
            all.add(waiter);
            side = comes;
        }
        return "matchOrEnqueue of a " + comes;
    }

    private String cancel() {
        if (all.isEmpty()) {
            return "nothing";
        }
        int latest = Math.min(all.size(), 1 + random.nextInt(40));
        TestWaiter waiter = all.get(all.size() - latest);
        boolean waits = waiting.remove(waiter);
        assertEquals(waits, random.nextBoolean() ? waiter.cancelNow() : rendezvous.cancel(waiter));
        return "cancel " + waiter;
    }

    private void check(String done) {
        List<Waiter> expected = new ArrayList<>(waiting);
        if (kind == RendezvousKind.UNFAIR) {
            Collections.reverse(expected);
        }
        assertEquals(expected, RendezvousTest.waiting(rendezvous), done);
    }
}
