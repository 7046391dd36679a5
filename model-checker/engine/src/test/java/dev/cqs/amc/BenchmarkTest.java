package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker visits each execution of the common benchmarks exactly once. */
class BenchmarkTest {

    static Stream<Arguments> benchmarks() {
        return Benchmark.all().stream()
                .flatMap(benchmark ->
                        Stream.of(Model.SC, Model.TSO, Model.RC11).map(model -> Arguments.of(benchmark, model)));
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("benchmarks")
    void numberOfExecutionsIsAsPublished(Benchmark benchmark, Model model) {
        Result result = AwaitModelChecker.under(model).check(benchmark.program());
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(benchmark.expected(model), result.complete());
    }

    /** With volatile accesses only, a lock has as many executions as with its weakest modes. */
    @ParameterizedTest
    @CsvSource({"CAS, 6", "MCS, 66", "CLH, 6", "ARRAY, 6", "HEM, 66", "CQS, 258"})
    void strongerModesLeaveTheNumberOfExecutionsAsItIs(LockPrograms lock, long executions) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(lock.counting(3, OtherModes.VOLATILE));
            assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
            assertEquals(executions, result.complete(), () -> "under " + model);
        }
    }
}
