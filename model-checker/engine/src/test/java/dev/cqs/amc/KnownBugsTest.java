package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Minimized bugs of real code are found, with the right verdict. */
class KnownBugsTest {

    private static Result check(Model model, Program program) {
        return AwaitModelChecker.under(model).check(program);
    }

    /**
     * DPDK's queue lock links a node in opaque mode: the predecessor may read the link and hand over before the node is
     * initialized.
     */
    private static Program dpdk() {
        return Program.define(
                "MCS of DPDK",
                p -> LockPrograms.count(p, LockPrograms.mcs(p, 2, Mode.OPAQUE, Mode.OPAQUE, Mode.ACQUIRE), 2));
    }

    @Test
    void mcsLockOfDpdkHangs() {
        Result result = check(Model.RC11, dpdk());
        assertEquals(Verdict.HANG, result.verdict(), result::toString);
        String text = result.counterExample().text();
        assertTrue(text.contains("! await read.acquire locked["), text);
        assertTrue(text.contains("coherence order of locked["), text);
    }

    @ParameterizedTest
    @EnumSource(
            value = Model.class,
            names = {"SC", "TSO"})
    void mcsLockOfDpdkDoesNotHangWhereWritesStayInOrder(Model model) {
        assertEquals(Verdict.VERIFIED, check(model, dpdk()).verdict());
    }

    @Test
    void mcsLockThatDoesNotAcquireItsNodeRaces() {
        Program program = Program.define(
                "MCS of Huawei",
                p -> LockPrograms.count(p, LockPrograms.mcs(p, 2, Mode.RELEASE, Mode.ACQUIRE, Mode.OPAQUE), 2));
        assertEquals(Verdict.DATA_RACE, check(Model.RC11, program).verdict());
        assertEquals(Verdict.DATA_RACE, check(Model.JLS, program).verdict());
    }

    @Test
    void resumeThatDoesNotReleaseRaces() {
        Program program =
                Program.define("opaque resume", p -> LockPrograms.count(p, LockPrograms.cqs(p, 2, Mode.OPAQUE), 2));
        Result result = check(Model.RC11, program);
        assertEquals(Verdict.DATA_RACE, result.verdict(), result::toString);
        assertEquals(
                2,
                result.counterExample().steps().stream()
                        .filter(CounterExample.Step::guilty)
                        .count());
    }

    /** A plain field of a node is set after its publication. */
    @Test
    void plainWriteAfterPublicationRaces() {
        Program program = Program.define("late plain write", p -> {
            Variable field = p.variable("field");
            Variable published = p.variable("published");
            p.thread(t -> {
                t.setRelease(published, 1);
                t.set(field, 1);
            });
            p.thread(t -> {
                if (t.getAcquire(published) == 1) {
                    t.get(field);
                }
            });
        });
        assertEquals(Verdict.DATA_RACE, check(Model.RC11, program).verdict());
    }

    /** {@code VarHandle.get} of a field that is declared volatile is a plain read. */
    @ParameterizedTest
    @EnumSource(Model.class)
    void pollingPlainlyIsReportedWhicheverThreadIsFirst(Model model) {
        for (boolean writerFirst : new boolean[] {true, false}) {
            Program program = Program.define("plain spin", p -> {
                Variable ready = p.variable("ready");
                if (writerFirst) {
                    p.thread(t -> t.setVolatile(ready, 1));
                }
                p.thread(t -> t.await(ready, Mode.PLAIN, now -> now == 1));
                if (!writerFirst) {
                    p.thread(t -> t.setVolatile(ready, 1));
                }
            });
            assertEquals(Verdict.PLAIN_SPIN, check(model, program).verdict());
        }
    }

    /** A lost wake-up: the flag is set after the waiter reads it and before the waiter sleeps. */
    @Test
    void lostWakeUpHangsInEveryModel() {
        for (Model model : Model.values()) {
            Program program = Program.define("lost wake-up", p -> {
                Variable ready = p.variable("ready");
                Variable sleeping = p.variable("sleeping");
                p.thread("sleeper", t -> {
                    if (t.getVolatile(ready) == 0) {
                        t.setVolatile(sleeping, 1);
                        t.await(sleeping, Mode.VOLATILE, now -> now == 0);
                    }
                });
                p.thread("waker", t -> {
                    t.setVolatile(ready, 1);
                    t.compareAndSet(sleeping, 1, 0, Mode.VOLATILE);
                });
            });
            Result result = check(model, program);
            assertEquals(Verdict.HANG, result.verdict(), result::toString);
            assertTrue(result.counterExample().message().contains("sleeper"), result::toString);
        }
    }

    @Test
    void locksTakenInOppositeOrderHang() {
        Program program = Program.define("deadlock", p -> {
            Variable[] locks = p.array("lock", 2);
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread(t -> {
                    t.await(() -> t.compareAndSet(locks[me], 0, 1, Mode.ACQUIRE));
                    t.await(() -> t.compareAndSet(locks[1 - me], 0, 1, Mode.ACQUIRE));
                    t.setRelease(locks[1 - me], 0);
                    t.setRelease(locks[me], 0);
                });
            }
        });
        assertEquals(Verdict.HANG, check(Model.SC, program).verdict());
    }
}
