package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.Mode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the checker knows of an object. An object that an actor makes has a shadow for all executions: the one of the
 * actor's n-th object of this class. What the object holds is in the graph of the execution; only as long as
 * only its maker can know the object, its own fields may hold it.
 */
public final class Shadow {

    /** The owner of what the set-up has made, and of what is the same in all executions. */
    public static final int NOBODY = -1;

    /** Its number, which stands for the object in the graph. */
    public final int id;
    /** The actor that makes the object, or {@link #NOBODY}. */
    public final int owner;
    /** How many objects its owner makes before it. */
    public final int serial;

    public final Class<?> type;
    /** Of an array: the place in the code that makes it; 0 if that is unknown, and for other objects. */
    final int site;
    /** One of another class or place, of which its owner makes an object instead in other executions; or null. */
    @Nullable
    Shadow alternative;

    /** The object that was made last; there may be several in an execution, if its maker is run several times. */
    @SuppressWarnings("NullAway.Init") // set as soon as it is made
    public Object object;
    /** The execution in which it was made last. */
    public int execution;
    /** Whether only the maker can know the object, in the present run of the maker. */
    public boolean local;
    /** Whether the object has been found to be one that threads can share. */
    public boolean isHarmless;
    /**
     * Whether all accesses to the object are in the graph, also those before others can know it; if not, then its own fields
     * hold what its maker has written as long as it is local. See {@link dev.cqs.amc.dpor.FreshObjects}.
     */
    public boolean isExpanded;
    /** Of an array that code which is not seen has kept: where it was given to that; else 0. */
    public int keeper;
    /** Whether it first got known to a thread that was started by that. */
    public boolean isStarted;
    /** The last execution in which others could know it. */
    public int publishedIn;

    /** What has been found in it that is not in the graph, when others first knew the object; null before. */
    @Nullable
    List<Object> finals;

    /** Per field that was written in a weaker mode than it is declared with: that mode. Null if there is none. */
    private @Nullable Map<Integer, Mode> weak;

    /** Per field or element: its location, plus one, or 0 if it has none yet. */
    private int[] locations = {};
    /** Location of the monitor, and of its wait set, plus one. */
    int monitor;

    int waiters;
    /** The identity hash code, or 0 if the code has not asked for it. */
    int hash;
    /** Location of what an exception holds, plus one, or 0. */
    int content;

    Shadow(int id, int owner, int serial, Class<?> type, int site) {
        this.id = id;
        this.owner = owner;
        this.serial = serial;
        this.type = type;
        this.site = site;
    }

    public boolean isPersistent() {
        return owner == NOBODY;
    }

    /** The object is made anew. */
    void begin(Object made, int inExecution, boolean expanded) {
        object = made;
        isExpanded = expanded;
        execution = inExecution;
        local = true;
        keeper = 0;
        weak = null;
    }

    /** A field is written in this mode while no other thread knows the object. */
    public void weaken(int field, Mode mode) {
        if (weak == null) {
            weak = new HashMap<>();
        }
        weak.merge(field, mode, (one, other) -> one == Mode.PLAIN ? one : other);
    }

    /** The weakest mode in which a field was written, or {@code usual}. */
    public Mode weakest(int field, Mode usual) {
        return weak == null ? usual : weak.getOrDefault(field, usual);
    }

    /** The location of a field or element, or -1. */
    int location(int index) {
        return index < locations.length ? locations[index] - 1 : -1;
    }

    void setLocation(int index, int location) {
        if (index >= locations.length) {
            locations = Arrays.copyOf(locations, Math.max(index + 1, 2 * locations.length));
        }
        locations[index] = location + 1;
    }
}
