package dev.cqs.amc.replay;

import dev.cqs.amc.Model;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.EventText;
import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A recorded execution. It has a line for each event, in an order in which every value is written before it is read. A
 * line has the thread, the kind, the choice that was made (the write that a read reads from, the position of a write in
 * coherence order, or the option of a choice), and the event in words, by which a replay notices that the code has
 * changed. Locations are not recorded: their numbers differ between checks.
 *
 * The lines before the events have the options of the check, and the kinds of objects that are expanded (see
 * {@link dev.cqs.amc.dpor.FreshObjects}).
 *
 * <pre>
 * amc-replay 1 RC11 message passing
 * error DATA_RACE 0.0 1.1
 * option loop-bound 32
 * option max-events 1000
 * 0 write at 1 | write.plain data = 42
 * 0 write at 1 | write.opaque ready = 1
 * 1 read of 0.1 | read.acquire ready = 1
 * 1 read of 0.0 | read.plain data = 42
 * end 5b1f6a02
 * </pre>
 */
public final class Recording {

    private static final String FORMAT = "amc-replay 1 ";
    private static final String ERROR = "error ";
    private static final String EXPANDED = "expanded ";
    private static final String END = "end ";

    /** Identifies an event by its thread and its index there. Initial values have the thread -1. */
    public record Spot(int thread, int index) {

        static Spot of(Event event) {
            return new Spot(event.thread, event.index);
        }

        public Event in(Graph graph) {
            return graph.event(thread, index);
        }

        @Override
        public String toString() {
            return thread < 0 ? "initial" : thread + "." + index;
        }
    }

    /**
     * An event.
     *
     * @param source of a read: the write that it reads from; else null
     * @param order of a write, also that of a read-modify-write: its position in coherence order; else 0
     * @param option of a choice: what was chosen; of a start: the thread; else 0
     */
    public record Entry(Spot spot, Kind kind, @Nullable Spot source, int order, int option, String words) {}

    /** A number of consecutive events of one thread. */
    public record Turn(int thread, int events) {}

    public final Model model;
    public final String identity;
    public final Verdict verdict;
    public final List<Spot> guilty;
    final Map<String, List<String>> options;
    public final List<String> expanded;
    public final List<Entry> entries;
    private final Map<Spot, Entry> bySpot = new HashMap<>();

    private Recording(
            Model model,
            String identity,
            Verdict verdict,
            List<Spot> guilty,
            Map<String, List<String>> options,
            List<String> expanded,
            List<Entry> entries) {
        this.model = model;
        this.identity = identity;
        this.verdict = verdict;
        this.guilty = guilty;
        this.options = options;
        this.expanded = expanded;
        this.entries = entries;
        entries.forEach(entry -> bySpot.put(entry.spot, entry));
    }

    // Writing

    /** Records the execution. Each event in {@code events} comes after the events that it depends on. */
    public static String of(Subject subject, Graph graph, Failure failure, Options options, List<Event> events) {
        StringBuilder text = new StringBuilder(FORMAT)
                .append(options.model())
                .append(' ')
                .append(line(subject.identity()))
                .append('\n');
        text.append(ERROR).append(failure.verdict());
        failure.events().forEach(event -> text.append(' ').append(Spot.of(event)));
        text.append('\n').append(RecordedOptions.lines(options, subject));
        subject.expanded().forEach(kind -> text.append(EXPANDED).append(kind).append('\n'));
        for (Event event : events) {
            if (event.isPairedWrite()) {
                continue;
            }
            text.append(event.thread)
                    .append(' ')
                    .append(event.kind.name().toLowerCase(Locale.ROOT))
                    .append(' ');
            choice(text, graph, event);
            text.append("| ").append(words(subject, event)).append('\n');
        }
        return text + END + checksum(text.toString()) + '\n';
    }

    private static void choice(StringBuilder text, Graph graph, Event event) {
        switch (event.kind) {
            case READ -> {
                text.append("of ").append(Spot.of(event.source)).append(' ');
                if (event.paired) {
                    text.append("at ")
                            .append(graph.event(event.thread, event.index + 1).order)
                            .append(' ');
                }
            }
            case WRITE -> text.append("at ").append(event.order).append(' ');
            case CHOICE, CREATE -> text.append("takes ").append(event.value).append(' ');
            default -> {}
        }
    }

    static String words(Subject subject, Event event) {
        return line(EventText.of(subject, event));
    }

    public static String line(String text) {
        return text.replace('\n', ' ').replace('\r', ' ');
    }

    private static String checksum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    // Reading

