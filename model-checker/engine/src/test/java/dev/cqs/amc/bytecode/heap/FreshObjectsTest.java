package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.ModelThread;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses to an object before it escapes. The expected results are computed by hand, and by an equivalent
 * {@code Program} where there is one.
 */
class FreshObjectsTest {

    /** Scenarios in which a thread publishes a node without order. */
    abstract static class UnorderedNodes {

        static final VarHandle HEAD = handle(UnorderedNodes.class, "head", Node.class);

        Node head;
        int data;

        static class Node {
            static final VarHandle VALUE = handle(Node.class, "value", int.class);
            static final VarHandle OTHER = handle(Node.class, "other", int.class);
            static final VarHandle NEXT = handle(Node.class, "next", Node.class);
            int value;
            int other;
            volatile int safe;
            Node next;

            void opaque(int written) {
                VALUE.setOpaque(this, written);
            }

            int opaque() {
                return (int) VALUE.getOpaque(this);
            }
        }

        /** The reader reads the value in opaque mode. */
        abstract static class Read extends UnorderedNodes {
            @Actor
            int reader() {
                Node node = seen();
                return node == null ? -1 : node.opaque();
            }
        }

        static VarHandle handle(Class<?> owner, String field, Class<?> type) {
            try {
                return MethodHandles.lookup().findVarHandle(owner, field, type);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        void publish(Node node) {
            HEAD.setOpaque(this, node);
        }

        Node seen() {
            return (Node) HEAD.getOpaque(this);
        }
    }

    /** As a {@code Program}: a node is a variable of its own, and a reference to it is 1. */
    private static Result reference(Model model, BiConsumer<ModelThread, Variable> writer) {
        Program program = Program.define("reference", p -> {
            Variable value = p.variable("value");
            Variable head = p.variable("head");
            p.thread(t -> t.observe(t.load(head, OPAQUE) == 0 ? -1 : t.load(value, OPAQUE)));
            p.thread(t -> {
                writer.accept(t, value);
                t.store(head, 1, OPAQUE);
            });
        });
        return AwaitModelChecker.under(model).check(program);
    }

    private static void same(Class<?> scenario, BiConsumer<ModelThread, Variable> writer) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            Result wanted = reference(model, writer);
            assertEquals(wanted.verdict(), result.verdict(), () -> model + ": " + result);
            assertEquals(wanted.outcomes(), result.outcomes(), () -> model + ": " + result);
        }
    }

    // Values that were overwritten, and zeros

