package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import org.junit.jupiter.api.Test;

/** Code that uses identity hash codes as numbers, by their low bits, and whose uses depend on their order. */
class IdentityHashNumbersTest {

    static class Node {}

    /** Two threads may select the same stripe. */
    static class Stripes {
        private int first = -1;
        private int second = -1;

        @Actor
        void first() {
            first = System.identityHashCode(new Node()) & 1;
        }

        @Actor
        void second() {
            second = System.identityHashCode(new Node()) & 1;
        }

        @Arbiter
        void differ() {
            assert first != second : "one stripe";
        }
    }

    /** One object may have an odd or an even hash code. */
    static class AssumesOdd {
        @Actor
        void actor() {
            assert (System.identityHashCode(new Node()) & 1) == 1 : "even";
        }
    }

    static class Parities {
        @Actor
        int actor() {
            return (new Node().hashCode() & 1) * 2 + (new Node().hashCode() & 1);
        }
    }

    /** A third hash code is used only in one order of the first two, and is between them in one order of the three. */
    static class ThirdInBetween {
        @Actor
        void actor() {
            int first = System.identityHashCode(new Node());
            int second = System.identityHashCode(new Node());
            if (first > second) {
                int third = System.identityHashCode(new Node());
                assert third < second || third > first : "in between";
            }
        }
    }

    @Test
    void lowBitsAreNotVerified() {
        expect(Stripes.class, Verdict.CHECK_FAILED);
        expect(AssumesOdd.class, Verdict.CHECK_FAILED);
        assertEquals(set("0", "1", "2", "3"), outcomes(Parities.class));
    }

    @Test
    void ordersAreCountedInAllSearches() {
        expect(ThirdInBetween.class, Verdict.CHECK_FAILED);
    }

    @Test
    void counterExamplesAreReplayed() {
        for (Class<?> scenario : new Class<?>[] {Stripes.class, AssumesOdd.class, ThirdInBetween.class}) {
            Result result = check(scenario);
            Result again = AwaitModelChecker.under(Model.RC11)
                    .replay(scenario, result.counterExample().replay());
            assertEquals(result.counterExample().text(), again.counterExample().text());
        }
    }

    static class One {
        @Actor
        boolean actor() {
            return System.identityHashCode(new Node()) > 0;
        }
    }

    @Test
    void theResultSaysThatAHashCodeIsUsed() {
        Result result = expect(One.class, Verdict.VERIFIED);
        assertTrue(result.summary().contains("The identity hash code of an object is used."), result::toString);
    }

    /** Complete in one order, up to a bound; no execution completes in the other. */
    static class BoundOrNothing {
        private final Node first = new Node();
        private final Node second = new Node();
        private volatile int iterations;

        @Actor
        int actor() {
            if (System.identityHashCode(first) > System.identityHashCode(second)) {
                Execution.assume(false);
            }
            if (Execution.choose(2) == 1) {
                while (iterations < 40) {
                    iterations++;
                }
            }
            return 7;
        }
    }

    @Test
    void nothingCompleteInOneOrderIsNotHidden() {
        Result result = AwaitModelChecker.under(Model.RC11).loopBound(4).check(BoundOrNothing.class);
        assertEquals(Verdict.NOTHING_COMPLETE, result.verdict(), result::toString);
        assertEquals(0, result.complete());
        assertTrue(result.outcomes().isEmpty(), result::toString);
    }
}
