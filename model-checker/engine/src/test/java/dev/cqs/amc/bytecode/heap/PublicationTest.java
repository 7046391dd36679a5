package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Model;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An object escapes with all objects that it refers to, and the mode of the publication orders the reads of its fields.
 */
class PublicationTest {

    static class Node {
        int value;
        Node next;
        int[] array;
        final Node fixed;

        @RacyAllowed
        int racy;

        volatile int safe;

        Node(int value, Node fixed) {
            this.value = value;
            this.fixed = fixed;
            this.racy = value;
            this.safe = value;
        }
    }

    static class Cycle {
        volatile Node head;

        @Actor
        int reader() {
            Node seen = head;
            if (seen == null) {
                return 0;
            }
            assert seen.next.next == seen
                    && seen.fixed.next == null
                    && seen.next.fixed == seen.fixed
                    && seen.array[1] == 3;
            return seen.value + 10 * seen.next.value + 100 * seen.fixed.value;
        }

        @Actor
        void writer() {
            Node last = new Node(3, null);
            Node first = new Node(1, last);
            first.next = new Node(2, last);
            first.next.next = first;
            first.array = new int[] {0, 3};
            head = first;
        }
    }

    @Test
    void allThatAnObjectRefersToIsPublishedWithIt() {
        assertEquals(set("0", "321"), outcomes(Cycle.class));
    }

    static class HandsOverALambda {
        IntSupplier work;

        @Actor
        void writer() {
            int number = Execution.choose(2);
            work = () -> number;
        }

        @Actor
        int reader() {
            IntSupplier seen = work;
            return seen == null ? -1 : seen.getAsInt();
        }
    }

    /** The name of a lambda's class differs each time. */
    @Test
    void lambdaIsCalledTheSameWhenItRunsAgain() {
        Result found = expect(HandsOverALambda.class, Verdict.DATA_RACE);
        Result again = AwaitModelChecker.under(Model.RC11)
                .replay(HandsOverALambda.class, found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample());
        assertTrue(found.counterExample().text().contains("work = lambda#"), found::toString);
    }

    static class AllTypes {
        static class Values {
            boolean truth = true;
            byte small = -2;
            short medium = -3;
            char letter = 'x';
            int number = 4;
            long big = 1L << 50;
            float real = 1.5f;
            double precise = -2.5;
            String text = "text";
            final long[] longs = {0, Long.MIN_VALUE};
            final double fixed = 0.5;
        }

        static class More extends Values {
            int number = 5;
        }

        volatile More values;

        @Actor
        boolean reader() {
            More seen = values;
            if (seen == null) {
                return false;
            }
            assert seen.truth && seen.small == -2 && seen.medium == -3 && seen.letter == 'x' && seen.number == 5;
            assert ((Values) seen).number == 4 && seen.big == 1L << 50 && seen.real == 1.5f && seen.precise == -2.5;
            assert seen.text.equals("text") && seen.longs[1] == Long.MIN_VALUE && seen.fixed == 0.5;
            return true;
        }

        @Actor
        void writer() {
            values = new More();
        }
    }

    @Test
    void fieldsOfAllTypesArePublished() {
        assertEquals(set("0", "1"), outcomes(AllTypes.class));
    }

    static class ByLambda {
        volatile IntSupplier code;

        @Actor
        int reader() {
            IntSupplier seen = code;
            return seen == null ? 0 : seen.getAsInt();
        }

        @Actor
        void writer() {
            Node node = new Node(0, null);
            int[] more = {1};
            code = () -> node.value + more[0];
        }
    }

    static class ByThread {
        @Actor
        int actor() throws InterruptedException {
            Node node = new Node(0, null);
            Thread thread = new Thread(() -> node.value++);
            thread.start();
            thread.join();
            return node.value;
        }
    }

    static class ByOptional {
        volatile java.util.Optional<Node> some = java.util.Optional.empty();

        @Actor
        int reader() {
            return some.map(node -> node.value).orElse(0);
        }

        @Actor
        void writer() {
            some = java.util.Optional.of(new Node(1, null));
        }
    }

    static class ByConstructor {
        static class Registered {
            int value = 1;

