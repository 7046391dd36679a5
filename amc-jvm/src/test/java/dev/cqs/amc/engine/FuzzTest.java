package dev.cqs.amc.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.engine.NaiveEnumerator.Found;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On random programs, the engine finds the same executions as all sources times all orders of writes, each once. */
class FuzzTest {

    @Test
    void hundredsOfProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(new Random(20_261_118), 600, false);
    }

    @Test
    void hundredsOfProgramsWithPlainAccessesRaceWhenTheAxiomsSaySo() {
        compare(new Random(4_711), 400, true);
    }

    @Test
    @Tag("slow")
    void tenThousandProgramsHaveTheExecutionsThatTheAxiomsAllow() {
        compare(new Random(1), 10_000, false);
    }

    @Test
    @Tag("slow")
    void thousandsOfProgramsWithPlainAccessesRaceWhenTheAxiomsSaySo() {
        compare(new Random(2), 3_000, true);
    }

    private static void compare(Random random, int programs, boolean plain) {
        EnumSet<Model> models = EnumSet.allOf(Model.class);
        int races = 0;
        long weak = 0;
        for (int i = 0; i < programs; i++) {
            RandomProgram program = RandomProgram.of(random, plain);
            Map<Model, Found> expected = NaiveEnumerator.enumerate(program, models);
            Schedule schedule = randomSchedule(random, program.threads().size());
            for (Model model : models) {
                Found found = expected.get(model);
                Result result = new Explorer(program.toProgram(), Unbounded.options(model), MemoryModel.of(model), schedule)
                        .explore();
                String what = "program " + i + " under " + model + " with " + schedule.seed() + ": " + program;
                assertEquals(found.race ? Verdict.DATA_RACE : Verdict.VERIFIED, result.verdict(), what);
                if (!found.race) {
                    assertEquals(found.executions, result.complete(), what);
                    assertEquals(found.outcomes, words(result.outcomes()), what);
                }
                races += found.race ? 1 : 0;
            }
            weak += expected.get(Model.RC11).executions - expected.get(Model.SC).executions;
        }
        // Otherwise the comparison would say little.
        assertTrue(weak > programs / 3, "the programs show too few weak executions: " + weak);
        assertTrue(!plain || races > programs, "the programs show too few races: " + races);
    }

    private static Schedule randomSchedule(Random random, int threads) {
        List<Integer> order = Permutations.random(random, threads);
        return new Schedule(order.stream().mapToInt(Integer::intValue).toArray(), random.nextInt(3));
    }

    private static Map<String, Long> words(Map<List<Long>, Long> outcomes) {
        Map<String, Long> words = new TreeMap<>();
        outcomes.forEach((outcome, count) -> words.put(
                outcome.stream().map(value -> value + ",").collect(Collectors.joining()), count));
        return words;
    }
}
