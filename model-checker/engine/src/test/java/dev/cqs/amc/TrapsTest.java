package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mistakes that are easy to make in such an engine, one test each. */
class TrapsTest {

    private static final List<Long> BOTH_ZERO = List.of(0L, 0L);

    private static Result check(Model model, Program program) {
        return AwaitModelChecker.under(model).check(program);
    }

    /**
     * The filter of irrevocable read-modify-writes must use the prefix of the read without its current reads-from edge.
     */
    @Test
    void everyOrderOfUpdatesIsVisited() {
        assertEquals(24, check(Model.RC11, Benchmark.adding("ainc(4)", 4, 1)).complete());
    }

    /** Whether a read may be revisited must not depend on its current reads-from edge. */
    @Test
    void readsThatSynchronizeMayTurnToAnEarlierWrite() {
        assertEquals(24, check(Model.RC11, Litmus.z6u()).complete());
    }

    /**
     * The opaque read of a failed iteration may still read another value, and the exchange of that iteration changes
     * nothing.
     */
    @Test
    void testAndSetLockDoesNotHang() {
        assertEquals(
                Verdict.VERIFIED,
                check(Model.RC11, LockPrograms.TTAS.counting(3)).verdict());
    }

    /** Every read of the iteration counts: while one of them can still read another value, the wait is no hang. */
    @Test
    void iterationOfTwoReadsHangsOnlyIfNeitherCanChange() {
        for (boolean completed : new boolean[] {true, false}) {
            Program program = Program.define("two flags", p -> {
                Variable x = p.variable("x");
                Variable y = p.variable("y");
                p.thread(t -> t.await(() -> t.getOpaque(x) == 1 && t.getOpaque(y) == 1));
                p.thread(t -> {
                    t.setOpaque(x, 1);
                    if (completed) {
                        t.setOpaque(y, 1);
                    }
                });
            });
            assertEquals(
                    completed ? Verdict.VERIFIED : Verdict.HANG,
                    check(Model.RC11, program).verdict());
        }
    }

    /** An exchange of a waiting thread that writes the old value ends no wait, neither its own nor that of others. */
    @Test
    void swapsOfThoseWhoWaitDoNotHideAHang() {
        for (int waiting = 1; waiting <= 3; waiting++) {
            int threads = waiting;
            Program program = Program.define("lock never released", p -> {
                Variable lock = p.variable("lock", 1);
                for (int i = 0; i < threads; i++) {
                    p.thread(t -> t.await(() -> t.getAndSet(lock, 1, Mode.ACQUIRE) == 0));
                }
            });
            assertEquals(Verdict.HANG, check(Model.RC11, program).verdict(), threads + " waiting");
        }
    }

    /**
     * A failed iteration of the outer loop contains a successful iteration of the inner one, and is removed as a whole.
     */
    @Test
    void failedIterationAroundAnotherAwaitHasNoEffect() {
        Result result = check(Model.RC11, LockPrograms.TTAS.writing(2));
        assertEquals(4, result.complete());
        assertFalse(result.boundHit());
    }

    /** On x86 a compare-and-set is a locked instruction even if it fails. */
    /**
     * Otherwise the search builds eight thousand graphs of the ticket lock of six threads to find its 720 executions.
     */
    @Test
    void waitsThatEndAreNotVisitedAsWaitsThatDoNot() {
        for (LockPrograms lock : List.of(LockPrograms.TICKET, LockPrograms.CLH, LockPrograms.ARRAY)) {
            Result result = check(Model.RC11, lock.counting(4));
            assertEquals(Verdict.VERIFIED, result.verdict());
            assertEquals(24, result.complete());
            assertEquals(0, result.blocked(), lock::toString);
        }
    }

    @Test
    void failingCompareAndSetIsABarrierUnderTso() {
        Program program = Program.define("SB with failing CAS", p -> {
            Variable[] x = p.array("x", 2);
            Variable other = p.variable("other");
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread(t -> {
                    t.setOpaque(x[me], 1);
                    t.compareAndSet(other, 5, 6, Mode.OPAQUE);
                    t.observe(t.getOpaque(x[1 - me]));
                });
            }
        });
        assertFalse(check(Model.TSO, program).outcomes().containsKey(BOTH_ZERO));
        assertTrue(check(Model.RC11, program).outcomes().containsKey(BOTH_ZERO));
    }

    @Test
    void onlyTheFullFenceIsABarrierUnderTso() {
        for (Mode fence : List.of(Mode.ACQUIRE, Mode.RELEASE, Mode.ACQUIRE_RELEASE, Mode.VOLATILE)) {
            Program program = Program.define("SB with fences", p -> {
                Variable[] x = p.array("x", 2);
                for (int i = 0; i < 2; i++) {
                    int me = i;
                    p.thread(t -> {
                        t.setOpaque(x[me], 1);
                        t.fence(fence);
                        t.observe(t.getOpaque(x[1 - me]));
                    });
                }
            });
            boolean weak = check(Model.TSO, program).outcomes().containsKey(BOTH_ZERO);
            assertEquals(fence != Mode.VOLATILE, weak, () -> "with a fence of mode " + fence);
        }
    }

    @Test
    void orderOfVolatilesOfGenmcForbidsWhatTheOneOfThePaperAllows() {
        List<Long> weak = List.of(1L, 3L, 0L);
        Map<List<Long>, Long> paper = check(Model.RC11, Litmus.z6u()).outcomes();
        Map<List<Long>, Long> genmc = check(Model.RC11_GENMC, Litmus.z6u()).outcomes();
        assertTrue(paper.containsKey(weak));
        assertFalse(genmc.containsKey(weak));
        assertEquals(22, genmc.values().stream().mapToLong(Long::longValue).sum());
    }

    /** A mode belongs to an access, not to a variable: a plain read of a variable with volatile writes races. */
    @Test
    void plainReadOfAVolatileFieldIsPlain() {
        Program program = Program.define("downgraded read", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.setVolatile(x, 1));
            p.thread(t -> t.get(x));
        });
        assertEquals(Verdict.DATA_RACE, check(Model.RC11, program).verdict());
    }

    /** The read cannot read from the write that it races with, because the write depends on it. */
    @Test
    void writeRacesWithTheReadThatItWasToldOfWithoutOrder() {
        for (Mode read : List.of(Mode.OPAQUE, Mode.ACQUIRE)) {
            Program program = Program.define("write after read", p -> {
                Variable x = p.variable("x");
                Variable done = p.variable("done");
                p.thread(t -> {
                    t.get(x);
                    t.setRelease(done, 1);
                });
                p.thread(t -> {
                    if (t.load(done, read) == 1) {
                        t.set(x, 1);
                    }
                });
            });
            Verdict expected = read == Mode.ACQUIRE ? Verdict.VERIFIED : Verdict.DATA_RACE;
            for (Model model : Model.values()) {
                assertEquals(expected, check(model, program).verdict());
            }
        }
    }
}
