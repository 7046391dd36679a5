package dev.cqs.amc;

import static dev.cqs.amc.Mode.ACQUIRE;
import static dev.cqs.amc.Mode.ACQUIRE_RELEASE;
import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.Mode.RELEASE;
import static dev.cqs.amc.Mode.VOLATILE;

import java.util.ArrayList;
import java.util.List;

/**
 * Programs on which model checkers are compared, with their numbers of executions under RC11, SC and TSO.
 */
public record Benchmark(Program program, long rc11, long sc, long tso) {

    long expected(Model model) {
        return model == Model.SC ? sc : model == Model.TSO ? tso : rc11;
    }

    @Override
    public String toString() {
        return program.name();
    }

    private static Benchmark same(Program program, long executions) {
        return new Benchmark(program, executions, executions, executions);
    }

    public static List<Benchmark> all() {
        List<Benchmark> all = new ArrayList<>();
        twoThreads(all);
        moreThreads(all);
        counters(all);
        arrays(all);
        mutualExclusion(all);
        locks(all);
        return all;
    }

    private static void twoThreads(List<Benchmark> all) {
        all.add(new Benchmark(Litmus.sb("SB", RELEASE, ACQUIRE, ACQUIRE), 4, 3, 4));
        all.add(same(Litmus.sb("SB+4sc", VOLATILE, VOLATILE, VOLATILE), 3));
        all.add(same(Litmus.sbWithFences("SB+scfs"), 3));
        all.add(new Benchmark(Litmus.sb("SB+3sc+acq", VOLATILE, VOLATILE, ACQUIRE), 4, 3, 3));
        all.add(same(Litmus.lb("LB", 2), 3));
        all.add(same(Litmus.lb("LB3", 3), 7));
        all.add(same(Litmus.mp("MP", RELEASE, ACQUIRE), 3));
        all.add(new Benchmark(Litmus.twoPlusTwoW("2+2W rel", RELEASE), 4, 3, 3));
        all.add(same(Litmus.twoPlusTwoW("2+2W 4sc", VOLATILE), 3));
        all.add(same(twoPlusTwoWWithFences(), 3));
        all.add(new Benchmark(Litmus.s("S opq", OPAQUE, OPAQUE), 4, 3, 3));
        all.add(same(
                Program.define("CoRR", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.setOpaque(x, 2);
                    });
                    p.thread(t -> {
                        t.getOpaque(x);
                        t.getOpaque(x);
                    });
                }),
                6));
    }

    private static Program twoPlusTwoWWithFences() {
        return Program.define("2+2W scfs", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.fullFence();
                t.setOpaque(y, 2);
            });
            p.thread(t -> {
                t.setOpaque(y, 1);
                t.fullFence();
                t.setOpaque(x, 2);
            });
        });
    }

    private static void moreThreads(List<Benchmark> all) {
        all.add(same(messagePassingThroughCounter(), 7));
        all.add(same(loadBufferingThroughCounters(), 15));
        all.add(new Benchmark(Litmus.iriw("IRIW-acq-sc", VOLATILE, ACQUIRE, VOLATILE, false), 16, 15, 15));
        all.add(same(messagePassingThroughUpdates(), 14));
        all.add(same(rwcWithFences(), 7));
        all.add(same(writeRwc(), 7));
        all.add(same(Litmus.isa2("ISA2", RELEASE, ACQUIRE), 7));
        all.add(same(peterZ(), 7));
        all.add(new Benchmark(Litmus.z6u(), 24, 18, 18));
        all.add(new Benchmark(releaseSequence(), 20, 16, 16));
    }

    private static Program messagePassingThroughCounter() {
        return Program.define("MP+incMP", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            Variable z = p.variable("z");
            p.thread(t -> {
                t.getAcquire(y);
                t.getAndAdd(z, 1, ACQUIRE_RELEASE);
            });
            p.thread(t -> {
                t.getAndAdd(z, 1, ACQUIRE_RELEASE);
                t.getAcquire(x);
            });
            p.thread(t -> {
                t.setRelease(x, 1);
                t.setRelease(y, 1);
            });
        });
    }

    /** A ring of four threads: counters carry the values that are read to the writes. */
    private static Program loadBufferingThroughCounters() {
        return Program.define("LB+incMPs", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            Variable z = p.variable("z");
            Variable w = p.variable("w");
            p.thread(t -> {
                t.getAcquire(x);
                t.getAndAdd(z, 1, ACQUIRE_RELEASE);
            });
            p.thread(t -> {
                t.getAndAdd(z, 1, ACQUIRE_RELEASE);
                t.setRelease(y, 1);
            });
            p.thread(t -> {
                t.getAcquire(y);
                t.getAndAdd(w, 1, ACQUIRE_RELEASE);
            });
            p.thread(t -> {
                t.getAndAdd(w, 1, ACQUIRE_RELEASE);
                t.setRelease(x, 1);
            });
        });
    }

    /** The second of two updates continues the release sequence. */
    private static Program messagePassingThroughUpdates() {
        return Program.define("MPU2+rel+acq", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.set(x, 1);
                t.setRelease(y, 1);
            });
            p.thread(t -> t.compareAndSet(y, 1, 2, OPAQUE));
            p.thread(t -> t.compareAndSet(y, 2, 3, OPAQUE));
            p.thread(t -> {
                if (t.getAcquire(y) > 2) {
                    t.check(t.get(x) == 1, "the data are there");
                }
            });
        });
    }

    private static Program rwcWithFences() {
        return Program.define("RWC+syncs", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.setOpaque(x, 1));
            p.thread(t -> {
                t.getOpaque(x);
                t.fullFence();
                t.getOpaque(y);
            });
            p.thread(t -> {
                t.setOpaque(y, 1);
                t.fullFence();
                t.getOpaque(x);
            });
        });
    }

    private static Program writeRwc() {
        return Program.define("W+RWC", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            Variable z = p.variable("z");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.setRelease(z, 1);
            });
            p.thread(t -> {
                t.getAcquire(z);
                t.fullFence();
                t.getOpaque(y);
            });
            p.thread(t -> {
                t.setOpaque(y, 1);
                t.fullFence();
                t.getOpaque(x);
            });
        });
    }

    private static Program peterZ() {
        return Program.define("peterZ", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            Variable z = p.variable("z");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.fullFence();
                t.setOpaque(y, 1);
            });
            p.thread(t -> {
                t.setOpaque(y, 2);
                t.setRelease(z, 1);
            });
            p.thread(t -> {
                t.getAcquire(z);
                t.fullFence();
                t.getOpaque(x);
            });
        });
    }

    private static Program releaseSequence() {
        return Program.define("relseq", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.setRelease(y, 1);
                t.setOpaque(y, 2);
            });
            p.thread(t -> t.getAndSet(y, 3, OPAQUE));
            p.thread(t -> {
                t.getOpaque(y);
                t.fence(ACQUIRE_RELEASE);
                t.getOpaque(x);
            });
        });
    }

    private static void counters(List<Benchmark> all) {
        all.add(same(
                Program.define("ccr", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.compareAndSet(x, 0, 1, OPAQUE));
                    p.thread(t -> t.compareAndSet(x, 0, 2, OPAQUE));
                }),
                2));
        all.add(same(
                Program.define("cii", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.compareAndSet(x, 1, 3, OPAQUE));
                    p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                    p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                }),
                6));
        all.add(same(
                Program.define("wcii", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 1));
                    p.thread(t -> t.compareAndSet(x, 1, 3, OPAQUE));
                    p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                    p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                }),
                24));
        all.add(same(
                Program.define("inc2w", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                    p.thread(t -> t.setOpaque(x, 1));
                    p.thread(t -> t.setOpaque(x, 2));
                }),
                6));
        all.add(same(adding("ainc(3)", 3, 1), 6));
        all.add(same(adding("ainc(5)", 5, 1), 120));
        all.add(same(adding("ainc(7)", 7, 1), 5040));
        all.add(same(adding("binc(3)", 3, 2), 36));
        all.add(same(adding("binc(4)", 4, 2), 576));
        all.add(same(adding("cinc(4)", 4, 3), 13_824));
        all.add(same(readingAndWriting(3), 36));
        all.add(same(readingAndWriting(4), 576));
        all.add(same(
                Program.define("wainc(4)", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 100));
                    for (int i = 0; i < 4; i++) {
                        p.thread(t -> t.getAndAdd(x, 1, OPAQUE));
                    }
                }),
                120));
        all.add(same(
                Program.define("writers(6)", p -> {
                    Variable x = p.variable("x");
                    for (int i = 1; i <= 6; i++) {
                        int mine = i;
                        p.thread(t -> t.setOpaque(x, mine));
                    }
                }),
                720));
    }

    /** Each thread adds one to each variable. */
    public static Program adding(String name, int threads, int variables) {
        return Program.define(name, p -> {
            Variable[] x = p.array("x", variables);
            for (int i = 0; i < threads; i++) {
                p.thread(t -> {
                    for (Variable variable : x) {
                        t.getAndAdd(variable, 1, OPAQUE);
                    }
                });
            }
            p.atEnd(end -> end.check(end.get(x[0]) == threads, "no addition is lost"));
        });
    }

    private static Program readingAndWriting(int threads) {
        return Program.define("inc(" + threads + ")", p -> {
            Variable x = p.variable("x");
            for (int i = 0; i < threads; i++) {
                p.thread(t -> t.setRelease(x, t.getOpaque(x) + 1));
            }
        });
    }

    private static void arrays(List<Benchmark> all) {
        all.add(same(
                Program.define("readers(13)", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 1));
                    for (int i = 0; i < 13; i++) {
                        p.thread(t -> t.getOpaque(x));
                    }
                }),
                8192));
        all.add(same(indexer(12), 8));
        all.add(same(indexer(15), 4096));
        all.add(same(lastZero(5), 64));
        all.add(same(lastZero(10), 3328));
        all.add(same(lastZero(15), 147_456));
    }

    /** Threads that put four numbers each into one hash table; the numbers of the first eleven do not collide. */
    private static Program indexer(int threads) {
        return Program.define("indexer(" + threads + ")", p -> {
            Variable[] table = p.array("table", 128);
            for (int i = 0; i < threads; i++) {
                int me = i;
                p.thread(t -> {
                    for (int k = 1; k <= 4; k++) {
                        int number = k * 11 + me;
                        int slot = number * 7 % 128;
                        while (!t.compareAndSet(table[slot], 0, number, OPAQUE)) {
                            slot = (slot + 1) % 128;
                        }
                    }
                });
            }
        });
    }

    /** One thread searches for the last zero of an array while others write to it. */
    private static Program lastZero(int writers) {
        return Program.define("lastzero(" + writers + ")", p -> {
            Variable[] array = p.array("a", writers + 1);
            p.thread(t -> {
                int i = writers;
                while (t.getAcquire(array[i]) != 0) {
                    i--;
                }
            });
            for (int i = 1; i <= writers; i++) {
                int me = i;
                p.thread(t -> t.setRelease(array[me], t.getAcquire(array[me - 1]) + 1));
            }
        });
    }

    private static void mutualExclusion(List<Benchmark> all) {
        all.add(same(
                Program.define("dekker_f", p -> {
                    Variable[] wants = p.array("wants", 2);
                    for (int i = 0; i < 2; i++) {
                        int me = i;
                        p.thread(t -> {
                            t.setOpaque(wants[me], 1);
                            t.fullFence();
                            t.getOpaque(wants[1 - me]);
                        });
                    }
                }),
                3));
        all.add(new Benchmark(peterson("peterson rel-acq", RELEASE, ACQUIRE), 22, 4, 22));
        all.add(same(peterson("peterson vol", VOLATILE, VOLATILE), 4));
    }

    private static Program peterson(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable[] wants = p.array("wants", 2);
            Variable turn = p.variable("turn");
            Variable count = p.variable("count");
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread(t -> {
                    t.store(wants[me], 1, write);
                    t.store(turn, 1 - me, write);
                    t.await(() -> t.load(wants[1 - me], read) == 0 || t.load(turn, read) == me);
                    t.setOpaque(count, t.getOpaque(count) + 1);
                    t.store(wants[me], 0, write);
                });
            }
        });
    }

    private static void locks(List<Benchmark> all) {
        all.add(same(LockPrograms.TICKET.writing(2), 2));
        all.add(same(LockPrograms.TICKET.writing(3), 6));
        all.add(same(LockPrograms.TICKET.writing(4), 24));
        all.add(same(LockPrograms.TTAS.writing(2), 4));
        all.add(same(LockPrograms.TTAS.writing(3), 36));
        all.add(same(LockPrograms.CAS_TTAS.writing(2), 4));
        all.add(same(LockPrograms.CAS_TTAS.writing(3), 36));
        all.add(same(LockPrograms.TWA.writing(2), 4));
        all.add(same(LockPrograms.TWA.writing(3), 96));
        counting(all, LockPrograms.CAS, 2, 6, 24);
        counting(all, LockPrograms.MCS, 6, 66, 1080);
        counting(all, LockPrograms.CLH, 2, 6, 24);
        counting(all, LockPrograms.ARRAY, 2, 6, 24);
        counting(all, LockPrograms.HEM, 6, 66, 1032);
        counting(all, LockPrograms.CQS, 8, 258, 19_032);
    }

    private static void counting(List<Benchmark> all, LockPrograms lock, long... executions) {
        for (int i = 0; i < executions.length; i++) {
            all.add(same(lock.counting(i + 2), executions[i]));
        }
    }
}
