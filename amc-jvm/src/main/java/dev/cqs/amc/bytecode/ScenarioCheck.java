package dev.cqs.amc.bytecode;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.engine.Explorer;
import dev.cqs.amc.engine.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        Hooks.EXCLUSIVE.lock();
        try {
            int more = 0;
            boolean expectsInterrupts = false;
            while (true) {
                try {
                    return explore(scenario, packages, modes, options, more, expectsInterrupts);
                } catch (ScenarioSubject.Interrupts thrown) {
                    expectsInterrupts = true;
                } catch (ScenarioSubject.TooManyThreads thrown) {
                    if (more >= MOST_THREADS) {
                        throw new UncheckableException("The actors start more than " + MOST_THREADS + " threads.");
                    }
                    more += STEP;
                }
            }
        } catch (ExceptionInInitializerError thrown) {
            if (thrown.getCause() instanceof UncheckableException reason) {
                throw reason;
            }
            throw new UncheckableException("The initializer of a class throws " + thrown.getCause() + ". Initializers are part of the"
                    + " set-up, which must succeed.", thrown);
        } catch (NoSuchMethodError | NoSuchFieldError thrown) {
            throw new UncheckableException("The code uses a part of a JDK class that has no model here: " + thrown.getMessage(), thrown);
        } finally {
            Hooks.useHeap(null);
            Hooks.EXCLUSIVE.unlock();
        }
    }

    private static Result explore(Class<?> scenario, List<String> packages, Map<String, Mode> modes, Options options, int more,
            boolean expectsInterrupts) {
        CodeTable code = new CodeTable(modes);
        CheckedLoader loader = new CheckedLoader(scenario.getClassLoader(), instrumented(scenario, packages),
                List.of(outermost(scenario).getName()), code);
        ScenarioSubject subject = new ScenarioSubject(load(scenario, loader), loader, more, expectsInterrupts);
        Result result = new Explorer(subject, options).explore();
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
            // Not initialized yet: the initializer is part of the set-up, which needs the memory of the scenario.
            return Class.forName(scenario.getName(), false, loader);
        } catch (ClassNotFoundException thrown) {
            throw new IllegalArgumentException("The class " + scenario.getName() + " can not be found.", thrown);
        }
    }
}
