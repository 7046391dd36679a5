package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of identity hash codes is arbitrary, so no verdict rests on a single order. */
class IdentityHashesTest {

    static class Node {}

    /** Two nodes are ordered as the subclass implements it. */
    abstract static class Ordered {
        final Node first = new Node();
        final Node second = new Node();

        abstract boolean isLess(Node one, Node other);

        @Actor
        boolean actor() {
            return isLess(first, second);
        }
    }

    static class BySystem extends Ordered {
        @Override
        boolean isLess(Node one, Node other) {
            return System.identityHashCode(one) < System.identityHashCode(other);
        }
    }

    static class ByMethod extends Ordered {
        @Override
        boolean isLess(Node one, Node other) {
            return one.hashCode() < other.hashCode();
        }
    }

    static class ByText extends Ordered {
        @Override
        boolean isLess(Node one, Node other) {
            return one.toString().compareTo(other.toString()) < 0;
        }
    }

    static class ByHashSet extends Ordered {
        @Override
        boolean isLess(Node one, Node other) {
            Set<Node> set = new HashSet<>();
            set.add(one);
            set.add(other);
            return set.iterator().next() == one;
        }
    }

    static class InTheSetUp extends Ordered {
        private final boolean isLess = System.identityHashCode(first) < System.identityHashCode(second);

        @Override
        boolean isLess(Node one, Node other) {
            return isLess;
        }
    }

    static class ByActors {
        private volatile Node published;

        @Actor
        void publishes() {
            published = new Node();
        }

        @Actor
        int compares() {
            Node seen = published;
            return seen == null ? 2 : seen.hashCode() < new Node().hashCode() ? 1 : 0;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {BySystem.class, ByMethod.class, ByText.class, ByHashSet.class, InTheSetUp.class})
    void twoObjectsAreInBothOrders(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }

    @Test
    void objectsOfActorsAreInBothOrders() {
        assertEquals(set("0", "1", "2"), outcomes(ByActors.class));
    }

    static class Asserts {
        private final Node first = new Node();
        private final Node second = new Node();

        @Actor(2)
        void actor() {
            assert System.identityHashCode(first) < System.identityHashCode(second) : "an order";
        }
    }

    static class AssertsTheReverse {
        private final Node first = new Node();
        private final Node second = new Node();

        @Actor(2)
        void actor() {
            assert System.identityHashCode(first) > System.identityHashCode(second) : "the reverse";
        }
    }

    /** Locks the object with the smaller hash code first, while the other actor orders otherwise. */
    static class LocksInOrder {
        private final Node first = new Node();
        private final Node second = new Node();

        private void both(Node one, Node other) {
            synchronized (one) {
                synchronized (other) {
                    one.getClass();
                }
            }
        }

        @Actor
        void byHash() {
            if (first.hashCode() < second.hashCode()) {
                both(first, second);
            } else {
                both(second, first);
            }
        }

        @Actor
        void byName() {
            both(first, second);
        }
    }

    @Test
    void orderIsNotVerified() {
        expect(Asserts.class, Verdict.CHECK_FAILED);
        expect(AssertsTheReverse.class, Verdict.CHECK_FAILED);
        expect(LocksInOrder.class, Verdict.HANG);
    }

    @Test
    void counterExampleOfAnotherOrderIsReplayed() {
        for (Class<?> scenario : new Class<?>[] {Asserts.class, AssertsTheReverse.class, LocksInOrder.class}) {
            Result result = check(scenario);
            Result again = AwaitModelChecker.under(Model.RC11)
                    .replay(scenario, result.counterExample().replay());
            assertEquals(result.verdict(), again.verdict());
            assertEquals(result.counterExample().text(), again.counterExample().text());
        }
    }

    static class Three {
        private final Node[] nodes = {new Node(), new Node(), new Node()};

        @Actor
        int actor() {
            int order = 0;
            for (int i = 0; i < 3; i++) {
                int place = 0;
                for (int j = 0; j < 3; j++) {
                    place += nodes[j].hashCode() < nodes[i].hashCode() ? 1 : 0;
                }
                order = 10 * order + place;
            }
            return order;
        }
    }

    @Test
    void threeObjectsAreInAllOrders() {
        assertEquals(set("12", "21", "102", "120", "201", "210"), outcomes(Three.class));
        assertTrue(check(Three.class).summary().contains("There was a search for each order of them."));
    }

    static class Four {
        private final Node[] nodes = {new Node(), new Node(), new Node(), new Node()};

        @Actor
        int actor() {
            int less = 0;
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < i; j++) {
                    less = 2 * less + (nodes[j].hashCode() < nodes[i].hashCode() ? 1 : 0);
                }
            }
            return less;
        }
    }

    @Test
    void moreObjectsAreInBothOrdersEachAndTheResultSaysThatThisIsNotAll() {
        assertEquals(set("0", "63"), outcomes(Four.class));
        assertTrue(check(Four.class).summary().contains("but not every order of all"));
    }

    static class Unordered {
        private final Node first = new Node();
        private final Node second = new Node();

        @Actor(2)
        int actor() {
            Map<Node, Integer> map = new HashMap<>(Map.of(first, 1));
            map.put(second, 2);
            return map.get(first) + map.get(second);
        }
    }

    @Test
    void countsAreThoseOfOneOrder() {
        Result result = check(Unordered.class);
        assertEquals(Verdict.VERIFIED, result.verdict());
        assertEquals(1, result.complete());
        assertEquals(set("3,3"), outcomes(Unordered.class));
    }

    // Foreign objects have real hash codes

    enum Kind {
        ONE,
        TWO
    }

    static class OfAnEnum {
        @Actor
        boolean actor() {
            return Kind.ONE.hashCode() < Kind.TWO.hashCode();
        }
    }

    static class OfAClass {
        @Actor
        boolean actor() {
            return String.class.hashCode() < Integer.class.hashCode();
        }
    }

    static class OfObjects {
        private final Object first = new Object();

        @Actor
        boolean actor() {
            Object mine = new Object();
            return first.hashCode() < mine.hashCode();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfAnEnum.class, OfAClass.class, OfObjects.class})
    void objectsOfTheJdkAreInBothOrders(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }
}
