package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * A scenario, and how far it is explored.
 *
 * @param scenario the scenario
 * @param longest how many steps a thread may take, or {@link #ANY}. There are endless executions where a request and the operation
 *     that serves it may both start again, and again (SYNC mode), and where a server comes back to a waiter that has just
 *     left, as long as it does not see that. The bounds let each start again at least once
 * @param races fields whose plain accesses race on purpose, as the overview of their class says
 */
record Case(Class<?> scenario, int longest, List<String> races) {

    private static final int ANY = 0;

    /** A canceller races with the operation that takes its waiter out of the queue, or on to another: see Waiter. */
    private static final List<String> CELL_OF_WAITER = List.of("dev.cqs.Waiter.cellRef", "dev.cqs.Waiter.index");

    /** In all executions. */
    static Case whole(Class<?> scenario) {
        return new Case(scenario, ANY, CELL_OF_WAITER);
    }

    /** In all executions in which no thread takes more steps than that. */
    static Case upTo(int steps, Class<?> scenario) {
        return new Case(scenario, steps, CELL_OF_WAITER);
    }

    /** The same, where a class is in use of which this field races on purpose, too. */
    Case racing(String field) {
        return new Case(scenario, longest, List.of(CELL_OF_WAITER.get(0), CELL_OF_WAITER.get(1), field));
    }

    /** The same, where nobody ever waits. */
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

    /** Whether a primitive that is sound would not have this verdict. */
    boolean fails(Verdict verdict) {
        return verdict.isError() || longest == ANY && verdict != Verdict.VERIFIED;
    }

    @Override
    public String toString() {
        String family = scenario.getEnclosingClass().getSimpleName();
        return family + "." + scenario.getSimpleName() + (longest == ANY ? "" : " up to " + longest + " steps");
    }
}
