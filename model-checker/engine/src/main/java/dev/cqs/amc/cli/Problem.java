package dev.cqs.amc.cli;

import org.jspecify.annotations.Nullable;

/** Why there is no result: a sentence and an exit code. */
final class Problem extends Exception {

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** The kinds, as the JSON document names them. */
    enum Kind {
        /** The arguments are wrong. */
        USAGE(ExitCode.USAGE),
        /** The class is not a scenario, or an option does not fit it. */
        NO_SCENARIO(ExitCode.NOT_CHECKABLE),
        /** A class cannot be loaded or instrumented. */
        INSTRUMENTATION(ExitCode.NOT_CHECKABLE),
        /** The code does something that cannot be checked. */
        UNCHECKABLE(ExitCode.NOT_CHECKABLE),
        /** The code does different things after it has read the same values. */
        NONDETERMINISTIC(ExitCode.NOT_CHECKABLE),
        /** The checker itself has failed. */
        CRASH(ExitCode.CRASHED);

        private final ExitCode code;

        Kind(ExitCode code) {
            this.code = code;
        }
    }

    Problem(Kind kind, @Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    static Problem usage(@Nullable String message) {
        return new Problem(Kind.USAGE, message, null);
    }

    Kind kind() {
        return kind;
    }

    ExitCode exitCode() {
        return kind.code;
    }
}
