package dev.cqs.amc.bytecode.scenario;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.Scope;
import dev.cqs.amc.bytecode.classes.Settings;
import dev.cqs.amc.bytecode.heap.IdentityHashes;
import dev.cqs.amc.bytecode.heap.SearchAssumptions;
import dev.cqs.amc.bytecode.heap.Times;
import dev.cqs.amc.bytecode.rewrite.CheckedLoader;
import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.search.Explorer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Checks scenario classes: instruments and constructs them, and runs the search. */
public final class ScenarioCheck {

    /** The number of further threads that the next search admits, when the actors start threads. */
    private static final int STEP = 4;

    private static final int MOST_THREADS = 28;

    /** The assumptions in which an execution may have been recorded. */
    private static final List<SearchAssumptions> RECORDED = new ArrayList<>();

    static {
        for (int order = 0; order < IdentityHashes.ORDERS; order++) {
            RECORDED.add(SearchAssumptions.USUAL.withHashOrder(order));
        }
        RECORDED.add(1, SearchAssumptions.USUAL.withLateClock());
    }

    private ScenarioCheck() {}

    /**
     * The result of a search, the number of identity hash codes that it used, and whether the code may use times as
     * numbers.
     */
    private record Search(Result result, int hashes, boolean needsLateClock) {}

    /** Checks a scenario. */
    public static Result check(Class<?> scenario, Settings settings, Options options) {
        return exclusively(scenario, () -> checkInAllOrders(scenario, settings, options));
    }

    /** Replays the recorded execution of a scenario. */
    public static Result replay(Class<?> scenario, Settings settings, Options options, String recorded) {
        return exclusively(scenario, () -> {
            NondeterministicProgramException first = null;
            for (SearchAssumptions assumptions : RECORDED) {
                try {
                    return search(scenario, settings, options, assumptions, explorer -> explorer.replay(recorded))
                            .result();
                } catch (NondeterministicProgramException thrown) {
                    first = first == null ? thrown : first;
                    if (Hooks.heap == null) {
                        break;
                    }
                }
            }
            throw first;
        });
    }

    private static Result exclusively(Class<?> scenario, Supplier<Result> task) {
        if (scenario.getClassLoader() == null || Scope.isPlatform(scenario.getName())) {
            throw new IllegalArgumentException(
                    scenario.getName() + " comes with the JDK; a scenario is a class with @Actor methods.");
        }
        Hooks.EXCLUSIVE.lock();
        try {
            return task.get();
        } catch (LinkageError thrown) {
            throw explained(thrown);
        } finally {
            Hooks.useHeap(null);
            Hooks.EXCLUSIVE.unlock();
        }
    }

    /**
     * The result is that of the search with the worst verdict. A later search may use more hash codes than the first
     * one, so the number of orders is known only at the end.
     */
    private static Result checkInAllOrders(Class<?> scenario, Settings settings, Options options) {
        Search first = search(scenario, settings, options, SearchAssumptions.USUAL, Explorer::explore);
        Result result = first.result();
        Map<List<Long>, Long> outcomes = new LinkedHashMap<>(result.outcomes());
        Set<String> notes = new LinkedHashSet<>(result.notes());
        int objects = first.hashes();
        int orders = IdentityHashes.orders(objects);
        for (int order = 1; order < orders && !result.verdict().isError(); order++) {
            Search next = search(
                    scenario, settings, options, SearchAssumptions.USUAL.withHashOrder(order), Explorer::explore);
            Result other = next.result();
            other.outcomes().forEach(outcomes::putIfAbsent);
            notes.addAll(other.notes());
            objects = Math.max(objects, next.hashes());
            orders = Math.max(orders, IdentityHashes.orders(next.hashes()));
            result = badness(other.verdict()) > badness(result.verdict()) ? other : result;
        }
        if (first.needsLateClock() && !result.verdict().isError()) {
            Result other = search(
                            scenario, settings, options, SearchAssumptions.USUAL.withLateClock(), Explorer::explore)
                    .result();
            other.outcomes().forEach(outcomes::putIfAbsent);
            notes.addAll(other.notes());
            notes.add(Times.NOTE);
            result = badness(other.verdict()) > badness(result.verdict()) ? other : result;
        }
        if (objects > 0) {
            notes.add(IdentityHashes.note(objects));
        }
        // NOTHING_COMPLETE has no outcomes.
        return (result.verdict() == Verdict.NOTHING_COMPLETE ? result : result.withOutcomes(outcomes))
                .withNotes(List.copyOf(notes));
    }