    /** The reader reads null, or the initial 0, the 1, or the 0 that overwrites it. */
    static class Zero extends UnorderedNodes.Read {
        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(0);
            publish(node);
        }
    }

    @Test
    void oneWhoComesTooEarlyReadsWhatWasOverwrittenByZero() {
        assertEquals(set("-1", "0", "1"), outcomes(Zero.class));
        assertEquals(4, verified(Zero.class, 4).complete());
        same(Zero.class, (t, value) -> {
            t.store(value, 1, OPAQUE);
            t.store(value, 0, OPAQUE);
        });
    }

    /** The same with 1 and 2, and the initial 0. */
    static class Overwritten extends UnorderedNodes.Read {
        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(2);
            publish(node);
        }
    }

    @Test
    void oneWhoComesTooEarlyReadsAnyOfTheValues() {
        assertEquals(set("-1", "0", "1", "2"), outcomes(Overwritten.class));
        same(Overwritten.class, (t, value) -> {
            t.store(value, 1, OPAQUE);
            t.store(value, 2, OPAQUE);
        });
    }

    /** Coherence of two reads: of 0, 1, 2, the second reads no older value than the first. */
    static class Coherent extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : 10 * node.opaque() + node.opaque();
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(2);
            publish(node);
        }
    }

    @Test
    void readsOfOneFieldDoNotGoBack() {
        assertEquals(set("-1", "0", "1", "2", "11", "12", "22"), outcomes(Coherent.class));
    }

    /**
     * The addition reads 0, 1 or 2, and immediately follows that write in coherence order; but not between two
     * additions of the owner, which are atomic.
     */
    static class Updated extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : (int) Node.VALUE.getAndAddAcquire(node, 10);
        }

        @Actor
        void writer() {
            Node node = new Node();
            int first = (int) Node.VALUE.getAndAddRelease(node, 1);
            int second = (int) Node.VALUE.getAndSetAcquire(node, first + 2);
            assert first == 0 && second == 1 && !Node.VALUE.compareAndSet(node, 1, 3) && node.opaque() == 2;
            publish(node);
        }
    }

    /** The reader cannot update between two updates of the owner, so it adds to 2. */
    @Test
    void updatesOfAnObjectOfOnesOwnStayTogether() {
        assertEquals(set("-1", "2"), outcomes(Updated.class));
    }

    static class UpdatedAndRead extends UnorderedNodes.Read {
        @Actor
        void writer() {
            Node node = new Node();
            Node.VALUE.getAndAddRelease(node, 1);
            Node.VALUE.compareAndSet(node, 1, 3);
            publish(node);
        }
    }

    @Test
    void valuesOfUpdatesAreSeenToo() {
        assertEquals(set("-1", "0", "1", "3"), outcomes(UpdatedAndRead.class));
    }

    // Races

    /** A plain write of 0 and a plain read, which nothing orders. */
    static class PlainZero extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.value;
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.value = 0;
            publish(node);
        }
    }

    /** A plain read of the owner, and a write, which nothing orders. */
    static class PlainRead extends UnorderedNodes {
        @Actor
        void other() {
            Node node = seen();
            if (node != null) {
                node.opaque(1);
            }
        }

        @Actor
        int owner() {
            Node node = new Node();
            int seen = node.value;
            publish(node);
            return seen;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PlainZero.class, PlainRead.class})
    void plainAccessesBeforeThePublicationRaceUnderAllModels(Class<?> scenario) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            assertEquals(Verdict.DATA_RACE, result.verdict(), result::toString);
        }
    }

    /** An opaque write of a field that is not declared volatile does not race with an opaque read. */
    static class OpaqueOnce extends UnorderedNodes.Read {
        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(5);
            publish(node);
        }
    }

    @Test
    void opaqueWriteIsNoPlainOne() {
        assertEquals(set("-1", "0", "5"), outcomes(OpaqueOnce.class));
        same(OpaqueOnce.class, (t, value) -> t.store(value, 5, OPAQUE));
    }

    /** An acquire of the 1 orders all writes before its release, but no later ones: the other number may still be 0. */
    static class Released extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            if (node == null || (int) Node.VALUE.getAcquire(node) == 0) {
                return -1;
            }
            assert data == 1;
            return (int) Node.OTHER.getOpaque(node);
        }

        @Actor
        void writer() {
            Node node = new Node();
            data = 1;
            Node.VALUE.setRelease(node, 1);
            Node.OTHER.setOpaque(node, 7);
            publish(node);
        }
    }

    @Test
    void releaseBeforeThePublicationReleases() {
        assertEquals(set("-1", "0", "7"), outcomes(Released.class));
    }

    /** The same, but an opaque write overwrites the release: reading it does not synchronize. */
    static class ReleasedAndOverwritten extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            return node == null || (int) Node.VALUE.getAcquire(node) == 0 ? -1 : data;
        }

        @Actor
        void writer() {
            Node node = new Node();
            data = 1;
            Node.VALUE.setRelease(node, 1);
            node.opaque(2);
            publish(node);
        }
    }

    @Test
    void overwrittenReleaseDoesNotReleaseMore() {
        expect(ReleasedAndOverwritten.class, Verdict.DATA_RACE);
    }

    // Fences

    /** A release fence after the writes orders them, even if the publication itself orders nothing. */
    static class Fenced extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            VarHandle.acquireFence();
            return node == null ? -1 : node.value;
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.value = 5;
            VarHandle.releaseFence();
            publish(node);
        }
    }

    @Test
    void fenceBetweenTheWritesAndThePublicationOrdersThem() {
        assertEquals(set("-1", "5"), outcomes(Fenced.class));
    }

    /** A fence before the writes does not. */
    static class FencedTooEarly extends Fenced {
        @Override
        @Actor
        void writer() {
            Node node = new Node();
            VarHandle.releaseFence();
            node.value = 5;
            publish(node);
        }
    }

    @Test
    void fenceBeforeTheWritesDoesNot() {
        expect(FencedTooEarly.class, Verdict.DATA_RACE);
    }

    // Ways of publishing

    /** Published by a release, and again in opaque mode: a reader of the second may not read the 1. */
    static class Twice extends UnorderedNodes {
        static final VarHandle ORDERED = handle(Twice.class, "ordered", Node.class);
        Node ordered;

        @Actor
        int orderedReader() {
            Node node = (Node) ORDERED.getAcquire(this);
            return node == null ? -1 : node.opaque();
        }

        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.opaque();
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            ORDERED.setRelease(this, node);
            publish(node);
        }
    }

    @Test
    void everyWayToAnObjectCounts() {
        assertEquals(set("-1,-1", "-1,0", "-1,1", "1,-1", "1,0", "1,1"), outcomes(Twice.class));
    }

    /**
     * The second thread gets the node in order, and passes it on without order: the third thread may not read the 1.
     */
    static class PassedOn extends Twice {
        @Override
        @Actor
        int orderedReader() {
            Node node = (Node) ORDERED.getAcquire(this);
            if (node == null) {
                return -1;
            }
            int value = node.opaque();
            publish(node);
            return value;
        }

        @Override
        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            ORDERED.setRelease(this, node);
        }
    }

    @Test
    void whoPassesAnObjectOnHasToOrderIt() {
        assertEquals(set("-1,-1", "1,-1", "1,0", "1,1"), outcomes(PassedOn.class));
    }

    /**
     * The second thread puts the node into one of its own: the third may read none of the values that the two have
     * written.
     */
    static class NestedInAnothers extends PassedOn {
        @Override
        @Actor
        int orderedReader() {
            Node node = (Node) ORDERED.getAcquire(this);
            if (node == null) {
                return -1;
            }
            Node outer = new Node();
            Node.NEXT.setOpaque(outer, node);
            publish(outer);
            return node.opaque();
        }

        @Override
        @Actor
        int reader() {
            Node outer = seen();
            Node node = outer == null ? null : (Node) Node.NEXT.getOpaque(outer);
            return outer == null ? -1 : node == null ? -2 : node.opaque();
        }
    }

    @Test
    void objectOfOneThreadInThatOfAnotherIsUnordered() {
        assertEquals(set("-1,-1", "1,-1", "1,-2", "1,0", "1,1"), outcomes(NestedInAnothers.class));
    }

    /** The inner node is reached through the outer one, whose link may be read as null or as an older link. */
    static class Nested extends UnorderedNodes {
        @Actor
        int reader() {
            Node node = seen();
            Node next = node == null ? null : (Node) Node.NEXT.getOpaque(node);
            return node == null ? -1 : next == null ? -2 : next.opaque();
        }

        @Actor
        void writer() {
            Node old = new Node();
            old.opaque(1);
            Node last = new Node();
            last.opaque(2);
            Node first = new Node();
            Node.NEXT.setOpaque(first, old);
            Node.NEXT.setOpaque(first, last);
            last.opaque(3);
            publish(first);
        }
    }

    @Test
    void objectsInUnorderedObjectsAreUnordered() {
        assertEquals(set("-1", "-2", "0", "1", "2", "3"), outcomes(Nested.class));
    }

    /** Elements: the first value, a zero that overwrites it, and the contents of an array of arrays. */
    static class Elements {
        static final VarHandle ARRAY = UnorderedNodes.handle(Elements.class, "array", int[].class);
        static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
        int[] array;

        @Actor
        int reader() {
            int[] seen = (int[]) ARRAY.getOpaque(this);
            return seen == null ? -1 : (int) ELEMENT.getOpaque(seen, 1);
        }

        @Actor
        void writer() {
            int[] made = new int[2];
            ELEMENT.setOpaque(made, 1, 4);
            ELEMENT.setOpaque(made, 1, 0);
            ARRAY.setOpaque(this, made);
        }
    }

    @Test
    void elementsAreLikeFields() {
        assertEquals(set("-1", "0", "4"), outcomes(Elements.class));
    }

    static class PlainElements extends Elements {
        @Override
        @Actor
        void writer() {
            ARRAY.setOpaque(this, new int[] {0, 0});
        }
    }

    static class CopiedElements extends Elements {
        @Override
        @Actor
        void writer() {
            int[] made = new int[2];
            ARRAY.setOpaque(this, java.util.Arrays.copyOf(made, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PlainElements.class, CopiedElements.class})
    void zerosOfInitializersAndCopiesAreWrites(Class<?> scenario) {
        expect(scenario, Verdict.DATA_RACE);
    }

    /** A clone has the values of its original; the plain writes of the clone race. */
    static class Cloned extends UnorderedNodes {
        static class Copy extends Node implements Cloneable {
            Copy copy() {
                try {
                    return (Copy) clone();
                } catch (CloneNotSupportedException thrown) {
                    throw new AssertionError(thrown);
                }
            }
        }

        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.safe;
        }

        @Actor
        void writer() {
            Copy original = new Copy();
            original.safe = 3;
            publish(original.copy());
        }
    }

    @Test
    void cloneIsUnorderedToo() {
        assertEquals(set("-1", "0", "3"), outcomes(Cloned.class));
    }
}
