package dev.cqs.benchmarks;

import dev.cqs.benchmarks.Work.Fork;
import dev.cqs.benchmarks.Work.Place;
import java.util.List;
import java.util.Optional;

/** The rows of latch, barrier, condition, read-write lock and pools for threads. */
final class PrimitiveRows {
    private static final double[] LATCH_BARS = {0.8, 1.0, 1.0};

    private PrimitiveRows() {}

    static void addTo(List<Row> rows) {
        latch(rows);
        barrier(rows);
        condition(rows);
        readWrite(rows);
        poolHandOff(rows);
        poolTwoThreads(rows);
        borrow(rows, "platform");
        if (VirtualThreads.exist()) {
            borrow(rows, "virtual");
        }
    }

    private static void latch(List<Row> rows) {
        for (int i = 0; i < LATCH_BARS.length; i++) {
            latch(rows, "jdkLatch", "CountDownLatch", 50 << i, LATCH_BARS[i]);
            latch(rows, "addition", "a bare atomic addition", 50 << i, Row.NONE);
        }
        for (int count : new int[] {100, 1_000, 10_000}) {
            rows.add(new Row(
                    "latch-alone",
                    "CountDownLatch / CountDownLatch, made and counted down from " + count,
                    Fork.of(LatchLife.class, "latch", Place.FREE, "count=" + count),
                    Fork.of(LatchLife.class, "jdkLatch", Place.FREE, "count=" + count),
                    Row.NONE,
                    Row.NONE));
        }
    }

    private static void latch(List<Row> rows, String method, String peer, int between, double most) {
        String work = "work=" + between;
        rows.add(new Row(
                "latch",
                "countDown / " + peer + ", beyond work of " + between,
                Fork.of(CountDown.class, "latch", Place.TWO, work),
                Fork.of(CountDown.class, method, Place.TWO, work),
                most,
                Row.NONE,
                "",
                Optional.of(Fork.of(CountDown.class, "work", Place.TWO, work))));
    }

    private static void barrier(List<Row> rows) {
        barrier(rows, "barrier", Place.PINNED, 2, "jdkBarrier", 1.0);
        barrier(rows, "barrier", Place.PINNED, 8, "jdkBarrier", 0.9);
        barrier(rows, "barrier-free", Place.FREE, 2, "jdkBarrier", Row.NONE);
        barrier(rows, "barrier-free", Place.FREE, 2, "spin", Row.NONE);
    }

    private static void barrier(List<Row> rows, String group, Place place, int parties, String peer, double most) {
        String params = "parties=" + parties + " what=";
        rows.add(new Row(
                group,
                "CyclicBarrier / " + peer + ", " + parties + " parties",
                Fork.of(BarrierRound.class, "round", place, params + "barrier"),
                Fork.of(BarrierRound.class, "round", place, params + peer),
                most,
                Double.isNaN(most) ? Row.NONE : Row.AS_PEER));
    }

    private static void condition(List<Row> rows) {
        for (String ours : new String[] {"lock", "mutex"}) {
            rows.add(new Row(
                    "condition",
                    "condition of a " + ours + " / of ReentrantLock(fair)",
                    Fork.of(ConditionPingPong.class, "thereAndBack", Place.PINNED, "what=" + ours),
                    Fork.of(ConditionPingPong.class, "thereAndBack", Place.PINNED, "what=jdkLock"),
                    1.0,
                    Row.NONE));
        }
    }

    private static void readWrite(List<Row> rows) {
        for (String peer : new String[] {"jdkLock", "stamped"}) {
            double most = peer.equals("jdkLock") ? 0.8 : Row.NONE;
            readWrite(rows, "read-write", "read", Place.FREE, "", peer, ", one reader", most);
            readWrite(rows, "read-write", "read", Place.TWO, "", peer, ", two readers", most);
            for (String writers : new String[] {"5", "50"}) {
                String title = ", two threads, " + writers + " % writers";
                readWrite(rows, "read-write", "mix", Place.PAIR, " writers=" + writers, peer, title, most);
                readWrite(
                        rows,
                        "read-write-pinned",
                        "mix",
                        Place.PINNED_PAIR,
                        " writers=" + writers,
                        peer,
                        title,
                        Row.NONE);
            }
        }
    }

    private static void readWrite(
            List<Row> rows,
            String group,
            String method,
            Place place,
            String params,
            String peer,
            String title,
            double most) {
        rows.add(new Row(
                group,
                "ReentrantReadWriteLock / " + peer + title,
                Fork.of(ReadWrite.class, method, place, "what=lock" + params),
                Fork.of(ReadWrite.class, method, place, "what=" + peer + params),
                most,
                Row.NONE));
    }

    // Pools

    private static void poolHandOff(List<Row> rows) {
        for (int elements : new int[] {1, 4, 16}) {
            String params = "elements=" + elements + " what=";
            for (String ours : new String[] {"queuePool", "stackPool"}) {
                rows.add(new Row(
                        "pool",
                        ours + " / fairArrayQueue, 32 threads on " + elements,
                        Fork.of(PoolHandOff.class, "takeAndPut", Place.PINNED, params + ours),
                        Fork.of(PoolHandOff.class, "takeAndPut", Place.PINNED, params + "fairArrayQueue"),
                        0.4,
                        Row.NONE));
            }
        }
    }

    private static void poolTwoThreads(List<Row> rows) {
        for (int elements : new int[] {4, 16, 64}) {
            String params = "elements=" + elements + " what=";
            for (String ours : new String[] {"queuePool", "stackPool"}) {
                for (String peer : new String[] {"linkedQueue", "arrayQueue", "commonsPool", "hikariBag", "stormpot"}) {
                    boolean local = peer.equals("hikariBag") || peer.equals("stormpot");
                    rows.add(new Row(
                            "pool-two-threads",
                            ours + " / " + peer + ", 2 threads on " + elements,
                            Fork.of(PoolTwoThreads.class, "takeAndPut", Place.PAIR, params + ours),
                            Fork.of(PoolTwoThreads.class, "takeAndPut", Place.PAIR, params + peer),
                            local ? Row.NONE : 1.0,
                            Row.NONE));
                }
            }
        }
    }

    private static void borrow(List<Row> rows, String kind) {
        String params = "kind=" + kind + " what=";
        Fork ours = Fork.of(Borrow.class, "work", Place.FREE, params + "queuePool");
        for (String peer : new String[] {
            "stackPool", "linkedQueue", "arrayQueue", "fairArrayQueue", "commonsPool", "hikariBag", "stormpot"
        }) {
            Fork theirs = Fork.of(Borrow.class, "work", Place.FREE, params + peer);
            for (String part : new String[] {"p50", "p99", "p999", "longest"}) {
                boolean barred = part.startsWith("p99") && !peer.equals("stackPool");
                rows.add(new Row(
                        "borrow-" + kind,
                        "queuePool / " + peer + ", " + part,
                        ours,
                        theirs,
                        barred ? 0.5 : Row.NONE,
                        Row.NONE,
                        part,
                        Optional.empty()));
            }
        }
    }
}
