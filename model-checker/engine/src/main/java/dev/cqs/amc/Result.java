package dev.cqs.amc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check: the verdict, and what was explored.
 *
 * @param program the name of the program
 * @param model the memory model
 * @param threads how many threads the program has
 * @param verdict the verdict
 * @param complete how many executions there are in which all threads end; each is visited exactly once
 * @param blocked how many executions were visited in which some thread is blocked; this depends on the order of the
 *     search
 * @param abandoned how many graphs were abandoned because their completions are visited elsewhere
 * @param inconsistent how many graphs were built that are inconsistent under the model
 * @param boundHit whether some loop or some thread was cut off at a bound
 * @param cutOffs the places of the cut-offs; empty if nothing was cut off
 * @param loopBound the bound on the iterations of loops with side effects
 * @param largestGraph the size of the largest graph, in events
 * @param outcomes the observed outcomes, each with its number of complete executions
 * @param counterExample the execution that is wrong, or null if the verdict is not an error
 * @param sites the accesses in the code of a scenario class; empty for a program
 * @param symmetric the names of the two threads to which symmetry reduction applied: of two executions that differ only
 *     in which is which, one was visited. Empty if there are none
 * @param notes where the checker approximated the code, each in a sentence; mostly empty
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
     * @param complete how many executions there are in which all threads end; each is visited exactly once
     * @param blocked how many executions were visited in which some thread is blocked; this depends on the order of the
     *     search
     * @param abandoned how many graphs were abandoned because their completions are visited elsewhere
     * @param inconsistent how many graphs were built that are inconsistent under the model
     * @param boundHit whether some loop or some thread was cut off at a bound
     * @param cutOffs the places of the cut-offs; empty if nothing was cut off
     * @param loopBound the bound on the iterations of loops with side effects
     * @param largestGraph the size of the largest graph, in events
     * @param outcomes the observed outcomes, each with its number of complete executions
     * @param counterExample the execution that is wrong, or null if the verdict is not an error
     * @param sites the accesses in the code of a scenario class; empty for a program
     * @param symmetric the names of the two threads to which symmetry reduction applied: of two executions that differ
     *     only in which is which, one was visited. Empty if there are none
     * @param notes where the checker approximated the code, each in a sentence; mostly empty
     */
    public Result {
        cutOffs = List.copyOf(cutOffs);
        sites = List.copyOf(sites);
        symmetric = List.copyOf(symmetric);
        notes = List.copyOf(notes);
    }

    /**
     * {@return this result with these sites}
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
     * {@return this result with this counter-example}
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
     * {@return this result with these outcomes}
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
     * {@return this result with these notes}
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

    /** {@return whether there is at least one execution, all are correct, and none was cut off at a bound} */
    public boolean isVerified() {
        return verdict == Verdict.VERIFIED;
    }

    /**
     * For tests: passes if {@link #isVerified()}. Verified up to a bound is not enough, and neither is a check that
     * reached a limit.
     *
     * @return this result
     * @throws AssertionError with the report otherwise
     */
    public Result assertVerified() {
        if (!isVerified()) {
            throw new AssertionError(toString());
        }
        return this;
    }

    /** {@return the verdict and its scope, in a few lines} */
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
                        : "Symmetry reduction: of two executions in which " + String.join(" and ", symmetric)
                                + " are swapped, one is counted.\n");
        text.append(
                verdict != Verdict.NOTHING_COMPLETE
                        ? ""
                        : boundHit
                                ? "Nothing was checked: no execution completes within the bounds.\n"
                                : "Nothing was checked: the assumptions exclude all executions.\n");
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
