package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution graph: the events of every thread in program order (po), the write that every read reads from (rf), and
 * per location the coherence order of its writes (co), which begins with the initial write.
 */
public final class Graph {

    private final Event[][] events;
    private final int[] lengths;
    /** Per location, its writes in coherence order; null until an event accesses it. */
    private Event[][] writes;

    private int[] writeCounts;
    /** Per location: the number of plain reads and plain writes. */
    private int[] plainReads;

    private int[] plainWrites;
    private int fullFences;
    /** Per thread: the event that created it, or null. */
    private final @Nullable Event[] creations;
    /** Per object: the event with which it escapes, or null. See {@link dev.cqs.amc.dpor.FreshObjects}. */
    private @Nullable Event[] publications = {};
    /** Per freeze of a final field: the first event after it, or null. See {@link dev.cqs.amc.dpor.Freezes}. */
    private @Nullable Event[] freezes = {};

    private int nextStamp;
    private int visits;

    /** A graph without events. */
    public Graph(int threads) {
        this(threads, 16);
    }

    private Graph(int threads, int locations) {
        events = new Event[threads][];
        lengths = new int[threads];
        creations = new Event[threads];
        writes = new Event[locations][];
        writeCounts = new int[locations];
        plainReads = new int[locations];
        plainWrites = new int[locations];
    }

    // Queries

    public int threads() {
        return events.length;
    }

    /** An upper bound on the numbers of locations. */
    public int locations() {
        return writes.length;
    }

    /** Whether an event accesses this location. */
    public boolean knows(int location) {
        return location < writes.length && writeCounts[location] > 0;
    }

    /** The event that created {@code thread}, or null. */
    public @Nullable Event creation(int thread) {
        return creations[thread];
    }

    /** The event with which this object escapes, or null. */
    public @Nullable Event publication(int object) {
        return object < publications.length ? publications[object] : null;
    }

    /** The first event after this freeze, or null. */
    public @Nullable Event freeze(int number) {
        return number < freezes.length ? freezes[number] : null;
    }

    /** The thread that was created with this operand, or -1. */
    @SuppressWarnings("NullAway") // the creation of a thread has an operand
    public int created(long operand) {
        for (int thread = 0; thread < threads(); thread++) {
            Event creation = creations[thread];
            if (creation != null && creation.change.operand() == operand) {
                return thread;
            }
        }
        return -1;
    }

    /** Whether {@code thread} has ended; false for -1, a thread that is not created. */
    public boolean hasEnded(int thread) {
        Event last = thread < 0 ? null : last(thread);
        return last != null && last.kind == Kind.END;
    }

    public int length(int thread) {
        return lengths[thread];
    }

    public Event event(int thread, int index) {
        return events[thread][index];
    }

    /** The last event of {@code thread}, or null. */
    public @Nullable Event last(int thread) {
        return lengths[thread] == 0 ? null : events[thread][lengths[thread] - 1];
    }

    /** The event before {@code event} in its thread, or null. */
    public @Nullable Event previousInThread(Event event) {
        return event.index == 0 ? null : events[event.thread][event.index - 1];
    }

    /** The number of events, without initial writes. */
    public int size() {
        int size = 0;
        for (int length : lengths) {
            size += length;
        }
        return size;
    }

    public int writeCount(int location) {
        return writeCounts[location];
    }

    /** The write at this position of the coherence order; position 0 is the initial write. */
    public Event write(int location, int order) {
        return writes[location][order];
    }

    public Event latest(int location) {
        return writes[location][writeCounts[location] - 1];
    }

    /** Whether any write except the initial write is plain. */
    public boolean hasPlainWrite(int location) {
        return plainWrites[location] > 0;
    }

    /** Whether any access except the initial write is plain. */
    public boolean hasPlainAccess(int location) {
        return plainReads[location] + plainWrites[location] > 0;
    }

    /** Whether there is any full fence. */
    public boolean hasFullFence() {
        return fullFences > 0;
    }

    /** The immediate successor of {@code write} in coherence order, or null. */
    public @Nullable Event nextInCoherence(Event write) {
        int order = write.order + 1;
        return order < writeCounts[write.location] ? writes[write.location][order] : null;
    }

    /**
     * The coherence position of the oldest write that an event after {@code clock} may read from, or be placed after:
     * the newest write that is in the clock, or that a read in the clock reads from.
     */
    public int floor(int location, int @Nullable [] clock) {
        return floor(location, clock, 0);
    }

    /** The same, but at least {@code least}. */
    public int floor(int location, int @Nullable [] clock, int least) {
        Event[] order = writes[location];
        for (int i = writeCounts[location] - 1; i > least; i--) {
            Event write = order[i];
            if (Clock.has(clock, write)) {
                return i;
            }
            for (int k = 0; k < write.readerCount; k++) {
                if (Clock.has(clock, write.readers[k])) {
                    return i;
                }
            }
        }
        return least;
    }

    /**
     * The coherence position of the newest write that is in {@code clock} (may be null), but at least {@code least}.
     */
    public int newest(int location, int @Nullable [] clock, int least) {
        int place = clock == null ? least : writeCounts[location] - 1;
        while (place > least && !Clock.has(clock, writes[location][place])) {
            place--;
        }
        return place;
    }

