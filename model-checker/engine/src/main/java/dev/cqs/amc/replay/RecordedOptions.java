package dev.cqs.amc.replay;

import dev.cqs.amc.Model;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a checker was told when it recorded an execution, so that it can be told the same when that runs again.
 *
 * @param model the memory model
 * @param values by the name of an option, as the command has it without its dashes, the values that it had
 */
public record RecordedOptions(Model model, Map<String, List<String>> values) {

    /** How often a loop whose rounds have effects is repeated at most. */
    public static final String LOOP_BOUND = "loop-bound";
    /** After how many events a thread is cut off. */
    public static final String MAX_EVENTS = "max-events";
    /** A package that is checked, too. */
    public static final String INSTRUMENT = "instrument";
    /** An access, and the mode it has instead of its own. */
    public static final String MODE = "mode";
    /** A field that may race. */
    public static final String ALLOW_RACES = "allow-races";

    private static final String OPTION = "option ";

    /**
     * Reads the options of a recorded execution.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static RecordedOptions of(String recorded) {
        Recording recording = Recording.read(recorded);
        return new RecordedOptions(recording.model, recording.options);
    }

    /** The values of an option; none if it was not there. */
    public List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }

    /** As lines of a recording. */
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

    /** Takes such lines from the beginning of {@code lines}. */
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
