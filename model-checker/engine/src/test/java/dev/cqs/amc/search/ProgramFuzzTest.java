package dev.cqs.amc.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.search.NaiveEnumerator.Found;
import dev.cqs.amc.search.RandomProgram.Extra;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fuzzing: on random programs, the engine finds the same executions as the brute-force enumeration, each once. */
class ProgramFuzzTest {

    @Test
    void hundredsOfProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(new Random(20_261_118), 600, Extra.NOTHING);
    }

    @Test
    void hundredsOfProgramsWithPlainAccessesRaceWhenTheAxiomsSaySo() {
        compare(new Random(4_711), 400, Extra.PLAIN_ACCESSES);
    }

    @Test
    void hundredsOfProgramsWithAwaitsHangWhenTheAxiomsSaySo() {
        compare(new Random(815), 600, Extra.AWAITS);
    }

    @Test
    @Tag("slow")
    void tenThousandProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(new Random(1), 10_000, Extra.NOTHING);
    }

    @Test
    @Tag("slow")
    void thousandsOfProgramsWithPlainAccessesRaceWhenTheAxiomsSaySo() {
        compare(new Random(2), 3_000, Extra.PLAIN_ACCESSES);
    }

    @Test
    @Tag("slow")
    void thousandsOfProgramsWithAwaitsHangWhenTheAxiomsSaySo() {
        compare(new Random(3), 5_000, Extra.AWAITS);
    }

    private static void compare(Random random, int programs, Extra extra) {
        EnumSet<Model> models = EnumSet.allOf(Model.class);
        Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
        long weak = 0;
        for (int i = 0; i < programs; i++) {
            RandomProgram program = RandomProgram.of(random, extra);
            Map<Model, Found> expected = NaiveEnumerator.enumerate(program, models);
            Schedule schedule = randomSchedule(random, program.threads().size());
            for (Model model : models) {
                String what = "program " + i + " under " + model + " with seed " + schedule.seed() + ": " + program;
                Result result = new Explorer(
                                program.toProgram(), Unbounded.options(model), MemoryModel.of(model), schedule)
                        .explore();
                check(expected.get(model), result, what);
                verdicts.merge(result.verdict(), 1, Integer::sum);
            }
            weak += expected.get(Model.RC11).executions - expected.get(Model.SC).executions;
        }
        // Otherwise the comparison would prove little.
        assertTrue(weak > programs / 3 || extra == Extra.AWAITS, "the programs show too few weak executions: " + weak);
        Verdict error = extra == Extra.AWAITS ? Verdict.HANG : Verdict.DATA_RACE;
        assertEquals(extra != Extra.NOTHING, verdicts.getOrDefault(error, 0) > programs / 2, "verdicts: " + verdicts);
        assertTrue(verdicts.getOrDefault(Verdict.VERIFIED, 0) > programs / 2, "verdicts: " + verdicts);
    }

    private static void check(Found expected, Result result, String what) {
        Verdict verdict = expected.race ? Verdict.DATA_RACE : expected.hang ? Verdict.HANG : Verdict.VERIFIED;
        assertEquals(verdict, result.verdict(), what);
        if (verdict == Verdict.VERIFIED) {
            assertEquals(expected.executions, result.complete(), what);
            assertEquals(expected.outcomes, words(result.outcomes()), what);
        }
    }

    private static Schedule randomSchedule(Random random, int threads) {
        List<Integer> order = Permutations.random(random, threads);
        return new Schedule(order.stream().mapToInt(Integer::intValue).toArray(), random.nextInt(3));
    }

    private static Map<String, Long> words(Map<List<Long>, Long> outcomes) {
        Map<String, Long> words = new TreeMap<>();
        outcomes.forEach((outcome, count) ->
                words.put(outcome.stream().map(value -> value + ",").collect(Collectors.joining()), count));
        return words;
    }
}
