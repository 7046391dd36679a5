package dev.cqs.benchmarks;

import dev.cqs.benchmarks.Work.Fork;
import dev.cqs.benchmarks.Work.Place;
import dev.cqs.benchmarks.Work.Retained;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * One line of the table.
 *
 * @param group the name on the command line
 * @param most the bar: the largest accepted ratio of ours to the peer, of time, or of bytes where no time is measured; NaN if
 *     the
 *     row is only reported
 * @param mostBytes the bar for bytes, or NaN, or {@link #AS_PEER}
 * @param counter the compared counter of the work; empty for the time per operation
 * @param base the work that is subtracted from both sides, if any
 */
record Row(
        String group,
        String title,
        Work ours,
        Work peer,
        double most,
        double mostBytes,
        String counter,
        Optional<Work> base) {
    static final double NONE = Double.NaN;

    /** The bar for bytes: no more than the peer. */
    static final double AS_PEER = -1;

    Row(String group, String title, Work ours, Work peer, double most, double mostBytes) {
        this(group, title, ours, peer, most, mostBytes, "", Optional.empty());
    }

    /** All works that must be measured for this row. */
    List<Work> works() {
        return base.isPresent() ? List.of(base.get(), ours, peer) : List.of(ours, peer);
    }

    /** The compared figure of a sample. */
    double figure(Work.Sample sample) {
        return counter.isEmpty() ? sample.nanos() : sample.counters().getOrDefault(counter, NONE);
    }

    /** All rows that this JDK can measure, in the order of the table. */
    static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        uncontended(rows);
        twoThreads(rows);
        handOff(rows, "hand-off", Place.PINNED, "platform");
        handOff(rows, "hand-off-free", Place.FREE, "platform");
        if (VirtualThreads.exist()) {
            handOff(rows, "hand-off-virtual", Place.FREE, "virtual");
            timedOut(rows);
        }
        pastCancelled(rows);
        footprint(rows);
        PrimitiveRows.addTo(rows);
        SynchronousQueueRows.addTo(rows);
        CoroutineRows.addTo(rows);
        return rows;
    }

    private static void uncontended(List<Row> rows) {
        pair(rows, "Semaphore / Semaphore(fair)", "semaphore", "jdkSemaphore", 1.05);
        pair(rows, "ReentrantLock / ReentrantLock(fair)", "lock", "jdkLock", 1.05);
        pair(rows, "Mutex / ReentrantLock(fair)", "mutex", "jdkLock", 1.05);
        pair(rows, "Semaphore / two atomic adds", "semaphore", "rawPair", 1.10);
        pair(rows, "ReentrantLock / two atomic adds", "lock", "rawPair", 1.10);
        pair(rows, "Mutex / two atomic adds", "mutex", "rawPair", 1.10);
        pair(rows, "Mutex / atomic add and compare-and-set", "mutex", "rawMutexPair", 1.10);
    }

    private static void pair(List<Row> rows, String title, String ours, String peer, double most) {
        rows.add(new Row(
                "uncontended",
                title,
                Fork.of(Uncontended.class, ours, Place.FREE, ""),
                Fork.of(Uncontended.class, peer, Place.FREE, ""),
                most,
                0));
    }

    private static void twoThreads(List<Row> rows) {
        for (int permits : new int[] {2, 16}) {
            String params = "permits=" + permits;
            rows.add(new Row(
                    "two-threads",
                    "Semaphore / Semaphore(fair), " + permits + " permits",
                    Fork.of(TwoThreads.class, "semaphore", Place.TWO, params),
                    Fork.of(TwoThreads.class, "jdkSemaphore", Place.TWO, params),
                    0.85,
                    NONE));
        }
    }

    private static void handOff(List<Row> rows, String group, Place place, String kind) {
        boolean bars = place == Place.PINNED;
        for (int threads : new int[] {8, 32}) {
            String params = "threads=" + threads + " kind=" + kind + " what=";
            Work semaphore = Fork.of(PermitHandOff.class, "handOff", place, params + "semaphore");
            Work lock = Fork.of(PermitHandOff.class, "handOff", place, params + "lock");
            Work jdkSemaphore = Fork.of(PermitHandOff.class, "handOff", place, params + "jdkSemaphore");
            Work jdkLock = Fork.of(PermitHandOff.class, "handOff", place, params + "jdkLock");
            String by = ", " + threads + " threads";
            double bytes = bars ? 40 : NONE;
            rows.add(new Row(
                    group, "Semaphore / Semaphore(fair)" + by, semaphore, jdkSemaphore, bars ? 0.6 : NONE, bytes));
            rows.add(new Row(
                    group, "Semaphore / ReentrantLock(fair)" + by, semaphore, jdkLock, bars ? 1.05 : NONE, bytes));
            rows.add(new Row(
                    group, "ReentrantLock / ReentrantLock(fair)" + by, lock, jdkLock, bars ? 1.05 : NONE, bytes));
        }
    }

    private static void timedOut(List<Row> rows) {
        String[] parked = {"0", "1000", "10000", "100000"};
        double[] most = {NONE, 1.0 / 5, NONE, 1.0 / 500};
        for (int i = 0; i < parked.length; i++) {
            String params = "parked=" + parked[i] + " what=";
            rows.add(new Row(
                    "timed-out",
                    "Semaphore / Semaphore(fair), " + parked[i] + " parked",
                    Fork.of(TimedOut.class, "semaphore", Place.FREE, params + "semaphore"),
                    Fork.of(TimedOut.class, "jdkSemaphore", Place.FREE, params + "jdkSemaphore"),
                    most[i],
                    NONE));
        }
        rows.add(new Row(
                "timed-out",
                "Semaphore, 100000 parked / none",
                Fork.of(TimedOut.class, "semaphore", Place.FREE, "parked=100000 what=semaphore"),
                Fork.of(TimedOut.class, "semaphore", Place.FREE, "parked=0 what=semaphore"),
                2,
                NONE));
    }

    private static void pastCancelled(List<Row> rows) {
        past(rows, "a million cancelled / none", "million", "none", 2);
        past(rows, "31 cancelled before each live one / none", "sparse", "row", NONE);
    }

    private static void past(List<Row> rows, String title, String ours, String peer, double most) {
        rows.add(new Row(
                "past-cancelled",
                title,
                Fork.of(PastCancelled.class, "handOver", Place.FREE, "layout=" + ours),
                Fork.of(PastCancelled.class, "handOver", Place.FREE, "layout=" + peer),
                most,
                NONE));
    }

    private static void footprint(List<Row> rows) {
        retained(
                rows,
                "dev.cqs.sync.Mutex / ReentrantLock(fair)",
                Footprint::coreMutex,
                () -> Footprint.jdkLock(false),
                64);
        retained(
                rows,
                "dev.cqs.sync.Semaphore / Semaphore(fair)",
                Footprint::coreSemaphore,
                () -> Footprint.jdkSemaphore(false),
                64);
        retained(rows, "Mutex / ReentrantLock(fair)", () -> Footprint.mutex(false), () -> Footprint.jdkLock(false), 64);
        retained(
                rows,
                "ReentrantLock / ReentrantLock(fair)",
                () -> Footprint.lock(false),
                () -> Footprint.jdkLock(false),
                64);
        retained(
                rows,
                "Semaphore / Semaphore(fair)",
                () -> Footprint.semaphore(false),
                () -> Footprint.jdkSemaphore(false),
                64);
        retained(
                rows,
                "Mutex / ReentrantLock(fair), once contended",
                () -> Footprint.mutex(true),
                () -> Footprint.jdkLock(true),
                NONE);
        retained(
                rows,
                "Semaphore / Semaphore(fair), once contended",
                () -> Footprint.semaphore(true),
                () -> Footprint.jdkSemaphore(true),
                NONE);
        handOffs(rows);
    }

    private static void handOffs(List<Row> rows) {
        for (boolean fair : new boolean[] {true, false}) {
            String mode = fair ? "fair" : "unfair";
            retained(
                    rows,
                    "dev.cqs.sync.SynchronousQueue(" + mode + ") / JDK's",
                    () -> Footprint.coreHandOff(fair),
                    () -> Footprint.handOff(fair ? "jdkFair" : "jdkUnfair", false),
                    64);
            retained(
                    rows,
                    "SynchronousQueue(" + mode + ") / JDK's",
                    () -> Footprint.handOff(mode, false),
                    () -> Footprint.handOff(fair ? "jdkFair" : "jdkUnfair", false),
                    64);
            retained(
                    rows,
                    "SynchronousQueue(" + mode + ") / JDK's, once used",
                    () -> Footprint.handOff(mode, true),
                    () -> Footprint.handOff(fair ? "jdkFair" : "jdkUnfair", true),
                    NONE);
        }
    }

    private static void retained(List<Row> rows, String title, DoubleSupplier ours, DoubleSupplier peer, double most) {
        rows.add(new Row("footprint", title, new Retained(ours), new Retained(peer), NONE, most));
    }
}
