package dev.cqs.amc.cli;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.replay.RecordedOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parsed command line. */
final class Arguments {

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})([smh])");

    private final Map<Option, List<String>> values = new EnumMap<>(Option.class);
    private final List<String> scenarios = new ArrayList<>();

    /** Splits the arguments into options and scenarios. Values are parsed when they are asked for. */
    Arguments(String... words) throws Problem {
        for (int i = 0; i < words.length; i++) {
            if (!words[i].startsWith("-")) {
                scenarios.add(words[i]);
                continue;
            }
            int equals = words[i].indexOf('=');
            Option option = option(equals < 0 ? words[i] : words[i].substring(0, equals));
            if (option.argument() == null) {
                if (equals >= 0) {
                    throw Problem.usage(option.word() + " takes no value, but there is " + words[i] + ".");
                }
                add(option, "");
            } else if (equals >= 0) {
                add(option, words[i].substring(equals + 1));
            } else if (++i < words.length) {
                add(option, words[i]);
            } else {
                throw Problem.usage(option.word() + " needs " + option.argument() + " after it.");
            }
        }
    }

    private static Option option(String word) throws Problem {
        for (Option option : Option.values()) {
            if (option.word().equals(word)) {
                return option;
            }
        }
        throw Problem.usage("There is no option " + word + ".");
    }

    private void add(Option option, String value) throws Problem {
        List<String> all = values.computeIfAbsent(option, key -> new ArrayList<>());
        if (!all.isEmpty() && !option.isRepeatable()) {
            throw Problem.usage(option.word() + " is given twice.");
        }
        all.add(value);
    }

    boolean has(Option option) {
        return values.containsKey(option);
    }

    private List<String> all(Option option) {
        return values.getOrDefault(option, List.of());
    }

    @SuppressWarnings("NullAway") // see has()
    private String one(Option option) {
        return values.get(option).get(0);
    }

    /** The names of the scenario classes, at least one. */
    List<String> scenarios() throws Problem {
        if (scenarios.isEmpty()) {
            throw Problem.usage("No class to check. Name one that has @Actor methods.");
        }
        return scenarios;
    }

    /** The models to check under. */
    List<Model> models() throws Problem {
        if (!has(Option.MODEL)) {
            return List.of(Model.RC11);
        }
        List<Model> models = new ArrayList<>();
        for (String name : one(Option.MODEL).split(",", -1)) {
            models.add(constant(Model.values(), name, "model"));
        }
        return models;
    }

    /** A constant as it is typed on the command line. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> E constant(E[] constants, String name, String what) throws Problem {
        String wanted = name.trim().toLowerCase(Locale.ROOT).replace('_', '-');
        for (E constant : constants) {
            if (word(constant).equals(wanted)) {
                return constant;
            }
        }
        List<String> words = Arrays.stream(constants).map(Arguments::word).toList();
        throw Problem.usage(
                "There is no " + what + " \"" + name.trim() + "\". There are " + String.join(", ", words) + ".");
    }

    /** A checker with the given options, without a listener. */
    AwaitModelChecker checker(Model model) throws Problem {
        try {
            AwaitModelChecker checker = AwaitModelChecker.under(model)
                    .instrument(all(Option.INSTRUMENT).toArray(String[]::new))
                    .allowRaces(all(Option.ALLOW_RACES).toArray(String[]::new));
            if (has(Option.LOOP_BOUND)) {
                checker = checker.loopBound((int) number(Option.LOOP_BOUND, Integer.MAX_VALUE));
            }
            if (has(Option.MAX_EVENTS)) {
                checker = checker.maxEvents((int) number(Option.MAX_EVENTS, Integer.MAX_VALUE));
            }
            if (has(Option.MAX_EXECUTIONS)) {
                checker = checker.maxExecutions(number(Option.MAX_EXECUTIONS, Long.MAX_VALUE));
            }
            if (has(Option.TIME_LIMIT)) {
                checker = checker.maxTime(timeLimit());
            }
            for (String change : all(Option.MODE)) {
                checker = changed(checker, change);
            }
            return checker;
        } catch (IllegalArgumentException thrown) {
            throw Problem.usage(thrown.getMessage());
        }
    }

    /** A checker with the options of a recorded execution. Options that are given as well must agree with them. */
    AwaitModelChecker checker(String recorded, RecordedOptions options) throws Problem {
        if (has(Option.MODEL) && !models().equals(List.of(options.model()))) {
            throw contradiction(Option.MODEL, one(Option.MODEL), "under " + word(options.model()));
        }
        for (Option option : List.of(Option.LOOP_BOUND, Option.MAX_EVENTS, Option.INSTRUMENT, Option.ALLOW_RACES)) {
            List<String> known = options.all(option.word().substring(2));
            for (String value : all(option)) {
                if (!known.contains(value)) {
                    throw contradiction(
                            option, value, known.isEmpty() ? "without it" : "with " + String.join(", ", known));
                }
            }
        }
        for (String change : all(Option.MODE)) {
            String normal = change.substring(0, change.lastIndexOf('=') + 1)
                    + change.substring(change.lastIndexOf('=') + 1)
                            .toUpperCase(Locale.ROOT)
                            .replace('-', '_');
            if (!options.all(RecordedOptions.MODE).contains(normal)) {
                throw contradiction(Option.MODE, change, "without it");
            }
        }
        return AwaitModelChecker.ofRecording(recorded);
    }

    private static Problem contradiction(Option option, String value, String was) {
        return Problem.usage(option.word() + " says " + value + ", but the execution was recorded " + was
                + ". Leave the option out: " + Option.REPLAY.word() + " takes the options from the recording.");
    }

    private long number(Option option, long most) throws Problem {
        String text = one(option);
        try {
            long number = Long.parseLong(text);
            if (number <= most) {
                return number;
            }
        } catch (NumberFormatException thrown) {
            throw Problem.usage(option.word() + " needs an integer, but there is \"" + text + "\".");
        }
        throw Problem.usage(option.word() + " must be at most " + most + ", but is " + text + ".");
    }

    /** The value of {@code --time-limit}, which must be present. */
    Duration timeLimit() throws Problem {
        Matcher time = TIME.matcher(one(Option.TIME_LIMIT));
        if (!time.matches()) {
            throw Problem.usage(Option.TIME_LIMIT.word()
                    + " needs a number with s, m or h, such as 30s, but there is \"" + one(Option.TIME_LIMIT) + "\".");
        }
        long amount = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    private static AwaitModelChecker changed(AwaitModelChecker checker, String change) throws Problem {
        int equals = change.lastIndexOf('=');
        if (equals < 1) {
            throw Problem.usage(Option.MODE.word() + " needs " + Option.MODE.argument() + ", such as"
                    + " Lock.unlock:setRelease#0=opaque, but there is \"" + change + "\".");
        }
        return checker.withMode(
                change.substring(0, equals), constant(Mode.values(), change.substring(equals + 1), "mode"));
    }

    /** The folders and jars with the classes to check; empty if these are on the checker's own class path. */
    List<Path> classPath() throws Problem {
        List<Path> entries = new ArrayList<>();
        if (has(Option.CLASS_PATH)) {
            for (String entry : one(Option.CLASS_PATH).split(Pattern.quote(java.io.File.pathSeparator))) {
                entries.add(path(Option.CLASS_PATH, entry));
            }
        }
        return entries;
    }

    /** The contents of the file that {@code --replay} names, or null without that option. */
    @Nullable
    String recorded() throws Problem {
        if (!has(Option.REPLAY)) {
            return null;
        }
        try {
            return Files.readString(file(Option.REPLAY));
        } catch (IOException thrown) {
            throw Problem.usage(one(Option.REPLAY) + " cannot be read: " + thrown);
        }
    }

    /** The file that an option names. */
    Path file(Option option) throws Problem {
        return path(option, one(option));
    }

    private static Path path(Option option, String text) throws Problem {
        try {
            return Path.of(text);
        } catch (InvalidPathException thrown) {
            throw Problem.usage(option.word() + " has \"" + text + "\", which is not a path.");
        }
    }
}
