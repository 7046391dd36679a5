package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.CounterExample.Change;
import dev.cqs.amc.CounterExample.Effect;
import dev.cqs.amc.CounterExample.Order;
import dev.cqs.amc.CounterExample.Repair;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A counter-example has the steps, the reasons, the models under which it is wrong, and repairs. */
class CounterExampleTest {

    private static CounterExample example(Model model, Program program) {
        Result result = AwaitModelChecker.under(model).check(program);
        assertTrue(result.verdict().isError(), result::toString);
        return result.counterExample();
    }

    /** The text without the line numbers of this file. */
    static String text(CounterExample example) {
        return example.text().replaceAll(" {2}\\(\\w+\\.java:\\d+\\)", "").replaceAll("\\w+\\.java:\\d+", "a line");
    }

    private static Program messagePassing(Mode write, Mode read) {
        return Program.define("message passing", p -> {
            Variable data = p.variable("data");
            Variable ready = p.variable("ready");
            p.thread("writer", t -> {
                t.set(data, 42);
                t.store(ready, 1, write);
            });
            p.thread("reader", t -> {
                t.await(ready, read, seen -> seen == 1);
                t.get(data);
            });
        });
    }

    /** The values that are read are written to variables, so that the final state can be checked. */
    static Program storeBuffering(Mode write, Mode read) {
        return Program.define("store buffering", p -> {
            Variable[] x = p.array("x", 2);
            Variable[] seen = p.array("seen", 2);
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread(t -> {
                    t.store(x[me], 1, me == 0 ? write : Mode.VOLATILE);
                    t.set(seen[me], t.load(x[1 - me], read));
                });
            }
            p.atEnd(end -> end.check(end.get(seen[0]) + end.get(seen[1]) > 0, "one sees the other"));
        });
    }

    private static Program opaqueMessagePassing() {
        return Program.define("opaque message passing", p -> {
            Variable data = p.variable("data");
            Variable ready = p.variable("ready");
            p.thread(t -> {
                t.setOpaque(data, 1);
                t.setOpaque(ready, 1);
            });
            p.thread(t -> t.check(t.getOpaque(ready) == 0 || t.getOpaque(data) == 1, "the data comes first"));
        });
    }

    private static Program lostUpdate() {
        return Program.define("lost update", p -> {
            Variable x = p.variable("x", 5);
            for (int i = 0; i < 2; i++) {
                p.thread(t -> t.setOpaque(x, t.getOpaque(x) + 1));
            }
            p.atEnd(end -> end.check(end.get(x) == 7, "both have counted"));
        });
    }

    /** A volatile write synchronizes with all later volatile reads of the variable (JLS 17.4.4). */
    private static Program laterVolatileRead() {
        return Program.define("later volatile read", p -> {
            Variable x = p.variable("x");
            Variable v = p.variable("v");
            Variable w = p.variable("w");
            Variable[] seen = p.array("seen", 3);
            p.thread(t -> {
                t.setOpaque(x, 1);
                t.setVolatile(v, 1);
                t.set(seen[0], t.getVolatile(w));
            });
            p.thread(t -> {
                t.setVolatile(w, 1);
                t.setVolatile(v, 2);
            });
            p.thread(t -> {
                t.set(seen[1], t.getVolatile(v));
                t.set(seen[2], t.getOpaque(x));
            });
            p.atEnd(end ->
                    end.check(end.get(seen[0]) != 0 || end.get(seen[1]) != 2 || end.get(seen[2]) != 0, "x is seen"));
        });
    }

    // The text

    @Test
    void raceIsToldWithThePlaceThatDoesNotSynchronize() {
        assertEquals("""
                data race in message passing under RC11
                Two accesses of data, of which one is plain and one writes, and neither happens before the other.
                Model: RC11. Loops with side effects are repeated 3 times at most.

                writer                             reader
                #1! write.plain data = 42
                #2 write.opaque ready = 1
                                                   #3 read.acquire ready = 1 ← #2
                                                   #4! read.plain data = 42 ← #1

                What is wrong
                  #1 of writer and #4 of reader access data, and no path of program order and synchronization leads from one to the other.
                  #3 reads from #2, but does not synchronize with it: the write is opaque, and no release fence comes before it.

                Where it can happen
                  This execution is also sequentially consistent: an interleaving, in the order in which the steps are listed.
                  The same execution is wrong under SC, TSO, JLS and RC11.
                  Happens-before is the same in all models, so a data race is one under each of them.

                What would repair it
                  Making #2 (write.opaque ready = 1) a release puts the two accesses of this race in order.
                """, text(example(Model.RC11, messagePassing(Mode.OPAQUE, Mode.ACQUIRE))));
    }

    @Test
    void weakExecutionIsToldWithItsCycle() {
        assertEquals("""
                check failed in store buffering under TSO
                At the end: one sees the other
                Model: total store order, as HotSpot uses it on x86. Loops with side effects are repeated 3 times at most.

                T0                                 T1
                #1 write.release x[0] = 1
                #2 read.volatile x[1] = 0
                #3 write.plain seen[0] = 0
                                                   #4 write.volatile x[1] = 1
                                                   #5 read.volatile x[0] = 0
                                                   #6 write.plain seen[1] = 0

                Where it can happen
                  This execution is not sequentially consistent: each of these steps would have to come before the next, in a \
                cycle: #1 →po #2 →fr #4 →po #5 →fr #1.
                  The same execution is wrong under TSO, JLS and RC11, but not under SC.

                What would repair it
                  Making #1 (write.release x[0] = 1) volatile rules out this execution.
                """, text(example(Model.TSO, storeBuffering(Mode.RELEASE, Mode.VOLATILE))));
    }

    @Test
    void ordinaryScheduleIsToldInItsOrder() {
        assertEquals("""
                check failed in lost update under RC11
                At the end: both have counted
                Model: RC11. Loops with side effects are repeated 3 times at most.

                T0                                 T1
                #1 read.opaque x = 5
                                                   #2 read.opaque x = 5
                #3 write.opaque x = 6
                                                   #4 write.opaque x = 6

                coherence order of x: 5 at first, then 6 (#3), then 6 (#4)

                Where it can happen
                  This execution is also sequentially consistent: an interleaving, in the order in which the steps are listed.
                  The same execution is wrong under SC, TSO, JLS and RC11.

                What would repair it
                  No stronger access forbids an interleaving: the algorithm itself allows it.
                """, text(example(Model.RC11, lostUpdate())));
    }

    @Test
    void hangIsToldWithTheWriteThatCanNotBeSeen() {
        CounterExample example = example(Model.RC11, Program.define("overtaken", p -> {
            Variable go = p.variable("go");
            Variable linked = p.variable("linked");
            p.thread("waits", t -> {
                t.setOpaque(go, 1);
                t.setOpaque(linked, 1);
                t.await(() -> t.getAcquire(go) == 2);
            });
            p.thread("wakes", t -> {
                t.await(linked, Mode.OPAQUE, seen -> seen == 1);
                t.setRelease(go, 2);
            });
        }));
        String text = text(example);
        assertTrue(text.contains("#3! await read.acquire go = 1 ← #1\n"), text);
        assertTrue(
                text.contains(
                        "  waits waits at a line: #3 polls go, and gets 1, written by #1. No later write to it follows. #5 writes"
                                + " 2, but precedes #1 in coherence order, though it does not happen before it, so it is never read.\n"),
                text);
        assertTrue(text.contains("coherence order of go: 0 at first, then 2 (#5), then 1 (#1)\n"), text);
        assertTrue(
                text.contains(
                        "  Making #2 (write.opaque linked = 1) a release and #4 (read.opaque linked = 1) an acquire rules out this"
                                + " execution.\n"),
                text);
    }

    @Test
    void iterationOfSeveralReadsIsOneRow() {
        CounterExample example = example(Model.RC11, Program.define("two reads", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.await(() -> t.getAcquire(x) == 1 && t.getOpaque(y) == 1));
            p.thread(t -> t.setRelease(x, 1));
        }));
        assertEquals(
                List.of("write.release x = 1", "await read.acquire x = 1 and read.opaque y = 0"),
                example.steps().stream().map(CounterExample.Step::operation).toList());
        assertEquals(List.of(1), example.step(2).sources());
        assertTrue(
                text(example).contains("polls y, and gets 0, the initial value. No thread writes to it.\n"),
                example::text);
    }

    @Test
    void iterationOfAThreadThatWaitsMeanwhileIsNoRow() {
        CounterExample example = example(Model.RC11, Program.define("waits meanwhile", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.await(() -> t.getAcquire(x) + t.getOpaque(y) == 2));
            p.thread(t -> t.check(false, "never"));
        }));
        assertEquals(List.of(), example.steps());
    }

    @Test
    void fenceThatComesInTimeIsNotMissed() {
        CounterExample example = example(Model.RC11, Program.define("released too early", p -> {
            Variable data = p.variable("data");
            Variable ready = p.variable("ready");
            p.thread(t -> {
                t.releaseFence();
                t.set(data, 1);
                t.setOpaque(ready, 1);
            });
            p.thread(t -> {
                t.await(ready, Mode.OPAQUE, seen -> seen == 1);
                t.acquireFence();
                t.get(data);
            });
        }));
        assertEquals(1, example.explanation().reasons().size(), example::text);
    }

    private static long divide(long by) {
        return 1 / by;
    }

    @Test
    void stackTraceHasTheFramesOfTheProgramOnly() {
        CounterExample example = example(Model.SC, Program.define("division", p -> {
            Variable x = p.variable("x");
            p.thread("divides", t -> divide(t.getOpaque(x)));
        }));
        List<String> reasons = example.explanation().reasons();
        assertEquals("java.lang.ArithmeticException: / by zero", reasons.get(0));
        assertTrue(
                reasons.get(1)
                        .matches(
                                " {4}at dev\\.cqs\\.amc\\.CounterExampleTest\\.divide \\(CounterExampleTest\\.java:\\d+\\)"),
                reasons::toString);
        assertEquals(3, reasons.size(), reasons::toString);
        assertTrue(example.step(1).guilty());
    }

    @Test
    void stepsSayWhereTheyComeFrom() {
        assertTrue(example(Model.RC11, lostUpdate()).steps().stream()
                .allMatch(step -> step.place().matches("CounterExampleTest\\.java:\\d+")));
    }

    @Test
    void resultShowsTheCounterExample() {
        Result result = AwaitModelChecker.under(Model.RC11).check(lostUpdate());
        assertEquals(result.summary() + "\n" + result.counterExample().text(), result.toString());
    }

    // Models

    @Test
    void storeBufferingNeedsTotalStoreOrder() {
        CounterExample example = example(Model.RC11, storeBuffering(Mode.RELEASE, Mode.VOLATILE));
        assertEquals(
                List.of(Model.TSO, Model.JLS, Model.RC11), example.explanation().models());
        assertFalse(example.explanation().isOrdinary());
    }

    @Test
    void opaqueMessagePassingNeedsAWeakMachine() {
        CounterExample example = example(Model.RC11, opaqueMessagePassing());
        assertEquals(List.of(Model.JLS, Model.RC11), example.explanation().models());
        assertEquals(4, example.explanation().cycle().size());
    }

    @Test
    void ordinaryBugNeedsNoWeakMemory() {
        CounterExample example = example(Model.RC11, lostUpdate());
        assertEquals(
                List.of(Model.SC, Model.TSO, Model.JLS, Model.RC11),
                example.explanation().models());
        assertEquals(List.of(), example.explanation().cycle());
        assertTrue(example.explanation().isOrdinary());
    }

    @Test
    void whatTheLanguageRulesOutIsSaid() {
        CounterExample example = example(Model.RC11, laterVolatileRead());
        assertEquals(List.of(Model.RC11), example.explanation().models());
        assertTrue(
                example.text()
                        .contains("The Java language specification forbids it: the program relies on the total order of"
                                + " volatile accesses of the JLS."),
                example::text);
        assertTrue(AwaitModelChecker.under(Model.JLS).check(laterVolatileRead()).isVerified());
    }

    // Repairs

    /** Data that is passed on by a third thread needs two releases and two acquires, and no volatile access. */
    @Test
    void severalRepairsAreAsWeakAsTheyMayBe() {
        Repair repair = example(Model.RC11, Program.define("two hand-offs", p -> {
                    Variable data = p.variable("data");
                    Variable first = p.variable("first");
                    Variable second = p.variable("second");
                    p.thread("writer", t -> {
                        t.set(data, 1);
                        t.setOpaque(first, 1);
                    });
                    p.thread("between", t -> {
                        t.await(first, Mode.OPAQUE, seen -> seen == 1);
                        t.setOpaque(second, 1);
                    });
                    p.thread("reader", t -> {
                        t.await(second, Mode.OPAQUE, seen -> seen == 1);
                        t.get(data);
                    });
                }))
                .explanation()
                .repairs()
                .get(0);
        assertEquals(List.of(Mode.RELEASE, Mode.ACQUIRE, Mode.RELEASE, Mode.ACQUIRE), modes(repair));
        assertEquals(Effect.ORDERS_THE_RACE, repair.effect());
    }

    private static List<Mode> modes(Repair repair) {
        return repair.changes().stream().map(Change::mode).toList();
    }

    @Test
    void singleStrengtheningIsPreferred() {
        List<Repair> repairs = example(Model.RC11, messagePassing(Mode.RELEASE, Mode.OPAQUE))
                .explanation()
                .repairs();
        assertEquals(1, repairs.size());
        assertEquals(List.of(Mode.ACQUIRE), modes(repairs.get(0)));
        assertEquals(3, repairs.get(0).changes().get(0).step());
        assertEquals(Effect.ORDERS_THE_RACE, repairs.get(0).effect());
    }

    @Test
    void pairIsFoundWhereOneIsNotEnough() {
        List<Repair> repairs = example(Model.RC11, messagePassing(Mode.OPAQUE, Mode.OPAQUE))
                .explanation()
                .repairs();
        assertEquals(1, repairs.size());
        assertEquals(List.of(Mode.RELEASE, Mode.ACQUIRE), modes(repairs.get(0)));
        Repair weak = example(Model.RC11, opaqueMessagePassing())
                .explanation()
                .repairs()
                .get(0);
        assertEquals(List.of(Mode.RELEASE, Mode.ACQUIRE), modes(weak));
        assertEquals(Effect.RULES_OUT, weak.effect());
    }

    @Test
    void moreThanTwoAreNamedIfAllAreNeeded() {
        CounterExample example = example(Model.RC11, Program.define("opaque store buffering", p -> {
            Variable[] x = p.array("x", 2);
            Variable[] seen = p.array("seen", 2);
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread(t -> {
                    t.setOpaque(x[me], 1);
                    t.set(seen[me], t.getOpaque(x[1 - me]));
                });
            }
            p.atEnd(end -> end.check(end.get(seen[0]) + end.get(seen[1]) > 0, "one sees the other"));
        }));
        assertEquals(
                List.of(List.of(Mode.VOLATILE, Mode.VOLATILE, Mode.VOLATILE, Mode.VOLATILE)),
                example.explanation().repairs().stream()
                        .map(CounterExampleTest::modes)
                        .toList());
    }

    @Test
    void plainSpinIsRepairedByReadingOpaquely() {
        CounterExample example = example(Model.RC11, Program.define("plain spin", p -> {
            Variable ready = p.variable("ready");
            p.thread(t -> t.setOpaque(ready, 1));
            p.thread(t -> t.await(ready, Mode.PLAIN, seen -> seen == 1));
        }));
        assertEquals(List.of(Mode.OPAQUE), modes(example.explanation().repairs().get(0)));
    }

    @Test
    void raceWithoutSynchronizationHasNoRepair() {
        CounterExample example = example(Model.RC11, Program.define("no lock", p -> {
            Variable count = p.variable("count");
            for (int i = 0; i < 2; i++) {
                p.thread(t -> t.set(count, t.get(count) + 1));
            }
        }));
        assertEquals(List.of(), example.explanation().repairs());
        assertTrue(example.text().contains("Guard them by a lock"), example::text);
    }

    // Graphviz

    @Test
    void drawingForGraphvizMarksTheCycleAndEveryKindOfEdge() {
        String dot = example(Model.RC11, Program.define("say \"link\"", p -> {
                    Variable go = p.variable("go");
                    Variable linked = p.variable("linked");
                    p.thread("a \\ b", t -> {
                        t.setOpaque(go, 1);
                        t.setRelease(linked, 1);
                        t.await(() -> t.getOpaque(go) == 2);
                    });
                    p.thread(t -> {
                        t.await(linked, Mode.OPAQUE, seen -> seen == 1);
                        t.setRelease(go, 2);
                        t.getAcquire(linked);
                    });
                }))
                .dot()
                .replaceAll("CounterExampleTest\\.java:\\d+", "line");
        assertTrue(dot.startsWith("digraph execution {\n"), dot);
        assertTrue(dot.contains("label=\"hang in say \\\"link\\\" under RC11\\l"), dot);
        assertTrue(dot.contains("  subgraph cluster_0 {\n    color=gray;\n    label=\"a \\\\ b\";\n"), dot);
        assertTrue(
                dot.contains("    s3 [label=\"#3 await read.opaque go = 1\\nline\", color=red, fontcolor=red];\n"),
                dot);
        assertTrue(dot.contains("    s1 -> s2 [weight=100, penwidth=3];\n"), dot);
        assertTrue(dot.contains("    s2 -> s3 [weight=100];\n"), dot);
        assertTrue(
                dot.contains(
                        "  s2 -> s4 [label=\"rf\", color=green4, fontcolor=green4, penwidth=3, constraint=false];\n"),
                dot);
        assertTrue(
                dot.contains(
                        "  s5 -> s1 [label=\"co\", color=brown, fontcolor=brown, style=dashed, penwidth=3, constraint=false];\n"),
                dot);
        assertTrue(
                dot.contains("  s2 -> s6 [label=\"sw\", color=blue, fontcolor=blue, style=bold, constraint=false];\n"),
                dot);
        assertTrue(dot.endsWith("}\n"), dot);
    }

    @Test
    void orderThatShowsAnywayIsNotDrawn() {
        CounterExample example = example(Model.RC11, Program.define("updates", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.getAndAdd(x, 1, Mode.OPAQUE));
            p.thread(t -> {
                t.getAndAdd(x, 1, Mode.OPAQUE);
                t.setOpaque(x, 7);
                t.check(false, "never");
            });
        }));
        assertTrue(example.edges().contains(new CounterExample.Edge(Order.WRITES, 1, 2)), example::dot);
        assertTrue(example.edges().contains(new CounterExample.Edge(Order.WRITES, 2, 3)), example::dot);
        assertFalse(example.dot().contains("label=\"co\""), example::dot);
        assertFalse(example.svg().contains("class=\"edge co"), example::svg);
    }

    @Test
    void nothingSynchronizesWithoutARelease() {
        CounterExample opaque = example(Model.RC11, messagePassing(Mode.OPAQUE, Mode.ACQUIRE));
        assertTrue(opaque.edges().stream().noneMatch(edge -> edge.order() == Order.SYNCHRONIZES), opaque::dot);
        CounterExample plain = example(Model.RC11, Program.define("plain write after a fence", p -> {
            Variable x = p.variable("x");
            p.thread(t -> {
                t.releaseFence();
                t.set(x, 1);
            });
            p.thread(t -> t.getAcquire(x));
        }));
        assertEquals(List.of(new CounterExample.Edge(Order.READS_FROM, 2, 3)), plain.edges());
        CounterExample released = example(Model.RC11, Program.define("released", p -> {
            Variable x = p.variable("x");
            p.thread(t -> t.setRelease(x, 1));
            p.thread(t -> t.check(t.getAcquire(x) == 0, "never"));
        }));
        assertEquals(
                List.of(
                        new CounterExample.Edge(Order.READS_FROM, 1, 2),
                        new CounterExample.Edge(Order.SYNCHRONIZES, 1, 2)),
                released.edges());
    }

    @Test
    void fencesSynchronize() {
        CounterExample example = example(Model.RC11, Program.define("fences", p -> {
            Variable ready = p.variable("ready");
            p.thread(t -> {
                t.releaseFence();
                t.setOpaque(ready, 1);
            });
            p.thread(t -> {
                t.getAndAdd(ready, 1, Mode.OPAQUE);
            });
            p.thread(t -> {
                t.assume(t.getOpaque(ready) == 2);
                t.acquireFence();
                t.check(false, "never");
            });
        }));
        CounterExample.Step fence = example.steps().stream()
                .filter(step -> step.operation().equals("fence.release"))
                .findFirst()
                .orElseThrow();
        CounterExample.Step other = example.steps().stream()
                .filter(step -> step.operation().equals("fence.acquire"))
                .findFirst()
                .orElseThrow();
        assertTrue(
                example.edges().contains(new CounterExample.Edge(Order.SYNCHRONIZES, fence.number(), other.number())),
                example::dot);
    }
}
