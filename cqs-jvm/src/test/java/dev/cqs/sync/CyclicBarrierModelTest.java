package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Long random histories, one operation at a time, on a barrier and on a model of a few lists. Operations that happen while an
 * action runs happen inside the action, or before the party that must run it begins.
 */
class CyclicBarrierModelTest {
    private static final class WaitFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Random random = new Random();
    private CyclicBarrier barrier;
    private int parties;
    private boolean hasAction;
    private boolean inAction;

    // The model
    private boolean broken;
    private List<TestWaiter> running; // its action runs, or its last party has been resumed to run it
    private boolean told;
    private final Deque<List<TestWaiter>> complete = new ArrayDeque<>();
    private List<TestWaiter> collecting = new ArrayList<>();

    /** The parties that can still be resumed, and those of recent rounds, which must not be resumed again. */
    private final List<TestWaiter> all = new ArrayList<>();

    private final Set<TestWaiter> twice = new HashSet<>();
    private String done;

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true", "3, false", "3, true", "5, true", "2147483647, true"})
    void agreesWithAFewLists(int parties, boolean hasAction) {
        this.parties = parties;
        this.hasAction = hasAction;
        for (int seed = 0; seed < 300; seed++) {
            random.setSeed(seed);
            barrier = hasAction ? new CyclicBarrier(parties, this::act) : new CyclicBarrier(parties);
            broken = false;
            running = null;
            told = false;
            complete.clear();
            collecting = new ArrayList<>();
            all.clear();
            for (int i = 0; i < 300; i++) {
                step("seed " + seed + ", operation " + i);
            }
        }
    }

    private void step(String where) {
        int dice = random.nextInt(40);
        if (told && dice < 12) {
            run();
        } else if (dice < 30) {
            arrive();
        } else if (dice < 34) {
            cancel();
        } else if (dice < 35) {
            abort();
        } else if (dice < 38) {
            reset();
        } else {
            arriveAsTheLast();
        }
        check(where + ": " + done);
    }

    private void arrive() {
        TestWaiter waiter = new TestWaiter("waiter");
        waiter.onResume = value -> assertTrue(twice.add(waiter), "resumed twice");
        boolean last = collecting.size() == parties - 1;
        done = "arrive";
        if (broken) {
            barrier.arrive(waiter);
            expect(List.of(waiter), BarrierResult.BROKEN);
        } else if (last && running == null) {
            pass(waiter);
        } else {
            assertEquals(parties - 1 - collecting.size(), barrier.arrive(waiter));
            assertNull(waiter.value);
            all.add(waiter);
            collecting.add(waiter);
            if (last) {
                complete.add(collecting);
                collecting = new ArrayList<>();
            }
        }
    }

    private void arriveAsTheLast() {
        done = "arrive as the last";
        if (!broken && collecting.size() == parties - 1 && running == null) {
            pass(null);
        } else {
            assertFalse(barrier.tryArrive());
        }
    }

    /** Arrives as the last party while no action runs, by {@code tryArrive} or with a waiter, which is resumed either way. */
    private void pass(TestWaiter waiter) {
        List<TestWaiter> round = collecting;
        collecting = new ArrayList<>();
        if (!hasAction) {
            passNow(waiter);
            expect(round, BarrierResult.PASSED);
        } else {
            running = round;
            runs(() -> passNow(waiter));
        }
    }

    private void passNow(TestWaiter waiter) {
        if (waiter == null) {
            assertTrue(barrier.tryArrive());
        } else {
            assertEquals(0, barrier.arrive(waiter));
            expect(List.of(waiter), BarrierResult.PASSED);
        }
    }

    private void run() {
        told = false;
        done = "run";
        if (random.nextInt(8) == 0) {
            barrier.abortAction();
            failed();
        } else {
            runs(barrier::runAction);
        }
    }

    private void runs(Runnable step) {
        inAction = true;
        wasReset = false;
        fails = random.nextInt(10) == 0;
        if (fails) {
            assertThrows(WaitFailure.class, step::run);
            failed();
        } else {
            step.run();
            finished();
        }
        done += ", with its action";
    }

    private boolean fails;

    /** Whether the action that runs now has reset the barrier. */
    private boolean wasReset;

    private void act() {
        assertTrue(inAction, "actions overlap");
        boolean failsThen = fails;
        check("at the beginning of an action");
        for (int n = random.nextInt(4 * parties); n > 0; n--) {
            step("in an action");
        }
        inAction = false;
        if (failsThen) {
            throw new WaitFailure();
        }
    }

    private void finished() {
        expect(running, wasReset ? BarrierResult.BROKEN : BarrierResult.PASSED);
        running = complete.poll();
        if (running != null) {
            expect(List.of(running.remove(parties - 1)), BarrierResult.RUN_ACTION);
            told = true;
        }
    }

    private void failed() {
        expect(running, BarrierResult.BROKEN);
        running = null;
        breakAll();
        broken = true;
    }

    /** Breaks all rounds that can still be broken. */
    private void breakAll() {
        complete.forEach(round -> expect(round, BarrierResult.BROKEN));
        complete.clear();
        expect(collecting, BarrierResult.BROKEN);
        collecting = new ArrayList<>();
    }

    private void cancel() {
        done = "cancel";
        if (all.isEmpty()) {
            return;
        }
        TestWaiter waiter = all.get(random.nextInt(all.size()));
        boolean waits = collecting.remove(waiter);
        for (List<TestWaiter> round : complete) {
            waits |= round.remove(waiter);
        }
        assertEquals(waits, waiter.cancelNow());
        if (waits) {
            breakAll();
            broken = true;
        }
    }

    private void abort() {
        done = "abort";
        assertEquals(!broken, barrier.abort());
        breakAll();
        broken = true;
    }

    private void reset() {
        done = "reset";
        barrier.reset();
        breakAll();
        broken = false;
        wasReset |= inAction;
    }

    private void expect(List<TestWaiter> waiters, BarrierResult result) {
        waiters.forEach(waiter -> assertEquals(result, waiter.value, done));
    }

    private void check(String what) {
        assertEquals(broken, barrier.isBroken(), what);
        assertEquals(inAction && !wasReset ? parties : collecting.size(), barrier.waiting(), what);
        for (TestWaiter waiter : collecting) {
            assertNull(waiter.value, what);
        }
        complete.forEach(round -> round.forEach(waiter -> assertNull(waiter.value, what)));
        if (running != null) {
            running.forEach(waiter -> assertNull(waiter.value, what));
        }
        if (all.size() > 20) {
            all.subList(0, 10).clear();
        }
    }
}
