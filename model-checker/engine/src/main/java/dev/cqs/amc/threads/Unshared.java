package dev.cqs.amc.threads;

import dev.cqs.amc.Mode;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.EventNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a run of a thread does that is no event: with objects that no other thread knows, or knows from the next event on (see
 * {@link dev.cqs.amc.dpor.FreshObjects}), and with final fields (see {@link dev.cqs.amc.dpor.Freezes}).
 */
public final class Unshared {

    private static final int[] NONE = {};

    private final ThreadRun run;
    private final GraphBuilder builder;
    /** The objects that others may know from the next event on; the first {@link #count} are valid. */
    private int[] published = NONE;

    private int count;
    /** The freezes, and the references that the thread has got, since the latest event. */
    private final List<Integer> freezes = new ArrayList<>();

    private final List<EventNote.Sight> sights = new ArrayList<>();

    Unshared(ThreadRun run, GraphBuilder builder) {
        this.run = run;
        this.builder = builder;
    }

    /** Writes the first value that others can find at a location of an object which they get to know now. */
    public void storeFirst(int location, long value, Mode mode, int site) {
        run.store(location, value, mode, site);
        run.latest().first = true;
    }

    /** Others may know this object from the next event on. The accesses to it so far are not in the graph. */
    public void publish(int object) {
        if (count == published.length) {
            published = Arrays.copyOf(published, 2 * count + 2);
        }
        published[count++] = object;
    }

    /** A constructor that has set final fields has come to its end, and no other thread may know its object. */
    public void freeze(int freeze) {
        freezes.add(freeze);
    }

    /**
     * The thread has got a reference other than by reading what is in the graph.
     *
     * @param holder the object that has it in a final field; -1 if it was got in another way
     * @param freeze the number of the freeze of that field, or -1
     */
    public void see(int object, int holder, int freeze) {
        sights.add(new EventNote.Sight(object, holder, freeze));
    }

    /** The next event is in the graph already, with what is announced by it; or there is none. */
    void clear() {
        count = 0;
        if (!freezes.isEmpty()) {
            freezes.clear();
        }
        if (!sights.isEmpty()) {
            sights.clear();
        }
    }

    /** The next event is new, and announces what there is to be. */
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
     * The latest access was one to an object that no other thread can know: no thread waits for what it reads there. Returns
     * whether the object holds something else since. All writes there are those of this thread, in their order.
     */
    @SuppressWarnings("NullAway") // its read comes before
    public boolean accessed() {
        Event latest = run.latest();
        latest.isPrivate = true;
        latest.polled = false;
        if (latest.isPairedWrite()) {
            builder.graph().previous(latest).isPrivate = true;
        }
        return latest.isWrite() && builder.graph().write(latest.location, latest.order - 1).value != latest.value;
    }
}
