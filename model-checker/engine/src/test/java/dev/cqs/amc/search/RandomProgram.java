package dev.cqs.amc.search;

import dev.cqs.amc.Mode;
import dev.cqs.amc.ModelThread;
import dev.cqs.amc.Program;
import dev.cqs.amc.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small program without branches, as data for the checker and for {@link NaiveEnumerator}. */
record RandomProgram(int locations, List<List<Op>> threads) {

    enum What {
        LOAD,
        AWAIT,
        STORE,
        FENCE,
        SET,
        ADD,
        CAS
    }

    record Op(What what, int location, Mode mode, long expected, long operand) {

        boolean isUpdate() {
            return what == What.SET || what == What.ADD || what == What.CAS;
        }

        boolean reads() {
            return what == What.LOAD || what == What.AWAIT || isUpdate();
        }

        @Override
        public String toString() {
            return what + "." + mode + (what == What.FENCE ? "" : " x" + location)
                    + (what == What.LOAD || what == What.FENCE ? "" : " " + expected + "," + operand);
        }
    }

    private static final Mode[] READS = {Mode.OPAQUE, Mode.ACQUIRE, Mode.VOLATILE};
    private static final Mode[] WRITES = {Mode.OPAQUE, Mode.RELEASE, Mode.VOLATILE};
    private static final Mode[] UPDATES = {Mode.OPAQUE, Mode.ACQUIRE, Mode.RELEASE, Mode.ACQUIRE_RELEASE, Mode.VOLATILE
    };
    private static final Mode[] FENCES = {Mode.ACQUIRE, Mode.RELEASE, Mode.ACQUIRE_RELEASE, Mode.VOLATILE, Mode.VOLATILE
    };

    /** What a program may have besides non-plain accesses. */
    enum Extra {
        NOTHING,
        PLAIN_ACCESSES,
        AWAITS
    }

    /** The maximum number of candidates for {@link NaiveEnumerator}. */
    private static final long MOST_CANDIDATES = 12_000;

    /**
     * A program of two to four threads, at most nine operations, two or three locations, and few enough candidates for
     * the enumerator.
     */
    static RandomProgram of(Random random, Extra extra) {
        for (; ; ) {
            RandomProgram program = any(random, extra);
            if (program.isSmall()) {
                return program;
            }
        }
    }

    /** The same, but {@code follower} has the same operations as the thread before it. */
    RandomProgram withLike(int thread) {
        List<List<Op>> changed = new ArrayList<>(threads);
        changed.set(thread, threads.get(thread - 1));
        return new RandomProgram(locations, changed);
    }

    /** Whether there are few enough candidates for the enumerator. */
    boolean isSmall() {
        return candidates() <= MOST_CANDIDATES;
    }

    private static RandomProgram any(Random random, Extra extra) {
        int threadCount = 2 + (random.nextInt(3) + random.nextInt(2)) / 2;
        int locations = random.nextInt(8) == 0 ? 1 : 2 + random.nextInt(3) / 2;
        int left = 6 + random.nextInt(4);
        // Some programs are mostly volatile, because the order of volatile accesses is the hardest part.
        boolean mostlyVolatile = random.nextInt(4) == 0;
        List<List<Op>> threads = new ArrayList<>();
        for (int i = 0; i < threadCount; i++) {
            int length = Math.min(2 + random.nextInt(3), Math.max(1, left - (threadCount - 1 - i)));
            left -= length;
            List<Op> ops = new ArrayList<>();
            for (int k = 0; k < length; k++) {
                ops.add(op(random, locations, extra, mostlyVolatile));
            }
            threads.add(ops);
        }
        return new RandomProgram(locations, threads);
    }

    /** An upper bound on the candidates: all reads-from relations times all coherence orders. */
    private long candidates() {
        long candidates = 1;
        for (int location = 0; location < locations; location++) {
            long reads = 0;
            long writes = 0;
            for (List<Op> ops : threads) {
                for (Op op : ops) {
                    if (op.location() == location) {
                        reads += op.reads() ? 1 : 0;
                        writes += op.what() == What.STORE || op.isUpdate() ? 1 : 0;
                    }
                }
            }
            for (long i = 1; i <= reads; i++) {
                candidates *= writes + 1;
            }
            for (long i = 2; i <= writes; i++) {
                candidates *= i;
            }
        }
        return candidates;
    }

    private static Op op(Random random, int locations, Extra extra, boolean mostlyVolatile) {
        int kind = random.nextInt(100);
        What what = kind < 40
                ? What.LOAD
                : kind < 76
                        ? What.STORE
                        : kind < 83 ? What.FENCE : kind < 87 ? What.SET : kind < 93 ? What.ADD : What.CAS;
        Mode[] modes = what == What.LOAD ? READS : what == What.STORE ? WRITES : what == What.FENCE ? FENCES : UPDATES;
        Mode mode = mostlyVolatile && random.nextInt(4) != 0 ? Mode.VOLATILE : modes[random.nextInt(modes.length)];
        if (extra == Extra.AWAITS && what == What.LOAD && random.nextInt(3) == 0) {
            return new Op(What.AWAIT, random.nextInt(locations), mode, random.nextInt(3), 0);
        }
        if (extra == Extra.PLAIN_ACCESSES && (what == What.LOAD || what == What.STORE) && random.nextInt(4) == 0) {
            mode = Mode.PLAIN;
        }
        int location = what == What.FENCE ? -1 : random.nextInt(locations);
        return new Op(what, location, mode, what == What.CAS ? random.nextInt(3) : 0, 1 + random.nextInt(2));
    }

    Program toProgram() {
        return Program.define(toString(), p -> {
            Variable[] x = p.array("x", locations);
            for (List<Op> ops : threads) {
                p.thread(t -> ops.forEach(op -> run(t, op, x)));
            }
        });
    }

    private static void run(ModelThread t, Op op, Variable[] x) {
        switch (op.what()) {
            case LOAD -> t.observe(t.load(x[op.location()], op.mode()));
            case AWAIT -> t.observe(t.await(x[op.location()], op.mode(), seen -> seen == op.expected()));
            case STORE -> t.store(x[op.location()], op.operand(), op.mode());
            case FENCE -> t.fence(op.mode());
            case SET -> t.observe(t.getAndSet(x[op.location()], op.operand(), op.mode()));
            case ADD -> t.observe(t.getAndAdd(x[op.location()], op.operand(), op.mode()));
            default -> t.observe(t.compareAndExchange(x[op.location()], op.expected(), op.operand(), op.mode()));
        }
    }
}