    /** The start or the joins, in other threads, that follow this creation or end of a thread. */
    public List<Event> followers(Event event) {
        List<Event> followers = new ArrayList<>();
        if (event.kind == Kind.CREATE && lengths[(int) event.value] > 0) {
            followers.add(events[(int) event.value][0]);
        } else if (event.kind == Kind.END) {
            for (int thread = 0; thread < events.length; thread++) {
                for (int i = 0; i < lengths[thread]; i++) {
                    if (events[thread][i].kind == Kind.JOIN && events[thread][i].source == event) {
                        followers.add(events[thread][i]);
                    }
                }
            }
        }
        return followers;
    }

    /** A number that no event of this graph has in {@link Event#visit}. */
    public int newVisit() {
        return ++visits;
    }

    // Changes

    /** Adds the initial write of {@code location}. */
    public void initialize(int location, long value) {
        if (location >= writes.length) {
            int length = Math.max(location + 1, 2 * writes.length);
            writes = Arrays.copyOf(writes, length);
            writeCounts = Arrays.copyOf(writeCounts, length);
            plainReads = Arrays.copyOf(plainReads, length);
            plainWrites = Arrays.copyOf(plainWrites, length);
        }
        Event initial = new Event(-1, -1, Kind.INIT, location, Mode.OPAQUE);
        initial.value = value;
        insert(initial, 0);
    }

    /** Appends {@code event} to its thread. */
    public void append(Event event) {
        int thread = event.thread;
        Event[] old = events[thread];
        if (old == null) {
            events[thread] = old = new Event[16];
        } else if (old.length == lengths[thread]) {
            events[thread] = old = Arrays.copyOf(old, 2 * old.length);
        }
        old[lengths[thread]++] = event;
        event.stamp = nextStamp++;
        count(event, 1);
        setAnnounced(event, event);
        if (event.kind == Kind.CREATE) {
            creations[(int) event.value] = event;
        }
    }

    /** Sets the publications and freezes that {@code event} carries to {@code announcer}. */
    private void setAnnounced(Event event, @Nullable Event announcer) {
        if (event.note != null) {
            publications = set(publications, event.note.published(), announcer);
            freezes = set(freezes, event.note.freezes(), announcer);
        }
    }

    /** Sets the entries with these numbers to {@code event}. */
    private static @Nullable Event[] set(@Nullable Event[] all, int[] numbers, @Nullable Event event) {
        @Nullable Event[] enough = all;
        for (int number : numbers) {
            if (number >= enough.length) {
                enough = Arrays.copyOf(enough, Math.max(number + 1, 2 * enough.length));
            }
            enough[number] = event;
        }
        return enough;
    }

    /** Makes {@code read} read from {@code source}, instead of its previous source if any. Clocks do not change. */
    public void setSource(Event read, Event source) {
        if (read.source != null) {
            read.source.removeReader(read);
        }
        read.source = source;
        read.value = source.value;
        read.paired = read.wouldWrite(source);
        source.addReader(read);
    }

    /** Inserts {@code write} at the position {@code order} of the coherence order. */
    public void insert(Event write, int order) {
        int location = write.location;
        int count = writeCounts[location];
        Event[] all = writes[location];
        if (all == null) {
            writes[location] = all = new Event[4];
        } else if (all.length == count) {
            writes[location] = all = Arrays.copyOf(all, 2 * count);
        }
        for (int i = count; i > order; i--) {
            all[i] = all[i - 1];
            all[i].order = i;
        }
        all[order] = write;
        write.order = order;
        writeCounts[location] = count + 1;
    }

    /** Moves {@code write} to immediately after {@code other} in coherence order. */
    public void moveAfter(Event write, Event other) {
        take(write);
        insert(write, other.order + 1);
    }

    @SuppressWarnings("NullAway") // behind the count is nothing
    private void take(Event write) {
        Event[] all = writes[write.location];
        int count = --writeCounts[write.location];
        for (int i = write.order; i < count; i++) {
            all[i] = all[i + 1];
            all[i].order = i;
        }
        all[count] = null;
    }

    /** Deletes all events that were added after the one with {@code stamp}. */
    public void restrict(int stamp) {
        for (int thread = 0; thread < events.length; thread++) {
            while (lengths[thread] > 0 && events[thread][lengths[thread] - 1].stamp > stamp) {
                removeLast(thread);
            }
        }
        nextStamp = stamp + 1;
    }

    private void count(Event event, int change) {
        if (event.mode == Mode.PLAIN && event.location >= 0) {
            (event.kind == Kind.READ ? plainReads : plainWrites)[event.location] += change;
        } else if (event.isFullFence()) {
            fullFences += change;
        }
    }

    /** Deletes the last event of {@code thread}. */
    @SuppressWarnings("NullAway") // behind the length is nothing
    public void removeLast(int thread) {
        Event event = events[thread][--lengths[thread]];
        events[thread][lengths[thread]] = null;
        count(event, -1);
        setAnnounced(event, null);
        if (event.isRead()) {
            event.source.removeReader(event);
        } else if (event.isWrite()) {
            take(event);
        } else if (event.kind == Kind.CREATE) {
            creations[(int) event.value] = null;
        }
    }

    /** Restores a deleted event as the last of its thread; a write at the coherence position {@code order}. */
    public void putBack(Event event, int order) {
        events[event.thread][lengths[event.thread]++] = event;
        count(event, 1);
        setAnnounced(event, event);
        if (event.isRead()) {
            event.source.addReader(event);
        } else if (event.isWrite()) {
            insert(event, order);
        } else if (event.kind == Kind.CREATE) {
            creations[(int) event.value] = event;
        }
    }
}
