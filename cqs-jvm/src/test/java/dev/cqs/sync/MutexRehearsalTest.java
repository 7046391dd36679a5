package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A rehearsal must execute every step. No other test would notice a step that it leaves out. */
class MutexRehearsalTest {
    @Test
    void theStepsWithTokensAreRehearsed() {
        assertTrue(new Mutex().rehearseTokens(), "each step has its effect");
    }
}
