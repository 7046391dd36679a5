package dev.cqs.amc.diagnosis;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Explanation;
import dev.cqs.amc.CounterExample.Step;
import dev.cqs.amc.Model;
import dev.cqs.amc.check.EventText;
import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.replay.ConsistencyRecheck;
import dev.cqs.amc.replay.Recording;
import dev.cqs.amc.threads.ThreadRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the graph of a failure into a counter-example. */
public final class Snapshot {

    /** The cost of that model is cubic in the size of the graph; this size takes about a second. */
    private static final int LONGEST_FOR_JLS = 400;

    private final Subject subject;
    private final Graph graph;
    private final ThreadRun[] threads;
    private final Failure failure;
    private final Options options;
    private final Map<Event, String> places;
    private final Set<Event> guilty = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Per thread, its column; -1 for a thread without events that was not started. */
    private final int[] columns;

    private final List<String> names = new ArrayList<>();

    private Snapshot(
            Subject subject,
            Graph graph,
            ThreadRun[] threads,
            Failure failure,
            Options options,
            Map<Event, String> places) {
        this.subject = subject;
        this.graph = graph;
        this.threads = threads;
        this.failure = failure;
        this.options = options;
        this.places = places;
        guilty.addAll(failure.events());
        columns = new int[threads.length];
        for (int thread = 0; thread < columns.length; thread++) {
            boolean there = graph.length(thread) > 0 || subject.start(thread) == Subject.Start.AT_ONCE;
            columns[thread] = there ? names.size() : -1;
            if (there) {
                names.add(subject.threadName(thread));
            }
        }
    }

    /**
     * Describes a graph.
     *
     * @param threads the threads, in their states at the end of the graph
     * @param places the places of the events in the source, where known
     */
    public static CounterExample of(
            Subject subject,
            Graph graph,
            ThreadRun[] threads,
            Failure failure,
            Options options,
            Map<Event, String> places) {
        return new Snapshot(subject, graph, threads, failure, options, places).example();
    }

    private CounterExample example() {
        TraceNarrative narrative = new TraceNarrative(
                graph, iterations(), guilty, unread(), ConsistencyRecheck.allows(graph, Model.SC, Map.of()));
        List<Step> steps =
                narrative.steps().stream().map(part -> step(narrative, part)).toList();
        return new CounterExample(
                subject.name(),
                options.model(),
                options.loopBound(),
                failure.verdict(),
                failure.message(),
                names,
                steps,
                TraceEdges.of(graph, narrative),
                writeOrders(narrative),
                explanation(narrative),
                Recording.of(subject, graph, failure, options, narrative.events()),
                failure.cause());
    }

    /** The writes of the checker itself that no thread reads: they have no place in the code. */
    private Set<Event> unread() {
        Set<Event> unread = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int thread = 0; thread < graph.threads(); thread++) {
            for (int i = 0; i < graph.length(thread); i++) {
                Event event = graph.event(thread, i);
                boolean isAlone =
                        event.kind == Kind.WRITE && event.readerCount == 0 && graph.writeCount(event.location) == 2;
                if (isAlone && !places.containsKey(event) && !guilty.contains(event)) {
                    unread.add(event);
                }
            }
        }
        return unread;
    }

    /** Per thread that is blocked in an await, where its last iteration begins; otherwise -1. */
    private int[] iterations() {
        int[] iterations = new int[threads.length];
        for (int thread = 0; thread < iterations.length; thread++) {
            boolean waits = threads[thread].status().isAwaiting() && threads[thread].awaitedEnd() < 0;
            iterations[thread] = waits ? threads[thread].iterationBegin() : -1;
        }
        return iterations;
    }

    private Step step(TraceNarrative narrative, TraceNarrative.Part part) {
        String words = part.events.stream()
                .filter(event -> !event.isPairedWrite())
                .map(event -> EventText.of(subject, event))
                .collect(Collectors.joining(" and "));
        List<Integer> sources = part.events.stream()
                .filter(event -> event.isRead() && event.source.thread >= 0)
                .map(event -> narrative.number(event.source))
                .filter(number -> number != part.number)
                .distinct()
                .toList();
        return new Step(
                part.number,
                columns[part.first().thread],
                (part.waits ? "await " : "") + words,
                sources,
                places.get(part.first()),
                part.events.stream().anyMatch(guilty::contains));
    }

    /** The coherence order of each variable that was written more than once. */
    private List<String> writeOrders(TraceNarrative narrative) {
        List<String> orders = new ArrayList<>();
        for (int location : written(narrative)) {
            int count = graph.writeCount(location);
            if (count < 3) {
                continue;
            }
            StringBuilder order = new StringBuilder(subject.locationName(location)).append(": ");
            for (int i = 0; i < count; i++) {
                Event write = graph.write(location, i);
                order.append(i == 0 ? "" : ", then ").append(subject.valueName(location, write.value));
                order.append(i == 0 ? " at first" : " (#" + narrative.number(write) + ")");
            }
            orders.add(order.toString());
        }
        return orders;
    }

    /**
     * The locations that are written, in the order of their first writes in the narrative, because their numbers mean
     * nothing to a reader.
     */
    private static Set<Integer> written(TraceNarrative narrative) {
        Set<Integer> written = new LinkedHashSet<>();
        for (Event event : narrative.events()) {
            if (event.isWrite()) {
                written.add(event.location);
            }
        }
        return written;
    }

    private Explanation explanation(TraceNarrative narrative) {
        List<Model> asked = Stream.of(Model.SC, Model.TSO, Model.JLS, Model.RC11)
                .filter(model -> model != Model.JLS || graph.size() <= LONGEST_FOR_JLS)
                .toList();
        List<Model> models = asked.stream()
                .filter(model -> ConsistencyRecheck.isWrong(graph, model, Map.of(), failure.verdict()))
                .toList();
        Repairs repairs = Repairs.of(graph, subject, narrative, places, options.model(), failure.verdict());
        return new Explanation(
                Reasons.of(subject, graph, narrative, places, threads, failure),
                narrative.cycle(),
                asked,
                models,
                repairs.found(),
                repairs.advice());
    }
}
