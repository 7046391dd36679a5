package dev.cqs.amc.bytecode;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Between a write and a later read of something else, the full fence orders, and no other one does. */
class FencesTest {

    /** Each actor writes its number and reads the other's, with a fence in between. */
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
}