    /** The rank of a verdict: another search does not make up for one that has checked nothing, or not everything. */
    private static int badness(Verdict verdict) {
        return switch (verdict) {
            case VERIFIED -> 0;
            case VERIFIED_UP_TO_BOUND -> 1;
            case UNFINISHED -> 2;
            case NOTHING_COMPLETE -> 3;
            default -> 4;
        };
    }

    /** Repeats the search until it meets nothing that violates its assumptions. */
    private static Search search(
            Class<?> scenario,
            Settings settings,
            Options options,
            SearchAssumptions first,
            Function<Explorer, Result> task) {
        SearchAssumptions assumptions = first;
        while (true) {
            try {
                return searchOnce(scenario, settings, options, assumptions, task);
            } catch (SearchAssumptions.Interrupts thrown) {
                assumptions = assumptions.withInterrupts();
            } catch (SearchAssumptions.SharedTime thrown) {
                assumptions = assumptions.withSharedClock();
            } catch (NondeterministicProgramException thrown) {
                if (assumptions.sharedClock() || !Hooks.heap.times().isTimed()) {
                    throw thrown;
                }
                assumptions = assumptions.withSharedClock();
            } catch (SearchAssumptions.TooManyThreads thrown) {
                if (assumptions.moreThreads() >= MOST_THREADS) {
                    throw new UncheckableException("The actors start more than " + MOST_THREADS + " threads.");
                }
                assumptions = assumptions.withMoreThreads(STEP);
            }
        }
    }

    private static RuntimeException explained(LinkageError thrown) {
        if (thrown instanceof ExceptionInInitializerError && thrown.getCause() != null) {
            return Actors.failedSetUp("A static initializer", thrown.getCause());
        }
        if (thrown instanceof NoSuchMethodError || thrown instanceof NoSuchFieldError) {
            return new UncheckableException(
                    "The code uses a part of a JDK class that has no model here: " + thrown.getMessage(), thrown);
        }
        if (thrown instanceof NoClassDefFoundError) {
            return new UncheckableException("A class that the code uses is missing: " + thrown.getMessage(), thrown);
        }
        if (String.valueOf(thrown.getMessage()).startsWith("loader constraint violation")) {
            return new InstrumentationException(
                    "Classes that are instrumented share a type with classes that are not. Instrument the"
                            + " packages of both by --instrument, in a test by instrument. " + thrown.getMessage(),
                    thrown);
        }
        return new InstrumentationException("A class cannot be loaded: " + thrown, thrown);
    }

    private static Search searchOnce(
            Class<?> scenario,
            Settings settings,
            Options options,
            SearchAssumptions assumptions,
            Function<Explorer, Result> task) {
        CodeTable code = new CodeTable(settings);
        CheckedLoader loader = new CheckedLoader(
                scenario.getClassLoader(),
                instrumented(scenario, settings.packages()),
                List.of(outermost(scenario).getName()),
                code);
        ScenarioSubject subject = new ScenarioSubject(load(scenario, loader), loader, assumptions);
        Result result = task.apply(new Explorer(subject, options));
        if (!result.verdict().isError()) { // else classes that are used later may not be loaded
            checkKnown(code);
        }
        return new Search(
                result.withSites(subject.sites()).withNotes(subject.notes()),
                Hooks.heap.hashes().asked(),
                assumptions.sharedClock() || Hooks.heap.times().mayBeNumbers());
    }

    private static void checkKnown(CodeTable code) {
        if (!code.unknownSites().isEmpty()) {
            throw new IllegalArgumentException(
                    "There is no access " + code.unknownSites().iterator().next() + " in the classes that"
                            + " have been loaded; Result.sites() has the keys of all.");
        }
        if (!code.unknownFields().isEmpty()) {
            throw new IllegalArgumentException(
                    "There is no field " + code.unknownFields().iterator().next() + " that is not final in"
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
            // Initialization follows when there is a heap for the static fields.
            return Class.forName(scenario.getName(), false, loader);
        } catch (ClassNotFoundException thrown) {
            throw new IllegalArgumentException("The class " + scenario.getName() + " cannot be found.", thrown);
        }
    }
}
