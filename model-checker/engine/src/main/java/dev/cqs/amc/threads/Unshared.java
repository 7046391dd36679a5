package dev.cqs.amc.threads;

import dev.cqs.amc.Mode;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import java.util.Arrays;

/** What a run of a thread does with objects that no other thread knows, or knows from the next event on. See {@link dev.cqs.amc.dpor.FreshObjects}. */
public final class Unshared {

    private static final int[] NONE = {};

    private final ThreadRun run;
    private final GraphBuilder growth;
    /** The objects that others may know from the next event on; the first {@link #count} are valid. */
    private int[] published = NONE;
    private int count;

    Unshared(ThreadRun run, GraphBuilder growth) {
        this.run = run;
        this.growth = growth;
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

    /** The next event is in the graph already, with what is published by it; or there is none. */
    void clear() {
        count = 0;
    }

    /** The next event is new. Returns what is published by it, or null. */
    int[] take() {
        int[] taken = count == 0 ? null : Arrays.copyOf(published, count);
        count = 0;
        return taken;
    }

    /**
     * The latest access was one to an object that no other thread can know: no thread waits for what it reads there. Returns
     * whether the object holds something else since. All writes there are those of this thread, in their order.
     */
    public boolean accessed() {
        Event latest = run.latest();
        latest.isPrivate = true;
        latest.polled = false;
        if (latest.isPairedWrite()) {
            growth.graph().previous(latest).isPrivate = true;
        }
        return latest.isWrite() && growth.graph().write(latest.location, latest.order - 1).value != latest.value;
    }
}
