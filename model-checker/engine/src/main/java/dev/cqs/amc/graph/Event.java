package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An event: a node of an execution graph. The fields that describe the event are constant, except for the value of a
 * read, which follows its reads-from edge, and that of a choice. Only {@link Graph} changes the fields for its edges.
 */
public final class Event {

    /** Of {@link #readers} while there are none. */
    private static final Event[] NONE = {};

    // The description of the event

    /** Its thread, or -1 for an initial value. */
    public final int thread;
    /** Its index in program order. */
    public final int index;

    public final Kind kind;
    /** The variable, or -1 for fences and choices. */
    public final int location;

    public final Mode mode;
    public long value;
    /** Its site in the source; 0 if unknown. */
    public int site;
    /** Of a choice: how many options there are. */
    public int options;
    /** The {@link #options} of the creation of a daemon. */
    public static final int DAEMON = 1;
    /** Of a choice: whether it decides if a deadline has passed. */
    public boolean timed;
    /** Of a timed choice: whether it decides if a wait times out, after which the same wait may begin again. */
    public boolean expiry;
    /**
     * Whether it accesses the wait set of a monitor, which has a bit for each thread. Such a write sets or clears the
     * bit of its own thread.
     */
    public boolean waitSet;
    /** Of a write: whether it enters or leaves a monitor. */
    public boolean monitor;
    /**
     * Of a write: whether it is the first value of a field that other threads can read, added when the object escapes.
     */
    public boolean first;
    /** The thread's actions on objects and final fields since its previous event, or null. */
    public @Nullable EventNote note;
    /** Whether it accesses an object that has not escaped. Then it is not an effect of its iteration. */
    public boolean isPrivate;

    // Of the read of a read-modify-write

    /** The operation. Also set for the creation of a thread; null for any other event. */
    public Step.@Nullable Change change;

    /** A plain read that an await polls, and that nothing in the iteration keeps from being hoisted. */
    public boolean polled;
    /** A read in an await or another loop. */
    public boolean inLoop;

    // The edges of the event

    /** Its position in the order in which events were added to the graph. */
    public int stamp;
    /**
     * Of a read: the write that it reads from (rf). Of a start: the creation; of a join: the end of the other thread.
     */
    @SuppressWarnings("NullAway.Init") // null for any other event, and before it is known
    public Event source;
    /**
     * The corresponding event of the symmetric thread, on which it depends, or null; see
     * {@link dev.cqs.amc.dpor.SymmetryReduction}.
     */
    public @Nullable Event tie;
    /** Of a write: the reads that read from it, in no particular order; the first {@link #readerCount} are valid. */
    public Event[] readers = NONE;

    public int readerCount;
    /** Of a write: its position in the coherence order (co) of its location. */
    public int order;
    /** Whether it is part of a successful read-modify-write. */
    public boolean paired;
    /** Of a read: false if a write that has revisited a read depends on it, so that no other write may revisit it. */
    public boolean revisitable = true;
    /**
     * Whether the event has its first option, which for a read is the last write in coherence order. This is the
     * maximality of TruSt.
     */
    public boolean addedMax = true;

    // The clocks of the event. See HappensBefore

    /** Its (po ∪ rf)-prefix, itself included. */
    @SuppressWarnings("NullAway.Init") // HappensBefore sets it
    public int[] prefix;
    /** The events that happen before it, and itself. */
    @SuppressWarnings("NullAway.Init") // HappensBefore sets it
    public int[] before;
    /**
     * Of a write: the events that happen before an acquire that reads from it; null if it is not part of a release
     * sequence.
     */
    public int @Nullable [] message;
    /** The events that would happen before a following acquire fence, by the reads so far; null for none. */
    public int @Nullable [] pending;
    /** The events that happen before the last release fence; null if there is none. */
    int @Nullable [] released;

    /** The history of its thread up to this event. Computed lazily, and reset to null when the value changes. */
    public @Nullable History history;

    /**
     * Of a read: further events that it is ordered after, because the object was reached through a final field; null
     * for none.
     */
    public int @Nullable [] covered;

    // Scratch

    /** Of a read that was just added: the coherence position of the oldest write that it may read from. */
    public int floor;

    /** The graph traversal that visited this event last. */
    public int visit;

    public Event(int thread, int index, Kind kind, int location, Mode mode) {
        this.thread = thread;
        this.index = index;
        this.kind = kind;
        this.location = location;
        this.mode = mode;
    }

    /** A copy with another mode, for another graph: without edges, but with the clocks. */
    public Event copy(Mode mode) {
        Event copy = new Event(thread, index, kind, location, mode);
        copy.value = value;
        copy.site = site;
        copy.options = options;
        copy.timed = timed;
        copy.expiry = expiry;
        copy.waitSet = waitSet;
        copy.monitor = monitor;
        copy.first = first;
        copy.note = note;
        copy.isPrivate = isPrivate;
        copy.change = change;
        copy.polled = polled;
        copy.inLoop = inLoop;
        copy.stamp = stamp;
        copy.paired = paired;
        copy.revisitable = revisitable;
        copy.addedMax = addedMax;
        copy.prefix = prefix;
        copy.before = before;
        copy.message = message;
        copy.pending = pending;
        copy.released = released;
        copy.covered = covered;
        return copy;
    }

    public boolean isRead() {
        return kind == Kind.READ;
    }

    /** Whether it is a write, initial writes included. */
    public boolean isWrite() {
        return kind == Kind.WRITE || kind == Kind.INIT;
    }

    /** Whether it is the write of a read-modify-write. */
    public boolean isPairedWrite() {
        return paired && kind == Kind.WRITE;
    }

    public boolean isFullFence() {
        return kind == Kind.FENCE && mode == Mode.VOLATILE;
    }

    /** Whether it is a volatile access or a full fence: sequentially consistent, in the terms of C++. */
    public boolean isVolatile() {
        return mode == Mode.VOLATILE;
    }

    public boolean isPlain() {
        return mode == Mode.PLAIN;
    }

    /** Whether this read-modify-write writes if it reads from {@code write}. */
    public boolean wouldWrite(Event write) {
        return change != null && change.update().writes(write.value, change.expected());
    }

    void addReader(Event reader) {
        if (readerCount == readers.length) {
            readers = Arrays.copyOf(readers, readerCount == 0 ? 4 : 2 * readerCount);
        }
        readers[readerCount++] = reader;
    }

    @SuppressWarnings("NullAway") // behind the count is nothing
    void removeReader(Event reader) {
        for (int i = 0; i < readerCount; i++) {
            if (readers[i] == reader) {
                readers[i] = readers[--readerCount];
                readers[readerCount] = null;
                return;
            }
        }
    }
}
