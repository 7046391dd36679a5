package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A rehearsal that does not come to its steps leaves them cold, which nothing else would show. */
class MutexRehearsalTest {
    @Test
    void theTokensAreRehearsed() {
        assertTrue(new Mutex().rehearseTokens(), "each step does what it is for");
    }
}
