package dev.cqs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpinTest {

    @Test
    void turnsAreCountedUpToTheBound() {
        assertEquals(1, Spin.pause(0));
        assertEquals(Spin.BOUND, Spin.pause(Spin.BOUND - 1));
    }

    /** A wait of billions of turns does not begin to spin again, and two of its turns are alike. */
    @Test
    void turnsBeyondTheBoundAreNotCounted() {
        assertEquals(Spin.BOUND, Spin.pause(Spin.BOUND));
    }
}
