package dev.cqs.amc.replay;

import dev.cqs.amc.Model;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of the check that recorded an execution, with which it is replayed.
 *
 * @param model the memory model
 * @param values the values of each option, by its name on the command line without the dashes
 */
public record RecordedOptions(Model model, Map<String, List<String>> values) {

    /** The bound on the iterations of loops with side effects. */
    public static final String LOOP_BOUND = "loop-bound";
    /** The number of events after which a thread is cut off. */
    public static final String MAX_EVENTS = "max-events";
    /** A further package to instrument. */
    public static final String INSTRUMENT = "instrument";
    /** The key of an access, and the mode that replaces its own. */
    public static final String MODE = "mode";
    /** A field on which races are allowed. */
    public static final String ALLOW_RACES = "allow-races";

    private static final String OPTION = "option ";

    /**
     * Reads the options of a recorded execution.
     *
     * @throws IllegalArgumentException if it is not a recording
     */
    public static RecordedOptions of(String recorded) {
        Recording recording = Recording.read(recorded);
        return new RecordedOptions(recording.model, recording.options);
    }

    /** The values of an option; empty if it was not given. */
    public List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }

    /** The options as lines of a recording. */
    static String lines(Options options, Subject subject) {
        StringBuilder lines = new StringBuilder();
        add(lines, LOOP_BOUND, options.loopBound());
        add(lines, MAX_EVENTS, options.maxEvents());
        subject.settings().forEach((option, values) -> values.forEach(value -> add(lines, option, value)));
        return lines.toString();
    }

    private static void add(StringBuilder lines, String option, Object value) {
        lines.append(OPTION)
                .append(option)
                .append(' ')
                .append(Recording.line(String.valueOf(value)))
                .append('\n');
    }

    /** Removes the option lines from the beginning of {@code lines}, and parses them. */
    static Map<String, List<String>> takeFrom(List<String> lines) {
        Map<String, List<String>> values = new TreeMap<>();
        for (String line : lines) {
            if (!line.startsWith(OPTION)) {
                break;
            }
            String[] words = line.substring(OPTION.length()).split(" ", 2);
            values.computeIfAbsent(words[0], key -> new ArrayList<>()).add(words[1]);
        }
        return values;
    }
}
