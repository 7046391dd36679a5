package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Execution;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal strings and boxes have one number in the graph, although they may be two objects. */
class EqualValuesTest {

    // Monitors

    /** Two monitors, so both threads may hold theirs at once; it was verified before. */
    static class TwoStrings {
        private final String[] locks = {new String("lock"), new String("lock")};
        private int x;

        @Actor(2)
        void actor(int me) {
            synchronized (locks[me]) {
                x++;
            }
        }
    }

    static class TwoStringsMadeByActors {
        private int x;

        @Actor(2)
        void actor() {
            synchronized (new String("lock")) {
                x++;
            }
        }
    }

    static class TwoBoxes {
        @SuppressWarnings("removal")
        private final Integer[] locks = {new Integer(5), Integer.valueOf(5)};

        private int x;

        @Actor(2)
        void actor(int me) {
            synchronized (locks[me]) {
                x++;
            }
        }
    }

    static class WaitsInAString {
        private final String lock = "lock";

        @Actor
        void actor() throws InterruptedException {
            synchronized (lock) {
                lock.wait(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {TwoStrings.class, TwoStringsMadeByActors.class, TwoBoxes.class, WaitsInAString.class})
    void monitorOfAValueIsRefused(Class<?> scenario) {
        refused(scenario, "The monitor of an object of java.lang.", "new Object()");
    }

    static class OfAClass {
        private static int x;

        private static synchronized void add() {
            x++;
        }

        @Actor
        void first() {
            add();
        }

        @Actor
        void second() {
            synchronized (OfAClass.class) {
                x++;
            }
        }

        @Arbiter
        int end() {
            return x;
        }
    }

    @Test
    void classHasOneMonitor() {
        assertEquals(set("2"), outcomes(OfAClass.class));
    }

    // References

    /** Two objects, which were treated as one after they had been in shared memory. */
    static class TwoStringsShared {
        private volatile String x;
        private volatile String y;

        @Actor
        boolean actor() {
            x = new String("text");
            y = new String("text");
            return x == y;
        }
    }

    static class TwoStringsOfTheSetUp {
        private String x = "text";
        private String y = new String("text");

        @Actor
        boolean actor() {
            return x == y;
        }
    }

    static class LiteralOrNot {
        private volatile String x;
        private volatile String y;

        @Actor
        void writer() {
            x = "text";
            y = Execution.choose(2) == 0 ? "text" : new String("text");
        }

        @Actor
        int reader() {
            String first = x;
            String second = y;
            return first == null || second == null ? 2 : first == second ? 1 : 0;
        }
    }

    static class TwoBoxesShared {
        private volatile Integer x;
        private volatile Integer y;

        @SuppressWarnings("removal")
        @Actor
        boolean actor() {
            x = 5;
            y = new Integer(5);
            return x == y;
        }
    }

    static class BoxOfItsOwn {
        private volatile Object x = 5;

        @SuppressWarnings("removal")
        @Actor
        boolean actor() {
            Object mine = new Integer(5);
            x = mine;
            return x == mine;
        }
    }

    static class Exchanged {
        private final AtomicReference<String> x = new AtomicReference<>("text");

        @Actor
        boolean actor() {
            x.set(new String("text"));
            return x.compareAndSet("text", "other");
        }
    }

    static class HashOfAString {
        private final String x = "text";
        private final String y = new String("text");

        @Actor
        boolean actor() {
            return System.identityHashCode(x) == System.identityHashCode(y);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                TwoStringsShared.class,
                TwoStringsOfTheSetUp.class,
                LiteralOrNot.class,
                TwoBoxesShared.class,
                HashOfAString.class
            })
    void identityOfEqualValuesIsRefused(Class<?> scenario) {
        refused(scenario, "java.lang.", "object");
    }

    static class ExchangedForItsOwn {
        private final AtomicReference<String> x = new AtomicReference<>("none");

        @Actor
        int actor() {
            String mine = new String("text");
            String other = new String("text");
            boolean first = x.compareAndSet("none", mine);
            boolean second = x.compareAndSet(other, "wrong");
            boolean third = x.compareAndSet(mine, other);
            return (first ? 4 : 0) + (second ? 2 : 0) + (third ? 1 : 0);
        }
    }

    /** Each actor finds its own object, and never the equal one of the other. */
    static class ExchangedByTwo {
        private final AtomicReference<String> x = new AtomicReference<>();

        @Actor(2)
        boolean actor() {
            String mine = String.valueOf(new char[] {'a', 'b'});
            x.set(mine);
            return x.compareAndSet(mine, "done");
        }
    }

    @Test
    void compareAndSetTellsEqualStringsApart() {
        assertEquals(set("1"), outcomes(BoxOfItsOwn.class));
        assertEquals(set("0"), outcomes(Exchanged.class));
        assertEquals(set("5"), outcomes(ExchangedForItsOwn.class));
        // One actor writes after the other and finds its own object; the other did so before, or finds a foreign
        // object.
        assertEquals(set("0,1", "1,0", "1,1"), outcomes(ExchangedByTwo.class));
    }

    static class SameReference {
        private volatile String x;
        private volatile Integer y = 100;

        @Actor
        boolean actor() {
            x = "text";
            String local = new String("text");
            return x == "text" && local.equals(x) && y == Integer.valueOf(100) && y != Integer.valueOf(99) && "a" != x;
        }
    }

    @Test
    void literalsAndCachedBoxesAreOneObject() {
        assertEquals(set("1"), outcomes(SameReference.class));
    }
}
