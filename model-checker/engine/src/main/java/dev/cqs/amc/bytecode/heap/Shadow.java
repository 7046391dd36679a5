package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.Mode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checker's data about an object. An object that an actor makes has the same shadow in all executions: that of the
 * actor's n-th object of this class. The values of the object are in the graph; until the object escapes, they may be
 * in its real fields.
 */
public final class Shadow {

    /** The owner of the objects of the set-up, and of those that are the same in all executions. */
    public static final int NOBODY = -1;

    /** The number of the object, which is its reference in the graph. */
    public final int id;
    /** The actor that makes the object, or {@link #NOBODY}. */
    public final int owner;
    /** The number of objects that its owner makes before it. */
    public final int serial;

    public final Class<?> type;
    /** The allocation site of an array; 0 if unknown, and for other objects. */
    final int site;
    /** The shadow of an object of another class or site that its owner makes instead in other executions; or null. */
    @Nullable
    Shadow alternative;

    /** The object that was made last. An execution has several if its maker runs several times. */
    @SuppressWarnings("NullAway.Init") // set as soon as it is made
    public Object object;
    /** The execution in which it was made last. */
    public int execution;
    /** Whether the object has not escaped, in the current run of its maker. */
    public boolean local;
    /** Whether the object was found to be safe to share. */
    public boolean isHarmless;
    /**
     * Whether all accesses to the object are in the graph, even those before it escapes. If not, its real fields have
     * its values as long as it is local. See {@link dev.cqs.amc.dpor.FreshObjects}.
     */
    public boolean isExpanded;
    /** Of an array that uninstrumented code keeps: the site at which it was passed; else 0. */
    public int keeper;
    /** Whether it first escaped to a thread by the start of that thread. */
    public boolean isStarted;
    /** The last execution in which it escaped. */
    public int publishedIn;

    /** The contents that are not in the graph, when it first escaped; null before. */
    @Nullable
    List<Object> finals;

    /** Per field that was written in a weaker mode than its declaration: that mode. Null if there is none. */
    private @Nullable Map<Integer, Mode> weak;

    /** Per field or element: its location plus one, or 0 if it has none yet. */
    private int[] locations = {};
    /** The locations of the monitor and of its wait set, plus one, or 0. */
    int monitor;

    int waiters;
    /** The identity hash code, or 0 if the code has not used it. */
    int hash;
    /** The location of the contents of an exception, plus one, or 0. */
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

    /** The object is made in an execution. */
    void begin(Object made, int inExecution, boolean expanded) {
        object = made;
        isExpanded = expanded;
        execution = inExecution;
        local = true;
        keeper = 0;
        weak = null;
    }

    /** A field is written in this mode before the object escapes. */
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
