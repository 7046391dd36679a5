package dev.cqs.amc.threads;

import dev.cqs.amc.Mode;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.EventNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The actions of a thread that are not events: on objects that have not escaped, or escape with the next event (see
 * {@link dev.cqs.amc.dpor.FreshObjects}), and on final fields (see {@link dev.cqs.amc.dpor.Freezes}).
 */
public final class UnescapedObjects {

    private static final int[] NONE = {};

    private final ThreadRun run;
    private final GraphBuilder builder;
    /** The objects that escape with the next event; the first {@link #count} are valid. */
    private int[] published = NONE;

    private int count;
    /** The freezes, and the references that the thread has obtained, since the latest event. */
    private final List<Integer> freezes = new ArrayList<>();

    private final List<EventNote.Sight> sights = new ArrayList<>();

    UnescapedObjects(ThreadRun run, GraphBuilder builder) {
        this.run = run;
        this.builder = builder;
    }

    /** Writes the first value of a location that other threads can read, as the object escapes. */
    public void storeFirst(int location, long value, Mode mode, int site) {
        run.store(location, value, mode, site);
        run.latest().first = true;
    }

    /** This object escapes with the next event. The accesses to it so far are not in the graph. */
    public void publish(int object) {
        if (count == published.length) {
            published = Arrays.copyOf(published, 2 * count + 2);
        }
        published[count++] = object;
    }

    /** A constructor that set final fields has ended, and its object has not escaped. */
    public void freeze(int freeze) {
        freezes.add(freeze);
    }

    /**
     * The thread has obtained a reference other than by a read event.
     *
     * @param holder the object whose final field the reference was read from; -1 if it was obtained otherwise
     * @param freeze the number of the freeze of that field, or -1
     */
    public void see(int object, int holder, int freeze) {
        sights.add(new EventNote.Sight(object, holder, freeze));
    }

    /** Drops what was collected: the next event is replayed and has it already, or there is no next event. */
    void clear() {
        count = 0;
        if (!freezes.isEmpty()) {
            freezes.clear();
        }
        if (!sights.isEmpty()) {
            sights.clear();
        }
    }

    /** Attaches what was collected to the next event, which is new. */
    void announceBy(Event event) {
        if (count > 0 || !freezes.isEmpty() || !sights.isEmpty()) {
            event.note = new EventNote(
                    Arrays.copyOf(published, count),
                    freezes.isEmpty()
                            ? NONE
                            : freezes.stream().mapToInt(Integer::intValue).toArray(),
                    List.copyOf(sights));
        }
        clear();
    }

    /**
     * Marks the latest access as one to an object that has not escaped: it is no read of an await. Returns whether it
     * changed the object, all of whose writes are this thread's, in program order.
     */
    @SuppressWarnings("NullAway") // its read comes before
    public boolean accessed() {
        Event latest = run.latest();
        latest.isPrivate = true;
        latest.polled = false;
        if (latest.isPairedWrite()) {
            builder.graph().previousInThread(latest).isPrivate = true;
        }
        return latest.isWrite() && builder.graph().write(latest.location, latest.order - 1).value != latest.value;
    }
}