            Registered(ByConstructor owner) {
                value = 2;
                owner.registered = this;
                synchronized (owner) {
                    value = 3;
                }
            }
        }

        volatile Registered registered;

        @Actor
        int reader() {
            Registered seen = registered;
            if (seen == null) {
                return 0;
            }
            synchronized (this) {
                return seen.value > 0 ? 1 : 0;
            }
        }

        @Actor
        void writer() {
            new Registered(this);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ByLambda.class, ByOptional.class, ByConstructor.class})
    void theWayOfPublishingDoesNotMatter(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }

    @Test
    void startOfAThreadPublishesWhatItCaptures() {
        assertEquals(set("1"), outcomes(ByThread.class));
    }

    // Publication that orders nothing

    static class Racy {
        @RacyAllowed
        Node head;

        @Actor
        void writer() {
            head = new Node(5, new Node(6, null));
        }
    }

    static class RacyPlain extends Racy {
        @Actor
        int reader() {
            Node seen = head;
            return seen == null ? -1 : seen.value;
        }
    }

    @Test
    void plainFieldOfAnObjectThatIsPublishedWithoutOrderRaces() {
        expect(RacyPlain.class, Verdict.DATA_RACE);
    }

    static class RacyDefault extends Racy {
        @Actor
        int reader() {
            Node seen = head;
            return seen == null ? -1 : seen.racy;
        }
    }

    static class RacyVolatile extends Racy {
        @Actor
        int reader() {
            Node seen = head;
            return seen == null ? -1 : seen.safe;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RacyDefault.class, RacyVolatile.class})
    void itsFieldsMayStillHoldNothing(Class<?> scenario) {
        assertEquals(set("-1", "0", "5"), outcomes(scenario));
    }

    static class RacyFinal extends Racy {
        @Actor
        int reader() {
            Node seen = head;
            return seen == null ? -1 : seen.fixed == null ? 0 : 1;
        }
    }

    @Test
    void itsFinalFieldsAreFrozen() {
        assertEquals(set("-1", "1"), outcomes(RacyFinal.class));
    }

    // Twice, and never

    static class Twice {
        volatile Node one;
        volatile Node other;

        @Actor
        boolean reader() {
            Node second = other;
            Node first = one;
            assert second == null || first == second && second.value == 2;
            return second != null;
        }

        @Actor
        void writer() {
            Node node = new Node(2, null);
            one = node;
            other = node;
        }
    }

    @Test
    void objectMayBePublishedTwice() {
        assertEquals(set("0", "1"), outcomes(Twice.class));
    }

    static class Never {
        @Actor(2)
        int actor() {
            Node first = new Node(1, null);
            Node[] nodes = new Node[2];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = new Node(i, first);
                nodes[i].next = first;
                first.value += nodes[i].fixed.value;
            }
            IntSupplier sum = () -> nodes[0].value + nodes[1].value + first.value;
            return sum.getAsInt();
        }
    }

    @Test
    void objectThatStaysLocalLeavesNoTrace() {
        assertEquals(0, verified(Never.class, 1).largestGraph());
        assertEquals(set("5,5"), outcomes(Never.class));
    }

    // Objects of initializers

    static class Statics {
        private static final Node SHARED = new Node(0, null);
        private static Node head = SHARED;
        private static Object lock = new Object();

        @Actor(2)
        int actor() {
            synchronized (lock) {
                assert head == SHARED;
                return head.value++;
            }
        }
    }

    @Test
    void objectsOfInitializersAreThoseOfTheSetUp() {
        assertEquals(set("0,1", "1,0"), outcomes(Statics.class));
    }

    static class InstalledOnce {
        volatile Node node;

        private Node get() {
            Node seen = node;
            if (seen == null) {
                synchronized (this) {
                    seen = node;
                    if (seen == null) {
                        seen = new Node(7, null);
                        node = seen;
                    }
                }
            }
            return seen;
        }

        @Actor(2)
        int actor() {
            assert get() == node;
            return get().value;
        }
    }

    @Test
    void allFindTheObjectWhicheverThreadInstallsIt() {
        assertEquals(set("7,7"), outcomes(InstalledOnce.class));
    }
}
