package dev.cqs.amc.conformance.bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bugs of real code are found in ordinary classes, with the right verdict, and the repaired classes are verified. */
class BugsTest {

    static Stream<Bug> bugs() {
        return Stream.concat(LockBugs.bugs().stream(), WaitingBugs.bugs().stream());
    }

    static Stream<Arguments> bugsUnderModels() {
        return bugs().flatMap(bug -> Stream.of(Model.values()).map(model -> Arguments.of(bug, model)));
    }

    static Stream<Arguments> repaired() {
        return bugs().map(Bug::repaired)
                .distinct()
                .flatMap(scenario -> Stream.of(Model.values()).map(model -> Arguments.of(scenario, model)));
    }

    private static Result check(Class<?> scenario, Model model) {
        return AwaitModelChecker.under(model)
                .instrument("dev.cqs.amc.conformance")
                .check(scenario);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bugsUnderModels")
    void isFoundWhereItShows(Bug bug, Model model) {
        Result result = check(bug.wrong(), model);
        if (bug.hidden().contains(model)) {
            assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
            return;
        }
        assertEquals(bug.verdict(), result.verdict(), result::toString);
        assertNotNull(result.counterExample());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("repaired")
    void isGoneAfterTheRepair(Class<?> scenario, Model model) {
        assertEquals(
                Verdict.VERIFIED,
                check(scenario, model).verdict(),
                () -> check(scenario, model).toString());
    }
}
