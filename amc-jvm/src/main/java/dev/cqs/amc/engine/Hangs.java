package dev.cqs.amc.engine;

import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds threads that wait forever. In an execution that can not be extended, a thread is blocked after a round of an
 * await that fails. If the round has read the latest write of each of its locations, then so does every later one, and
 * the wait never ends. If not, then a machine on which writes become visible some day ends the wait, or makes it
 * fail another way; that is another graph. A thread that is left out or at a bound could still have written, so
 * then nothing is known.
 */
final class Hangs {

    private Hangs() {
    }

    static void check(Graph graph, ThreadRun[] threads, Explorer explorer) {
        List<Event> awaited = new ArrayList<>();
        StringBuilder names = new StringBuilder();
        for (ThreadRun thread : threads) {
            if (!thread.isBlocked()) {
                continue;
            }
            if (!thread.isAwaiting() || !readsLatest(graph, thread, awaited)) {
                return;
            }
            names.append(names.isEmpty() ? "" : ", ").append(explorer.program().threadNames().get(thread.id()));
        }
        explorer.fail(Verdict.HANG, "Nothing can end the wait of " + names + ": all that is waited for has "
                + "its last value.", awaited);
    }

    private static boolean readsLatest(Graph graph, ThreadRun thread, List<Event> awaited) {
        int begin = thread.roundBegin();
        for (int i = begin; i < graph.length(thread.id()); i++) {
            Event event = graph.event(thread.id(), i);
            if (event.isRead()) {
                if (event.source != latestOfOthers(graph, event, begin)) {
                    return false;
                }
                awaited.add(event);
            }
        }
        return true;
    }

    /** The latest write, without those that the failed round itself has made: they change no value. */
    private static Event latestOfOthers(Graph graph, Event read, int begin) {
        int order = graph.writeCount(read.location) - 1;
        Event write = graph.write(read.location, order);
        while (write.thread == read.thread && write.index >= begin) {
            write = graph.write(read.location, --order);
        }
        return write;
    }
}