    /**
     * Parses what {@link #of} returned.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Recording read(String recorded) {
        String text = recorded.replace("\r\n", "\n").stripLeading();
        if (text.isBlank()) {
            throw new IllegalArgumentException("There is no recorded execution: the text is empty.");
        }
        if (!text.startsWith(FORMAT)) {
            throw new IllegalArgumentException("This is not a recorded execution of this version: it begins with \""
                    + text.lines().findFirst().orElse("") + "\" instead of \"" + FORMAT + "\".");
        }
        int end = text.lastIndexOf("\n" + END) + 1;
        if (end == 0 || !text.substring(end + END.length()).strip().equals(checksum(text.substring(0, end)))) {
            throw new IllegalArgumentException(
                    "The recorded execution is damaged: something is missing, or was changed by hand. Take"
                            + " it from the counter-example again.");
        }
        try {
            return parse(text.substring(0, end).lines().toList());
        } catch (IndexOutOfBoundsException | IllegalArgumentException thrown) {
            throw new IllegalArgumentException("The recorded execution is damaged: " + thrown.getMessage(), thrown);
        }
    }

    private static Recording parse(List<String> lines) {
        String[] first = lines.get(0).substring(FORMAT.length()).split(" ", 2);
        String[] error = lines.get(1).split(" ");
        List<Spot> guilty = new ArrayList<>();
        for (int i = 2; i < error.length; i++) {
            guilty.add(spot(error[i]));
        }
        Map<String, List<String>> options = RecordedOptions.takeFrom(lines.subList(2, lines.size()));
        int head = 2 + options.values().stream().mapToInt(List::size).sum();
        List<String> expanded = lines.stream()
                .skip(head)
                .takeWhile(line -> line.startsWith(EXPANDED))
                .map(line -> line.substring(EXPANDED.length()))
                .toList();
        List<Entry> entries = new ArrayList<>();
        Map<Integer, Integer> lengths = new HashMap<>();
        for (String line : lines.subList(head + expanded.size(), lines.size())) {
            int bar = line.indexOf(" | ");
            String[] parts = line.substring(0, bar).split(" ");
            int thread = Integer.parseInt(parts[0]);
            Entry entry = entry(new Spot(thread, lengths.getOrDefault(thread, 0)), parts, line.substring(bar + 3));
            lengths.put(thread, entry.spot.index + (entry.source != null && entry.order > 0 ? 2 : 1));
            entries.add(entry);
        }
        return new Recording(
                Model.valueOf(first[0]),
                first[1],
                Verdict.valueOf(error[1]),
                List.copyOf(guilty),
                options,
                expanded,
                List.copyOf(entries));
    }

    private static Entry entry(Spot spot, String[] parts, String words) {
        Spot source = null;
        int order = 0;
        int option = 0;
        for (int i = 2; i < parts.length; i += 2) {
            switch (parts[i]) {
                case "of" -> source = spot(parts[i + 1]);
                case "at" -> order = Integer.parseInt(parts[i + 1]);
                case "takes" -> option = Integer.parseInt(parts[i + 1]);
                default -> throw new IllegalArgumentException("it says \"" + parts[i] + "\", which has no meaning.");
            }
        }
        return new Entry(spot, Kind.valueOf(parts[1].toUpperCase(Locale.ROOT)), source, order, option, words);
    }

    private static Spot spot(String text) {
        if (text.equals("initial")) {
            return new Spot(-1, -1);
        }
        String[] parts = text.split("\\.");
        return new Spot(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    // Following

    /** The schedule: which thread adds how many events, in order. */
    public List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        for (Entry entry : entries) {
            int last = turns.size() - 1;
            if (last >= 0 && turns.get(last).thread == entry.spot.thread) {
                turns.set(last, new Turn(entry.spot.thread, turns.get(last).events + 1));
            } else {
                turns.add(new Turn(entry.spot.thread, 1));
            }
        }
        return turns;
    }

    /**
     * Gives a new event the recorded choice. The event is in the graph, but does not read from a write or have a
     * position in coherence order yet.
     */
    @SuppressWarnings("NullAway") // each event is recorded
    public void choose(Subject subject, Graph graph, Event event) {
        Entry entry = bySpot.get(Spot.of(event));
        if (entry.kind != event.kind) {
            throw differs(subject, event);
        }
        switch (event.kind) {
            case READ -> graph.setSource(event, source(subject, graph, event, entry.source));
            case WRITE -> graph.insert(event, place(graph, event, entry.order));
            case CHOICE -> event.value = entry.option;
            default -> {}
        }
    }

    /** Checks that an event is the recorded one. */
    @SuppressWarnings("NullAway") // each event is recorded
    public void check(Subject subject, Event event) {
        if (!bySpot.get(Spot.of(event)).words.equals(words(subject, event))) {
            throw differs(subject, event);
        }
    }

    private Event source(Subject subject, Graph graph, Event read, Spot spot) {
        Event source = spot.thread < 0
                ? graph.write(read.location, 0)
                : spot.index < graph.length(spot.thread) ? graph.event(spot.thread, spot.index) : null;
        if (source == null || !source.isWrite() || source.location != read.location) {
            throw differs(subject, read);
        }
        return source;
    }

    /** The position among the writes that are in the graph already. */
    private int place(Graph graph, Event write, int order) {
        int place = 1;
        while (place < graph.writeCount(write.location) && order(graph, graph.write(write.location, place)) < order) {
            place++;
        }
        return place;
    }

    @SuppressWarnings("NullAway") // each event is recorded
    private int order(Graph graph, Event write) {
        return bySpot.get(Spot.of(write.paired ? graph.previousInThread(write) : write)).order;
    }

    @SuppressWarnings("NullAway") // each event is recorded
    private NondeterministicProgramException differs(Subject subject, Event event) {
        return new NondeterministicProgramException(
                subject.threadName(event.thread) + " does \"" + words(subject, event)
                        + "\" as its event " + event.index + ", where \"" + bySpot.get(Spot.of(event)).words
                        + "\" is recorded: the code, or what it depends on, has changed since.");
    }

    /** The recorded event at this index of a thread, or null. */
    public @Nullable Entry entry(int thread, int index) {
        return bySpot.get(new Spot(thread, index));
    }
}
