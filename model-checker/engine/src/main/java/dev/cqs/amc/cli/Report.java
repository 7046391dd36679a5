package dev.cqs.amc.cli;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import java.time.Duration;

/** Receives the results of the checks. */
interface Report {

    /** A check has a result. */
    void result(String scenario, Result result, Duration time);

    /** A check has no result. */
    void problem(String scenario, Model model, Problem problem);

    /** Nothing could be checked at all. */
    void problem(Problem problem);

    /** All checks are done. */
    void end(ExitCode code);
}
