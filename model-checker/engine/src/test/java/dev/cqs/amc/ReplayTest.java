package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A recorded execution runs again exactly, or is refused with a reason. */
class ReplayTest {

    private static Program handOver(Mode mode) {
        return Program.define("hand over", p -> {
            Variable data = p.variable("data");
            Variable ready = p.variable("ready");
            p.thread("writer", t -> {
                t.set(data, 42);
                t.store(ready, 1, mode);
            });
            p.thread("reader", t -> {
                t.await(ready, Mode.ACQUIRE, seen -> seen == 1);
                t.get(data);
            });
        });
    }

    private static Program two(String name, Consumer<ModelThread> one, Consumer<ModelThread> other) {
        return Program.define(name, p -> p.thread(one).thread(other));
    }

    /** Programs with each kind of error, and with each kind of event. */
    static Stream<Program> wrong() {
        return Stream.of(
                handOver(Mode.OPAQUE),
                Program.define("hang", p -> {
                    Variable x = p.variable("x");
                    Variable y = p.variable("y");
                    p.thread(t -> t.await(() -> t.getAcquire(x) == 1 && t.getOpaque(y) == 1));
                    p.thread(t -> t.setRelease(x, 1));
                }),
                two("hang without reading", t -> t.await(() -> false), t -> t.fullFence()),
                Program.define("plain spin", p -> {
                    Variable ready = p.variable("ready");
                    p.thread(t -> t.await(ready, Mode.PLAIN, now -> now == 1));
                    p.thread(t -> t.setVolatile(ready, 1));
                }),
                Program.define("check of choices and updates", p -> {
                    Variable x = p.variable("x", 3);
                    p.thread(t -> {
                        t.getAndAdd(x, t.choose(4), Mode.VOLATILE);
                        t.acquireFence();
                    });
                    p.thread(t -> t.check(!t.compareAndSet(x, 5, 9, Mode.OPAQUE), "five"));
                }),
                Program.define("assertion", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 1));
                    p.thread(t -> {
                        assertEquals(0, t.getOpaque(x));
                    });
                }),
                Program.define("exception", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> {
                        t.setOpaque(x, 1);
                        t.setOpaque(x, 2);
                    });
                    p.thread(t -> {
                        if (t.getOpaque(x) == 1) {
                            throw new IllegalStateException("one");
                        }
                    });
                }),
                Program.define("check of the end", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 1)).thread(t -> t.setOpaque(x, 2));
                    p.atEnd(end -> end.check(end.get(x) == 2, "two is last"));
                }),
                Program.define("exception of the end", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> t.setOpaque(x, 1)).thread(t -> t.getAndSet(x, 2, Mode.ACQUIRE));
                    p.atEnd(end -> {
                        if (end.get(x) == 1) {
                            throw new IllegalStateException("one is last");
                        }
                    });
                }));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void executionRunsAgainAsItWas(Program program) {
        for (Model model : Model.values()) {
            AwaitModelChecker checker = AwaitModelChecker.under(model);
            Result found = checker.check(program);
            assertTrue(found.verdict().isError(), found::toString);
            String recorded = found.counterExample().replay();
            Result again = checker.replay(program, recorded);
            assertEquals(found.verdict(), again.verdict());
            assertEquals(found.counterExample(), again.counterExample(), () -> found + "\n" + again);
            assertEquals(found.counterExample().text(), again.counterExample().text());
            assertEquals(recorded, again.counterExample().replay());
            assertTrue(recorded.startsWith("amc-replay 1 " + model + " " + program.name() + "\n"), recorded);
        }
    }

    /** Each site of each lock made opaque, one at a time. */
    @ParameterizedTest
    @EnumSource(LockPrograms.class)
    void errorsOfWeakenedLocksRunAgain(LockPrograms lock) {
        Set<String> places = new LinkedHashSet<>();
        AwaitModelChecker.under(Model.SC).check(lock.counting(2, (place, mode) -> {
            places.add(place);
            return mode;
        }));
        int replayed = 0;
        for (String place : places) {
            Program program = lock.counting(2, (at, mode) -> at.equals(place) ? Mode.OPAQUE : mode);
            for (Model model : List.of(Model.RC11, Model.JLS)) {
                Result found = AwaitModelChecker.under(model).check(program);
                if (found.verdict().isError()) {
                    assertEquals(
                            found.counterExample(),
                            AwaitModelChecker.under(model)
                                    .replay(program, found.counterExample().replay())
                                    .counterExample());
                    replayed++;
                }
            }
        }
        assertTrue(replayed > 0, "no place of " + lock + " is needed");
    }

    @Test
    void runsFewTimesInTheThreadThatCalls() {
        List<Thread> runs = new ArrayList<>();
        Program program = Program.define("counted", p -> {
            Variable[] x = p.array("x", 4);
            p.thread(t -> {
                runs.add(Thread.currentThread());
                for (Variable each : x) {
                    t.setOpaque(each, 1);
                }
            });
            p.thread(t -> {
                boolean all = true;
                for (Variable each : x) {
                    all &= t.getOpaque(each) == 1;
                }
                t.check(!all, "all");
            });
        });
        Result found = AwaitModelChecker.under(Model.RC11).check(program);
        runs.clear();
        AwaitModelChecker.under(Model.RC11)
                .replay(program, found.counterExample().replay());
        assertEquals(2, runs.size(), "once to make the graph, and once in the whole of it");
        runs.forEach(run -> assertSame(Thread.currentThread(), run));
    }

    @Test
    void exceptionIsThrownAgain() {
        Program program = Program.define(
                "thrower",
                p -> p.thread(t -> {
                    throw new IllegalStateException("boom");
                }));
        Result found = AwaitModelChecker.under(Model.SC).check(program);
        Result again = AwaitModelChecker.under(Model.SC)
                .replay(program, found.counterExample().replay());
        assertEquals("boom", again.counterExample().cause().getMessage());
        assertNotNull(found.counterExample().cause());
    }

    private static String recorded() {
        return AwaitModelChecker.under(Model.RC11)
                .check(handOver(Mode.OPAQUE))
                .counterExample()
                .replay();
    }

    private static String refusal(String recorded) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> AwaitModelChecker.under(Model.RC11).replay(handOver(Mode.OPAQUE), recorded))
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\n"})
    void emptyTextIsRefused(String empty) {
        assertEquals("There is no recorded execution: the text is empty.", refusal(empty));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "amc-replay 2 RC11 hand over\n", "digraph execution {}"})
    void otherTextIsRefused(String other) {
        assertTrue(
                refusal(other).startsWith("This is not a recorded execution of this version: it begins with \""),
                refusal(other));
    }

    @Test
    void everyDamageIsNoticed() {
        String recorded = recorded();
        for (int i = 13; i < recorded.length() - 1; i++) {
            char changed = recorded.charAt(i) == '1' ? '2' : '1';
            String damaged = recorded.substring(0, i) + changed + recorded.substring(i + 1);
            assertTrue(refusal(damaged).startsWith("The recorded execution is damaged"), damaged);
            assertTrue(
                    refusal(recorded.substring(0, i)).startsWith("The recorded execution is damaged"), "cut at " + i);
        }
    }

    @Test
    void lineEndsOfOtherSystemsAreNoDamage() {
        Result again = AwaitModelChecker.under(Model.RC11)
                .replay(handOver(Mode.OPAQUE), recorded().replace("\n", "\r\n"));
        assertEquals(Verdict.DATA_RACE, again.verdict());
    }

    @Test
    void otherModelIsRefused() {
        assertEquals(
                "The execution was recorded under RC11, not under SC.",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> AwaitModelChecker.under(Model.SC).replay(handOver(Mode.OPAQUE), recorded()))
                        .getMessage());
    }

    @Test
    void otherProgramIsRefused() {
        Program other = two("other", t -> {}, t -> {});
        assertEquals(
                "The recorded execution is of \"hand over\", not of \"other\".",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> AwaitModelChecker.under(Model.RC11).replay(other, recorded()))
                        .getMessage());
    }

    private static String change(Program changed) {
        return assertThrows(
                        NondeterministicProgramException.class,
                        () -> AwaitModelChecker.under(Model.RC11).replay(changed, recorded()))
                .getMessage();
    }

    @Test
    void changedOperationIsNamed() {
        assertEquals(
                "writer does \"write.release ready = 1\" as its event 1, where \"write.opaque ready = 1\" is recorded: the code, or"
                        + " what it depends on, has changed since.",
                change(handOver(Mode.RELEASE)));
    }

    @Test
    void missingOperationIsNamed() {
        assertEquals(
                "writer does not go on to \"write.opaque ready = 1\", which is recorded as its event 1: the code has changed since.",
                change(Program.define("hand over", p -> {
                            Variable data = p.variable("data");
                            p.thread("writer", t -> t.set(data, 42)).thread("reader", t -> {});
                        }))
                        .replace("reader", "writer"));
    }

    @Test
    void otherKindOfOperationIsNamed() {
        assertTrue(change(Program.define(
                        "hand over", p -> p.thread("writer", t -> t.fullFence()).thread("reader", t -> {})))
                .startsWith("writer does \"fence.full\" as its event 0, where \"write.plain data = 42\" is recorded"));
    }

    @Test
    void missingThreadIsNoticed() {
        assertEquals(
                "The recorded execution has more than 1 threads: the code has changed since.",
                change(Program.define("hand over", p -> p.thread("writer", t -> {}))));
    }

    @Test
    void errorThatIsGoneIsNoticed() {
        Program failing = Program.define(
                "fixed",
                p -> p.thread(t -> {
                    t.fullFence();
                    t.check(false, "never");
                }));
        String recorded = AwaitModelChecker.under(Model.RC11)
                .check(failing)
                .counterExample()
                .replay();
        Program fixed = Program.define("fixed", p -> p.thread(t -> t.fullFence()));
        assertEquals(
                "The recorded execution ends with \"check failed\", but now nothing is wrong with it: the code has changed since.",
                assertThrows(
                                NondeterministicProgramException.class,
                                () -> AwaitModelChecker.under(Model.RC11).replay(fixed, recorded))
                        .getMessage());
    }
}
