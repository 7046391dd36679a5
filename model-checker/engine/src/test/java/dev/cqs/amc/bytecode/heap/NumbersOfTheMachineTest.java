package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of hash codes that the JDK computes, and of ids of threads, one number is tried; the result notes it. */
class NumbersOfTheMachineTest {

    record Pair(Object first, int second) {}

    /** Two objects are ordered by their hash codes or texts. */
    abstract static class Compares {
        private final Object first = new Object();
        private final Object second = new Object();

        abstract int of(Object object);

        @Actor
        boolean actor() {
            return of(first) < of(second);
        }
    }

    static class ByObjects extends Compares {
        @Override
        int of(Object object) {
            return Objects.hashCode(object);
        }
    }

    static class ByHash extends Compares {
        @Override
        int of(Object object) {
            return Objects.hash(object, 1);
        }
    }

    static class ByArrays extends Compares {
        @Override
        int of(Object object) {
            return Arrays.hashCode(new Object[] {object});
        }
    }

    static class ByRecord extends Compares {
        @Override
        int of(Object object) {
            return new Pair(object, 1).hashCode();
        }
    }

    static class ByList extends Compares {
        @Override
        int of(Object object) {
            return List.of(object).hashCode();
        }
    }

    static class ByText extends Compares {
        @Override
        int of(Object object) {
            return object.toString().hashCode();
        }
    }

    static class ByTextOfArray {
        private final int[] first = {1};
        private final int[] second = {1};

        @Actor
        boolean actor() {
            return first.toString().compareTo(second.toString()) < 0;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ByObjects.class,
                ByHash.class,
                ByArrays.class,
                ByRecord.class,
                ByList.class,
                ByText.class,
                ByTextOfArray.class
            })
    void hashCodesTakenByTheJdkAreNoted(Class<?> scenario) {
        assertTrue(
                check(scenario).summary().contains("Code of the JDK uses the identity hash code"),
                () -> check(scenario).summary());
    }

    static class OfValues {
        @Actor
        int actor() {
            return Objects.hash("a", 1)
                    + List.of("b").hashCode()
                    + new Pair("c", 2).hashCode()
                    + String.valueOf((Object) 3).length()
                    + Thread.State.NEW.toString().length();
        }
    }

    @Test
    void hashCodesOfValuesAreNotNoted() {
        assertEquals(List.of(), check(OfValues.class).notes());
    }

    static class SlotOfThread {
        private final int[] slots = new int[2];

        @Actor(2)
        void actor() {
            slots[(int) (Thread.currentThread().getId() & 1)]++;
        }
    }

    @Test
    void idsOfThreadsAreNoted() {
        assertTrue(
                check(SlotOfThread.class).summary().contains("The id of a thread is used."),
                () -> check(SlotOfThread.class).summary());
    }
}
