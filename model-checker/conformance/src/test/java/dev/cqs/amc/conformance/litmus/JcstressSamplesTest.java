package dev.cqs.amc.conformance.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The samples with which jcstress, the stress tests of the JDK, explains the memory model. Outcomes that they accept
 * are reachable here, and outcomes that they forbid are not.
 */
class JcstressSamplesTest {

    private static final List<Model> MODELS = List.of(Model.SC, Model.TSO, Model.RC11, Model.RC11_GENMC, Model.JLS);

    static Stream<LitmusCase> cases() {
        return Stream.of(
                        Atomicity.cases(),
                        Order.cases(),
                        Publication.cases(),
                        Misunderstandings.cases(),
                        Fences.cases())
                .flatMap(List::stream);
    }

    static Stream<Arguments> casesUnderModels() {
        return cases().flatMap(litmus -> MODELS.stream().map(model -> Arguments.of(litmus, model)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("casesUnderModels")
    void theOutcomesAreThoseOfTheTable(LitmusCase litmus, Model model) {
        Result result = AwaitModelChecker.under(model)
                .instrument("dev.cqs.amc.conformance.litmus")
                .check(litmus.scenario());
        assertEquals(litmus.verdict(), result.verdict(), result::toString);
        if (litmus.verdict() != Verdict.VERIFIED) {
            return;
        }
        Set<List<Long>> found = result.outcomes().keySet();
        litmus.never().forEach(outcome -> assertFalse(found.contains(outcome), () -> outcome + " is forbidden"));
        if (model == Model.SC) {
            assertEquals(litmus.ordinary(), found);
        } else if (model == Model.RC11) {
            assertEquals(litmus.all(), found);
        } else {
            assertTrue(found.containsAll(litmus.ordinary()), () -> found + " lacks some of " + litmus.ordinary());
            assertTrue(litmus.all().containsAll(found), () -> found + " is not within " + litmus.all());
        }
    }

    /** The tables do not contradict themselves. */
    @ParameterizedTest
    @MethodSource("cases")
    void noOutcomeIsInTwoColumnsOfATable(LitmusCase litmus) {
        litmus.weak().forEach(outcome -> assertFalse(litmus.ordinary().contains(outcome), outcome::toString));
        litmus.never().forEach(outcome -> assertFalse(litmus.all().contains(outcome), outcome::toString));
        assertEquals(litmus.verdict() == Verdict.VERIFIED, !litmus.ordinary().isEmpty());
    }

    @Test
    void eachCaseIsThereOnce() {
        assertEquals(
                cases().count(), cases().map(LitmusCase::scenario).distinct().count());
        assertEquals(
                cases().count(), cases().map(LitmusCase::sentence).distinct().count());
    }
}
