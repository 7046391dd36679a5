package dev.cqs.amc.bytecode.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Execution;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.bytecode.Chance;
import dev.cqs.amc.bytecode.Checking;
import java.lang.invoke.VarHandle;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A nondeterministic scenario gets no verdict, but a message with the difference. */
class NondeterminismTest {

    private static final Pattern PLACE = Pattern.compile("\\(NondeterminismTest\\.java:\\d+\\)");

    @BeforeEach
    void reset() {
        Chance.reset();
    }

    static class WritesAnotherValue {
        volatile int x;

        @Actor
        void first() {
            x = Chance.calls();
        }

        @Actor
        int second() {
            return x == 0 ? 0 : 1;
        }
    }

    static class WritesAnotherField {
        volatile int x;
        volatile int y;

        @Actor
        void first() {
            if (Chance.first(2)) {
                x = 1;
            } else {
                y = 1;
            }
        }
    }

    static class ReadsInsteadOfWriting {
        volatile int x;

        @Actor
        int first() {
            if (Chance.first(2)) {
                x = 0;
            }
            return x;
        }
    }

    static class AnotherMode {
        volatile int x;

        @Actor
        void first() {
            if (Chance.first(2)) {
                VarHandle.fullFence();
            }
            VarHandle.releaseFence();
        }
    }

    static class ChoosesFromMore {
        @Actor
        int first() {
            return Execution.choose(2 + Chance.calls());
        }
    }

    static class PublishesAnotherObject {
        volatile Object x;

        @Actor
        void first() {
            x = Chance.first(2) ? new ChoosesFromMore() : new AnotherMode();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WritesAnotherValue.class,
                WritesAnotherField.class,
                ReadsInsteadOfWriting.class,
                AnotherMode.class,
                PublishesAnotherObject.class
            })
    void bothPlacesAreNamed(Class<?> scenario) {
        String message = assertThrows(NondeterministicProgramException.class, () -> Checking.check(scenario))
                .getMessage();
        assertEquals(2, PLACE.matcher(message).results().count(), message);
        assertTrue(message.startsWith("first "), message);
    }

    static class EndsTooSoon {
        volatile int x;

        @Actor
        void first() {
            if (Chance.first(2)) {
                x = 1;
            }
        }
    }

    @Test
    void placeThatIsNotReachedIsNamed() {
        String message = assertThrows(NondeterministicProgramException.class, () -> Checking.check(EndsTooSoon.class))
                .getMessage();
        assertEquals(1, PLACE.matcher(message).results().count(), message);
        assertTrue(message.contains("first ends"), message);
    }

    static class FailsByChance {
        volatile int x;

        @Actor
        void first() {
            x = 1;
            assert Chance.calls() != 2;
        }

        @Actor(2)
        int second() {
            return x;
        }
    }

    static class FailsAtFirst {
        @Actor
        void first() {
            if (Chance.first(3)) {
                throw new IllegalStateException("by chance");
            }
        }
    }

    static class ReturnsAnotherNumber {
        @Actor
        int first() {
            return Chance.calls();
        }
    }

    static class CaughtByTheProgram {
        volatile int x;

        @Actor
        void first() {
            try {
                x = Chance.calls();
            } catch (RuntimeException e) {
                x = 0;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FailsByChance.class,
                FailsAtFirst.class,
                ReturnsAnotherNumber.class,
                ChoosesFromMore.class,
                CaughtByTheProgram.class
            })
    void thereIsNoVerdict(Class<?> scenario) {
        String message = assertThrows(NondeterministicProgramException.class, () -> Checking.check(scenario))
                .getMessage();
        assertTrue(message.contains("having read the same values"), message);
    }
}
