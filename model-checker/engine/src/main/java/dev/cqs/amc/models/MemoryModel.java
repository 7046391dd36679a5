package dev.cqs.amc.models;

import dev.cqs.amc.Model;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * A memory model: decides which execution graphs are consistent.
 *
 * <p>The exploration requires three properties of a model. po ∪ rf is acyclic. Consistency is prefix-closed: it is kept
 * when events are removed on which no other event depends. And models are extensible: consistency is kept when a read
 * of the last write in coherence order, or a write at its end, is added. So a model is asked only about graphs that
 * were consistent before one instruction, the last of its thread, got other edges. These respect the bound of
 * {@link #seen}, so coherence per location holds, and a model checks its other axioms.
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
     * The clock of {@code event} (may be null) that bounds what the next read of the thread may read from: no write
     * that is older, in coherence order, than a write in the clock or than one that a read in the clock reads from.
     */
    int @Nullable [] seen(@Nullable Event event);

    /**
     * Whether the graph is consistent. {@code changed} is the last event of its thread, and the only event that was
     * added or moved since the graph was known to be consistent. If it is the write of a read-modify-write, then its
     * read was added or moved too. The atomicity of read-modify-writes is checked elsewhere.
     */
    boolean consistent(Graph graph, Event changed);

    /** Whether races are decided on complete graphs only, because a later event may still order two accesses. */
    default boolean ordersLate() {
        return false;
    }

    /**
     * Whether a graph that is consistent under RC11 is consistent, whatever was changed last. Asked only of models that
     * order late.
     */
    default boolean addsUp(Graph graph) {
        return true;
    }

    /** A racing pair of accesses of {@code graph}, or null. Asked only of models that order late. */
    default Event @Nullable [] race(Graph graph) {
        return null;
    }
}
