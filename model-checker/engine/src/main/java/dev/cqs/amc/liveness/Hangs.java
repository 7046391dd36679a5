package dev.cqs.amc.liveness;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds threads that wait forever. In an execution that cannot be extended, a thread is blocked after a round of an
 * await that fails. If the round has read the latest write of each of its locations, then so does every later one, and
 * the wait never ends. If not, then a machine on which writes become visible some day ends the wait, or makes it
 * fail another way; that is another graph. A thread that is left out or at a bound could still have written, so
 * then nothing is known.
 *
 * <p>A daemon may wait for ever. It is waited for as long as it can go on; if it waits for ever when all others have ended, then the
 * execution is complete, and the arbiter comes after all that the daemon has done.
 */
public final class Hangs {

    private Hangs() {}

    public static void check(Graph graph, RunningThread[] threads, Findings findings) {
        List<Event> awaited = new ArrayList<>();
        StringBuilder names = new StringBuilder();
        StringBuilder turns = new StringBuilder();
        for (RunningThread thread : threads) {
            if (!thread.status().isBlocked()) {
                continue;
            }
            if (!thread.status().isAwaiting()
                    || thread.isBrokenOff()
                    || !readsLatest(graph, threads, thread, awaited)) {
                return;
            }
            if (isDaemon(graph, thread.id())) {
                continue;
            }
            names.append(names.isEmpty() ? "" : ", ").append(thread.name());
            turns.append(
                    waitsInTurns(graph, thread)
                            ? " " + thread.name() + " waits in turns for ever: each wait ends by time, and"
                                    + " another one begins."
                            : "");
        }
        if (names.isEmpty()) {
            return;
        }
        findings.fail(
                Verdict.HANG,
                "Nothing can end the wait of " + names + ": all that is waited for has " + "its last value." + turns,
                awaited);
    }

    /** Whether the thread is a daemon that waits for ever: the program ends without it. */
    public static boolean isOver(Graph graph, RunningThread[] threads, RunningThread thread) {
        return isDaemon(graph, thread.id())
                && thread.status().isAwaiting()
                && !thread.isBrokenOff()
                && readsLatest(graph, threads, thread, new ArrayList<>());
    }

    /** Whether a thread has been started as a daemon. */
    public static boolean isDaemon(Graph graph, int thread) {
        Event creation = graph.creation(thread);
        return creation != null && creation.options == Event.DAEMON;
    }

    private static boolean waitsInTurns(Graph graph, RunningThread thread) {
        for (int i = thread.roundBegin(); i < graph.length(thread.id()); i++) {
            if (Waiting.endsByTime(graph.event(thread.id(), i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean readsLatest(
            Graph graph, RunningThread[] threads, RunningThread thread, List<Event> awaited) {
        for (int i = thread.roundBegin(); i < graph.length(thread.id()); i++) {
            Event event = graph.event(thread.id(), i);
            if (event.isRead()) {
                if (!isLatest(graph, threads, event)) {
                    return false;
                }
                awaited.add(event);
            }
        }
        return true;
    }

    /**
     * Whether nothing that matters is written after what {@code read} has read. What failed rounds have written does not,
     * neither those of the same thread nor those of other threads that wait: they have swapped in what was there, or have
     * left a monitor as it was.
     */
    private static boolean isLatest(Graph graph, RunningThread[] threads, Event read) {
        for (Event later = graph.next(read.source); later != null; later = graph.next(later)) {
            RunningThread writer = threads[later.thread];
            if (writer.runsAtEnd()) {
                continue; // It comes after all that a daemon does.
            }
            if (!writer.status().isAwaiting() || later.index < writer.roundBegin()) {
                return false;
            }
            if (later.monitor && later.thread != read.thread && graph.latest(read.location).value != read.value) {
                return false;
            }
        }
        return true;
    }
}
