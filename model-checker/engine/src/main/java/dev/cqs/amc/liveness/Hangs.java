package dev.cqs.amc.liveness;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds threads that wait forever: await-termination violations, in the terms of the AMC paper. In an execution that
 * cannot be extended, a thread is blocked after a failed iteration of an await. If the iteration reads from the last
 * write, in coherence order, of each of its locations, then every further iteration does, and the wait never ends. If
 * not, then a machine on which writes eventually become visible ends the wait, or lets it fail differently; that is
 * another graph. A thread that was excluded by an assumption or cut off at a bound could still have written, so then
 * there is no verdict on waiting.
 *
 * <p>A daemon may wait forever. It runs as long as it can. If it waits forever when all others have ended, the
 * execution is complete, and everything the daemon did happens before the arbiter.
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
                            ? " " + thread.name() + " repeats timed waits forever: each wait times out, and"
                                    + " another one begins."
                            : "");
        }
        if (names.isEmpty()) {
            return;
        }
        findings.fail(
                Verdict.HANG,
                "Nothing can end the wait of " + names + ": every location that it reads has its last value." + turns,
                awaited);
    }

    /** Whether the thread is a daemon that waits forever: the program ends without it. */
    public static boolean isOver(Graph graph, RunningThread[] threads, RunningThread thread) {
        return isDaemon(graph, thread.id())
                && thread.status().isAwaiting()
                && !thread.isBrokenOff()
                && readsLatest(graph, threads, thread, new ArrayList<>());
    }

    /** Whether a thread was started as a daemon. */
    public static boolean isDaemon(Graph graph, int thread) {
        Event creation = graph.creation(thread);
        return creation != null && creation.options == Event.DAEMON;
    }

    private static boolean waitsInTurns(Graph graph, RunningThread thread) {
        for (int i = thread.iterationBegin(); i < graph.length(thread.id()); i++) {
            if (Waiting.endsByTime(graph.event(thread.id(), i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean readsLatest(
            Graph graph, RunningThread[] threads, RunningThread thread, List<Event> awaited) {
        for (int i = thread.iterationBegin(); i < graph.length(thread.id()); i++) {
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
     * Whether no write that matters follows, in coherence order, the write that {@code read} reads from. Writes of
     * failed iterations do not matter, whether of the same thread or of another thread that waits: they swap in the old
     * value, or leave a monitor as it was.
     */
    private static boolean isLatest(Graph graph, RunningThread[] threads, Event read) {
        for (Event later = graph.nextInCoherence(read.source); later != null; later = graph.nextInCoherence(later)) {
            RunningThread writer = threads[later.thread];
            if (writer.runsAtEnd()) {
                continue; // The arbiter comes after everything a daemon does.
            }
            if (!writer.status().isAwaiting() || later.index < writer.iterationBegin()) {
                return false;
            }
            if (later.monitor && later.thread != read.thread && graph.latest(read.location).value != read.value) {
                return false;
            }
        }
        return true;
    }
}
