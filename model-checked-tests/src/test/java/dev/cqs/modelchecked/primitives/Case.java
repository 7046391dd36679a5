package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * A scenario and the bound of its exploration.
 *
 * @param scenario the scenario
 * @param longest the number of steps that a thread may take, or {@link #ANY}. Executions are endless where a request and the
 *     operation that serves it both start again (SYNC mode), and where a drainer finds a waiter again that was just cancelled,
 *     as long as it does not see the cancellation. The bounds let each of them start again at least once
 * @param races fields with intended races of plain accesses, as the overview of their class says
 */
record Case(Class<?> scenario, int longest, List<String> races) {

    private static final int ANY = 0;

    /** A canceller races with the operation that removes its waiter from the queue or moves it to another: see Waiter. */
    private static final List<String> CELL_OF_WAITER = List.of("dev.cqs.Waiter.cellRef", "dev.cqs.Waiter.index");

    /** A case that is explored without a bound. */
    static Case whole(Class<?> scenario) {
        return new Case(scenario, ANY, CELL_OF_WAITER);
    }

    /** A case that is explored in all executions in which no thread takes more steps than {@code steps}. */
    static Case upTo(int steps, Class<?> scenario) {
        return new Case(scenario, steps, CELL_OF_WAITER);
    }

    /** This case with another field whose races are intended. */
    Case racing(String field) {
        return new Case(scenario, longest, List.of(CELL_OF_WAITER.get(0), CELL_OF_WAITER.get(1), field));
    }

    /** This case, in which no thread ever waits. */
    Case withoutWaiters() {
        return new Case(scenario, longest, List.of());
    }

    AwaitModelChecker checker() {
        AwaitModelChecker checker =
                AwaitModelChecker.under(Model.RC11).instrument("dev.cqs").allowRaces(races.toArray(String[]::new));
        return longest == ANY ? checker : checker.maxEvents(longest);
    }

    Verdict expected() {
        return longest == ANY ? Verdict.VERIFIED : Verdict.VERIFIED_UP_TO_BOUND;
    }

    /** Whether a sound primitive cannot have this verdict. */
    boolean fails(Verdict verdict) {
        return verdict.isError() || longest == ANY && verdict != Verdict.VERIFIED;
    }

    @Override
    public String toString() {
        String family = scenario.getEnclosingClass().getSimpleName();
        return family + "." + scenario.getSimpleName() + (longest == ANY ? "" : " up to " + longest + " steps");
    }
}
