package dev.cqs.benchmarks;

import dev.cqs.benchmarks.Work.Fork;
import dev.cqs.benchmarks.Work.Place;
import dev.cqs.benchmarks.Work.Retained;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The rows of the views for coroutines, each beside its counterpart in kotlinx. */
final class CoroutineRows {
    private static final String KOTLINX = " / kotlinx ";

    private CoroutineRows() {}

    static void addTo(List<Row> rows) {
        uncontended(rows, "Mutex", "mutex", "kotlinxMutex", 0.6);
        uncontended(rows, "Semaphore", "semaphore", "kotlinxSemaphore", 1.0);
        contended(rows, "contended", Place.FREE);
        contended(rows, "contended-pinned", Place.PINNED);
        rows.add(row(
                "past-cancelled",
                "Semaphore",
                "past a million cancelled",
                whose -> Fork.of(CoroutinePastCancelled.class, "handOver", Place.FREE, "whose=" + whose),
                0.001,
                Row.NONE));
        retained(rows, "bytes", "Semaphore", "per waiter", Suspended::bytesInSemaphore, Row.NONE, 48);
        retained(rows, "bytes", "Mutex", "per waiter", Suspended::bytesInMutex, Row.NONE, 48);
        million(rows, "a million wait", MillionSuspended.WAIT);
        million(rows, "a million wait and give up", MillionSuspended.CANCEL);
        retained(rows, "footprint", "Mutex", "idle", Footprint::coroutineMutex, 0.5, Row.NONE);
        retained(rows, "footprint", "Semaphore", "idle", Footprint::coroutineSemaphore, 0.5, Row.NONE);
        rows.add(new Row(
                "coroutines-footprint",
                "SynchronousQueue / kotlinx Channel(RENDEZVOUS), idle",
                new Retained(() -> Footprint.coroutineHandOff(Peers.OURS)),
                new Retained(() -> Footprint.coroutineHandOff(Peers.KOTLINX)),
                Row.NONE,
                64));
    }

    private static void uncontended(List<Row> rows, String name, String ours, String peer, double most) {
        rows.add(new Row(
                "coroutines-uncontended",
                name + KOTLINX + name,
                Fork.of(CoroutineUncontended.class, ours, Place.FREE, ""),
                Fork.of(CoroutineUncontended.class, peer, Place.FREE, ""),
                most,
                0));
    }

    private static void contended(List<Row> rows, String group, Place place) {
        for (String permits : new String[] {"mutex", "1", "4", "16"}) {
            boolean mutex = permits.equals("mutex");
            rows.add(row(
                    group,
                    mutex ? "Mutex" : "Semaphore",
                    mutex ? "" : "permits: " + permits,
                    whose ->
                            Fork.of(CoroutineContended.class, "turns", place, "whose=" + whose + " permits=" + permits),
                    1.0,
                    Row.NONE));
        }
    }

    private static void million(List<Row> rows, String what, String then) {
        rows.add(row("million", "Semaphore", what, whose -> new SmallestHeap(whose, then), 1.0, Row.NONE));
    }

    private static void retained(
            List<Row> rows,
            String group,
            String name,
            String what,
            ToDoubleFunction<String> count,
            double most,
            double mostBytes) {
        rows.add(row(group, name, what, whose -> new Retained(() -> count.applyAsDouble(whose)), most, mostBytes));
    }

    private static Row row(
            String group, String name, String what, Function<String, Work> work, double most, double mostBytes) {
        return new Row(
                "coroutines-" + group,
                name + KOTLINX + name + (what.isEmpty() ? "" : ", " + what),
                work.apply(Peers.OURS),
                work.apply(Peers.KOTLINX),
                most,
                mostBytes);
    }
}
