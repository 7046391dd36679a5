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
 * The situations by which the stress tests of the JDK explain the memory model. What they accept can be reached here,
 * and what they forbid can not.
 */
class SituationsTest {

    private static final List<Model> MODELS = List.of(Model.SC, Model.TSO, Model.RC11, Model.RC11_GENMC, Model.JLS);

    static Stream<Situation> situations() {
        return Stream.of(Atomicity.situations(), Order.situations(), Publication.situations(), Misunderstandings.situations(),
                Fences.situations()).flatMap(List::stream);
    }

    static Stream<Arguments> situationsUnderModels() {
        return situations().flatMap(situation -> MODELS.stream().map(model -> Arguments.of(situation, model)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("situationsUnderModels")
    void theOutcomesAreThoseOfTheTable(Situation situation, Model model) {
        Result result = AwaitModelChecker.under(model).instrument("dev.cqs.amc.conformance.litmus").check(situation.scenario());
        assertEquals(situation.verdict(), result.verdict(), result::toString);
        if (situation.verdict() != Verdict.VERIFIED) {
            return;
        }
        Set<List<Long>> found = result.outcomes().keySet();
        situation.never().forEach(outcome -> assertFalse(found.contains(outcome), () -> outcome + " is forbidden"));
        if (model == Model.SC) {
            assertEquals(situation.ordinary(), found);
        } else if (model == Model.RC11) {
            assertEquals(situation.all(), found);
        } else {
            assertTrue(found.containsAll(situation.ordinary()), () -> found + " lacks some of " + situation.ordinary());
            assertTrue(situation.all().containsAll(found), () -> found + " is not within " + situation.all());
        }
    }

    /** A table that contradicts itself would check nothing. */
    @ParameterizedTest
    @MethodSource("situations")
    void noOutcomeIsInTwoColumnsOfATable(Situation situation) {
        situation.weak().forEach(outcome -> assertFalse(situation.ordinary().contains(outcome), outcome::toString));
        situation.never().forEach(outcome -> assertFalse(situation.all().contains(outcome), outcome::toString));
        assertEquals(situation.verdict() == Verdict.VERIFIED, !situation.ordinary().isEmpty());
    }

    @Test
    void eachSituationIsThereOnce() {
        assertEquals(situations().count(), situations().map(Situation::scenario).distinct().count());
        assertEquals(situations().count(), situations().map(Situation::sentence).distinct().count());
    }
}
