package dev.cqs.amc.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Benchmark;
import dev.cqs.amc.Litmus;
import dev.cqs.amc.LockPrograms;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.OtherModes;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.models.MemoryModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The explored executions do not depend on the schedule in which threads extend a graph. */
class SchedulingTest {

    /** Larger programs would take too long with many schedules. */
    private static final long MOST_EXECUTIONS = 600;

    private static Result explore(Program program, Model model, Schedule schedule) {
        return new Explorer(program, Unbounded.options(model), MemoryModel.of(model), schedule).explore();
    }

    private static Stream<Program> programs() {
        return Stream.concat(
                Litmus.all().stream().map(Litmus::program),
                Benchmark.all().stream()
                        .filter(one -> one.rc11() <= MOST_EXECUTIONS)
                        .map(Benchmark::program));
    }

    private static void permute(Model model, int schedulesEach) {
        Random random = new Random(42);
        for (Program program : programs().toList()) {
            int threads = program.bodies().size();
            Result expected = explore(program, model, Schedule.inOrder(threads));
            for (int i = 0; i < schedulesEach; i++) {
                int[] order = Permutations.random(random, threads).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
                Result result = explore(program, model, new Schedule(order, i));
                String what = program + " in the order " + Arrays.toString(order) + " with seed " + i;
                assertEquals(expected.verdict(), result.verdict(), what);
                assertEquals(expected.complete(), result.complete(), what);
                assertEquals(expected.outcomes(), result.outcomes(), what);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void executionsDoNotDependOnTheOrderOfThreads(Model model) {
        permute(model, 2);
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    @Tag("slow")
    void executionsDoNotDependOnManyOrdersOfThreads(Model model) {
        permute(model, 8);
    }

    @Test
    void explorationIsDeterministic() {
        for (LockPrograms lock : LockPrograms.values()) {
            Result one = explore(lock.counting(3), Model.RC11, Schedule.inOrder(3));
            Result other = explore(lock.counting(3), Model.RC11, Schedule.inOrder(3));
            assertEquals(one, other);
        }
    }

    /** Each site of a lock made opaque, one at a time: the verdict does not depend on the schedule, nor on pruning. */
    @ParameterizedTest
    @EnumSource(LockPrograms.class)
    void weakenedLocksHaveOneVerdict(LockPrograms lock) {
        int bad = 0;
        for (String site : sites(lock)) {
            Program program = lock.counting(2, (at, mode) -> at.equals(site) ? Mode.OPAQUE : mode);
            boolean error =
                    explore(program, Model.RC11, Schedule.inOrder(2)).verdict().isError();
            assertEquals(
                    error,
                    explore(program, Model.RC11, new Schedule(new int[] {1, 0}, 0))
                            .verdict()
                            .isError(),
                    site);
            assertEquals(
                    error,
                    explore(program, Model.RC11, new Schedule(new int[] {0, 1}, 5))
                            .verdict()
                            .isError(),
                    site);
            Explorer unpruned = new Explorer(
                    program, Unbounded.options(Model.RC11), MemoryModel.of(Model.RC11), Schedule.inOrder(2));
            unpruned.keepHopeless();
            assertEquals(error, unpruned.explore().verdict().isError(), site);
            bad += error ? 1 : 0;
        }
        // An acquire and a release at least.
        assertTrue(bad >= 2, "weakening breaks this lock at " + bad + " places only");
    }

    private static List<String> sites(LockPrograms lock) {
        Set<String> sites = new LinkedHashSet<>();
        OtherModes collecting = (site, mode) -> {
            sites.add(site);
            return mode;
        };
        assertEquals(
                Verdict.VERIFIED,
                explore(lock.counting(2, collecting), Model.RC11, Schedule.inOrder(2))
                        .verdict());
        return new ArrayList<>(sites);
    }

    @Test
    void pruningLeavesCompleteExecutionsAsTheyAre() {
        for (LockPrograms lock : LockPrograms.values()) {
            Program program = lock.counting(3);
            Result pruned = explore(program, Model.RC11, Schedule.inOrder(3));
            Explorer explorer = new Explorer(
                    program, Unbounded.options(Model.RC11), MemoryModel.of(Model.RC11), Schedule.inOrder(3));
            explorer.keepHopeless();
            Result unpruned = explorer.explore();
            assertEquals(pruned.verdict(), unpruned.verdict());
            assertEquals(pruned.complete(), unpruned.complete());
            assertTrue(pruned.blocked() <= unpruned.blocked());
        }
    }
}
