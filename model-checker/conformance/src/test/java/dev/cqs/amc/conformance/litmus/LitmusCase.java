package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Verdict;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A litmus test: a scenario with its expected outcomes.
 *
 * @param sentence the property that it shows
 * @param scenario the class
 * @param verdict the verdict under every model
 * @param ordinary the sequentially consistent outcomes
 * @param weak the further outcomes under RC11
 * @param never outcomes that no model allows
 */
record LitmusCase(
        String sentence,
        Class<?> scenario,
        Verdict verdict,
        Set<List<Long>> ordinary,
        Set<List<Long>> weak,
        Set<List<Long>> never) {

    /** A correct scenario. Its outcomes follow. */
    static LitmusCase that(String sentence, Class<?> scenario) {
        return new LitmusCase(sentence, scenario, Verdict.VERIFIED, Set.of(), Set.of(), Set.of());
    }

    /** A scenario with an error under every model. */
    static LitmusCase wrong(String sentence, Class<?> scenario, Verdict verdict) {
        return new LitmusCase(sentence, scenario, verdict, Set.of(), Set.of(), Set.of());
    }

    LitmusCase ordinary(String... outcomes) {
        return ordinary(parse(outcomes));
    }

    LitmusCase ordinary(Set<List<Long>> outcomes) {
        return new LitmusCase(sentence, scenario, verdict, outcomes, weak, never);
    }

    LitmusCase weak(String... outcomes) {
        return weak(parse(outcomes));
    }

    LitmusCase weak(Set<List<Long>> outcomes) {
        return new LitmusCase(sentence, scenario, verdict, ordinary, outcomes, never);
    }

    LitmusCase never(String... outcomes) {
        return never(parse(outcomes));
    }

    LitmusCase never(Set<List<Long>> outcomes) {
        return new LitmusCase(sentence, scenario, verdict, ordinary, weak, outcomes);
    }

    /** All outcomes under RC11. */
    Set<List<Long>> all() {
        Set<List<Long>> all = new LinkedHashSet<>(ordinary);
        all.addAll(weak);
        return all;
    }

    private static Set<List<Long>> parse(String... outcomes) {
        Set<List<Long>> parsed = new LinkedHashSet<>();
        for (String outcome : outcomes) {
            parsed.add(Arrays.stream(outcome.split(" ")).map(Long::valueOf).toList());
        }
        return parsed;
    }

    @Override
    public String toString() {
        return sentence;
    }
}
