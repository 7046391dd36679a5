package dev.cqs.amc.bytecode;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.engine.Explorer;
import dev.cqs.amc.engine.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Checks scenario classes: instruments them, sets them up, and has the engine explore them. */
public final class ScenarioCheck {

    /** So many more threads there is room for in the next try, when the actors start threads. */
    private static final int STEP = 4;
    private static final int MOST_THREADS = 60;

    private ScenarioCheck() {
    }

    /**
     * Checks a scenario.
     *
     * @param packages whose classes are instrumented besides the scenario's own
     * @param modes by key of a site, the mode it has instead of the one of the source
     */
    public static Result check(Class<?> scenario, List<String> packages, Map<String, Mode> modes, Options options) {
        return run(scenario, packages, modes, options, Explorer::explore);
    }

    /**
     * Repeats an execution of a scenario that is recorded in {@code recorded}.
     *
     * @param packages whose classes are instrumented besides the scenario's own
     * @param modes by key of a site, the mode it has instead of the one of the source
     */
    public static Result replay(Class<?> scenario, List<String> packages, Map<String, Mode> modes, Options options, String recorded) {
        return run(scenario, packages, modes, options, explorer -> explorer.replay(recorded));
    }

    private static Result run(Class<?> scenario, List<String> packages, Map<String, Mode> modes, Options options,
            Function<Explorer, Result> task) {
        Hooks.EXCLUSIVE.lock();
        try {
            for (int more = 0; ; more += STEP) {
                try {
                    return run(scenario, packages, modes, options, more, task);
                } catch (ScenarioSubject.TooManyThreads thrown) {
                    if (more >= MOST_THREADS) {
                        throw new UncheckableException("The actors start more than " + MOST_THREADS + " threads.");
                    }
                }
            }
        } catch (NoSuchMethodError | NoSuchFieldError thrown) {
            throw new UncheckableException("The code uses a part of a JDK class that has no model here: " + thrown.getMessage(), thrown);
        } finally {
            Hooks.useHeap(null);
            Hooks.EXCLUSIVE.unlock();
        }
    }

    private static Result run(Class<?> scenario, List<String> packages, Map<String, Mode> modes, Options options, int more,
            Function<Explorer, Result> task) {
        CodeTable code = new CodeTable(modes);
        CheckedLoader loader = new CheckedLoader(scenario.getClassLoader(), instrumented(scenario, packages),
                List.of(outermost(scenario).getName()), code);
        ScenarioSubject subject = new ScenarioSubject(load(scenario, loader), loader, more);
        Result result = task.apply(new Explorer(subject, options));
        if (!code.unknown().isEmpty()) {
            throw new IllegalArgumentException("There is no access " + code.unknown().iterator().next() + " in the classes that have"
                    + " been loaded; Result.sites() has the keys of all.");
        }
        return result.withSites(subject.sites());
    }

    private static Class<?> outermost(Class<?> type) {
        return type.getEnclosingClass() == null ? type : outermost(type.getEnclosingClass());
    }

    private static List<String> instrumented(Class<?> scenario, List<String> packages) {
        List<String> all = new ArrayList<>(packages);
        if (!scenario.getPackageName().isEmpty()) {
            all.add(scenario.getPackageName());
        }
        return all;
    }

    private static Class<?> load(Class<?> scenario, CheckedLoader loader) {
        try {
            return Class.forName(scenario.getName(), true, loader);
        } catch (ClassNotFoundException thrown) {
            throw new IllegalArgumentException("The class " + scenario.getName() + " can not be found.", thrown);
        }
    }
}
