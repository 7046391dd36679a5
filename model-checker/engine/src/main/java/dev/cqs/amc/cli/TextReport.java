package dev.cqs.amc.cli;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.io.PrintStream;
import java.time.Duration;

/** Results for people: verdicts on standard output, problems and times on standard error. */
final class TextReport implements Report {

    private static final int MODE_WIDTH = 17;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean listsSites;
    private boolean following;

    TextReport(PrintStream out, PrintStream err, boolean listsSites) {
        this.out = out;
        this.err = err;
        this.listsSites = listsSites;
    }

    @Override
    public void result(String scenario, Result result, Duration time) {
        if (following) {
            out.println();
        }
        following = true;
        result.toString().lines().forEach(out::println);
        String advice = advice(result);
        if (!advice.isEmpty()) {
            out.println(advice);
        }
        if (listsSites) {
            listSites(result);
        }
        out.flush();
    }

    private static String advice(Result result) {
        if (result.verdict() == Verdict.UNFINISHED) {
            return "This is no verdict. Allow more by " + Option.MAX_EXECUTIONS.word() + " or "
                    + Option.TIME_LIMIT.word() + ", or make the scenario smaller.";
        }
        if (result.verdict() == Verdict.VERIFIED_UP_TO_BOUND) {
            return "This is no proof: executions beyond the bound are unknown.";
        }
        return "";
    }

    private void listSites(Result result) {
        int width = result.sites().stream()
                        .mapToInt(site -> site.key().length())
                        .max()
                        .orElse(0)
                + 2;
        out.println();
        for (AccessSite site : result.sites()) {
            out.println(Help.padded(site.key(), width)
                    + Help.padded(Arguments.word(site.mode()), MODE_WIDTH)
                    + site.where());
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a crash has a cause
    public void problem(String scenario, Model model, Problem problem) {
        err.println("verify: " + scenario + " under " + Arguments.word(model) + ": " + problem.getMessage());
        if (problem.kind() == Problem.Kind.CRASH) {
            problem.getCause().printStackTrace(err);
        }
    }

    @Override
    public void problem(Problem problem) {
        err.println("verify: " + problem.getMessage());
        if (problem.kind() == Problem.Kind.USAGE) {
            err.println("See verify " + Option.HELP.word() + ".");
        }
    }

    @Override
    public void end(ExitCode code) {
        // Every result is printed already.
    }
}
