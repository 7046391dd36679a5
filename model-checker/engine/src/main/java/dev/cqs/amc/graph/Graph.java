package dev.cqs.amc.graph;

import dev.cqs.amc.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An execution graph: the events of every thread in program order, the source of every read, and per location the
 * order of its writes, which begins with the initial value.
 */
public final class Graph {

    private final Event[][] events;
    private final int[] lengths;
    /** Per location, null until an event touches it. */
    private Event[][] writes;

    private int[] writeCounts;
    /** Per location: how many plain reads and writes there are. */
    private int[] plainReads;

    private int[] plainWrites;
    private int fullFences;
    /** Per thread: the event that has created it. */
    private final @Nullable Event[] creations;
    /** Per object: the event from which on others may know it, or null. See {@link dev.cqs.amc.dpor.FreshObjects}. */
    private @Nullable Event[] publications = {};
    /** Per freeze of a final field: the event right after it, or null. See {@link dev.cqs.amc.dpor.Freezes}. */
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

    // Looking

    public int threads() {
        return events.length;
    }

    /** All locations that there are have smaller numbers. */
    public int locations() {
        return writes.length;
    }

    /** Whether an event has touched this location. */
    public boolean knows(int location) {
        return location < writes.length && writeCounts[location] > 0;
    }

    /** The event that has created {@code thread}, or null. */
    public @Nullable Event creation(int thread) {
        return creations[thread];
    }

    /** The event from which on others may know this object, or null. */
    public @Nullable Event publication(int object) {
        return object < publications.length ? publications[object] : null;
    }

    /** The event right after this freeze, or null. */
    public @Nullable Event freeze(int number) {
        return number < freezes.length ? freezes[number] : null;
    }

    /** The thread that has been created with this operand, or -1. */
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

    /** Whether {@code thread}, which has been created, has come to its end; -1 is one that has not been created. */
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
    public @Nullable Event previous(Event event) {
        return event.index == 0 ? null : events[event.thread][event.index - 1];
    }

    /** How many events there are, initial values left out. */
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

    /** The write at this place of the order of writes; place 0 is the initial value. */
    public Event write(int location, int order) {
        return writes[location][order];
    }

    public Event latest(int location) {
        return writes[location][writeCounts[location] - 1];
    }

    /** Whether any write but the initial value is plain. */
    public boolean hasPlainWrite(int location) {
        return plainWrites[location] > 0;
    }

    /** Whether any access but the initial write is plain. */
    public boolean hasPlainAccess(int location) {
        return plainReads[location] + plainWrites[location] > 0;
    }

    /** Whether there is any full fence. */
    public boolean hasFullFence() {
        return fullFences > 0;
    }

    /** The write that follows {@code write} in the order of writes, or null. */
    public @Nullable Event next(Event write) {
        int order = write.order + 1;
        return order < writeCounts[write.location] ? writes[write.location][order] : null;
    }

    /**
     * The place of the oldest write that an event may still see, or come after, if it has seen what is in
     * {@code clock}: the newest write that is in it, or that a read in it has read.
     */
    public int floor(int location, int @Nullable [] clock) {
        return floor(location, clock, 0);
    }

    /** The same, but does not look below {@code least}. */
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

    /** The place of the newest write that is in {@code clock} (may be null), or {@code least} if that is not below it. */
    public int newest(int location, int @Nullable [] clock, int least) {
        int place = clock == null ? least : writeCounts[location] - 1;
        while (place > least && !Clock.has(clock, writes[location][place])) {
            place--;
        }
        return place;
    }

    /** The events in other threads that wait for this creation or end of a thread. */
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

    // Changing

    /** An event touches {@code location} for the first time. */
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

    /** Has what {@code event} announces be announced by {@code announcer}. */
    private void setAnnounced(Event event, @Nullable Event announcer) {
        if (event.note != null) {
            publications = set(publications, event.note.published(), announcer);
            freezes = set(freezes, event.note.freezes(), announcer);
        }
    }

    /** Has all that have these numbers be {@code event}. */
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

    /** Gives {@code read} its source and value, instead of the source that it may have. Clocks are not touched. */
    public void setSource(Event read, Event source) {
        if (read.source != null) {
            read.source.removeReader(read);
        }
        read.source = source;
        read.value = source.value;
        read.paired = read.wouldWrite(source);
        source.addReader(read);
    }

    /** Puts {@code write} at the place {@code order} of the order of writes. */
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

    /** Moves {@code write} to right after {@code other} in the order of writes. */
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

    /** Deletes all events that came after the one with {@code stamp}. */
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

    /** Has the event be what it was before it was deleted: the last of its thread; and a write, at the place {@code order}. */
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
