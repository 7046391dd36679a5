package dev.cqs.amc.models;

import dev.cqs.amc.Model;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * Says which execution graphs there are.
 *
 * <p>The exploration asks of a model that what an event depends on comes before it (program order and reads-from
 * together have no cycle), that taking away events on which no other depends keeps a graph consistent, and that
 * adding a read of the latest write, or a write after all others, keeps it consistent too. So it is asked only
 * about graphs that were consistent before one instruction, the last of its thread, got another place. That place is
 * no older than what {@link #seen} bounds, so each location for itself is coherent, and a model asks about the rest.
 */
public interface MemoryModel {

    /** The model of this name. */
    static MemoryModel of(Model model) {
        return switch (model) {
            case SC -> new SequentialConsistency();
            case TSO -> new TotalStoreOrder();
            case RC11 -> new Rc11(false);
            case RC11_GENMC -> new Rc11(true);
            case JLS -> new JavaLanguage();
        };
    }

    /**
     * The clock of {@code event} (may be null) that bounds what a read after it may see: no write older than one in
     * the clock, or than one that a read in the clock has read.
     */
    int @Nullable [] seen(@Nullable Event event);

    /**
     * Whether the graph is consistent, with {@code changed} the last event of its thread, and in its place since
     * the graph was last known to be consistent. If it is the write of a read-modify-write then the read before
     * it has changed too. Two read-modify-writes of one source are none of its business.
     */
    boolean consistent(Graph graph, Event changed);

    /** Whether races are to be looked for at the end, because a later event may still put two accesses in order. */
    default boolean ordersLate() {
        return false;
    }

    /** Whether a graph that RC11 has is consistent, however it came about. Asked only of models that order late. */
    default boolean addsUp(Graph graph) {
        return true;
    }

    /** Two accesses of a race of {@code graph}, or null. Asked only of models that order late. */
    default Event @Nullable [] race(Graph graph) {
        return null;
    }
}
