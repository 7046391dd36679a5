package dev.cqs.amc.conformance.bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Change;
import dev.cqs.amc.CounterExample.Explanation;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reports on known bugs explain the bugs. */
class BugReportsTest {

    private static AwaitModelChecker checker(Model model) {
        return AwaitModelChecker.under(model).instrument("dev.cqs.amc.conformance");
    }

    static Stream<Arguments> shownBugs() {
        return BugsTest.bugs()
                .flatMap(bug -> Stream.of(Model.values())
                        .filter(model -> !bug.hidden().contains(model))
                        .map(model -> Arguments.of(bug, model)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("shownBugs")
    void runsAgainAsItWas(Bug bug, Model model) {
        Result found = checker(model).check(bug.wrong());
        Result again = checker(model).replay(bug.wrong(), found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample(), () -> found + "\n" + again);
    }

    /** A model that hides a bug also forbids its execution. */
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("shownBugs")
    void isNotSaidToHappenWhereItIsHidden(Bug bug, Model model) {
        Explanation explanation =
                checker(model).check(bug.wrong()).counterExample().explanation();
        assertTrue(explanation.models().stream().noneMatch(bug.hidden()::contains), explanation::toString);
        assertTrue(
                explanation.models().contains(model == Model.RC11_GENMC ? Model.RC11 : model), explanation::toString);
        assertEquals(explanation.isOrdinary(), explanation.cycle().isEmpty());
    }

    private static CounterExample example(Class<?> wrong) {
        return checker(Model.RC11).check(wrong).counterExample();
    }

    @Test
    void lostWakeUpIsAnOrdinaryScheduleThatNoModeRepairs() {
        CounterExample example = example(WaitingBugs.LooksOnce.class);
        assertTrue(example.explanation().isOrdinary());
        assertEquals(List.of(), example.explanation().repairs());
        assertTrue(
                example.text()
                        .contains(
                                "polls thread sleeps.permit, and gets 0, the initial value. No thread writes to it.\n"),
                example::text);
    }

    @Test
    void accessOfAnAtomicClassIsSaidToBeWhereItIsCalled() {
        CounterExample example = example(LockBugs.OpaqueResume.class);
        assertTrue(
                example.steps().stream()
                        .allMatch(step -> step.place().matches("(LockBugs|LockClient|CqsMutex)\\.java:\\d+")),
                example::text);
        assertTrue(
                example.steps().stream()
                        .anyMatch(step -> step.operation().equals("cas.opaque lock.waiters[1].slot = 0 -> 1")),
                example::text);
    }

    /** The first value of a field is written where its object escapes, in the mode of the field's declaration. */
    @Test
    void publicationIsNotTakenForTheWriteThatPublishes() {
        CounterExample example = example(WaitingBugs.PublishesOpaquely.class);
        List<Change> changes = example.explanation().repairs().get(0).changes();
        assertEquals(1, changes.size());
        assertTrue(example.step(changes.get(0).step()).operation().startsWith("write.opaque "), example::text);
    }
}
