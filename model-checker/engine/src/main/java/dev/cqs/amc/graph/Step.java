package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.List;

/** The next step of a thread after some history. */
public sealed interface Step {

    /** Adds an event like this one. */
    record Add(
            Kind kind,
            int location,
            Mode mode,
            int site,
            long value,
            Change change,
            int options,
            boolean timed,
            boolean expiry,
            boolean waitSet,
            boolean monitor,
            boolean first,
            int[] published,
            FreezeNote note,
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

    /** The operation of a read-modify-write. */
    record Change(Update update, long expected, long operand, Mode writeMode) {}

    /** The iteration that began at this position fails. */
    record FailIteration(int begin, boolean timed) implements Step {}

    /** Ends the thread, with these observations. */
    record End(List<Long> observations) implements Step {}
}
