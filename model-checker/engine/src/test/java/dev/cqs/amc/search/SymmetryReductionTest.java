package dev.cqs.amc.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.search.NaiveEnumerator.Found;
import dev.cqs.amc.search.RandomProgram.Extra;
import dev.cqs.amc.search.RandomProgram.Op;
import dev.cqs.amc.search.RandomProgram.What;
import dev.cqs.amc.threads.RunnableSubject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Symmetry reduction: of two executions that differ only in which of two symmetric threads is which, the engine finds
 * one.
 */
class SymmetryReductionTest {

    private static final EnumSet<Model> MODELS = EnumSet.allOf(Model.class);

    /** A program in which one thread is symmetric to the thread before it. */
    private static final class Following extends Wrapped {

        private final int follower;

        Following(Program program, int follower) {
            super(program);
            this.follower = follower;
        }

        @Override
        public int follower() {
            return follower;
        }
    }

    @Test
    void hundredsOfProgramsHaveOneOfEachPair() {
        compare(new Random(1_119), 1_000, Extra.NOTHING);
    }

    @Test
    void hundredsOfProgramsWithPlainAccessesRaceWhenTheAxiomsSaySo() {
        compare(new Random(1_120), 400, Extra.PLAIN_ACCESSES);
    }

    @Test
    void hundredsOfProgramsWithAwaitsHangWhenTheAxiomsSaySo() {
        compare(new Random(1_121), 600, Extra.AWAITS);
    }

    @Test
    @Tag("slow")
    void tenThousandProgramsHaveOneOfEachPair() {
        compare(new Random(1_122), 10_000, Extra.NOTHING);
        compare(new Random(1_123), 5_000, Extra.AWAITS);
    }

    private static void compare(Random random, int programs, Extra extra) {
        for (int i = 0; i < programs; i++) {
            RandomProgram program;
            int follower;
            do {
                RandomProgram any = RandomProgram.of(random, extra);
                follower = 1 + random.nextInt(any.threads().size() - 1);
                program = any.withLike(follower);
            } while (!program.isSmall());
            List<Integer> order = Permutations.random(random, program.threads().size());
            check(
                    program,
                    follower,
                    new Schedule(order.stream().mapToInt(Integer::intValue).toArray(), random.nextInt(3)));
        }
    }

    private static void check(RandomProgram program, int follower, Schedule schedule) {
        Map<Model, Found> expected = NaiveEnumerator.enumerate(program, MODELS);
        for (Model model : MODELS) {
            String what =
                    "thread " + follower + " follows under " + model + " in the order " + schedule + ": " + program;
            RunnableSubject subject = new Following(program.toProgram(), follower);
            Result result = new Explorer(subject, Unbounded.options(model), MemoryModel.of(model), schedule).explore();
            Found all = expected.get(model);
            assertEquals(
                    all.race ? Verdict.DATA_RACE : all.hang ? Verdict.HANG : Verdict.VERIFIED, result.verdict(), what);
            if (result.verdict() == Verdict.VERIFIED) {
                checkPairs(program, follower, all, result, what);
            }
        }
    }

    private static void checkPairs(RandomProgram program, int follower, Found all, Result result, String what) {
        if (program.threads().get(follower).stream().anyMatch(SymmetryReductionTest::alwaysWrites)) {
            // No execution is its own mirror image: two writes cannot have the same position in coherence order.
            assertEquals(all.executions, 2 * result.complete(), what);
        }
        Set<List<Long>> outcomes = new HashSet<>();
        for (List<Long> outcome : result.outcomes().keySet()) {
            outcomes.add(outcome);
            outcomes.add(swapped(program, follower, outcome));
        }
        Set<List<Long>> wanted = new HashSet<>();
        for (String outcome : all.outcomes.keySet()) {
            List<Long> values = new ArrayList<>();
            for (String value : outcome.isEmpty() ? new String[0] : outcome.split(",")) {
                values.add(Long.valueOf(value));
            }
            wanted.add(values);
        }
        assertEquals(wanted, outcomes, what);
    }

    private static boolean alwaysWrites(Op op) {
        return op.what() == What.STORE || op.what() == What.SET || op.what() == What.ADD;
    }

    private static List<Long> swapped(RandomProgram program, int follower, List<Long> outcome) {
        int begin = 0;
        for (List<Op> ops : program.threads().subList(0, follower - 1)) {
            begin += reads(ops);
        }
        int each = reads(program.threads().get(follower));
        List<Long> swapped = new ArrayList<>(outcome);
        for (int i = begin; i < begin + each; i++) {
            swapped.set(i, outcome.get(i + each));
            swapped.set(i + each, outcome.get(i));
        }
        return swapped;
    }

    private static int reads(List<Op> ops) {
        return (int) ops.stream().filter(Op::reads).count();
    }

    /**
     * The leader reads from the newest write, and lets another thread write the older value that the follower reads.
     * Swapped, the leader would read from a write that depends on the follower.
     */
    @Test
    void followerMayReadWhatIsOlderAndDependsOnTheLeader() {
        List<Op> like = List.of(load(0), store(1, 1));
        RandomProgram program =
                new RandomProgram(2, List.of(like, like, List.of(load(1), store(0, 1)), List.of(store(0, 2))));
        assertTrue(NaiveEnumerator.enumerate(program, MODELS)
                .get(Model.RC11)
                .outcomes
                .containsKey("2,1,1,"));
        check(program, 1, Schedule.inOrder(4));
    }

    private static Op load(int location) {
        return new Op(What.LOAD, location, Mode.OPAQUE, 0, 0);
    }

    private static Op store(int location, long value) {
        return new Op(What.STORE, location, Mode.OPAQUE, 0, value);
    }
}
