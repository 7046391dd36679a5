package dev.cqs.amc.bytecode.scenario;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Verdict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An annotation on an inherited method counts or is refused. */
class InheritedActorsTest {

    interface Writes {
        int[] data();

        @Actor
        default void writer() {
            data()[0] = 1;
        }
    }

    /** It was verified before, with one actor. */
    static class OfAnInterface implements Writes {
        private final int[] data = new int[1];

        @Override
        public int[] data() {
            return data;
        }

        @Actor
        int reader() {
            return data[0];
        }
    }

    interface WritesToo extends Writes {}

    abstract static class Middle implements WritesToo {}

    static class OfAnInterfaceFarAway extends Middle {
        private final int[] data = new int[1];

        @Override
        public int[] data() {
            return data;
        }

        @Actor
        int reader() {
            return data[0];
        }
    }

    abstract static class Generic<T> {
        private int data;

        @Actor
        void acts() {
            data++;
        }

        abstract T get();
    }

    static class OfASuperClass extends Generic<String> {
        @Override
        String get() {
            return "";
        }

        @Actor
        void actsToo() {
            acts();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfAnInterface.class, OfAnInterfaceFarAway.class, OfASuperClass.class})
    void inheritedActorIsAnActor(Class<?> scenario) {
        expect(scenario, Verdict.DATA_RACE);
    }

    abstract static class Base {
        private final AtomicInteger x = new AtomicInteger();

        int add(int number) {
            return x.getAndAdd(number);
        }

        @Actor
        private int acts() {
            return add(1);
        }

        @Actor
        abstract int isDeclared();

        @Actor(2)
        int isOverridden() {
            throw new AssertionError();
        }

        @Arbiter
        int end() {
            return x.get();
        }
    }

    /**
     * Two private methods with one name are two actors. An override of an actor is an actor; its own annotation, if
     * any, applies.
     */
    static class Derived extends Base {
        @Actor
        private int acts() {
            return add(10);
        }

        @Override
        int isDeclared() {
            return add(100);
        }

        @Actor
        @Override
        int isOverridden() {
            return add(1000);
        }
    }

    @Test
    void privateActorsDoNotOverrideOneAnother() {
        assertEquals(4, check(Derived.class).threads());
        assertTrue(outcomes(Derived.class).stream().allMatch(outcome -> outcome.endsWith(",1111")));
    }

    interface Checks {
        AtomicInteger number();

        @Arbiter
        default int end() {
            return number().get();
        }
    }

    static class ChecksByDefault implements Checks {
        private final AtomicInteger x = new AtomicInteger();

        @Override
        public AtomicInteger number() {
            return x;
        }

        @Actor(2)
        void adds() {
            x.incrementAndGet();
        }
    }

    @Test
    void checkOfTheEndMayBeADefaultMethod() {
        assertEquals(set("2"), outcomes(ChecksByDefault.class));
    }

    // What is refused

    interface One {
        @Actor
        default void acts() {}
    }

    interface Two {
        @Actor(2)
        default void acts() {}
    }

    static class OneOrTwo implements One, Two {
        @Override
        public void acts() {}
    }

    interface Static {
        @Actor
        static void acts() {}
    }

    static class OfStatic implements Static {
        @Actor
        void another() {}
    }

    @Test
    void annotationThatCanNotCountIsRefused() {
        refused(OneOrTwo.class, "with annotations that differ; override it, and annotate that");
        refused(OfStatic.class, "has a static method acts among its actors");
    }

    private static void refused(Class<?> scenario, String words) {
        String message = assertThrows(IllegalArgumentException.class, () -> check(scenario))
                .getMessage();
        assertTrue(message.contains(words), message);
    }
}
