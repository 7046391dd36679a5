package dev.cqs.amc.bytecode;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.engine.Explorer;
import dev.cqs.amc.engine.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Checks scenario classes: instruments them, sets them up, and has the engine explore them. */
public final class ScenarioCheck {

    /** So many more threads there is room for in the next try, when the actors start threads. */
    private static final int STEP = 4;
    private static final int MOST_THREADS = 28;

    private ScenarioCheck() {
    }

    /** Checks a scenario. */
    public static Result check(Class<?> scenario, Settings settings, Options options) {
        return run(scenario, settings, options, Explorer::explore);
    }

    /** Repeats an execution of a scenario that is recorded in {@code recorded}. */
    public static Result replay(Class<?> scenario, Settings settings, Options options, String recorded) {
        return run(scenario, settings, options, explorer -> explorer.replay(recorded));
    }

    private static Result run(Class<?> scenario, Settings settings, Options options, Function<Explorer, Result> task) {
        if (scenario.getClassLoader() == null || Scope.isPlatform(scenario.getName())) {
            throw new IllegalArgumentException(scenario.getName() + " comes with the JDK; a scenario is a class with @Actor methods.");
        }
        Hooks.EXCLUSIVE.lock();
        try {
            int more = 0;
            boolean expectsInterrupts = false;
            while (true) {
                try {
                    return run(scenario, settings, options, more, expectsInterrupts, task);
                } catch (ScenarioSubject.Interrupts thrown) {
                    expectsInterrupts = true;
                } catch (ScenarioSubject.TooManyThreads thrown) {
                    if (more >= MOST_THREADS) {
                        throw new UncheckableException("The actors start more than " + MOST_THREADS + " threads.");
                    }
                    more += STEP;
                }
            }
        } catch (LinkageError thrown) {
            throw explained(thrown);
        } finally {
            Hooks.useHeap(null);
            Hooks.EXCLUSIVE.unlock();
        }
    }

    private static RuntimeException explained(LinkageError thrown) {
        if (thrown instanceof ExceptionInInitializerError && thrown.getCause() != null) {
            return Actors.failedSetUp("A static initializer", thrown.getCause());
        }
        if (thrown instanceof NoSuchMethodError || thrown instanceof NoSuchFieldError) {
            return new UncheckableException("The code uses a part of a JDK class that has no model here: " + thrown.getMessage(), thrown);
        }
        if (thrown instanceof NoClassDefFoundError) {
            return new UncheckableException("A class that the code uses is not there: " + thrown.getMessage(), thrown);
        }
        if (String.valueOf(thrown.getMessage()).startsWith("loader constraint violation")) {
            return new InstrumentationException("Classes that are instrumented share a type with classes that are not. Instrument the"
                    + " packages of both by --instrument, in a test by instrument. " + thrown.getMessage(), thrown);
        }
        return new InstrumentationException("A class can not be loaded: " + thrown, thrown);
    }

    private static Result run(Class<?> scenario, Settings settings, Options options, int more, boolean expectsInterrupts,
            Function<Explorer, Result> task) {
        CodeTable code = new CodeTable(settings);
        CheckedLoader loader = new CheckedLoader(scenario.getClassLoader(), instrumented(scenario, settings.packages()),
                List.of(outermost(scenario).getName()), code);
        ScenarioSubject subject = new ScenarioSubject(load(scenario, loader), loader, more, expectsInterrupts);
        Result result = task.apply(new Explorer(subject, options));
        if (!result.verdict().isError()) { // else the classes of what comes later have not been loaded
            checkKnown(code);
        }
        return result.withSites(subject.sites()).withNotes(subject.notes());
    }

    private static void checkKnown(CodeTable code) {
        if (!code.unknownSites().isEmpty()) {
            throw new IllegalArgumentException("There is no access " + code.unknownSites().iterator().next() + " in the classes that"
                    + " have been loaded; Result.sites() has the keys of all.");
        }
        if (!code.unknownFields().isEmpty()) {
            throw new IllegalArgumentException("There is no field " + code.unknownFields().iterator().next() + " that is not final in"
                    + " the classes that have been loaded.");
        }
    }

    private static Class<?> outermost(Class<?> type) {
        return type.getEnclosingClass() == null ? type : outermost(type.getEnclosingClass());
    }

    private static List<String> instrumented(Class<?> scenario, List<String> packages) {
        List<String> all = new ArrayList<>(packages);
        all.add(scenario.getPackageName());
        return all;
    }

    private static Class<?> load(Class<?> scenario, CheckedLoader loader) {
        try {
            // It is initialized when there is a heap for what its static fields hold.
            return Class.forName(scenario.getName(), false, loader);
        } catch (ClassNotFoundException thrown) {
            throw new IllegalArgumentException("The class " + scenario.getName() + " can not be found.", thrown);
        }
    }
}
