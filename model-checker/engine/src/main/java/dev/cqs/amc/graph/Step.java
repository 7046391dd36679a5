package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next step of a thread after some history. */
public sealed interface Step {

    /** Adds an event like this one. */
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
            @Nullable EventNote note,
            boolean isPrivate,
            boolean polled,
            boolean inLoop)
            implements Step {

        public static Add of(Event event) {
            boolean given = event.isRead() || event.kind == Kind.CHOICE;
            return new Add(
                    event.kind,
                    event.location,
                    event.mode,
                    event.site,
                    given ? 0 : event.value,
                    event.change,
                    event.options,
                    event.timed,
                    event.expiry,
                    event.waitSet,
                    event.monitor,
                    event.first,
                    event.note,
                    event.isPrivate,
                    event.polled,
                    event.inLoop);
        }

        public Event event(int thread, int index) {
            Event event = new Event(thread, index, kind, location, mode);
            event.site = site;
            event.value = value;
            event.change = change;
            event.options = options;
            event.timed = timed;
            event.expiry = expiry;
            event.waitSet = waitSet;
            event.monitor = monitor;
            event.first = first;
            event.note = note;
            event.isPrivate = isPrivate;
            event.polled = polled;
            event.inLoop = inLoop;
            return event;
        }
    }

    /**
     * The operation of a read-modify-write. For the creation of a thread only the operand counts: the value that its
     * creator passes to it.
     *
     * @param update the operation
     * @param writeMode the mode of the write, if it writes
     */
    record Change(Update update, long expected, long operand, Mode writeMode) {

        public static Change creation(long operand) {
            return new Change(Update.SET, 0, operand, Mode.PLAIN);
        }

        /** Whether it is this operation. */
        public boolean is(Update update, long expected, long operand, Mode writeMode) {
            return this.update == update
                    && this.expected == expected
                    && this.operand == operand
                    && this.writeMode == writeMode;
        }

        public Change withWriteMode(Mode mode) {
            return new Change(update, expected, operand, mode);
        }
    }

    /** The iteration that began at this position fails. */
    record FailIteration(int begin, boolean timed) implements Step {}

    /** Ends the thread, with these observations. */
    record End(List<Long> observations) implements Step {}
}
