package dev.cqs.amc.cli;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import java.time.Duration;

/** Where the results go. */
interface Report {

    /** A check has come to a result. */
    void result(String scenario, Result result, Duration time);

    /** A check has come to none. */
    void problem(String scenario, Model model, Problem problem);

    /** Nothing could be checked at all. */
    void problem(Problem problem);

    /** All is said. */
    void end(ExitCode code);
}
