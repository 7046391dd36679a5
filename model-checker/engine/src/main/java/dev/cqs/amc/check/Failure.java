package dev.cqs.amc.check;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.graph.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The error in the graph at which the exploration stopped. */
public record Failure(
        Verdict verdict,
        String message,
        List<Event> events,
        @Nullable Throwable cause) {

    /** A data race. If its read is polled by an await, the failure is reported as a spin on a plain variable. */
    static Failure race(Subject subject, Event event, Event other) {
        Event read = event.isRead() ? event : other;
        if (read.polled) {
            return plainSpin(subject, read);
        }
        return new Failure(
                Verdict.DATA_RACE,
                "Two accesses of " + subject.locationName(event.location) + ", of which one is plain and one"
                        + " writes, and neither happens before the other.",
                List.of(other, event),
                null);
    }

    static Failure plainSpin(Subject subject, Event read) {
        return new Failure(
                Verdict.PLAIN_SPIN,
                "A thread waits by reading " + subject.locationName(read.location) + ", which is plain: the"
                        + " compiler may read it once, before the loop.",
                List.of(read),
                null);
    }
}
