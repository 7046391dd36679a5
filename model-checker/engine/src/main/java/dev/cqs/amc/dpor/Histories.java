package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.History;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memoizes the steps of threads: maps the history of a thread to its next step. */
public final class Histories {
    /*
     * The next step of a thread is a function of the values that it has read and chosen: all shared state is in the
     * graph, and the local state of a thread follows from the values that it has read. So a history is the sequence of
     * these values, one for each event. Histories form a trie: each is stored once, as a child of its prefix. Which
     * writes the values come from does not matter.
     *
     * There is one exception. A value may be the number of an object, and the object may have contents that are not in
     * the graph, such as a final field. These are a function of the values that its maker had read. So if objects with
     * one number are found to differ (see Subject.hidesContent), then the history of the thread that wrote the
     * reference is part of the history too, and includes that of the maker.
     *
     * Explorer checks the determinism of the program in some graphs, by running all of its code.
     */

    /** The maximum number of histories. Above it all are dropped, and are built again as needed. */
    private static final int MOST = 1 << 18;

    private final Subject subject;
    private final History[] beginnings;
    private int age;
    private int count;

    Histories(Subject subject) {
        this.subject = subject;
        beginnings = new History[subject.threads()];
        forget();
    }

    /** Drops all histories. */
    public void forget() {
        age++;
        count = 0;
        for (int thread = 0; thread < beginnings.length; thread++) {
            beginnings[thread] = new History(age, 0, null);
        }
    }

    /** Drops all histories if there are too many. */
    public void tidy() {
        if (count > MOST) {
            forget();
        }
    }

    // Finding

    /** The history of a thread before its event at this index, which need not exist. */
    public History before(Graph graph, int thread, int index) {
        return index == 0 ? beginnings[thread] : of(graph, graph.event(thread, index - 1));
    }

    /** The history of a thread up to and including this event. */
    @SuppressWarnings("NullAway") // those before are known
    History of(Graph graph, Event event) {
        int from = event.index + 1;
        while (from > 0 && !isKnown(graph.event(event.thread, from - 1))) {
            from--;
        }
        History history = from == 0 ? beginnings[event.thread] : graph.event(event.thread, from - 1).history;
        for (int i = from; i <= event.index; i++) {
            history = extend(graph, history, graph.event(event.thread, i));
        }
        return history;
    }

    /** The history of a thread up to an event, given the history before it. */
    public History extend(Graph graph, History before, Event event) {
        event.history = after(graph, before, event);
        return event.history;
    }

    private boolean isKnown(Event event) {
        return event.history != null && event.history.age == age;
    }

    private History after(Graph graph, History before, Event event) {
        long value = event.isRead() || event.kind == Kind.CHOICE ? event.value : 0;
        History giver = event.kind == Kind.READ
                ? giver(graph, event.thread, event.location, event.source)
                : event.source == null ? null : of(graph, event.source);
        History after = before.find(value, giver);
        if (after == null) {
            count++;
            after = before.add(value, giver);
        }
        return after;
    }

    /**
     * The history of the writing thread if it matters to the reader, else null: an object may have contents that are
     * not in the graph.
     */
    private @Nullable History giver(Graph graph, int thread, int location, Event source) {
        return source.thread < 0 || source.thread == thread || !subject.hidesContent(location)
                ? null
                : of(graph, source);
    }

    /**
     * Whether the next read of a thread, with this history and at this position, is known to be a failed iteration by
     * itself if it reads from {@code source}.
     */
    boolean fails(Graph graph, int thread, History history, int place, Event source) {
        History then = history.find(source.value, giver(graph, thread, source.location, source));
        return then != null
                && then.next instanceof Step.FailIteration iteration
                && iteration.begin() == place
                && !iteration.timed();
    }

    // Learning

    /** The code has reached the end of a failed iteration. */
    public void learnIteration(Graph graph, int thread, int begin, boolean timed) {
        int end = graph.length(thread);
        learn(graph, thread, end);
        before(graph, thread, end).next = new Step.FailIteration(begin, timed);
    }

    /** The code has ended. */
    public void learnEnd(Graph graph, int thread, List<Long> observations) {
        int end = graph.length(thread);
        learn(graph, thread, end);
        before(graph, thread, end).next = new Step.End(List.copyOf(observations));
    }

    /** Memoizes the first {@code end} events of the thread, which its code has added. */
    public void learn(Graph graph, int thread, int end) {
        for (int i = 0; i < end; i++) {
            Event event = graph.event(thread, i);
            if (event.isPairedWrite() || event.kind == Kind.CREATE || event.kind == Kind.JOIN) {
                continue;
            }
            History before = before(graph, thread, i);
            if (before.next == null) {
                before.next = Step.Add.of(event);
            }
        }
    }
}
