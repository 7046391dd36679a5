package dev.cqs.amc.check;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.models.Races;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the run of a graph comes upon: an error, or that the graph can become neither an execution nor a hang. */
public final class Findings {

    private final Subject subject;
    private final MemoryModel model;

    private @Nullable Failure failure;
    private boolean abandoned;
    private boolean keepsHopeless;
    private boolean beginsAnew;

    public Findings(Subject subject, MemoryModel model) {
        this.subject = subject;
        this.model = model;
    }

    /** Whether no thread goes on in the present graph. */
    public boolean isRunOver() {
        return failure != null || abandoned || beginsAnew;
    }

    // Errors

    /** Whether the search ends here: with an error, or to begin anew. */
    public boolean hasFailed() {
        return failure != null || beginsAnew;
    }

    /** Has the search begin anew, because there are other events than it has known of. Nothing that was found counts. */
    public void beginAnew() {
        beginsAnew = true;
    }

    /** Whether the search is to begin anew. */
    public boolean mustBeginAnew() {
        return beginsAnew;
    }

    /** A search begins. */
    public void clear() {
        failure = null;
        abandoned = false;
        beginsAnew = false;
    }

    /** What is wrong, or null. */
    public @Nullable Failure failure() {
        return failure;
    }

    /** Has this be what is wrong, or nothing if it is null, whatever has been found before. */
    public void replaceFailure(@Nullable Failure other) {
        failure = other;
    }

    public void fail(Verdict verdict, String message, List<Event> events) {
        fail(new Failure(verdict, message, events, null));
    }

    /** What is found first counts. */
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

    /** Fails if an event, which is the latest or has got another place, races; unless the model knows only of whole graphs. */
    public void checkRaces(Graph graph, Event event) {
        if (failure == null && !model.ordersLate()) {
            Event other = Races.with(graph, event);
            if (other != null) {
                failRace(event, other);
            }
        }
    }

    // Graphs of no use

    /** Another graph is run. */
    public void beginRun() {
        abandoned = false;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Ends the run of this graph, in which a thread is blocked for good and yet does not hang. */
    public void abandonHopeless() {
        abandoned = !keepsHopeless;
    }

    /** Whether graphs that can become neither an execution nor a hang are extended all the same. */
    public boolean keepsHopeless() {
        return keepsHopeless;
    }

    /** Has graphs that can become neither an execution nor a hang be extended all the same. */
    public void keepHopeless() {
        keepsHopeless = true;
    }
}
