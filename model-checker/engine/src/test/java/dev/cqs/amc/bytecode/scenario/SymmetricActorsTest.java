package dev.cqs.amc.bytecode.scenario;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Symmetry reduction: of two executions in which two symmetric copies of an actor are swapped, one is explored. */
class SymmetricActorsTest {

    abstract static class Counting {
        private final AtomicInteger lock = new AtomicInteger();
        private int count;

        final void enter() {
            while (!lock.compareAndSet(0, 1)) {
                Thread.onSpinWait();
            }
            count++;
            lock.set(0);
        }

        final boolean isFour() {
            return count == 4;
        }
    }

    static class Different extends Counting {
        @Actor(2)
        void once() {
            enter();
        }

        @Actor
        void twice() {
            enter();
            enter();
        }
    }

    static class Symmetric extends Counting {
        @Actor(value = 2, symmetric = true)
        void once() {
            enter();
        }

        @Actor
        void twice() {
            enter();
            enter();
        }

        @Arbiter
        void end() {
            assert isFour();
        }
    }

    static class SymmetricAfterAnother extends Counting {
        @Actor
        void before() {
            enter();
        }

        @Actor(value = 2, symmetric = true)
        void once() {
            enter();
        }

        @Actor(value = 2, symmetric = true)
        void onceMore() {
            enter();
        }
    }

    static class Five extends Counting {
        @Actor(5)
        void once() {
            enter();
        }
    }

    @Test
    void halfOfTheExecutionsAreLookedAt() {
        Result all = verified(Different.class, 12);
        assertEquals(List.of(), all.symmetric());
        Result half = verified(Symmetric.class, 6);
        assertEquals(List.of("once 0", "once 1"), half.symmetric());
        assertTrue(
                half.summary()
                        .contains(
                                "Symmetry reduction: of two executions in which once 0 and once 1 are swapped, one is counted.\n"),
                half::toString);
    }

    @Test
    void firstTwoThatAreSymmetricAreSwapped() {
        assertEquals(
                2 * verified(SymmetricAfterAnother.class, 60).complete(),
                verified(Five.class, 120).complete());
        assertEquals(
                List.of("once 0", "once 1"), check(SymmetricAfterAnother.class).symmetric());
    }

    /** Two wait for the third. */
    static class Waiting {
        volatile int turns;

        @Actor(value = 2, symmetric = true)
        void waits() {
            while (turns == 0) {
                Thread.onSpinWait();
            }
        }

        @Actor
        void ends() {
            turns = 1;
        }
    }

    @Test
    void theyMayBothWait() {
        verified(Waiting.class, 1);
    }

    static class Race {
        int x;

        @Actor(value = 2, symmetric = true)
        void adds() {
            x++;
        }
    }

    static class Hang {
        volatile int x;

        @Actor(value = 2, symmetric = true)
        void waits() {
            while (x == 0) {
                Thread.onSpinWait();
            }
        }
    }

    static class LostUpdate {
        volatile int x;

        @Actor(value = 2, symmetric = true)
        void adds() {
            x = x + 1;
        }

        @Arbiter
        void end() {
            assert x == 2;
        }
    }

    @Test
    void whatIsWrongIsFound() {
        expect(Race.class, Verdict.DATA_RACE);
        expect(Hang.class, Verdict.HANG);
        expect(LostUpdate.class, Verdict.CHECK_FAILED);
    }

    /** Distinguishes the copies against the contract, by the ids of their threads. */
    @SuppressWarnings("deprecation")
    static boolean isOne() {
        return Thread.currentThread().getId() % 2 == 0;
    }

    static class DifferentSteps {
        volatile int x;
        volatile int y;

        @Actor(value = 2, symmetric = true)
        void acts() {
            if (isOne()) {
                x = 1;
            } else {
                y = 1;
            }
        }
    }

    static class OneDoesNothing {
        volatile int x;

        @Actor(value = 2, symmetric = true)
        void acts() {
            if (!isOne()) {
                x = 1;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DifferentSteps.class, OneDoesNothing.class})
    void thoseThatDifferAreRefused(Class<?> scenario) {
        refused(
                scenario,
                "acts 0 and acts 1 are declared symmetric, but do different things after they have read the same.");
    }

    static class One {
        @Actor(symmetric = true)
        void acts() {}
    }

    static class Numbered {
        @Actor(value = 2, symmetric = true)
        void acts(int number) {}
    }

    static class Returning {
        @Actor(value = 2, symmetric = true)
        int acts() {
            return 0;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {One.class, Numbered.class, Returning.class})
    void whatCannotBeSymmetricIsRefused(Class<?> scenario) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> check(scenario));
        assertEquals(
                "The class " + scenario.getName()
                        + " has an actor acts whose copies are declared symmetric; then it must have"
                        + " two or more, without numbers that tell them apart, and no outcome.",
                refusal.getMessage());
    }
}
