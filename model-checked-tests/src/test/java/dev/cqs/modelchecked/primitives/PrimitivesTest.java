package dev.cqs.modelchecked.primitives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Result;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each primitive, with segments of one cell, is correct in every execution of the cases. */
class PrimitivesTest {

    static List<Case> cases() {
        return Cases.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void everyExecutionIsRight(Case each) {
        Result result = each.checker().check(each.scenario());
        assertEquals(each.expected(), result.verdict(), result::toString);
        assertTrue(result.complete() > 0, "at least one execution is complete");
    }
}
