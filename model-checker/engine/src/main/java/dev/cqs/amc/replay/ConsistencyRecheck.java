package dev.cqs.amc.replay;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.HappensBefore;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.models.Races;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a given graph is consistent under another model, or under the same model with some accesses
 * strengthened.
 *
 * <p>A model answers only for a graph that was consistent before its latest instruction. So the graph is rebuilt event
 * by event, each after the events that it depends on, and the model is asked after each. This is complete: consistency
 * is prefix-closed, so all intermediate graphs of a consistent graph are consistent.
 */
public final class ConsistencyRecheck {

    private final Graph graph;
    private final MemoryModel model;
    /**
     * The model that is asked after each event. A model that examines the whole graph each time is asked at the end
     * only.
     */
    private final MemoryModel steps;

    private final Map<Event, Mode> modes;
    private final Graph copy;
    private final Map<Event, Event> twins = new IdentityHashMap<>();

    private ConsistencyRecheck(Graph graph, Model model, Map<Event, Mode> modes) {
        this.graph = graph;
        this.model = MemoryModel.of(model);
        steps = this.model.ordersLate() ? MemoryModel.of(Model.RC11) : this.model;
        this.modes = modes;
        copy = new Graph(graph.threads());
    }

    /** Whether the graph is consistent under {@code model}, with the accesses in {@code modes} in these modes. */
    public static boolean allows(Graph graph, Model model, Map<Event, Mode> modes) {
        return new ConsistencyRecheck(graph, model, modes).builds();
    }

    /**
     * Whether the graph is consistent and still an error. Stronger modes can repair only a data race or a spin on a
     * plain variable.
     */
    public static boolean isWrong(Graph graph, Model model, Map<Event, Mode> modes, Verdict verdict) {
        ConsistencyRecheck retrial = new ConsistencyRecheck(graph, model, modes);
        return retrial.builds()
                && switch (verdict) {
                    case DATA_RACE -> retrial.races();
                    case PLAIN_SPIN -> retrial.events().anyMatch(event -> event.polled);
                    default -> true;
                };
    }

    private boolean builds() {
        for (int location = 0; location < graph.locations(); location++) {
            if (graph.knows(location)) {
                copy.initialize(location, graph.write(location, 0).value);
                twins.put(graph.write(location, 0), copy.write(location, 0));
            }
        }
        int missing = graph.size();
        while (missing > 0) {
            for (int thread = 0; thread < graph.threads(); thread++) {
                while (copy.length(thread) < graph.length(thread)) {
                    Event next = graph.event(thread, copy.length(thread));
                    if (!isReady(next)) {
                        break;
                    }
                    Event added = add(next);
                    if (added == null) {
                        return false;
                    }
                    missing = graph.size() - copy.size();
                }
            }
        }
        return steps == model || model.addsUp(copy);
    }

    private boolean isConsistent(Event changed) {
        return steps.consistent(copy, changed);
    }

    private boolean isReady(Event next) {
        if (next.kind == Kind.START && next.source == null) {
            for (int thread = 0; thread < graph.threads(); thread++) {
                if (thread != next.thread && copy.length(thread) < graph.length(thread)) {
                    return false;
                }
            }
            return true;
        }
        return next.source == null || twins.containsKey(next.source);
    }

    /** Adds the next event of a thread, with its write if it is a read-modify-write; null if that is inconsistent. */
    private @Nullable Event add(Event event) {
        Event twin = twin(event);
        return switch (event.kind) {
            case READ -> addRead(event, twin);
            case WRITE -> addWrite(event, twin);
            default -> addOther(event, twin);
        };
    }

    private Event twin(Event event) {
        Mode mode = modes.get(event);
        Event twin = event.copy(mode == null ? event.mode : event.isRead() ? mode.readPart() : mode.writePart());
        if (mode != null && event.isRead() && event.change != null) {
            twin.change = event.change.withWriteMode(mode.writePart());
        }
        twin.paired = false;
        twin.polled &= twin.isPlain();
        twins.put(event, twin);
        return twin;
    }

    @SuppressWarnings("NullAway") // it is ready: its source is there
    private @Nullable Event addRead(Event read, Event twin) {
        Event previous = copy.last(twin.thread);
        Event source = twins.get(read.source);
        HappensBefore.set(twin, previous, copy.threads());
        if (source.order < copy.floor(twin.location, steps.seen(twin))) {
            return null;
        }
        copy.append(twin);
        copy.setSource(twin, source);
        HappensBefore.set(twin, previous, copy.threads());
        if (!read.paired) {
            return isConsistent(twin) ? twin : null;
        }
        Event write = twin(graph.event(read.thread, read.index + 1), twin);
        copy.append(write);
        copy.insert(write, source.order + 1);
        HappensBefore.set(write, twin, copy.threads());
        return isConsistent(write) ? twin : null;
    }

    /** The write of a read-modify-write, whose mode is kept by the read. */
    @SuppressWarnings("NullAway") // the read is of a read-modify-write
    private Event twin(Event write, Event read) {
        Event twin = write.copy(read.change.writeMode());
        twins.put(write, twin);
        return twin;
    }

    private @Nullable Event addWrite(Event write, Event twin) {
        HappensBefore.set(twin, copy.last(twin.thread), copy.threads());
        int place = 0;
        for (int i = 0; i < write.order; i++) {
            place += twins.containsKey(graph.write(write.location, i)) ? 1 : 0;
        }
        if (place <= copy.floor(twin.location, steps.seen(twin))) {
            return null;
        }
        copy.append(twin);
        copy.insert(twin, place);
        return isConsistent(twin) ? twin : null;
    }

    @SuppressWarnings("NullAway") // it is ready: its source is there
    private Event addOther(Event event, Event twin) {
        HappensBefore.set(twin, copy.last(twin.thread), copy.threads());
        if (event.source != null) {
            HappensBefore.follow(twin, twins.get(event.source));
        } else if (event.kind == Kind.START) {
            for (int thread = 0; thread < copy.threads(); thread++) {
                if (copy.last(thread) != null) {
                    HappensBefore.follow(twin, copy.last(thread));
                }
            }
        }
        twin.source = twins.get(event.source);
        copy.append(twin);
        return twin;
    }

    private Stream<Event> events() {
        return IntStream.range(0, copy.threads())
                .boxed()
                .flatMap(thread -> IntStream.range(0, copy.length(thread)).mapToObj(i -> copy.event(thread, i)));
    }

    private boolean races() {
        if (model.ordersLate()) {
            return model.race(copy) != null;
        }
        List<Event> events = events().toList();
        return events.stream().anyMatch(one -> events.stream().anyMatch(other -> Races.isRace(one, other)));
    }
}
