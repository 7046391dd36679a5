package dev.cqs.amc.check;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.models.Races;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the run of a graph finds: an error, or that the graph leads neither to a complete execution nor to a hang. */
public final class Findings {

    private final Subject subject;
    private final MemoryModel model;

    private @Nullable Failure failure;
    private boolean abandoned;
    private boolean keepsHopeless;
    private boolean restarts;

    public Findings(Subject subject, MemoryModel model) {
        this.subject = subject;
        this.model = model;
    }

    /** Whether the current graph is not extended further. */
    public boolean isRunOver() {
        return failure != null || abandoned || restarts;
    }

    // Errors

    /** Whether the search ends here, with an error or to restart. */
    public boolean hasFailed() {
        return failure != null || restarts;
    }

    /** Restarts the search, because threads have events that it left out so far. All findings are dropped. */
    public void restart() {
        restarts = true;
    }

    /** Whether the search has to restart. */
    public boolean mustRestart() {
        return restarts;
    }

    /** A search begins. */
    public void clear() {
        failure = null;
        abandoned = false;
        restarts = false;
    }

    /** The failure, or null. */
    public @Nullable Failure failure() {
        return failure;
    }

    /** Replaces the failure; null for none. */
    public void replaceFailure(@Nullable Failure other) {
        failure = other;
    }

    public void fail(Verdict verdict, String message, List<Event> events) {
        fail(new Failure(verdict, message, events, null));
    }

    /** Records a failure. The first one counts. */
    public void fail(Failure found) {
        if (failure == null) {
            failure = found;
        }
    }

    public void failRace(Event event, Event other) {
        fail(Failure.race(subject, event, other));
    }

    public void failPlainSpin(Event read) {
        fail(Failure.plainSpin(subject, read));
    }

    /** Fails if an event that was just added or moved races, unless the model decides races on complete graphs only. */
    public void checkRaces(Graph graph, Event event) {
        if (failure == null && !model.ordersLate()) {
            Event other = Races.with(graph, event);
            if (other != null) {
                failRace(event, other);
            }
        }
    }

    // Abandoned graphs

    /** The run of another graph begins. */
    public void beginRun() {
        abandoned = false;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Abandons this graph: a thread is blocked in every extension of it, and yet no extension is a hang. */
    public void abandonHopeless() {
        abandoned = !keepsHopeless;
    }

    /** Whether graphs that lead neither to a complete execution nor to a hang are extended nevertheless. */
    public boolean keepsHopeless() {
        return keepsHopeless;
    }

    /** Extends graphs that lead neither to a complete execution nor to a hang nevertheless. */
    public void keepHopeless() {
        keepsHopeless = true;
    }
}
