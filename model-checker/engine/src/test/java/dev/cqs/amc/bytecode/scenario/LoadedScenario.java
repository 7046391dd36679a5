package dev.cqs.amc.bytecode.scenario;

import dev.cqs.amc.Result;
import dev.cqs.amc.bytecode.heap.SearchAssumptions;
import dev.cqs.amc.bytecode.rewrite.CheckedLoader;
import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.search.Explorer;
import java.util.List;

/**
 * A scenario that is instrumented once for many checks, because instrumentation would dominate the time of a check. It
 * must not have static fields that refer to objects, which would be those of the first check.
 */
public final class LoadedScenario {

    private final CheckedLoader loader;
    private final Class<?> type;
    private final int threads;

    /** Instruments a scenario and the classes in its package. Its actors start at most {@code moreThreads} threads. */
    public LoadedScenario(Class<?> scenario, int threads) {
        this.threads = threads;
        loader = new CheckedLoader(
                scenario.getClassLoader(), List.of(scenario.getPackageName()), List.of(scenario.getName()));
        try {
            type = Class.forName(scenario.getName(), false, loader);
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Checks it, as {@link ScenarioCheck#check} does.
     *
     * @param memoized whether memoized steps are used from the first graph on; else all code runs in the first graphs
     */
    public Result check(Options options, boolean memoized) {
        Hooks.EXCLUSIVE.lock();
        try {
            Explorer explorer = new Explorer(
                    new ScenarioSubject(type, loader, SearchAssumptions.USUAL.withMoreThreads(threads)), options);
            return memoized ? explorer.trustHistories().explore() : explorer.explore();
        } finally {
            Hooks.useHeap(null);
            Hooks.EXCLUSIVE.unlock();
        }
    }
}
