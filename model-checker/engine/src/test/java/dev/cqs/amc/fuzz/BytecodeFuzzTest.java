package dev.cqs.amc.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.scenario.LoadedScenario;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.fuzz.TraceEnumerator.Found;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fuzzing: on random classes whose actors make, pass and use objects, the checker finds the same executions as a
 * brute-force enumeration, each once.
 *
 * <p>A failing program is shrunk and printed as Java, with the seed that reproduces it:
 * {@code -Dfuzz.seed=<number> -Dfuzz.programs=1}.
 *
 * <p>One difference is known, and is so rare that none of these programs has it. Under RC11, psc depends on a program
 * order neighbour at another location. An access to an object that has not escaped can be that neighbour, and is not in
 * the graph (see {@code FreshObjects} in the engine). Then the checker has one more execution.
 */
class BytecodeFuzzTest {

    /** One of this many programs is also checked with its actors in another order. */
    private static final int TURNED = 8;

    @Test
    void hundredsOfProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(1_000_000, 400);
    }

    @Test
    @Tag("slow")
    void tenThousandProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(Long.getLong("fuzz.seed", 1), Integer.getInteger("fuzz.programs", 10_000));
    }

    private static void compare(long first, int programs) {
        Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
        Map<Model, Long> executions = new EnumMap<>(Model.class);
        int compared = 0;
        for (long seed = first; compared < programs; seed++) {
            SmallProgram program = Generator.program(seed);
            Map<Model, Found> expected;
            try {
                expected = TraceEnumerator.enumerate(program);
            } catch (TraceEnumerator.TooLarge tooLarge) {
                continue;
            }
            compared++;
            compare(program, expected, seed);
            expected.forEach((model, found) -> {
                verdicts.merge(verdict(found), 1, Integer::sum);
                executions.merge(model, found.executions, Long::sum);
            });
        }
        if (programs > 100) { // else a developer reproduces given programs
            checkVariety(programs, verdicts, executions);
        }
    }

    /** Otherwise the comparison would prove little. */
    private static void checkVariety(int programs, Map<Verdict, Integer> verdicts, Map<Model, Long> executions) {
        assertTrue(verdicts.get(Verdict.VERIFIED) > 3 * programs, "verdicts: " + verdicts);
        assertTrue(verdicts.get(Verdict.DATA_RACE) > programs / 3, "verdicts: " + verdicts);
        assertTrue(verdicts.get(Verdict.HANG) > programs / 6, "verdicts: " + verdicts);
        assertTrue(executions.get(Model.RC11) - executions.get(Model.TSO) > programs, "executions: " + executions);
        assertTrue(executions.get(Model.TSO) - executions.get(Model.SC) > programs / 50, "executions: " + executions);
    }

    private static void compare(SmallProgram program, Map<Model, Found> expected, long seed) {
        LoadedScenario scenario = load(program);
        for (Model model : Model.values()) {
            if (difference(scenario, model, expected.get(model)) != null) {
                fail(report(program, model, seed));
            }
        }
        if (seed % TURNED == 0) {
            List<List<SmallProgram.Op>> turned = new ArrayList<>(program.actors());
            Collections.rotate(turned, 1);
            Found found = expected.get(Model.RC11);
            Result result = check(load(program.withActors(turned)), Model.RC11, false);
            assertTrue(
                    found.race || found.hang || result.complete() == found.executions,
                    () -> "seed " + seed + ": another order of actors makes a difference\n" + result);
        }
    }

    static LoadedScenario load(SmallProgram program) {
        return new LoadedScenario(ProgramClasses.load(program), program.started() == null ? 0 : 1);
    }

    private static Result check(LoadedScenario scenario, Model model, boolean memoized) {
        return scenario.check(new Options(model, 32, 1_000, Long.MAX_VALUE), memoized);
    }

    /** The difference between the checker and the enumerator, or null. */
    static String difference(LoadedScenario scenario, Model model, Found expected) {
        String difference = difference(scenario, model, expected, false);
        return difference != null ? difference : difference(scenario, model, expected, true);
    }

    private static String difference(LoadedScenario scenario, Model model, Found expected, boolean memoized) {
        Result result;
        try {
            result = check(scenario, model, memoized);
        } catch (RuntimeException | Error thrown) {
            return "the checker throws " + thrown;
        }
        if (expected.race && result.verdict() == Verdict.DATA_RACE
                || expected.hang && result.verdict() == Verdict.HANG) {
            return null; // the search ends at the first error
        }
        if (result.verdict() != verdict(expected)) {
            return "the checker says " + result.verdict() + " instead of " + verdict(expected) + "\n" + result;
        }
        if (!expected.outcomes.equals(result.outcomes()) || result.complete() != expected.executions) {
            return "the checker finds " + result.complete() + " executions instead of " + expected.executions + "\n    "
                    + result.outcomes() + "\ninstead of\n    " + expected.outcomes;
        }
        return null;
    }

    private static Verdict verdict(Found expected) {
        return expected.race
                ? Verdict.DATA_RACE
                : expected.hang ? Verdict.HANG : expected.executions == 0 ? Verdict.NOTHING_COMPLETE : Verdict.VERIFIED;
    }

    static String difference(SmallProgram program, Model model) {
        try {
            return difference(
                    load(program), model, TraceEnumerator.enumerate(program).get(model));
        } catch (TraceEnumerator.TooLarge tooLarge) {
            return null;
        }
    }

    static String report(SmallProgram program, Model model, long seed) {
        SmallProgram smallest = Shrinker.shrink(program, smaller -> difference(smaller, model) != null);
        return "seed " + seed + " under " + model + ": " + difference(smallest, model) + "\n\n" + smallest
                + "\noriginally\n\n" + program;
    }
}
