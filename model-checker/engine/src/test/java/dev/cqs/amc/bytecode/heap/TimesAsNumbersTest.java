package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.Checking;
import org.junit.jupiter.api.Test;

/** Code that uses a time as a number, by its low bits or a remainder. */
class TimesAsNumbersTest {

    static class LowBit {
        private int bit;

        @Actor
        void actor() {
            bit = (int) (System.nanoTime() & 1);
        }

        @Arbiter
        void isEven() {
            assert bit == 0 : "odd";
        }
    }

    static class LowBitOfOne {
        @Actor
        void actor() {
            assert (System.nanoTime() & 1) == 0 : "odd";
        }
    }

    static class Slot {
        private final int[] slots = new int[4];

        @Actor
        void actor() {
            slots[(int) (System.nanoTime() & 3)] = 1;
        }

        @Arbiter
        void isTheFirst() {
            assert slots[0] == 1 : "another slot";
        }
    }

    static class Millis {
        private int rest;

        @Actor
        void actor() {
            rest = (int) (System.currentTimeMillis() % 1000);
        }

        @Arbiter
        void isWhole() {
            assert rest == 0 : "no whole second";
        }
    }

    static class InTheSetUp {
        private final int slot = (int) (System.nanoTime() & 1);

        @Actor
        int actor() {
            return slot;
        }
    }

    static class HigherBit {
        private boolean isSet;

        @Actor
        void actor() {
            isSet = (System.nanoTime() >> 13 & 1) == 1;
        }

        @Arbiter
        boolean end() {
            return isSet;
        }
    }

    @Test
    void remaindersAreNotVerified() {
        expect(LowBit.class, Verdict.CHECK_FAILED);
        expect(LowBitOfOne.class, Verdict.CHECK_FAILED);
        expect(Slot.class, Verdict.CHECK_FAILED);
        expect(Millis.class, Verdict.CHECK_FAILED);
    }

    @Test
    void eitherBitIsAnOutcome() {
        assertEquals(set("0", "1"), outcomes(HigherBit.class));
        assertEquals(set("0", "1"), outcomes(InTheSetUp.class));
    }

    @Test
    void theResultSaysThatTimesAreNumbers() {
        Result result = expect(HigherBit.class, Verdict.VERIFIED);
        assertTrue(result.summary().contains("There was a search for each of two times"), result::toString);
    }

    @Test
    void counterExampleOfTheOtherTimeIsReplayed() {
        for (Class<?> scenario : new Class<?>[] {LowBit.class, LowBitOfOne.class, Millis.class}) {
            Result result = Checking.check(scenario);
            Result again = AwaitModelChecker.under(Model.RC11)
                    .replay(scenario, result.counterExample().replay());
            assertEquals(result.counterExample().text(), again.counterExample().text());
        }
    }
}
