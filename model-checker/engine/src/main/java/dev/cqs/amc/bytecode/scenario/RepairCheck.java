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
 * Repeats the check of a scenario with the repairs that a counter-example suggests. If another execution is wrong then,
 * its repairs are added, and so on for a few attempts.
 */
public final class RepairCheck {

    /** A longer check is given up, and says nothing about the repair. */
    private static final long MOST_EXECUTIONS = 10_000;

    private static final int MOST_ITERATIONS = 4;

    private final Class<?> scenario;
    private final Settings settings;
    private final Options options;

    /** For a check with these arguments of {@link ScenarioCheck#check}. */
    public RepairCheck(Class<?> scenario, Settings settings, Options options) {
        this.scenario = scenario;
        this.settings = settings;
        this.options = options.withMaxExecutions(Math.min(options.maxExecutions(), MOST_EXECUTIONS))
                .withListener(null, options.progressInterval());
    }

    /** The result, with the known effects of its repairs. */
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
        // Verified repairs come first.
        repairs.sort(
                (one, other) -> Boolean.compare(other.effect() == Effect.VERIFIED, one.effect() == Effect.VERIFIED));
        return result.withCounterExample(example.withRepairs(repairs));
    }

    /** Whether all changes have keys, so that a check can make them. */
    private static boolean isNamed(Repair repair) {
        return repair.changes().stream().allMatch(change -> change.site() != null);
    }

    private Repair tryOut(Repair repair) {
        Map<String, Change> changes = new LinkedHashMap<>();
        List<Change> more = repair.changes();
        Effect effect = repair.effect();
        for (int iteration = 0; iteration < MOST_ITERATIONS && more != null; iteration++) {
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

    /**
     * The changes that the counter-example suggests, or null. They have no step numbers, which are those of another
     * execution.
     */
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
