package dev.cqs.amc.check;

import dev.cqs.amc.Mode;
import dev.cqs.amc.graph.Event;
import java.util.Locale;

/** Events in words, for recordings, reports and messages. */
public final class EventText {

    private EventText() {}

    /** An event in words, such as {@code read.acquire x = 1}. */
    public static String of(Subject subject, Event event) {
        String mode = event.mode.name().toLowerCase(Locale.ROOT);
        String name = event.location < 0 ? "" : subject.locationName(event.location);
        return switch (event.kind) {
            case READ ->
                event.change == null
                        ? "read." + mode + " " + name + " = " + value(subject, event, event.value)
                        : update(subject, event, name);
            case FENCE -> "fence." + (event.mode == Mode.VOLATILE ? "full" : mode);
            case CHOICE ->
                event.expiry
                        ? event.value == 0 ? "timed wait without timeout" : "timed wait that times out"
                        : event.timed
                                ? event.value == 0 ? "read the clock" : "read the clock a day later"
                                : "choose " + event.value + " of " + event.options;
            case CREATE -> "start " + subject.threadName((int) event.value);
            case START -> "begin";
            case END -> "end";
            case JOIN -> "join " + subject.threadName(event.source.thread);
            default -> "write." + mode + " " + name + " = " + value(subject, event, event.value);
        };
    }

    private static String value(Subject subject, Event event, long value) {
        return subject.valueName(event.location, value);
    }

    @SuppressWarnings("NullAway") // the read is of a read-modify-write
    private static String update(Subject subject, Event read, String name) {
        String read1 = read.mode.name().toLowerCase(Locale.ROOT);
        String write = read.change.writeMode().name().toLowerCase(Locale.ROOT);
        String mode = read1.equals(write) ? read1 : read1 + "/" + write;
        String change = read.paired
                ? " = " + value(subject, read, read.value) + " -> "
                        + value(subject, read, read.change.update().apply(read.value, read.change.operand()))
                : " = " + value(subject, read, read.value) + ", not " + value(subject, read, read.change.expected());
        return (read.change.update().compares() ? "cas." : "swap.") + mode + " " + name + change;
    }
}
