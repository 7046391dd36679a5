package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.History;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of what the threads do: by their histories, what their code does next. */
public final class Histories {
    /*
     * A thread does next what it has done before if it has read and chosen the same values before: all that threads share is
     * in the graph, and what a thread keeps for itself follows from what it has read. So a history is the sequence of these
     * values, one for each event, and each is kept once: as a child of the one before it. It does not matter which
     * writes the values come from.
     *
     * There is one exception. A value may be the number of an object, and the object may have something in it that is not in
     * the graph, such as a final field. Who made it has made it from what it had read. So if objects with one number are
     * found to differ (see Subject.hidesContent), the history of the thread that gave the object away counts, too, which has in it
     * that of the thread that made it.
     *
     * Whether a program really does the same is checked now and then, by running all of its code (see Explorer).
     */

    /** So many are kept; then all are forgotten, and those that are still needed come up again. */
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

    /** Forgets all: the threads do something else from now on. */
    public void forget() {
        age++;
        count = 0;
        for (int thread = 0; thread < beginnings.length; thread++) {
            beginnings[thread] = new History(age, 0, null);
        }
    }

    /** Forgets all if it is too much. */
    public void tidy() {
        if (count > MOST) {
            forget();
        }
    }

    // Finding

    /** The history of a thread before its event at this place, which need not be there. */
    public History before(Graph graph, int thread, int index) {
        return index == 0 ? beginnings[thread] : of(graph, graph.event(thread, index - 1));
    }

    /** The history of a thread up to this event, with it. */
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

    /** The history of a thread up to an event, given the one before it. */
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
     * Whose history matters to what the thread does with what it gets from {@code source}: an object may have in it what is
     * not in the graph.
     */
    private @Nullable History giver(Graph graph, int thread, int location, Event source) {
        return source.thread < 0 || source.thread == thread || !subject.hidesContent(location)
                ? null
                : of(graph, source);
    }

    /**
     * Whether the next read of a thread, with this history and at this place, would be a failed round by itself if it took its
     * value from {@code source}, as far as is known.
     */
    boolean fails(Graph graph, int thread, History history, int place, Event source) {
        History then = history.find(source.value, giver(graph, thread, source.location, source));
        return then != null && then.next instanceof Step.FailRound round && round.begin() == place && !round.timed();
    }

    // Learning

    /** The code has come to the end of a round that fails. */
    public void learnRound(Graph graph, int thread, int begin, boolean timed) {
        int end = graph.length(thread);
        learn(graph, thread, end);
        before(graph, thread, end).next = new Step.FailRound(begin, timed);
    }

    /** The code has come to its end. */
    public void learnEnd(Graph graph, int thread, List<Long> observations) {
        int end = graph.length(thread);
        learn(graph, thread, end);
        before(graph, thread, end).next = new Step.End(List.copyOf(observations));
    }

    /** The code has added the first {@code end} events of the thread. */
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
