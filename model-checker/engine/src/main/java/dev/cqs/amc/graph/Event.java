package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node of an execution graph. What an event is never changes, save the value of a read, which comes with its
 * source, and that of a choice. Where it stands in the graph is kept by {@link Graph} alone.
 */
public final class Event {

    /** Of {@link #readers} while there are none. */
    private static final Event[] NONE = {};

    // What it is

    /** Its thread, or -1 for an initial value. */
    public final int thread;
    /** Its place in program order. */
    public final int index;

    public final Kind kind;
    /** The variable, or -1 for fences and choices. */
    public final int location;

    public final Mode mode;
    public long value;
    /** Where in the source it comes from; 0 if unknown. */
    public int site;
    /** Of a choice: how many options there are. */
    public int options;
    /** The {@link #options} of the creation of a daemon. */
    public static final int DAEMON = 1;
    /** Of a choice: whether it says if the time has come. */
    public boolean timed;
    /** Of a choice that is timed: whether it says that a wait has ended by time, after which the same wait may begin again. */
    public boolean expiry;
    /**
     * An access of the wait set of a monitor, a bit for each thread. A write sets or clears the bit of its own thread, or is
     * none of these.
     */
    public boolean waitSet;
    /** Of a write: whether it enters or leaves a monitor. */
    public boolean monitor;
    /** Of a write: whether it gives others the first value of a field of an object that they get to know. */
    public boolean first;
    /** What its thread has done with objects and final fields since the event before, if anything; else null. */
    public @Nullable EventNote note;
    /** Whether it accesses an object that no other thread can know yet. It is no effect of a round then. */
    public boolean isPrivate;

    // Of the read of a read-modify-write

    /** What it does; null for any other event, save the creation of a thread. */
    public Step.@Nullable Change change;

    /** A plain read whose value an await waits for, with nothing in the round that orders it. */
    public boolean polled;
    /** A read in an await or another loop. */
    public boolean inLoop;

    // Where it stands

    /** Its place in the order in which events came into the graph. */
    public int stamp;
    /** Of a read: the write it takes its value from. Of a start or a join: what it waits for in another thread. */
    @SuppressWarnings("NullAway.Init") // null for any other event, and before it is known
    public Event source;
    /** What it depends on in a thread with the same code, or null; see {@link dev.cqs.amc.dpor.SymmetryReduction}. */
    public @Nullable Event tie;
    /** Of a write: the reads of it, in no particular order; the first {@link #readerCount} are valid. */
    public Event[] readers = NONE;

    public int readerCount;
    /** Of a write: its place in the order of writes to its location. */
    public int order;
    /** Part of a read-modify-write that has written. */
    public boolean paired;
    /** False for an event that a write which has revisited a read depends on. */
    public boolean revisitable = true;
    /** False for an event that was given anything but the first option, which is the latest write. */
    public boolean addedMax = true;

    // What comes before it. See HappensBefore

    /** All it depends on, by program order and reads-from, itself included. */
    @SuppressWarnings("NullAway.Init") // HappensBefore sets it
    public int[] prefix;
    /** All that happens before it, itself included. */
    @SuppressWarnings("NullAway.Init") // HappensBefore sets it
    public int[] before;
    /** Of a write: what an acquiring read of it synchronizes with; null if nothing. */
    public int @Nullable [] message;
    /** What the weak reads so far would synchronize with if an acquire fence followed; null if nothing. */
    public int @Nullable [] pending;
    /** What happened before the last release fence; null if there was none. */
    int @Nullable [] released;

    /** What its thread has done and read up to here; null until it is asked for, and again when its value changes. */
    public @Nullable History history;

    /** Of a read: what it comes after, besides, because it was reached through a final field; null if nothing. */
    public int @Nullable [] covered;

    // Scratch

    /** Of a read that has just been added: the place of the oldest write that it may read. */
    public int floor;

    /** The search that has visited this event last. */
    public int visit;

    public Event(int thread, int index, Kind kind, int location, Mode mode) {
        this.thread = thread;
        this.index = index;
        this.kind = kind;
        this.location = location;
        this.mode = mode;
    }

    /** The same with another mode, for another graph, linked to nothing but clocks. */
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

    /** Whether it is a write, an initial value included. */
    public boolean isWrite() {
        return kind == Kind.WRITE || kind == Kind.INIT;
    }

    /** Whether it is a write because a read-modify-write has succeeded. */
    public boolean isPairedWrite() {
        return paired && kind == Kind.WRITE;
    }

    public boolean isFullFence() {
        return kind == Kind.FENCE && mode == Mode.VOLATILE;
    }

    /** Whether it takes part in the order of volatile accesses and full fences. */
    public boolean isVolatile() {
        return mode == Mode.VOLATILE;
    }

    public boolean isPlain() {
        return mode == Mode.PLAIN;
    }

    /** Whether this read-modify-write writes if it reads {@code write}. */
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
