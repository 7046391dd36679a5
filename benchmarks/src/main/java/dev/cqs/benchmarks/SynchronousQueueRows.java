package dev.cqs.benchmarks;

import dev.cqs.benchmarks.Work.Fork;
import dev.cqs.benchmarks.Work.Place;
import java.util.List;
import java.util.Optional;

/** The rows of the synchronous queues. */
final class SynchronousQueueRows {
    /** The bar. The JDK's queue has another algorithm since JDK 22 and an update of 21, and so another bar. */
    private static final double MOST = Runtime.version().feature() >= 21 ? 0.6 : 1.0;

    private SynchronousQueueRows() {}

    static void addTo(List<Row> rows) {
        pairs(rows, "synchronous", Place.PINNED, "platform", 1, 2, 4, 8, 16, 32);
        pairs(rows, "synchronous-free", Place.FREE, "platform", 1, 4, 16);
        if (VirtualThreads.exist()) {
            pairs(rows, "synchronous-virtual", Place.FREE, "virtual", 1, 4, 32);
        }
        sides(rows, "synchronous-sides", Place.PINNED, 4, 16, 32);
        sides(rows, "synchronous-sides-free", Place.FREE, 4, 16);
        textbook(rows, "semaphores", 1, 4, 16);
        textbook(rows, "monitor", 1, 4);
        impatient(rows, "impatient", Place.PINNED);
        impatient(rows, "impatient-free", Place.FREE);
        executor(rows, "executor", Place.PINNED);
        executor(rows, "executor-free", Place.FREE);
        rendezvous(rows, "rendezvous", Place.PINNED, "", most(Place.PINNED, 1.0));
        rendezvous(rows, "rendezvous-free", Place.FREE, "", Row.NONE);
        rendezvous(rows, "rendezvous-among-others", Place.PINNED, " others=true", Row.NONE);
    }

    // Threads

    private static void pairs(List<Row> rows, String group, Place place, String kind, int... numbers) {
        for (int n : numbers) {
            transfer(rows, group, place, kind, n, n);
        }
    }

    private static void sides(List<Row> rows, String group, Place place, int... numbers) {
        for (int n : numbers) {
            transfer(rows, group, place, "platform", 1, n);
            transfer(rows, group, place, "platform", n, 1);
        }
    }

    private static void transfer(List<Row> rows, String group, Place place, String kind, int senders, int receivers) {
        for (String mode : new String[] {"fair", "unfair"}) {
            rows.add(new Row(
                    group,
                    title(mode) + ", " + senders + ":" + receivers,
                    transfer(place, kind, senders, receivers, mode),
                    transfer(place, kind, senders, receivers, jdk(mode)),
                    most(place, MOST),
                    Row.NONE));
        }
    }

    private static void textbook(List<Row> rows, String peer, int... numbers) {
        for (int n : numbers) {
            rows.add(new Row(
                    "synchronous-textbook",
                    "SynchronousQueue(fair) / " + peer + ", " + n + ":" + n,
                    transfer(Place.PINNED, "platform", n, n, "fair"),
                    transfer(Place.PINNED, "platform", n, n, peer),
                    Row.NONE,
                    Row.NONE));
        }
    }

    private static Work transfer(Place place, String kind, int senders, int receivers, String what) {
        return Fork.of(
                Transfer.class,
                "transfer",
                place,
                "senders=" + senders + " receivers=" + receivers + " kind=" + kind + " what=" + what);
    }

    private static void impatient(List<Row> rows, String group, Place place) {
        for (String patience : new String[] {"moving", "1"}) {
            for (int n : new int[] {1, 4, 16}) {
                for (String mode : new String[] {"fair", "unfair"}) {
                    String params = "pairs=" + n + " patience=" + patience + " what=";
                    Work ours = Fork.of(Impatient.class, "attempt", place, params + mode);
                    Work peer = Fork.of(Impatient.class, "attempt", place, params + jdk(mode));
                    String title = title(mode) + ", " + n + ":" + n + (patience.equals("1") ? ", 1 ns" : "");
                    rows.add(new Row(group, title, ours, peer, most(place, 1.0), Row.NONE));
                    rows.add(
                            new Row(group, title + ", % met", ours, peer, Row.NONE, Row.NONE, "met", Optional.empty()));
                }
            }
        }
    }

    private static void executor(List<Row> rows, String group, Place place) {
        for (int n : new int[] {1, 4, 16, 32}) {
            for (String mode : new String[] {"fair", "unfair"}) {
                String params = "chains=" + n + " what=";
                rows.add(new Row(
                        group,
                        title(mode) + ", an executor with " + n + (n == 1 ? " task" : " tasks"),
                        Fork.of(ExecutorTasks.class, "tasks", place, params + mode),
                        Fork.of(ExecutorTasks.class, "tasks", place, params + jdk(mode)),
                        most(place, MOST),
                        Row.NONE));
            }
        }
    }

    private static String title(String mode) {
        return "SynchronousQueue(" + mode + ") / JDK's";
    }

    private static String jdk(String mode) {
        return mode.equals("fair") ? "jdkFair" : "jdkUnfair";
    }

    // Coroutines

    private static void rendezvous(List<Row> rows, String group, Place place, String more, double most) {
        for (int n : new int[] {1, 4, 32}) {
            for (String mode : new String[] {"fair", "unfair"}) {
                String params = "pairs=" + n + " what=";
                rows.add(new Row(
                        group,
                        "SynchronousQueue(" + mode + ") / Channel(RENDEZVOUS), " + n + ":" + n,
                        Fork.of(CoroutineTransfer.class, "transfer", place, params + mode + more),
                        Fork.of(CoroutineTransfer.class, "transfer", place, params + Peers.KOTLINX + more),
                        most,
                        Row.NONE));
            }
        }
    }

    private static double most(Place place, double bar) {
        return place == Place.PINNED ? bar : Row.NONE;
    }
}
