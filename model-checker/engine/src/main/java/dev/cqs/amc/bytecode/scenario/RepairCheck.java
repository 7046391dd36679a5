package dev.cqs.amc.bytecode.scenario;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Change;
import dev.cqs.amc.CounterExample.Effect;
import dev.cqs.amc.CounterExample.Repair;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.classes.Settings;
import dev.cqs.amc.check.Options;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the check of a scenario again with the repairs that one execution suggests. If another execution is wrong then, what
 * that one suggests is added, and so on for a few rounds.
 */
public final class RepairCheck {

    /** A check that takes longer than that says nothing about a repair. */
    private static final long MOST_EXECUTIONS = 10_000;

    private static final int MOST_ROUNDS = 4;

    private final Class<?> scenario;
    private final Settings settings;
    private final Options options;

    /** For the scenario of a check with these arguments of {@link ScenarioCheck#check}. */
    public RepairCheck(Class<?> scenario, Settings settings, Options options) {
        this.scenario = scenario;
        this.settings = settings;
        this.options = options.withMaxExecutions(Math.min(options.maxExecutions(), MOST_EXECUTIONS))
                .withListener(null, options.progressInterval());
    }

    /** The result, with what is known of its repairs. */
    public Result of(Result result) {
        CounterExample example = result.counterExample();
        if (example == null) {
            return result;
        }
        List<Repair> repairs = new ArrayList<>();
        boolean done = false;
        for (Repair repair : example.explanation().repairs()) {
            Repair tried = done || !isNamed(repair) ? repair : tryOut(repair);
            done |= tried.effect() == Effect.VERIFIED;
            repairs.add(tried);
        }
        // What is known to repair it comes first.
        repairs.sort(
                (one, other) -> Boolean.compare(other.effect() == Effect.VERIFIED, one.effect() == Effect.VERIFIED));
        return result.withCounterExample(example.withRepairs(repairs));
    }

    /** Whether a check can be told to make the changes. */
    private static boolean isNamed(Repair repair) {
        return repair.changes().stream().allMatch(change -> change.site() != null);
    }

    private Repair tryOut(Repair repair) {
        Map<String, Change> changes = new LinkedHashMap<>();
        List<Change> more = repair.changes();
        Effect effect = repair.effect();
        for (int round = 0; round < MOST_ROUNDS && more != null; round++) {
            more.forEach(change -> changes.put(change.site(), change));
            Result result = check(changes);
            if (result.isVerified() || result.verdict() == Verdict.VERIFIED_UP_TO_BOUND) {
                return new Repair(List.copyOf(changes.values()), Effect.VERIFIED);
            }
            effect = result.verdict().isError() ? Effect.ANOTHER_ERROR : repair.effect();
            more = next(result);
        }
        return repair.with(effect);
    }

    @SuppressWarnings("NullAway") // the sites are known
    private Result check(Map<String, Change> changes) {
        Settings changed = settings;
        for (Change change : changes.values()) {
            changed = changed.withMode(change.site(), change.mode());
        }
        return ScenarioCheck.check(scenario, changed, options);
    }

    /** What the next execution that is wrong suggests, or null. Its steps have other numbers. */
    private static @Nullable List<Change> next(Result result) {
        return result.counterExample() == null
                ? null
                : result.counterExample().explanation().repairs().stream()
                        .filter(RepairCheck::isNamed)
                        .findFirst()
                        .map(repair ->
                                repair.changes().stream().map(Change::elsewhere).toList())
                        .orElse(null);
    }
}
