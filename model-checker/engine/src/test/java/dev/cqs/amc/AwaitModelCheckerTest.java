package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The results and messages of the checker, for correct programs, wrong programs and bad input. */
class AwaitModelCheckerTest {

    private static Result check(Program program) {
        return AwaitModelChecker.under(Model.RC11).check(program);
    }

    private static Program alone(Consumer<ModelThread> body) {
        return Program.define("alone", p -> p.thread(body));
    }

    /** The example of the package documentation. */
    private static Program messagePassing(Mode write) {
        return Program.define("message passing", p -> {
            Variable data = p.variable("data");
            Variable ready = p.variable("ready");
            p.thread("writer", t -> {
                t.set(data, 42);
                t.store(ready, 1, write);
            });
            p.thread("reader", t -> {
                t.await(ready, Mode.ACQUIRE, seen -> seen == 1);
                t.check(t.get(data) == 42, "the reader sees the data");
            });
        });
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void summaryOfAGoodProgramSaysWhatWasCovered(Model model) {
        Result result = AwaitModelChecker.under(model).check(messagePassing(Mode.RELEASE));
        assertTrue(result.isVerified(), result::toString);
        assertEquals(
                "message passing: verified.\n"
                        + "Model: " + model.title() + ". Threads: 2.\n"
                        + "Executions: 1 complete, 0 blocked.\n"
                        + "No loop was cut off.\n"
                        + "Not seen under this model: " + model.blindSpot() + ".\n",
                result.summary());
        assertEquals(result.summary(), result.toString());
    }

    @Test
    void waitForNobodyHangs() {
        Result result = check(alone(t -> t.await(() -> false)));
        assertEquals(Verdict.HANG, result.verdict());
    }

    @Test
    void updatesAreShownWithWhatTheyChange() {
        Result result = check(Program.define("updates", p -> {
            Variable x = p.variable("x");
            p.thread("T", t -> {
                t.getAndAdd(x, 2, Mode.ACQUIRE);
                t.compareAndSet(x, 1, 5, Mode.VOLATILE);
                t.fullFence();
                t.choose(2);
                t.check(false, "never");
            });
        }));
        assertEquals(Verdict.CHECK_FAILED, result.verdict());
        assertEquals(
                List.of("swap.acquire/opaque x = 0 -> 2", "cas.volatile x = 2, not 1", "fence.full", "choose 0 of 2"),
                result.counterExample().steps().stream()
                        .map(CounterExample.Step::operation)
                        .toList());
    }

    @Test
    void everyChoiceIsTaken() {
        Result result = check(alone(t -> t.observe(10L * t.choose(3) + t.choose(2))));
        assertEquals(
                Set.of(List.of(0L), List.of(1L), List.of(10L), List.of(11L), List.of(20L), List.of(21L)),
                result.outcomes().keySet());
        assertEquals(6, result.complete());
    }

    @Test
    void executionsThatAreLeftOutAreNeitherCompleteNorHangs() {
        Result result = check(alone(t -> t.assume(t.choose(3) == 1)));
        assertEquals(Verdict.VERIFIED, result.verdict());
        assertEquals(1, result.complete());
        assertEquals(2, result.blocked());
    }

    @Test
    void nothingIsSaidOfAWaitForSomeoneWhoIsLeftOut() {
        Program program = Program.define("left out", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.await(x, Mode.ACQUIRE, seen -> seen == 1));
            p.thread(t -> {
                t.assume(t.choose(2) == 0);
                t.setRelease(x, 1);
            });
        });
        assertEquals(Verdict.VERIFIED, check(program).verdict());
    }

    @Test
    void iterationsWithEffectsAreRepeatedUpToTheBound() {
        Program program = Program.define("add until three", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.await(() -> t.getAndAdd(x, 1, Mode.OPAQUE) == 3));
        });
        assertEquals(Verdict.VERIFIED, check(program).verdict());
        Result bounded = AwaitModelChecker.under(Model.RC11).loopBound(2).check(program);
        assertEquals(Verdict.NOTHING_COMPLETE, bounded.verdict());
        assertTrue(bounded.boundHit());
        assertFalse(bounded.isVerified());
        assertThrows(AssertionError.class, bounded::assertVerified);
        assertEquals(List.of(new CutOff(CutOff.Bound.LOOP, 2, "T0", null)), bounded.cutOffs());
        assertTrue(bounded.summary().contains("Cut off after 2 iterations: the loop in T0."), bounded::summary);
    }

    @Test
    void loopThatIsNoAwaitIsCutOff() {
        Program program = Program.define("busy", p -> {
            Variable x = p.variable("x");
            p.thread(t -> {
                while (t.getOpaque(x) == 0) {
                    Thread.onSpinWait();
                }
            });
        });
        Result result = AwaitModelChecker.under(Model.RC11).maxEvents(50).check(program);
        assertEquals(Verdict.NOTHING_COMPLETE, result.verdict());
        assertEquals(List.of(new CutOff(CutOff.Bound.EVENTS, 50, "T0", null)), result.cutOffs());
    }

    @Test
    void limitOnExecutionsLeavesNoVerdict() {
        Result result = AwaitModelChecker.under(Model.RC11).maxExecutions(10).check(Benchmark.adding("ainc(5)", 5, 1));
        assertEquals(Verdict.UNFINISHED, result.verdict());
        assertEquals(10, result.complete());
        assertFalse(result.isVerified());
        assertTrue(result.summary().contains("until the limit was reached"), result::summary);
    }

    @Test
    void onlyTheVerifiedPassAsVerified() {
        Program good = Benchmark.adding("ainc(3)", 3, 1);
        Result verified = AwaitModelChecker.under(Model.RC11).check(good);
        assertSame(verified, verified.assertVerified());
        Result unfinished = AwaitModelChecker.under(Model.RC11).maxExecutions(1).check(good);
        assertEquals(
                unfinished.toString(),
                assertThrows(AssertionError.class, unfinished::assertVerified).getMessage());
        Result bounded = AwaitModelChecker.under(Model.RC11).maxEvents(1).check(Benchmark.adding("binc(2)", 2, 2));
        assertThrows(AssertionError.class, bounded::assertVerified);
        Result empty = AwaitModelChecker.under(Model.RC11)
                .check(Program.define("nothing", p -> p.thread(t -> t.assume(false))));
        assertTrue(assertThrows(AssertionError.class, empty::assertVerified)
                .getMessage()
                .contains("assumptions exclude all"));
    }

    @Test
    void limitThatIsJustEnoughChangesNothing() {
        Result result = AwaitModelChecker.under(Model.RC11).maxExecutions(120).check(Benchmark.adding("ainc(5)", 5, 1));
        assertEquals(Verdict.VERIFIED, result.verdict());
        assertEquals(120, result.complete());
    }

    @Test
    void exceptionOfAThreadIsAnError() {
        RuntimeException thrown = new IllegalStateException("boom");
        Result result = check(alone(t -> {
            throw thrown;
        }));
        assertEquals(Verdict.EXCEPTION, result.verdict());
        assertSame(thrown, result.counterExample().cause());
    }

    @Test
    void exceptionOfTheFinalCheckIsAnError() {
        Result result = check(Program.define(
                "throws at the end",
                p -> p.thread(t -> {}).atEnd(end -> {
                    throw new IllegalStateException("boom");
                })));
        assertEquals(Verdict.EXCEPTION, result.verdict());
        assertTrue(result.counterExample().message().contains("boom"));
    }

    /** A blocked thread unwinds by an error. Accesses in its finally blocks have no effect then. */
    @Test
    void unlockInAFinallyBlockIsNotDoneByABlockedThread() {
        Program program = Program.define("try and finally", p -> {
            Variable lock = p.variable("lock");
            Variable go = p.variable("go");
            p.thread(t -> {
                t.await(() -> t.compareAndSet(lock, 0, 1, Mode.ACQUIRE));
                try {
                    t.await(go, Mode.ACQUIRE, seen -> seen == 1);
                } finally {
                    t.setRelease(lock, 0);
                }
            });
            p.thread(t -> {
                t.await(() -> t.compareAndSet(lock, 0, 1, Mode.ACQUIRE));
                t.setRelease(go, 1);
                t.setRelease(lock, 0);
            });
        });
        Result result = check(program);
        assertEquals(Verdict.HANG, result.verdict(), result::toString);
        assertTrue(result.counterExample().steps().stream()
                .noneMatch(step -> step.operation().startsWith("write")));
    }

    @Test
    void threadThatCatchesAllErrorsIsRefused() {
        Program program = alone(t -> {
            try {
                t.await(() -> false);
            } catch (Throwable all) {
                t.observe(1);
            }
        });
        assertThrows(IllegalStateException.class, () -> check(program));
    }

    @Test
    void finalCheckSeesTheLastValues() {
        Program program = Program.define("lost update", p -> {
            Variable x = p.variable("x", 5);
            for (int i = 0; i < 2; i++) {
                p.thread(t -> t.setOpaque(x, t.getOpaque(x) + 1));
            }
            p.atEnd(end -> end.check(end.get(x) == 7, "both have counted"));
        });
        Result result = AwaitModelChecker.under(Model.SC).check(program);
        assertEquals(Verdict.CHECK_FAILED, result.verdict());
        assertEquals("At the end: both have counted", result.counterExample().message());
        assertEquals(
                List.of("x: 5 at first, then 6 (#3), then 6 (#4)"),
                result.counterExample().writeOrders());
    }

    @Test
    void outcomesAreWhatIsObservedAndThenTheFinalValues() {
        Program program = Program.define("outcome", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.setOpaque(x, 7));
            p.thread(t -> t.observe(t.getOpaque(x)));
            p.observe(x);
        });
        assertEquals(
                Map.of(List.of(0L, 7L), 1L, List.of(7L, 7L), 1L), check(program).outcomes());
    }

    @Test
    void threadThatDoesSomethingElseTheNextTimeIsRefused() {
        int[] runs = new int[1];
        Program program = Program.define("counts its runs", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread("odd", t -> t.getOpaque(runs[0]++ == 0 ? x : y));
            p.thread("writer", t -> t.setOpaque(x, 1));
        });
        NondeterministicProgramException thrown =
                assertThrows(NondeterministicProgramException.class, () -> check(program));
        assertTrue(
                thrown.getMessage().contains("odd") && thrown.getMessage().contains("read.opaque x"),
                thrown.getMessage());
    }

    @Test
    void threadThatEndsEarlierTheNextTimeIsRefused() {
        int[] runs = new int[1];
        Program program = Program.define("tires", p -> {
            Variable x = p.variable("x");
            p.thread(t -> {
                if (runs[0]++ == 0) {
                    t.getOpaque(x);
                }
            });
            p.thread(t -> t.setOpaque(x, 1));
        });
        assertThrows(NondeterministicProgramException.class, () -> check(program));
    }

    @Test
    void modesThatAnOperationDoesNotHaveAreRefused() {
        for (Mode mode : List.of(Mode.RELEASE, Mode.ACQUIRE_RELEASE)) {
            refused(p -> t -> t.load(p, mode), mode.toString());
        }
        for (Mode mode : List.of(Mode.ACQUIRE, Mode.ACQUIRE_RELEASE)) {
            refused(p -> t -> t.store(p, 1, mode), mode.toString());
        }
        for (Mode mode : List.of(Mode.PLAIN, Mode.OPAQUE)) {
            refused(p -> t -> t.fence(mode), mode.toString());
        }
        refused(p -> t -> t.getAndAdd(p, 1, Mode.PLAIN), "PLAIN");
        refused(p -> t -> t.choose(0), "0 options");
    }

    private static void refused(java.util.function.Function<Variable, Consumer<ModelThread>> body, String word) {
        Program program = Program.define("misuse", p -> p.thread(body.apply(p.variable("x"))));
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> check(program));
        assertTrue(thrown.getMessage().contains(word), thrown.getMessage());
    }

    @Test
    void variablesOfAnotherProgramAreRefused() {
        Variable[] stolen = new Variable[1];
        Program.define("owner", p -> {
            stolen[0] = p.variable("secret");
            p.thread(t -> {});
        });
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> check(alone(t -> t.getOpaque(stolen[0]))));
        assertTrue(thrown.getMessage().contains("secret"), thrown.getMessage());
    }

    @Test
    void programsWithoutThreadsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Program.define("nobody", p -> p.variable("x")));
    }

    @Test
    void programsDoNotChangeOnceTheyAreDefined() {
        Program program = alone(t -> {});
        assertThrows(IllegalStateException.class, () -> program.variable("late"));
        assertThrows(IllegalStateException.class, () -> program.thread(t -> {}));
    }

    @Test
    void limitsMustMakeSense() {
        AwaitModelChecker checker = AwaitModelChecker.under(Model.SC);
        assertThrows(IllegalArgumentException.class, () -> checker.loopBound(-1));
        assertThrows(IllegalArgumentException.class, () -> checker.maxEvents(0));
        assertThrows(IllegalArgumentException.class, () -> checker.maxExecutions(0));
    }
}
