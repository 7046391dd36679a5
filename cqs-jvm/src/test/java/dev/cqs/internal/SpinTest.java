package dev.cqs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpinTest {

    @Test
    void turnsAreCountedUpToTheBound() {
        assertEquals(1, Spin.pause(0));
        assertEquals(Spin.BOUND, Spin.pause(Spin.BOUND - 1));
    }

    /** Otherwise the count of a long wait would overflow, and the wait would begin to spin again. */
    @Test
    void turnsBeyondTheBoundAreNotCounted() {
        assertEquals(Spin.BOUND, Spin.pause(Spin.BOUND));
    }
}
