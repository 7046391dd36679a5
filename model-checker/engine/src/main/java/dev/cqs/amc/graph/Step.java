package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a thread does at some point, whenever it has done and read the same before. */
public sealed interface Step {

    /** It adds an event like this one. */
    record Add(
            Kind kind,
            int location,
            Mode mode,
            int site,
            long value,
            @Nullable Change change,
            int options,
            boolean timed,
            boolean expiry,
            boolean waitSet,
            boolean monitor,
            boolean first,
            int @Nullable [] published,
            @Nullable FreezeNote note,
            boolean isPrivate,
            boolean polled,
            boolean inLoop)
            implements Step {

        public static Add of(Event event) {
            Change change = event.update == null
                    ? null
                    : new Change(event.update, event.expected, event.operand, event.writeMode);
            boolean given = event.isRead() || event.kind == Kind.CHOICE;
            return new Add(
                    event.kind,
                    event.location,
                    event.mode,
                    event.site,
                    given ? 0 : event.value,
                    change,
                    event.options,
                    event.timed,
                    event.expiry,
                    event.waitSet,
                    event.monitor,
                    event.first,
                    event.published,
                    event.note,
                    event.isPrivate,
                    event.polled,
                    event.inLoop);
        }

        public Event event(int thread, int index) {
            Event event = new Event(thread, index, kind, location, mode);
            event.site = site;
            event.value = value;
            if (change != null) {
                event.update = change.update;
                event.expected = change.expected;
                event.operand = change.operand;
                event.writeMode = change.writeMode;
            }
            event.options = options;
            event.timed = timed;
            event.expiry = expiry;
            event.waitSet = waitSet;
            event.monitor = monitor;
            event.first = first;
            event.published = published;
            event.note = note;
            event.isPrivate = isPrivate;
            event.polled = polled;
            event.inLoop = inLoop;
            return event;
        }
    }

    /** What a read-modify-write does. */
    record Change(Update update, long expected, long operand, Mode writeMode) {}

    /** A round that has begun at this place fails. */
    record FailRound(int begin, boolean timed) implements Step {}

    /** It has come to its end, having observed this. */
    record End(List<Long> observations) implements Step {}
}
