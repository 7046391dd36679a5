package dev.cqs.amc.bytecode.rewrite;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the full fence orders a write before a later read of another variable. */
class FencesTest {

    /** Store buffering: each actor writes its variable and reads the other's, with a fence in between. */
    abstract static class StoreBuffering {
        private final AtomicInteger[] numbers = {new AtomicInteger(), new AtomicInteger()};

        abstract void fence();

        @Actor(2)
        int actor(int me) {
            numbers[me].setOpaque(1);
            fence();
            return numbers[1 - me].getOpaque();
        }
    }

    static class Full extends StoreBuffering {
        @Override
        void fence() {
            VarHandle.fullFence();
        }
    }

    static class Acquire extends StoreBuffering {
        @Override
        void fence() {
            VarHandle.acquireFence();
        }
    }

    static class Release extends StoreBuffering {
        @Override
        void fence() {
            VarHandle.releaseFence();
        }
    }

    static class LoadLoad extends StoreBuffering {
        @Override
        void fence() {
            VarHandle.loadLoadFence();
        }
    }

    static class StoreStore extends StoreBuffering {
        @Override
        void fence() {
            VarHandle.storeStoreFence();
        }
    }

    @Test
    void fullFenceOrdersAWriteWithALaterRead() {
        assertEquals(set("0,1", "1,0", "1,1"), outcomes(Full.class));
    }

    @ParameterizedTest
    @ValueSource(classes = {Acquire.class, Release.class, LoadLoad.class, StoreStore.class})
    void otherFencesDoNot(Class<?> scenario) {
        assertEquals(set("0,0", "0,1", "1,0", "1,1"), outcomes(scenario));
    }

    // Accesses that a load-load or store-store fence does not order

    /** A read before a store-store fence is not ordered before the write of the other actor after the flag. */
    static class ReadBeforeStoreStore {
        private int data;
        private final AtomicInteger flag = new AtomicInteger();

        void fence() {
            VarHandle.storeStoreFence();
        }

        @Actor
        int reader() {
            int seen = data;
            fence();
            flag.setOpaque(1);
            return seen;
        }

        @Actor
        void writer() {
            if (flag.getAcquire() == 1) {
                data = 1;
            }
        }
    }

    static class ReadBeforeRelease extends ReadBeforeStoreStore {
        @Override
        void fence() {
            VarHandle.releaseFence();
        }
    }

    /** A write after a load-load fence may take effect before the flag is read. */
    static class WriteAfterLoadLoad {
        private int data;
        private final AtomicInteger flag = new AtomicInteger();

        void fence() {
            VarHandle.loadLoadFence();
        }

        @Actor
        int reader() {
            int seen = data;
            flag.setRelease(1);
            return seen;
        }

        @Actor
        void writer() {
            if (flag.getOpaque() == 1) {
                fence();
                data = 1;
            }
        }
    }

    static class WriteAfterAcquire extends WriteAfterLoadLoad {
        @Override
        void fence() {
            VarHandle.acquireFence();
        }
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void fenceOfReadsOrOfWritesAloneIsNoAcquireOrReleaseFence(Model model) {
        for (Class<?> scenario : List.of(ReadBeforeStoreStore.class, WriteAfterLoadLoad.class)) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            assertEquals(Verdict.DATA_RACE, result.verdict(), result::toString);
            assertTrue(result.summary().contains("Fence at FencesTest.java:"), result::summary);
            assertTrue(result.summary().contains("is ignored"), result::summary);
        }
        for (Class<?> scenario : List.of(ReadBeforeRelease.class, WriteAfterAcquire.class)) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
            assertEquals(List.of(), result.notes());
        }
    }

    @Test
    void userMaySayThatAFenceIsStronger() {
        Result result = AwaitModelChecker.under(Model.RC11)
                .withMode("FencesTest.ReadBeforeStoreStore.fence:storeStoreFence#0", Mode.RELEASE)
                .check(ReadBeforeStoreStore.class);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(List.of(), result.notes());
    }
}
