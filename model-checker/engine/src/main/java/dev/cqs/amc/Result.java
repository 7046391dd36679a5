package dev.cqs.amc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the checker has found out about a program, and what it has looked at.
 *
 * @param program the name of the program
 * @param model the memory model
 * @param threads how many threads the program has
 * @param verdict the verdict
 * @param complete how many executions there are in which all threads end; each is visited once
 * @param blocked how many others were visited in which some thread is blocked; this depends on the order of the search
 * @param abandoned how many graphs were given up because what they lead to is visited elsewhere
 * @param inconsistent how many graphs were built that the model does not allow
 * @param boundHit whether some loop, or some thread, was cut off at a bound
 * @param cutOffs where that was; empty if nothing was cut off
 * @param loopBound how often a loop whose rounds have effects was repeated at most
 * @param largestGraph the size of the largest graph, in events
 * @param outcomes what the program observes, and in how many complete executions it does
 * @param counterExample the execution that is wrong, or null if the verdict is no error
 * @param sites the accesses in the code of a scenario class; empty for a program
 * @param symmetric the names of two threads that were declared symmetric, so that of two executions in which the two are swapped one
 *     was visited; empty if there are none
 * @param notes what the checker has taken for something else than it is, each in a sentence; mostly empty
 */
public record Result(
        String program,
        Model model,
        int threads,
        Verdict verdict,
        long complete,
        long blocked,
        long abandoned,
        long inconsistent,
        boolean boundHit,
        List<CutOff> cutOffs,
        int loopBound,
        int largestGraph,
        Map<List<Long>, Long> outcomes,
        @Nullable CounterExample counterExample,
        List<AccessSite> sites,
        List<String> symmetric,
        List<String> notes) {

    /**
     * Copies the lists.
     *
     * @param program the name of the program
     * @param model the memory model
     * @param threads how many threads the program has
     * @param verdict the verdict
     * @param complete how many executions there are in which all threads end; each is visited once
     * @param blocked how many others were visited in which some thread is blocked; this depends on the order of the
     *     search
     * @param abandoned how many graphs were given up because what they lead to is visited elsewhere
     * @param inconsistent how many graphs were built that the model does not allow
     * @param boundHit whether some loop, or some thread, was cut off at a bound
     * @param cutOffs where that was; empty if nothing was cut off
     * @param loopBound how often a loop whose rounds have effects was repeated at most
     * @param largestGraph the size of the largest graph, in events
     * @param outcomes what the program observes, and in how many complete executions it does
     * @param counterExample the execution that is wrong, or null if the verdict is no error
     * @param sites the accesses in the code of a scenario class; empty for a program
     * @param symmetric the names of two threads that were declared symmetric, so that of two executions in which the
     *     two are swapped one was visited; empty if there are none
     * @param notes what the checker has taken for something else than it is, each in a sentence; mostly empty
     */
    public Result {
        cutOffs = List.copyOf(cutOffs);
        sites = List.copyOf(sites);
        symmetric = List.copyOf(symmetric);
        notes = List.copyOf(notes);
    }

    /**
     * {@return the same, with these accesses}
     *
     * @param sites the accesses in the code of the scenario
     */
    public Result withSites(List<AccessSite> sites) {
        return new Result(
                program,
                model,
                threads,
                verdict,
                complete,
                blocked,
                abandoned,
                inconsistent,
                boundHit,
                cutOffs,
                loopBound,
                largestGraph,
                outcomes,
                counterExample,
                sites,
                symmetric,
                notes);
    }

    /**
     * {@return the same, with this counter-example}
     *
     * @param example of the same verdict
     */
    public Result withCounterExample(@Nullable CounterExample example) {
        return new Result(
                program,
                model,
                threads,
                verdict,
                complete,
                blocked,
                abandoned,
                inconsistent,
                boundHit,
                cutOffs,
                loopBound,
                largestGraph,
                outcomes,
                example,
                sites,
                symmetric,
                notes);
    }

    /**
     * {@return the same, with these outcomes}
     *
     * @param outcomes with the number of executions of each
     */
    public Result withOutcomes(Map<List<Long>, Long> outcomes) {
        return new Result(
                program,
                model,
                threads,
                verdict,
                complete,
                blocked,
                abandoned,
                inconsistent,
                boundHit,
                cutOffs,
                loopBound,
                largestGraph,
                outcomes,
                counterExample,
                sites,
                symmetric,
                notes);
    }

    /**
     * {@return the same, with these notes}
     *
     * @param notes each in a sentence
     */
    public Result withNotes(List<String> notes) {
        return new Result(
                program,
                model,
                threads,
                verdict,
                complete,
                blocked,
                abandoned,
                inconsistent,
                boundHit,
                cutOffs,
                loopBound,
                largestGraph,
                outcomes,
                counterExample,
                sites,
                symmetric,
                notes);
    }

    /** {@return whether all executions are good, of which there is at least one, without any bound} */
    public boolean isVerified() {
        return verdict == Verdict.VERIFIED;
    }

    /**
     * For tests: passes if there are executions and all of them are good. Good up to a bound is not enough, and neither is a check
     * that came to a limit.
     *
     * @return this result
     * @throws AssertionError with the report if not
     */
    public Result assertVerified() {
        if (!isVerified()) {
            throw new AssertionError(toString());
        }
        return this;
    }

    /** {@return the verdict, and what it covers, in a few lines} */
    public String summary() {
        StringBuilder text = new StringBuilder();
        text.append(program).append(": ").append(verdict.words()).append(".\n");
        text.append("Model: ")
                .append(model.title())
                .append(". Threads: ")
                .append(threads)
                .append(".\n");
        text.append("Executions: ")
                .append(complete)
                .append(" complete, ")
                .append(blocked)
                .append(" blocked");
        text.append(
                verdict.isError()
                        ? " until the error was found.\n"
                        : verdict == Verdict.UNFINISHED
                                ? " until the limit was reached; the others are unknown.\n"
                                : ".\n");
        text.append(
                symmetric.isEmpty()
                        ? ""
                        : "Of two executions in which " + String.join(" and ", symmetric)
                                + " are swapped, one is counted.\n");
        text.append(
                verdict != Verdict.NOTHING_COMPLETE
                        ? ""
                        : boundHit
                                ? "Nothing was checked: no execution comes to its end within the bounds.\n"
                                : "Nothing was checked: assumptions leave out all executions.\n");
        cutOffs.forEach(cutOff -> text.append(cutOff.words()).append("\n"));
        text.append(boundHit ? "" : "No loop was cut off.\n");
        notes.forEach(note -> text.append(note).append("\n"));
        text.append("Not seen under this model: ").append(model.blindSpot()).append(".\n");
        return text.toString();
    }

    @Override
    public String toString() {
        return counterExample == null ? summary() : summary() + "\n" + counterExample.text();
    }
}
