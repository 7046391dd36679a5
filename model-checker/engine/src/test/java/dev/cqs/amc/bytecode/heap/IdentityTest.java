package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References to one object are equal wherever a thread gets them from, and those to two objects differ. */
class IdentityTest {

    static class Node {
        int value;
    }

    /** Two actors pass each other objects that they have made, and compare them as the subclass implements it. */
    abstract static class Exchange {
        private volatile Node mine;
        private volatile Node yours;

        abstract boolean same(Node one, Node other);

        private static void check(boolean condition) {
            if (!condition) {
                throw new AssertionError("one object is two, or two are one");
            }
        }

        @Actor
        boolean first() {
            Node kept = new Node();
            Node other = new Node();
            mine = kept;
            Node back = yours;
            check(same(kept, kept) && !same(kept, other) && same(kept, mine));
            check(back == null || same(kept, back) && !same(back, other));
            return back != null;
        }

        @Actor
        boolean second() {
            Node seen = mine;
            Node local = new Node();
            if (seen == null) {
                return false;
            }
            yours = seen;
            check(same(seen, mine) && same(yours, mine) && !same(seen, local));
            return true;
        }
    }

    static class ByReference extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            return one == other;
        }
    }

    static class ByEquals extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            return one.equals(other) && java.util.Objects.equals(one, other);
        }
    }

    static class BySuperEquals extends Exchange {
        static class Key {
            private final Node node;

            Key(Node node) {
                this.node = node;
            }

            @Override
            public boolean equals(Object other) {
                return super.equals(other) || other instanceof Key key && node == key.node;
            }

            @Override
            public int hashCode() {
                return super.hashCode();
            }
        }

        @Override
        boolean same(Node one, Node other) {
            Key key = new Key(one);
            return key.equals(key) && key.equals(new Key(other)) && key.hashCode() != new Key(one).hashCode();
        }
    }

    static class BySuperEqualsAlone {
        static class Own {
            @Override
            public boolean equals(Object other) {
                return super.equals(other);
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }

        private volatile Own mine;
        private volatile Own yours;

        @Actor
        boolean first() {
            Own kept = new Own();
            mine = kept;
            Own back = yours;
            assert back == null || back.equals(kept) && java.util.List.of(kept).contains(back);
            return back != null;
        }

        @Actor
        boolean second() {
            Own seen = mine;
            yours = seen;
            assert seen == null || seen.equals(mine) && !seen.equals(new Own());
            return seen != null;
        }
    }

    @Test
    void equalsOfObjectTellsTheSame() {
        assertEquals(set("0,0", "0,1", "1,1"), outcomes(BySuperEqualsAlone.class));
    }

    static class ByHashCode extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            return one.hashCode() == other.hashCode()
                    && System.identityHashCode(one) == System.identityHashCode(other)
                    && java.util.Objects.hashCode(one) == java.util.Objects.hashCode(other);
        }
    }

    static class ByString extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            return one.toString().equals("" + other);
        }
    }

    static class ByHashMap extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            Map<Object, Integer> map = new HashMap<>();
            map.put(one, 1);
            map.merge(other, 1, Integer::sum);
            return map.size() == 1 && map.get(one) == 2 && map.containsKey(other);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ByReference.class,
                ByEquals.class,
                BySuperEquals.class,
                ByHashCode.class,
                ByString.class,
                ByHashMap.class
            })
    void objectIsTheSameForAll(Class<?> scenario) {
        assertEquals(set("0,0", "0,1", "1,1"), outcomes(scenario));
    }

    static class ByIdentityHashMap extends Exchange {
        @Override
        boolean same(Node one, Node other) {
            Map<Object, Integer> map = new IdentityHashMap<>();
            map.put(one, 1);
            map.put(other, 2);
            return map.size() == 1;
        }
    }

    static class WeakKeys {
        @Actor
        int actor() {
            return new java.util.WeakHashMap<>(Map.of(new Node(), 1)).size();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ByIdentityHashMap.class, WeakKeys.class})
    void mapThatComparesObjectsItselfIsRefused(Class<?> scenario) {
        refused(scenario, "HashMap");
    }

    static class OrderOfHashes {
        private volatile int turns;

        @Actor(2)
        int actor() {
            Set<Object> set = new HashSet<>();
            Node first = new Node();
            first.value = 1;
            set.add(new Node());
            set.add(first);
            set.add(new Node());
            int place = 0;
            for (Object node : set) {
                place++;
                if (((Node) node).value == 1) {
                    turns = place;
                }
            }
            return turns < 4 ? 1 : 0;
        }
    }

    @Test
    void orderOfAHashMapIsTheSameInAllExecutions() {
        assertEquals(set("1,1"), outcomes(OrderOfHashes.class));
    }

    static class HashOfTheSetUp {
        private final Node node = new Node();
        private final int hash = node.hashCode() + System.identityHashCode(this);

        @Actor(2)
        boolean actor() {
            return hash == node.hashCode() + System.identityHashCode(this) && node.equals(node);
        }
    }

    @Test
    void hashIsThatOfTheSetUp() {
        assertEquals(set("1,1"), outcomes(HashOfTheSetUp.class));
    }

    /** A replay of the first actor runs the second until it has made its node, which needs the pair of the first. */
    static class MadeTwice {
        static class Comparing extends Node {
            @Override
            public boolean equals(Object other) {
                return super.equals(other);
            }

            @Override
            public int hashCode() {
                return super.hashCode();
            }
        }

        /** Extends no other class. */
        static class Own {
            @Override
            public boolean equals(Object other) {
                return super.equals(other);
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }

        record Pair(Node node, Own own) {}

        private volatile Node node;
        private volatile Own own;
        private volatile Pair pair;

        @Actor
        void first() {
            Node seen = node;
            if (seen != null) {
                pair = new Pair(seen, own);
            }
        }

        @Actor
        int second() {
            Node kept = new Comparing();
            Own keptToo = new Own();
            own = keptToo;
            node = kept;
            Pair back = pair;
            if (back == null) {
                return 0;
            }
            AtomicReference<Node> reference = new AtomicReference<>(kept);
            assert back.node() == kept : "by reference";
            assert back.node().equals(kept) && Map.of(kept, 1).containsKey(back.node()) : "by equals";
            assert back.own() == keptToo && back.own().equals(keptToo) : "by equals of Object";
            assert back.equals(new Pair(kept, keptToo)) && back.hashCode() == new Pair(kept, keptToo).hashCode()
                    : "by the record";
            assert reference.compareAndSet(back.node(), null) : "by exchange";
            return 1;
        }
    }

    @Test
    void objectThatIsMadeTwiceIsOne() {
        assertEquals(set("0", "1"), outcomes(MadeTwice.class));
    }

    // Clones

    static class Cloned implements Cloneable {
        int value = 1;
        private long big;
        private Object self = this;
        private final String name = "name";

        @Override
        public Cloned clone() {
            try {
                return (Cloned) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class ClonesShared {
        private final Cloned original = new Cloned();
        private final Cloned copyOfTheSetUp = original.clone();
        private volatile boolean ready;

        @Actor
        int reader() {
            if (!ready) {
                return 0;
            }
            Cloned copy = original.clone();
            assert copy != original && !copy.equals(original) && copy.self == original && copy.name.equals("name");
            copy.value++;
            assert copy.clone().value == 3 && copyOfTheSetUp.value == 1 && copyOfTheSetUp != original && copy.big == 5;
            return 10 * original.value + copy.value;
        }

        @Actor
        void writer() {
            original.value = 2;
            original.big = 5;
            ready = true;
        }
    }

    @Test
    void cloneIsAnObjectOfItsOwnWithWhatTheOriginalHolds() {
        assertEquals(set("0", "23"), outcomes(ClonesShared.class));
    }

    // Boxes and strings

    static class SmallNumbers {
        private final AtomicReference<Integer> x = new AtomicReference<>(1);
        private volatile Object text = "a";

        @Actor(2)
        boolean actor(int me) {
            boolean first = x.compareAndSet(1, 2 + me);
            Integer seen = x.get();
            text = "a";
            return first && seen == x.get() && text == "a";
        }
    }

    @Test
    void smallNumbersAndLiteralsHaveOneObject() {
        assertEquals(set("0,1", "1,0"), outcomes(SmallNumbers.class));
    }

    static class BigNumbers {
        private static final Integer THOUSAND = 1000;
        private final AtomicReference<Integer> x = new AtomicReference<>(THOUSAND);

        @Actor(2)
        int actor(int me) {
            int found = x.compareAndSet(Integer.parseInt("1000"), 5) ? 100 : 0;
            Integer mine = 2000 + me;
            if (x.compareAndSet(THOUSAND, mine)) {
                found += x.get() == mine ? 1 : 10;
            }
            return found + (x.compareAndSet(2000, 6) ? 100 : 0);
        }
    }

    @Test
    void bigNumbersHaveManyObjects() {
        assertEquals(set("0,1", "1,0"), outcomes(BigNumbers.class));
    }

    static class RetriedWithBigNumbers {
        private final AtomicReference<Long> x = new AtomicReference<>(1L << 40);

        @Actor(2)
        long actor() {
            return x.getAndUpdate(now -> now + 1) - (1L << 40);
        }
    }

    @Test
    void bigNumberThatHasBeenReadIsTheOneThatIsReplaced() {
        assertEquals(set("0,1", "1,0"), outcomes(RetriedWithBigNumbers.class));
    }

    static class EqualStrings {
        private volatile String text;

        @Actor
        boolean writer() {
            String mine = new String("text");
            text = mine;
            return text == mine;
        }

        @Actor
        boolean reader() {
            return text == "text";
        }
    }

    @Test
    void comparisonOfEqualStringsByReferenceIsRefused() {
        refused(EqualStrings.class, "equals", "java.lang.String");
    }
}
