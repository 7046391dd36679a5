package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Progress reports, and the limit on time. */
class ProgressTest {

    private final List<Progress> heard = new ArrayList<>();
    private final AwaitModelChecker checker =
            AwaitModelChecker.under(Model.RC11).onProgress(heard::add, Duration.ZERO);

    /** All programs with many executions. */
    static Stream<Program> largePrograms() {
        return Stream.concat(
                Benchmark.all().stream()
                        .filter(benchmark -> benchmark.rc11() >= 3_000)
                        .map(Benchmark::program),
                Stream.of(
                        LockPrograms.MCS.counting(4),
                        LockPrograms.HEM.counting(4),
                        LockPrograms.TWA.counting(4),
                        LockPrograms.CAS_TTAS.counting(4)));
    }

    @ParameterizedTest
    @MethodSource("largePrograms")
    void estimateIsWithinAFactorOfTen(Program program) {
        Result result = checker.check(program);
        long total = result.complete() + result.blocked();
        Progress early = heard.stream()
                .filter(progress -> progress.complete() + progress.blocked() >= total / 10)
                .findFirst()
                .orElseThrow();
        long estimate = early.estimatedTotal().orElseThrow();
        assertTrue(estimate >= total / 10 && estimate <= total * 10, () -> estimate + " of " + total);
    }

    @Test
    void estimateIsExactWhereAllWalksAreAlike() {
        Program program = Program.define(
                "choices",
                p -> p.thread(t -> {
                    t.choose(1_000);
                }));
        checker.check(program);
        assertEquals(1_000, heard.get(0).estimatedTotal().orElseThrow());
    }

    @Test
    void progressOnlyGrowsAndStaysBelowItsEstimate() {
        Result result = checker.check(LockPrograms.MCS.counting(4));
        assertTrue(heard.size() > 10, () -> heard.size() + " reports");
        for (int i = 1; i < heard.size(); i++) {
            Progress before = heard.get(i - 1);
            Progress after = heard.get(i);
            assertTrue(
                    after.complete() >= before.complete()
                            && after.blocked() >= before.blocked()
                            && after.elapsed().compareTo(before.elapsed()) >= 0,
                    () -> before + " then " + after);
            assertTrue(
                    after.estimatedTotal().orElse(Long.MAX_VALUE) > after.complete() + after.blocked(),
                    after::toString);
        }
        Progress last = heard.get(heard.size() - 1);
        assertTrue(last.complete() <= result.complete() && last.blocked() <= result.blocked(), last::toString);
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void listeningChangesNoResult(Model model) {
        Program program = LockPrograms.MCS.counting(3);
        assertEquals(
                AwaitModelChecker.under(model).check(program),
                AwaitModelChecker.under(model)
                        .onProgress(heard::add, Duration.ZERO)
                        .check(program));
    }

    @Test
    void errorIsFoundAlsoWhereAWalkMeetsItFirst() {
        Program program = Program.define("fails late", p -> p.thread(t -> t.check(t.choose(200) < 150, "below 150")));
        assertEquals(
                AwaitModelChecker.under(Model.RC11).check(program).toString(),
                checker.check(program).toString());
        assertFalse(heard.isEmpty());
        assertTrue(heard.stream().allMatch(progress -> progress.estimatedTotal().isEmpty()), heard::toString);
    }

    @Test
    void timeLimitEndsTheSearchWithoutAVerdict() {
        Result result = AwaitModelChecker.under(Model.RC11)
                .maxTime(Duration.ofMillis(20))
                .check(LockPrograms.CQS.counting(5));
        assertEquals(Verdict.UNFINISHED, result.verdict());
        assertFalse(result.isVerified());
        assertTrue(result.complete() > 0, result::toString);
    }

    @Test
    void searchThatEndsInTimeIsNotUnfinished() {
        Result result =
                AwaitModelChecker.under(Model.RC11).maxTime(Duration.ofDays(1)).check(LockPrograms.MCS.counting(3));
        assertEquals(Verdict.VERIFIED, result.verdict());
    }

    @Test
    void timeLimitMustBePositive() {
        AwaitModelChecker fresh = AwaitModelChecker.under(Model.SC);
        for (Duration bad : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> fresh.maxTime(bad));
            assertEquals("The limit on time must be positive, but is " + bad + ".", thrown.getMessage());
        }
    }
}
