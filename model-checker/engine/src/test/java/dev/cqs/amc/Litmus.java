package dev.cqs.amc;

import static dev.cqs.amc.Mode.ACQUIRE;
import static dev.cqs.amc.Mode.ACQUIRE_RELEASE;
import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.Mode.RELEASE;
import static dev.cqs.amc.Mode.VOLATILE;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Litmus tests under their names in the literature, with the weak outcome, whether each model allows it, and the number
 * of executions.
 *
 * @param weak the outcome in question, in the order of {@link Result#outcomes}
 * @param sc whether the outcome is allowed (A) or forbidden (F) under SC, and the number of executions
 * @param tso the same under TSO
 * @param rc11 the same under RC11
 * @param jls the same under the JLS
 */
public record Litmus(Program program, List<Long> weak, String sc, String tso, String rc11, String jls) {

    String expected(Model model) {
        return switch (model) {
            case SC -> sc;
            case TSO -> tso;
            case JLS -> jls;
            default -> rc11;
        };
    }

    @Override
    public String toString() {
        return program.name();
    }

    public static List<Litmus> all() {
        List<Litmus> all = new ArrayList<>();
        storeBuffering(all);
        messagePassing(all);
        independentReads(all);
        writesOnly(all);
        threeThreads(all);
        oneLocation(all);
        releaseSequences(all);
        all.add(new Litmus(z6u(), List.of(1L, 3L, 0L), "F18", "F18", "A24", "F22"));
        all.add(new Litmus(synchronizationOrder(), List.of(0L, 2L, 0L), "F13", "F13", "A15", "F13"));
        return all;
    }

    private static void storeBuffering(List<Litmus> all) {
        List<Long> weak = List.of(0L, 0L);
        all.add(new Litmus(sb("SB opq", OPAQUE, OPAQUE, OPAQUE), weak, "F3", "A4", "A4", "A4"));
        all.add(new Litmus(sb("SB rel/acq", RELEASE, ACQUIRE, ACQUIRE), weak, "F3", "A4", "A4", "A4"));
        all.add(new Litmus(sb("SB vol", VOLATILE, VOLATILE, VOLATILE), weak, "F3", "F3", "F3", "F3"));
        all.add(new Litmus(sbWithFences("SB opq + fullFence"), weak, "F3", "F3", "F3", "F3"));
        all.add(new Litmus(
                Program.define("SB xchg(acq_rel) then opq", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    p.thread(t -> {
                        t.getAndSet(x, 1, ACQUIRE_RELEASE);
                        t.observe(t.getOpaque(y));
                    });
                    p.thread(t -> {
                        t.getAndSet(y, 1, ACQUIRE_RELEASE);
                        t.observe(t.getOpaque(x));
                    });
                }),
                weak,
                "F3",
                "F3",
                "A4",
                "A4"));
        all.add(new Litmus(lb("LB opq", 2), List.of(1L, 1L), "F3", "F3", "F3", "F3"));
    }

    static Program sb(String name, Mode write, Mode firstRead, Mode secondRead) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.store(x, 1, write);
                t.observe(t.load(y, firstRead));
            });
            p.thread(t -> {
                t.store(y, 1, write);
                t.observe(t.load(x, secondRead));
            });
        });
    }

    static Program sbWithFences(String name) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.fullFence();
                t.observe(t.getOpaque(y));
            });
            p.thread(t -> {
                t.setOpaque(y, 1);
                t.fullFence();
                t.observe(t.getOpaque(x));
            });
        });
    }

    /** A ring: each thread reads one variable and writes the next. */
    static Program lb(String name, int threads) {
        return Program.define(name, p -> {
            Variable[] x = p.array("x", threads);
            for (int i = 0; i < threads; i++) {
                Variable mine = x[i];
                Variable next = x[(i + 1) % threads];
                p.thread(t -> {
                    t.observe(t.getOpaque(mine));
                    t.setOpaque(next, 1);
                });
            }
        });
    }

    private static void messagePassing(List<Litmus> all) {
        List<Long> weak = List.of(1L, 0L);
        all.add(new Litmus(mp("MP opq/opq", OPAQUE, OPAQUE), weak, "F3", "F3", "A4", "A4"));
        all.add(new Litmus(mp("MP rel/opq", RELEASE, OPAQUE), weak, "F3", "F3", "A4", "A4"));
        all.add(new Litmus(mp("MP opq/acq", OPAQUE, ACQUIRE), weak, "F3", "F3", "A4", "A4"));
        all.add(new Litmus(mp("MP rel/acq", RELEASE, ACQUIRE), weak, "F3", "F3", "F3", "F3"));
        all.add(new Litmus(mp("MP vol/vol", VOLATILE, VOLATILE), weak, "F3", "F3", "F3", "F3"));
        all.add(new Litmus(
                Program.define("MP releaseFence/acquireFence", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.releaseFence();
                        t.setOpaque(y, 1);
                    });
                    p.thread(t -> {
                        t.observe(t.getOpaque(y));
                        t.acquireFence();
                        t.observe(t.getOpaque(x));
                    });
                }),
                weak,
                "F3",
                "F3",
                "F3",
                "F3"));
        all.add(new Litmus(
                Program.define("volatiles are not fences", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    Variable barrier = p.variable("barrier");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.setVolatile(barrier, 1);
                        t.setOpaque(y, 1);
                    });
                    p.thread(t -> {
                        t.observe(t.getOpaque(y));
                        t.observe(t.getVolatile(barrier));
                        t.observe(t.getOpaque(x));
                    });
                }),
                List.of(1L, 0L, 0L),
                "F4",
                "F4",
                "A6",
                "A6"));
    }

    /** The accesses of the flag have the modes; those of the data are opaque. */
    static Program mp(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.store(y, 1, write);
            });
            p.thread(t -> {
                t.observe(t.load(y, read));
                t.observe(t.getOpaque(x));
            });
        });
    }

    private static void independentReads(List<Litmus> all) {
        List<Long> weak = List.of(1L, 0L, 1L, 0L);
        all.add(new Litmus(iriw("IRIW opq", OPAQUE, OPAQUE, OPAQUE, false), weak, "F15", "F15", "A16", "A16"));
        all.add(new Litmus(iriw("IRIW rel/acq", RELEASE, ACQUIRE, ACQUIRE, false), weak, "F15", "F15", "A16", "A16"));
        all.add(new Litmus(
                iriw("IRIW vol/acq,vol", VOLATILE, ACQUIRE, VOLATILE, false), weak, "F15", "F15", "A16", "F15"));
        all.add(new Litmus(iriw("IRIW vol", VOLATILE, VOLATILE, VOLATILE, false), weak, "F15", "F15", "F15", "F15"));
        all.add(new Litmus(
                iriw("IRIW opq + fullFence", OPAQUE, OPAQUE, OPAQUE, true), weak, "F15", "F15", "F15", "F15"));
    }

    static Program iriw(String name, Mode write, Mode first, Mode second, boolean fences) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.store(x, 1, write));
            p.thread(t -> t.store(y, 1, write));
            p.thread(reader(x, y, first, second, fences));
            p.thread(reader(y, x, first, second, fences));
        });
    }

    private static Consumer<ModelThread> reader(Variable one, Variable other, Mode first, Mode second, boolean fence) {
        return t -> {
            t.observe(t.load(one, first));
            if (fence) {
                t.fullFence();
            }
            t.observe(t.load(other, second));
        };
    }

    private static void writesOnly(List<Litmus> all) {
        List<Long> weak = List.of(1L, 1L);
        all.add(new Litmus(twoPlusTwoW("2+2W opq", OPAQUE), weak, "F3", "F3", "A4", "A4"));
        all.add(new Litmus(twoPlusTwoW("2+2W rel", RELEASE), weak, "F3", "F3", "A4", "A4"));
        all.add(new Litmus(twoPlusTwoW("2+2W vol", VOLATILE), weak, "F3", "F3", "F3", "F3"));
        all.add(new Litmus(r("R opq", OPAQUE, OPAQUE), List.of(0L, 2L), "F3", "A4", "A4", "A4"));
        all.add(new Litmus(r("R rel/acq", RELEASE, ACQUIRE), List.of(0L, 2L), "F3", "A4", "A4", "A4"));
        all.add(new Litmus(r("R vol", VOLATILE, VOLATILE), List.of(0L, 2L), "F3", "F3", "F3", "F3"));
        all.add(new Litmus(s("S opq", OPAQUE, OPAQUE), List.of(1L, 2L), "F3", "F3", "A4", "A4"));
        all.add(new Litmus(s("S rel/acq", RELEASE, ACQUIRE), List.of(1L, 2L), "F3", "F3", "F3", "F3"));
    }

    static Program twoPlusTwoW(String name, Mode mode) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.store(x, 1, mode);
                t.store(y, 2, mode);
            });
            p.thread(t -> {
                t.store(y, 1, mode);
                t.store(x, 2, mode);
            });
            p.observe(x, y);
        });
    }

    static Program r(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.store(x, 1, write);
                t.store(y, 1, write);
            });
            p.thread(t -> {
                t.store(y, 2, write);
                t.observe(t.load(x, read));
            });
            p.observe(y);
        });
    }

    static Program s(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setOpaque(x, 2);
                t.store(y, 1, write);
            });
            p.thread(t -> {
                t.observe(t.load(y, read));
                t.setOpaque(x, 1);
            });
            p.observe(x);
        });
    }

    private static void threeThreads(List<Litmus> all) {
        List<Long> weak = List.of(1L, 1L, 0L);
        all.add(new Litmus(wrc("WRC opq", OPAQUE, OPAQUE), weak, "F7", "F7", "A8", "A8"));
        all.add(new Litmus(wrc("WRC rel/acq", RELEASE, ACQUIRE), weak, "F7", "F7", "F7", "F7"));
        all.add(new Litmus(isa2("ISA2 opq", OPAQUE, OPAQUE), weak, "F7", "F7", "A8", "A8"));
        all.add(new Litmus(isa2("ISA2 rel/acq", RELEASE, ACQUIRE), weak, "F7", "F7", "F7", "F7"));
        all.add(new Litmus(rwc("RWC opq", OPAQUE, OPAQUE), List.of(1L, 0L, 0L), "F7", "A8", "A8", "A8"));
        all.add(new Litmus(rwc("RWC rel/acq", RELEASE, ACQUIRE), List.of(1L, 0L, 0L), "F7", "A8", "A8", "A8"));
        all.add(new Litmus(rwc("RWC vol", VOLATILE, VOLATILE), List.of(1L, 0L, 0L), "F7", "F7", "F7", "F7"));
    }

    static Program wrc(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.store(x, 1, write));
            p.thread(t -> {
                t.observe(t.load(x, read));
                t.store(y, 1, write);
            });
            p.thread(t -> {
                t.observe(t.load(y, read));
                t.observe(t.load(x, read));
            });
        });
    }

    static Program isa2(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            Variable z = p.variable("z");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.store(y, 1, write);
            });
            p.thread(t -> {
                t.observe(t.load(y, read));
                t.store(z, 1, write);
            });
            p.thread(t -> {
                t.observe(t.load(z, read));
                t.observe(t.getOpaque(x));
            });
        });
    }

    static Program rwc(String name, Mode write, Mode read) {
        return Program.define(name, p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.store(x, 1, write));
            p.thread(t -> {
                t.observe(t.load(x, read));
                t.observe(t.load(y, read));
            });
            p.thread(t -> {
                t.store(y, 1, write);
                t.observe(t.load(x, read));
            });
        });
    }

    private static void oneLocation(List<Litmus> all) {
        for (Mode read : List.of(OPAQUE, ACQUIRE, VOLATILE)) {
            all.add(new Litmus(
                    Program.define("CoRR " + read, p -> {
                        Variable x = p.variable("x");
                        p.thread(t -> t.store(x, 1, read == ACQUIRE ? RELEASE : read));
                        p.thread(reader(x, x, read, read, false));
                    }),
                    List.of(1L, 0L),
                    "F3",
                    "F3",
                    "F3",
                    "F3"));
        }
    }

    private static void releaseSequences(List<Litmus> all) {
        all.add(new Litmus(
                Program.define("release sequence through an opaque CAS", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.setRelease(y, 1);
                    });
                    p.thread(t -> t.compareAndSet(y, 1, 2, OPAQUE));
                    p.thread(t -> {
                        t.observe(t.getAcquire(y));
                        t.observe(t.getOpaque(x));
                    });
                }),
                List.of(2L, 0L),
                "F7",
                "F7",
                "F7",
                "F7"));
        all.add(new Litmus(
                Program.define("release sequence through its own opaque store", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.setRelease(y, 1);
                        t.setOpaque(y, 2);
                    });
                    p.thread(t -> {
                        t.observe(t.getAcquire(y));
                        t.observe(t.getOpaque(x));
                    });
                }),
                List.of(2L, 0L),
                "F4",
                "F4",
                "A5",
                "A5"));
    }

    static Program z6u() {
        return Program.define("Z6.U", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> {
                t.setVolatile(x, 1);
                t.setRelease(y, 1);
            });
            p.thread(t -> {
                t.observe(t.getAndAdd(y, 1, VOLATILE));
                t.observe(t.getOpaque(y));
            });
            p.thread(t -> {
                t.setVolatile(y, 3);
                t.observe(t.getVolatile(x));
            });
        });
    }

    /** Under the JLS, but not under RC11, a volatile write synchronizes with reads of later volatile writes. */
    private static Program synchronizationOrder() {
        return Program.define("JLS-so", p -> {
            Variable x = p.variable("x");
            Variable v = p.variable("v");
            Variable w = p.variable("w");
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.setVolatile(v, 1);
                t.observe(t.getVolatile(w));
            });
            p.thread(t -> {
                t.setVolatile(w, 1);
                t.setVolatile(v, 2);
            });
            p.thread(t -> {
                t.observe(t.getVolatile(v));
                t.observe(t.getOpaque(x));
            });
        });
    }
}
