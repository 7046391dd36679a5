package dev.cqs.amc.cli;

import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;

/** The exit codes of the command. Of several checks, the code that comes first here decides. */
enum ExitCode {
    ERROR_FOUND(1, "an execution is wrong: a data race, a hang, a check that fails, or an exception"),
    CRASHED(70, "the checker itself has failed; please report it with the stack trace"),
    NOT_CHECKABLE(65, "a class is not a scenario, or does something that cannot be checked"),
    UNFINISHED(2, "a limit on executions or time was reached first, or no execution completes: no verdict"),
    UP_TO_BOUND(3, "a loop or a thread was cut off at a bound; all executions within it are correct"),
    USAGE(64, "the arguments are wrong"),
    VERIFIED(0, "all scenarios are verified under all models: every execution is correct");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    String meaning() {
        return meaning;
    }

    /** The code of the two that decides. */
    ExitCode and(ExitCode other) {
        return compareTo(other) <= 0 ? this : other;
    }

    static ExitCode of(Result result) {
        return of(result.verdict());
    }

    static ExitCode of(Verdict verdict) {
        return switch (verdict) {
            case VERIFIED -> VERIFIED;
            case VERIFIED_UP_TO_BOUND -> UP_TO_BOUND;
            case NOTHING_COMPLETE, UNFINISHED -> UNFINISHED;
            case DATA_RACE, HANG, PLAIN_SPIN, CHECK_FAILED, EXCEPTION -> ERROR_FOUND;
        };
    }
}
