package dev.cqs.amc.engine;

import dev.cqs.amc.Mode;
import java.util.Arrays;

/**
 * A node of an execution graph. What an event is never changes, save the value of a read, which comes with its
 * source, and that of a choice. Where it stands in the graph is kept by {@link Graph} alone.
 */
final class Event {

    /** Of {@link #readers} while there are none. */
    private static final Event[] NONE = {};
    private static final long[] NO_VALUES = {};

    // What it is

    /** Its thread, or -1 for an initial value. */
    final int thread;
    /** Its place in program order. */
    final int index;
    final Kind kind;
    /** The variable, or -1 for fences and choices. */
    final int location;
    final Mode mode;
    long value;
    /** Where in the source it comes from; 0 if unknown. */
    int site;
    /** Stands for all that its thread has done up to here, and is not 0; copies have the same. */
    long history;
    /** Of a choice: how many options there are. */
    int options;
    /** Of a choice: whether it says if the time has come. */
    boolean timed;
    /** Of a write: whether it enters or leaves a monitor. */
    boolean monitor;
    /** Of a write: whether it gives others the first value of a field of an object that they get to know. */
    boolean first;

    // Of the read of a read-modify-write

    /** How it computes what it writes; null for any other event. */
    Update update;
    long expected;
    /** Also of the creation of a thread: what its creator tells it. */
    long operand;
    /** The mode of the write that may follow. */
    Mode writeMode;

    /** A plain read whose value an await waits for, with nothing in the round that orders it. */
    boolean polled;

    // Where it stands

    /** Its place in the order in which events came into the graph. */
    int stamp;
    /** Of a read: the write it takes its value from. Of a start or a join: what it waits for in another thread. */
    Event source;
    /** Of a write: those who read it, in no particular order; the first {@link #readerCount} are valid. */
    Event[] readers = NONE;
    int readerCount;
    /** Of a write: its place in the order of writes to its location. */
    int order;
    /** Part of a read-modify-write that has written. */
    boolean paired;
    /** False for an event that a write which has revisited a read depends on. */
    boolean revisitable = true;
    /** False for an event that was given anything but the first option, which is the latest write. */
    boolean addedMax = true;

    // What comes before it. See HappensBefore

    /** All it depends on, by program order and reads-from, itself included. */
    int[] prefix;
    /** All that happens before it, itself included. */
    int[] before;
    /** Of a write: what an acquiring read of it synchronizes with; null if nothing. */
    int[] message;
    /** What the weak reads so far would synchronize with if an acquire fence followed; null if nothing. */
    int[] pending;
    /** What happened before the last release fence; null if there was none. */
    int[] released;

    /** The values with which the next read of the thread is a round of an await that fails. The array is shared with copies. */
    private long[] failing = NO_VALUES;

    // Scratch

    /** Of a read that has just been added: the place of the oldest write that it may read. */
    int floor;

    /** The search that has visited this event last. */
    int visit;
    /** Its copy, while the graph is being copied. */
    Event twin;

    Event(int thread, int index, Kind kind, int location, Mode mode) {
        this.thread = thread;
        this.index = index;
        this.kind = kind;
        this.location = location;
        this.mode = mode;
    }

    /** A copy for another graph, linked to nothing but clocks. */
    Event copy() {
        return copy(mode);
    }

    /** The same with another mode. */
    Event copy(Mode mode) {
        Event copy = new Event(thread, index, kind, location, mode);
        copy.value = value;
        copy.site = site;
        copy.history = history;
        copy.options = options;
        copy.timed = timed;
        copy.monitor = monitor;
        copy.first = first;
        copy.update = update;
        copy.expected = expected;
        copy.operand = operand;
        copy.writeMode = writeMode;
        copy.polled = polled;
        copy.stamp = stamp;
        copy.paired = paired;
        copy.revisitable = revisitable;
        copy.addedMax = addedMax;
        copy.prefix = prefix;
        copy.before = before;
        copy.message = message;
        copy.pending = pending;
        copy.released = released;
        copy.failing = failing;
        return copy;
    }

    boolean isRead() {
        return kind == Kind.READ;
    }

    /** Whether it is a write, an initial value included. */
    boolean isWrite() {
        return kind == Kind.WRITE || kind == Kind.INIT;
    }

    /** Whether it is a write because a read-modify-write has succeeded. */
    boolean isPairedWrite() {
        return paired && kind == Kind.WRITE;
    }

    boolean isFullFence() {
        return kind == Kind.FENCE && mode == Mode.VOLATILE;
    }

    /** Whether it takes part in the order of volatile accesses and full fences. */
    boolean isVolatile() {
        return mode == Mode.VOLATILE;
    }

    boolean isPlain() {
        return mode == Mode.PLAIN;
    }

    /** Whether this read-modify-write writes if it reads {@code write}. */
    boolean wouldWrite(Event write) {
        return update != null && update.writes(write.value, expected);
    }

    /** The next read of the thread is a round of an await by itself, which fails if it reads {@code value}. */
    void noteNextFails(long value) {
        if (!nextFails(value)) {
            failing = Arrays.copyOf(failing, failing.length + 1);
            failing[failing.length - 1] = value;
        }
    }

    /** Whether it is known that the next read of the thread is a round of an await by itself, which fails if it reads {@code value}. */
    boolean nextFails(long value) {
        for (long known : failing) {
            if (known == value) {
                return true;
            }
        }
        return false;
    }

    /** The event is new, or has another value than before, so that its thread may do something else from here on. */
    void beginHistory(long number) {
        history = number;
        failing = NO_VALUES;
    }

    void addReader(Event reader) {
        if (readerCount == readers.length) {
            readers = Arrays.copyOf(readers, readerCount == 0 ? 4 : 2 * readerCount);
        }
        readers[readerCount++] = reader;
    }

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
