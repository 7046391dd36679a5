package dev.cqs.sync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The read locks of the current thread: on which {@link ReadWriteMutex} it has how many. */
final class ReadHolds {
    /*
     * One record per thread, for all locks, with an entry only for locks that the thread holds. So its size is proportional
     * to the nesting depth, a lock that is not held is not reachable from it, and looking up an entry is a scan over one or
     * two. It consists of arrays only, so that a thread that outlives the class loader of this library does not keep that
     * class loader alive.
     *
     *      lock, int[1], lock, int[1], ..., null, int[1] or null, ...
     *
     * The count is changed in place: giving a lock up needs no memory, however many holds there are. The array of a count
     * stays where a hold has ended and serves the next one, so a thread that reads again and again allocates nothing.
     */

    private static final int FEW = 4;

    private static final ThreadLocal<@Nullable Object @Nullable []> ENTRIES = new ThreadLocal<>();

    private ReadHolds() {}

    static int of(ReadWriteOwnership lock) {
        @Nullable Object @Nullable [] entries = ENTRIES.get();
        int at = find(entries, lock);
        return at < 0 ? 0 : count(entries, at)[0];
    }

    static void add(ReadWriteOwnership lock) {
        @Nullable Object @Nullable [] entries = ENTRIES.get();
        int at = find(entries, lock);
        if (at >= 0) {
            count(entries, at)[0]++;
            return;
        }
        int end = find(entries, null);
        if (end < 0) {
            end = entries == null ? 0 : entries.length;
            entries = entries == null ? new Object[FEW] : Arrays.copyOf(entries, 2 * end);
            ENTRIES.set(entries);
        }
        if (entries[end + 1] == null) {
            entries[end + 1] = new int[1];
        }
        count(entries, end)[0] = 1;
        entries[end] = lock;
    }

    /** Takes one off; false if there is none. */
    static boolean remove(ReadWriteOwnership lock) {
        @Nullable Object @Nullable [] entries = ENTRIES.get();
        int at = find(entries, lock);
        if (at < 0) {
            return false;
        }
        if (--count(entries, at)[0] == 0) {
            removeEntry(entries, at);
        }
        return true;
    }

    @SuppressWarnings("NullAway") // each entry has its count
    private static int[] count(@Nullable Object[] entries, int at) {
        return (int[]) entries[at + 1];
    }

    /** Closes the gap with the last entry. */
    private static void removeEntry(@Nullable Object[] entries, int at) {
        int last = at;
        while (last + 2 < entries.length && entries[last + 2] != null) {
            last += 2;
        }
        Object ended = entries[at + 1];
        entries[at] = entries[last];
        entries[at + 1] = entries[last + 1];
        entries[last] = null;
        entries[last + 1] = ended;
    }

    /** The first entry for this lock, or with {@code null} the first that is free; -1 if there is none. */
    private static int find(@Nullable Object @Nullable [] entries, @Nullable ReadWriteOwnership lock) {
        if (entries != null) {
            for (int at = 0; at < entries.length; at += 2) {
                if (entries[at] == lock) {
                    return at;
                }
            }
        }
        return -1;
    }
}
