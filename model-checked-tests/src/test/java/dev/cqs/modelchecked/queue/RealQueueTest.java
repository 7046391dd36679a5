package dev.cqs.modelchecked.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The queue, with segments of one cell, is correct in every execution of the scenarios. */
class RealQueueTest {

    static AwaitModelChecker checker(Model model) {
        // The race of a canceller with the operation that removes its waiter from the queue is intended: see Waiter.
        return AwaitModelChecker.under(model).instrument("dev.cqs").allowRaces("dev.cqs.Waiter.cellRef");
    }

    static Stream<Arguments> scenarios() {
        return Stream.concat(
                QueueScenarios.OF_TWO.stream()
                        .flatMap(scenario -> Stream.of(Model.values()).map(model -> Arguments.of(scenario, model))),
                Stream.of(QueueScenarios.OF_THREE, QueueScenarios.OF_FOUR)
                        .flatMap(List::stream)
                        .map(scenario -> Arguments.of(scenario, Model.RC11)));
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("scenarios")
    void everyExecutionIsRight(Class<?> scenario, Model model) {
        Result result = checker(model).check(scenario);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertFalse(result.boundHit());
    }
}
