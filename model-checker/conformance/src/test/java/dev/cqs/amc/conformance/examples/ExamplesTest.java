package dev.cqs.amc.conformance.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of the user's guide have the results that the guide shows. */
class ExamplesTest {

    private final AwaitModelChecker checker = AwaitModelChecker.under(Model.RC11);

    @Test
    void anIncrementCanBeLost() {
        Result result = AwaitModelChecker.under(Model.SC).check(Increments.class);
        assertEquals(Set.of(List.of(1L), List.of(2L)), result.outcomes().keySet());
    }

    @Test
    void readerSeesTheData() {
        Result result = AwaitModelChecker.under(Model.RC11).check(MessagePassing.class);
        result.assertVerified();
        assertEquals(Map.of(List.of(42L), 1L), result.outcomes()); // one execution, and the reader returns 42
    }

    @Test
    void opaqueFlagIsTooWeak() {
        Result result = checker.withMode("MessagePassing.writer:setRelease#0", Mode.OPAQUE)
                .check(MessagePassing.class);
        assertEquals(Verdict.DATA_RACE, result.verdict());
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void petersonsLockNeedsMoreThanReleases(Model model) {
        Verdict verdict =
                AwaitModelChecker.under(model).check(PetersonLock.class).verdict();
        assertEquals(model == Model.SC ? Verdict.VERIFIED : Verdict.DATA_RACE, verdict);
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void petersonsLockIsRightWithVolatileAccesses(Model model) {
        Result result = AwaitModelChecker.under(model)
                .withMode("PetersonLock.lock:setRelease#0", Mode.VOLATILE)
                .withMode("PetersonLock.lock:setRelease#1", Mode.VOLATILE)
                .withMode("PetersonLock.lock:getAcquire#0", Mode.VOLATILE)
                .withMode("PetersonLock.lock:getAcquire#1", Mode.VOLATILE)
                .check(PetersonLock.class);
        assertTrue(result.isVerified(), result::toString);
    }
}
