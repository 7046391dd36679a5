package dev.cqs.amc.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Assertions on scenarios, for the tests of this package. */
public final class Checking {

    private Checking() {}

    public static Result check(Class<?> scenario) {
        return AwaitModelChecker.under(Model.RC11).check(scenario);
    }

    /** Checks that the scenario has this verdict. */
    public static Result expect(Class<?> scenario, Verdict verdict) {
        Result result = check(scenario);
        assertEquals(verdict, result.verdict(), result::toString);
        return result;
    }

    /** Checks that the scenario is verified, with this number of executions. */
    public static Result verified(Class<?> scenario, long executions) {
        Result result = expect(scenario, Verdict.VERIFIED);
        assertEquals(executions, result.complete(), result::toString);
        return result;
    }

    /** The outcomes, each as text such as {@code 1,0}. */
    public static Set<String> outcomes(Class<?> scenario) {
        Result result = expect(scenario, Verdict.VERIFIED);
        return result.outcomes().keySet().stream()
                .map(outcome -> outcome.stream().map(String::valueOf).collect(Collectors.joining(",")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public static Set<String> set(String... outcomes) {
        return new TreeSet<>(Arrays.asList(outcomes));
    }

    /** Checks that the scenario is refused, with a message that contains all of {@code words}. */
    public static void refused(Class<?> scenario, String... words) {
        UncheckableException refusal = assertThrows(UncheckableException.class, () -> check(scenario));
        for (String word : List.of(words)) {
            assertTrue(
                    refusal.getMessage().contains(word), () -> "\"" + refusal.getMessage() + "\" does not say " + word);
        }
    }
}
