package dev.cqs.amc.cli;

import dev.cqs.amc.CounterExample;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The options of the command, in the order in which the help shows them. */
enum Option {
    MODEL(
            "--model",
            "<models>",
            false,
            "sc, tso, rc11, rc11-genmc or jls; several with commas between them. The default is rc11"),
    CLASS_PATH(
            "--class-path", "<path>", false, "folders and jars with the classes to check; otherwise those of java -cp"),
    INSTRUMENT("--instrument", "<package>", true, "also check the classes of this package and its subpackages"),
    LOOP_BOUND(
            "--loop-bound",
            "<n>",
            false,
            "repeat a loop whose iterations have side effects n times at most; the default is 32"),
    MAX_EVENTS(
            "--max-events", "<n>", false, "cut a thread off after n accesses, fences and choices; the default is 1000"),
    MAX_EXECUTIONS("--max-executions", "<n>", false, "give up after n executions"),
    TIME_LIMIT("--time-limit", "<time>", false, "give up after this time per check, such as 30s, 5m or 1h"),
    MODE(
            "--mode",
            "<site>=<mode>",
            true,
            "check the access with this key as plain, opaque, acquire, release or volatile"),
    ALLOW_RACES("--allow-races", "<field>", true, "allow data races on a field, such as my.pkg.Node.next"),
    SITES("--sites", null, false, "list the accesses in the code: key, mode and line"),
    JSON("--json", null, false, "write one JSON document to standard output"),
    DOT("--dot", "<file>", CounterExample::dot, "write the first counter-example for Graphviz"),
    SVG("--svg", "<file>", CounterExample::svg, "draw the first counter-example, for a browser"),
    RECORD("--record", "<file>", CounterExample::replay, "record the first counter-example, for --replay"),
    REPLAY(
            "--replay",
            "<file>",
            false,
            "run only the execution that --record has recorded, for example under a debugger; "
                    + "the model and the options are those of the recording"),
    QUIET("--quiet", null, false, "no progress and no times on standard error"),
    HELP("--help", null, false, "show this"),
    VERSION("--version", null, false, "show the version");

    private final String word;
    private final @Nullable String argument;
    private final boolean repeatable;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // only references of methods
    private final @Nullable Function<CounterExample, String> rendering;

    Option(String word, @Nullable String argument, boolean repeatable, String help) {
        this(word, argument, repeatable, null, help);
    }

    /** Writes the first counter-example to a file. */
    Option(String word, String argument, Function<CounterExample, String> rendering, String help) {
        this(word, argument, false, rendering, help);
    }

    Option(
            String word,
            @Nullable String argument,
            boolean repeatable,
            @Nullable Function<CounterExample, String> rendering,
            String help) {
        this.word = word;
        this.argument = argument;
        this.repeatable = repeatable;
        this.rendering = rendering;
        this.help = help;
    }

    /** The option as it is typed. */
    String word() {
        return word;
    }

    /** The placeholder of its value, or null. */
    @Nullable
    String argument() {
        return argument;
    }

    boolean isRepeatable() {
        return repeatable;
    }

    String help() {
        return help;
    }

    /** Renders the counter-example for the file of the option; null if the option writes no file. */
    @Nullable
    Function<CounterExample, String> rendering() {
        return rendering;
    }
}
