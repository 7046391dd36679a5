package dev.cqs.amc.conformance.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Change;
import dev.cqs.amc.CounterExample.Effect;
import dev.cqs.amc.CounterExample.Repair;
import dev.cqs.amc.CounterExample.Step;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counter-examples of ordinary classes name lines and objects as in the source, have repairs, and can be replayed. */
class ReportsTest {

    private static AwaitModelChecker checker() {
        return AwaitModelChecker.under(Model.RC11);
    }

    private static CounterExample example(Wrong wrong) {
        return checker().check(wrong.scenario).counterExample();
    }

    @ParameterizedTest
    @EnumSource(Wrong.class)
    void executionRunsAgainAsItWas(Wrong wrong) {
        for (Model model : Model.values()) {
            AwaitModelChecker checker = AwaitModelChecker.under(model);
            Result found = checker.check(wrong.scenario);
            if (wrong == Wrong.HANGS && (model == Model.SC || model == Model.TSO)) {
                assertTrue(found.isVerified(), found::toString);
                continue;
            }
            assertEquals(wrong.verdict, found.verdict(), found::toString);
            Result again = checker.replay(wrong.scenario, found.counterExample().replay());
            assertEquals(found.counterExample(), again.counterExample(), () -> found + "\n" + again);
            assertEquals(found.verdict(), again.verdict());
        }
    }

    @ParameterizedTest
    @EnumSource(Wrong.class)
    void everyAccessHasALineOfThisScenario(Wrong wrong) {
        for (Step step : example(wrong).steps()) {
            assertTrue(step.place() != null && step.place().matches("Wrong\\.java:\\d+"), step::toString);
        }
    }

    @Test
    void objectsAreNamedByTheWayThatLeadsThere() {
        List<String> operations =
                example(Wrong.THROWS).steps().stream().map(Step::operation).toList();
        assertEquals(List.of("write.volatile index = 1", "read.volatile index = 1"), operations);
        List<String> monitors = example(Wrong.HANGS_IN_MONITORS).steps().stream()
                .map(Step::operation)
                .toList();
        assertTrue(monitors.get(0).startsWith("cas.acquire/opaque monitor of "), monitors::toString);
    }

    @Test
    void exceptionIsTracedInTheScenarioOnly() {
        List<String> reasons = example(Wrong.THROWS).explanation().reasons();
        assertEquals("java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1", reasons.get(0));
        assertTrue(
                reasons.get(1)
                        .matches(
                                " {4}at dev\\.cqs\\.amc\\.conformance\\.reports\\.Wrong\\$Throws\\.cell \\(Wrong\\.java:\\d+\\)"),
                reasons::toString);
        assertTrue(
                reasons.get(2)
                        .matches(
                                " {4}at dev\\.cqs\\.amc\\.conformance\\.reports\\.Wrong\\$Throws\\.reads \\(Wrong\\.java:\\d+\\)"),
                reasons::toString);
        assertEquals(3, reasons.size(), reasons::toString);
    }

    @Test
    void threadThatJoinsIsSaidToWait() {
        CounterExample example = example(Wrong.HANGS_IN_A_JOIN);
        assertTrue(example.explanation().reasons().contains("joins waits for the end of thread 0."), example::text);
        assertEquals(List.of("joins", "thread 0"), example.threads());
    }

    @Test
    void repairIsCheckedOnTheWholeScenario() {
        Repair repair = example(Wrong.RACES).explanation().repairs().get(0);
        assertEquals(
                List.of(Mode.RELEASE),
                repair.changes().stream().map(Change::mode).toList());
        assertEquals("Wrong.Races.writes:setOpaque#0", repair.changes().get(0).site());
        assertEquals(Effect.VERIFIED, repair.effect());
        assertTrue(checker()
                .withMode(repair.changes().get(0).site(), Mode.RELEASE)
                .check(Wrong.RACES.scenario)
                .isVerified());
    }

    @Test
    void repairThatIsNotEnoughIsCompleted() {
        Repair repair = example(Wrong.SPINS_PLAINLY).explanation().repairs().get(0);
        assertEquals(
                List.of("Wrong.SpinsPlainly.spins:read ready#0", "Wrong.SpinsPlainly.sets:write ready#0"),
                repair.changes().stream().map(Change::site).toList());
        assertEquals(List.of(2, 0), repair.changes().stream().map(Change::step).toList());
        assertEquals(Effect.VERIFIED, repair.effect());
    }

    // Recordings

    @Test
    void otherScenarioIsRefused() {
        String recorded = example(Wrong.RACES).replay();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> checker().replay(Wrong.HANGS.scenario, recorded))
                .getMessage()
                .startsWith("The recorded execution is of \"dev.cqs.amc.conformance.reports.Wrong$Races\", not of "));
    }

    @Test
    void damagedTextIsRefused() {
        String recorded = example(Wrong.RACES).replay();
        for (String damaged : List.of(
                "",
                recorded.substring(1),
                recorded.substring(0, recorded.length() / 2),
                recorded.replace("42", "43"))) {
            assertThrows(IllegalArgumentException.class, () -> checker().replay(Wrong.RACES.scenario, damaged));
        }
    }

    @Test
    void changedModeIsNoticed() {
        String recorded = example(Wrong.RACES).replay();
        AwaitModelChecker changed = checker().withMode("Wrong.Races.writes:setOpaque#0", Mode.RELEASE);
        assertEquals(
                "writes does \"write.release ready = true\" as its event 1, where \"write.opaque ready = true\" is recorded: the code,"
                        + " or what it depends on, has changed since.",
                assertThrows(
                                NondeterministicProgramException.class,
                                () -> changed.replay(Wrong.RACES.scenario, recorded))
                        .getMessage());
    }

    @Test
    void reportsOfOneCheckDoNotDisturbTheNext() {
        CounterExample one = example(Wrong.FAILS_WITH_OBJECTS_OF_OTHERS);
        checker().replay(Wrong.FAILS_WITH_OBJECTS_OF_OTHERS.scenario, one.replay());
        assertEquals(one, example(Wrong.FAILS_WITH_OBJECTS_OF_OTHERS));
    }
}
