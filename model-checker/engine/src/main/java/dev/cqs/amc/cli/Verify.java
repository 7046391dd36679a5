package dev.cqs.amc.cli;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.CounterExample;
import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.Model;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Result;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.replay.RecordedOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks scenario classes:
 * {@code java -cp cqs-model-checker.jar:asm.jar:... dev.cqs.amc.cli.Verify [options] <class>...}. {@code --help} lists
 * the options.
 *
 * <p>The exit code is 0 if all scenarios are verified under all models, and never otherwise. It is 1 if an execution is
 * wrong, 2 if a limit was reached first or no execution completes, 3 if a loop or a thread was cut off at a bound and
 * all executions within it are correct, 64 if the arguments are wrong, 65 if a class is not a scenario or cannot be
 * checked, and 70 if the checker itself has failed. Of several checks, the code that comes first in this list decides:
 * 1, 70, 65, 2, 3, 64, 0. {@code --help} and {@code --version} end with 0.
 */
public final class Verify {

    private final Arguments arguments;
    private final Report report;
    private final PrintStream err;
    private final boolean terminal;
    /** The one execution to run, or null to run all. */
    private final @Nullable String recorded;

    private ExitCode code = ExitCode.VERIFIED;
    private boolean hasCounterExample;

    private Verify(Arguments arguments, Report report, PrintStream err, boolean terminal) throws Problem {
        this.arguments = arguments;
        recorded = arguments.recorded();
        this.report = report;
        this.err = err;
        this.terminal = terminal;
    }

    /** Checks, and exits the JVM with the exit code. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err, Terminal.isThere()));
    }

    /**
     * Checks.
     *
     * @param out gets the results
     * @param err gets the progress, and the problems with the arguments or the classes
     * @return the exit code
     */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return run(args, out, err, false);
    }

    static int run(String[] args, PrintStream out, PrintStream err, boolean terminal) {
        boolean json = Arrays.asList(args).contains(Option.JSON.word());
        Report report = json
                ? new JsonReport(out)
                : new TextReport(out, err, Arrays.asList(args).contains(Option.SITES.word()));
        ExitCode code;
        try {
            Arguments arguments = new Arguments(args);
            if (arguments.has(Option.HELP) || arguments.has(Option.VERSION)) {
                out.print(arguments.has(Option.HELP) ? Help.text() : Help.version() + System.lineSeparator());
                out.flush();
                return ExitCode.VERIFIED.code();
            }
            code = new Verify(arguments, report, err, terminal).checkAll();
        } catch (Problem problem) {
            report.problem(problem);
            code = problem.exitCode();
        }
        report.end(code);
        return code.code();
    }

    private ExitCode checkAll() throws Problem {
        Map<Model, AwaitModelChecker> checkers = new LinkedHashMap<>();
        if (recorded != null) {
            RecordedOptions options = recordedOptions();
            checkers.put(options.model(), arguments.checker(recorded, options));
        } else {
            for (Model model : arguments.models()) {
                checkers.put(model, arguments.checker(model));
            }
        }
        List<String> scenarios = arguments.scenarios();
        try (Scenarios classes = new Scenarios(arguments.classPath())) {
            for (String scenario : scenarios) {
                classes.find(scenario);
            }
            for (String scenario : scenarios) {
                for (Map.Entry<Model, AwaitModelChecker> entry : checkers.entrySet()) {
                    check(scenario, classes.find(scenario), entry.getKey(), entry.getValue());
                }
            }
        }
        return code;
    }

    @SuppressWarnings("NullAway") // see the caller
    private RecordedOptions recordedOptions() throws Problem {
        try {
            return RecordedOptions.of(recorded);
        } catch (IllegalArgumentException thrown) {
            throw Problem.usage(thrown.getMessage());
        }
    }

    private void check(String scenario, Class<?> type, Model model, AwaitModelChecker checker) throws Problem {
        boolean quiet = arguments.has(Option.QUIET);
        String label = type.getSimpleName() + " under " + Arguments.word(model);
        ProgressLine line = new ProgressLine(err, terminal, label);
        long begin = System.nanoTime();
        try {
            Result result = recorded != null
                    ? checker.replay(type, recorded)
                    : (quiet ? checker : checker.onProgress(line)).check(type);
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            line.clear();
            code = code.and(ExitCode.of(result));
            report.result(scenario, result, time);
            if (!quiet) {
                long executions = result.complete() + result.blocked();
                err.println(label + ": " + ProgressLine.count(executions)
                        + (executions == 1 ? " execution in " : " executions in ") + ProgressLine.seconds(time));
            }
            write(result.counterExample());
        } catch (RuntimeException | Error thrown) {
            line.clear();
            Problem problem = problem(thrown);
            code = code.and(problem.exitCode());
            report.problem(scenario, model, problem);
        }
    }

    private static Problem problem(Throwable thrown) {
        if (thrown instanceof UncheckableException) {
            return new Problem(Problem.Kind.UNCHECKABLE, thrown.getMessage(), thrown);
        }
        if (thrown instanceof InstrumentationException) {
            return new Problem(Problem.Kind.INSTRUMENTATION, thrown.getMessage(), thrown);
        }
        if (thrown instanceof NondeterministicProgramException) {
            return new Problem(Problem.Kind.NONDETERMINISTIC, thrown.getMessage(), thrown);
        }
        if (thrown instanceof IllegalArgumentException) {
            return new Problem(Problem.Kind.NO_SCENARIO, thrown.getMessage(), thrown);
        }
        return new Problem(Problem.Kind.CRASH, "The checker has failed: " + thrown, thrown);
    }

    /**
     * Writes the first counter-example to the requested files. An error that was found outranks a file that cannot be
     * written.
     */
    private void write(@Nullable CounterExample example) throws Problem {
        if (example == null || hasCounterExample) {
            return;
        }
        hasCounterExample = true;
        for (Option option : Option.values()) {
            if (option.rendering() != null && arguments.has(option)) {
                try {
                    Files.writeString(arguments.file(option), option.rendering().apply(example));
                } catch (IOException thrown) {
                    err.println("verify: " + arguments.file(option) + " cannot be written: " + thrown);
                }
            }
        }
    }
}
