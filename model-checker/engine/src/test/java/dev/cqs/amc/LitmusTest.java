package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every litmus test has the outcomes and the number of executions of the literature. */
class LitmusTest {

    static Stream<Arguments> tests() {
        return Litmus.all().stream()
                .flatMap(test ->
                        Stream.of(Model.SC, Model.TSO, Model.RC11, Model.JLS).map(model -> Arguments.of(test, model)));
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("tests")
    void weakOutcomeAndCountAreAsInTheLiterature(Litmus test, Model model) {
        Result result = AwaitModelChecker.under(model).check(test.program());
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        String found = (result.outcomes().containsKey(test.weak()) ? "A" : "F") + result.complete();
        assertEquals(test.expected(model), found, () -> "outcomes: " + result.outcomes());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.cqs.amc.Litmus#all")
    void strongerModelsHaveNoFurtherOutcomes(Litmus test) {
        List<Model> fromStrong = List.of(Model.SC, Model.TSO, Model.RC11);
        for (int i = 1; i < fromStrong.size(); i++) {
            Result strong = AwaitModelChecker.under(fromStrong.get(i - 1)).check(test.program());
            Result weak = AwaitModelChecker.under(fromStrong.get(i)).check(test.program());
            assertEquals(
                    true,
                    weak.outcomes().keySet().containsAll(strong.outcomes().keySet()),
                    () -> strong.outcomes() + " is not within " + weak.outcomes());
        }
    }
}
