package dev.cqs.amc.bytecode;

import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a thread does to an object before others can know it. The right answers are computed by hand, and where the checker's
 * own language can say the same, it is asked, too.
 */
class FreshObjectsTest {

    static class Node {
        static final VarHandle VALUE = handle("value");
        static final VarHandle SAFE = handle("safe");
        int value;
        int other;
        volatile int safe;
        Node next;

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(Node.class, field, int.class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        void opaque(int written) {
            VALUE.setOpaque(this, written);
        }

        int opaque() {
            return (int) VALUE.getOpaque(this);
        }
    }

    /** One thread publishes a node, and nothing orders what it has done before with what others do with the node. */
    abstract static class Unordered {
        static final VarHandle HEAD;
        Node head;
        int data;

        static {
            try {
                HEAD = MethodHandles.lookup().findVarHandle(Unordered.class, "head", Node.class);
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

    /** A reader of the value, which does so opaquely. */
    abstract static class Read extends Unordered {
        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.opaque();
        }
    }

    /** In the checker's own language: a node is a variable of its own, and a reference to it is 1. */
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

    /** The reader comes before, or reads the initial 0, the 1, or the 0 that was written over it. */
    static class Zero extends Read {
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

    /** The same with 1 and 2; and 0, which nobody has written. */
    static class Overwritten extends Read {
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

    /** Two reads of one location may not go back: of 0, 1, 2, the second is no earlier than the first. */
    static class Coherent extends Unordered {
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

    /** The addition reads 0, 1 or 2, and comes after it at once; but not between 0 and 1 and so on, as these are additions, too. */
    static class Updated extends Unordered {
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

    /** The reader can not come between two updates that its owner has found to follow one another: it adds to 2. */
    @Test
    void updatesOfAnObjectOfOnesOwnStayTogether() {
        assertEquals(set("-1", "2"), outcomes(Updated.class));
    }

    static class UpdatedAndRead extends Read {
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
    static class PlainZero extends Unordered {
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
    static class PlainRead extends Unordered {
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
    static class OpaqueOnce extends Read {
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

    /** Who acquires the 1 has all that came before its release, but not what came after: the other number may still be 0. */
    static class Released extends Unordered {
        static final VarHandle OTHER = otherHandle();

        private static VarHandle otherHandle() {
            try {
                return MethodHandles.lookup().findVarHandle(Node.class, "other", int.class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        @Actor
        int reader() {
            Node node = seen();
            if (node == null || (int) Node.VALUE.getAcquire(node) == 0) {
                return -1;
            }
            assert data == 1;
            return (int) OTHER.getOpaque(node);
        }

        @Actor
        void writer() {
            Node node = new Node();
            data = 1;
            Node.VALUE.setRelease(node, 1);
            OTHER.setOpaque(node, 7);
            publish(node);
        }
    }

    @Test
    void releaseBeforeThePublicationReleases() {
        assertEquals(set("-1", "0", "7"), outcomes(Released.class));
    }

    /** The same, but the release was overwritten opaquely: then who reads that does not have the data. */
    static class ReleasedAndOverwritten extends Unordered {
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

    /** A fence after the writes covers them, also if the publication itself orders nothing. */
    static class Fenced extends Unordered {
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

    /** By release, and once more opaquely: who finds it the second way may not see the 1. */
    static class Twice extends Unordered {
        Node ordered;
        static final VarHandle ORDERED;

        static {
            try {
                ORDERED = MethodHandles.lookup().findVarHandle(Twice.class, "ordered", Node.class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

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

    /** The one who got it in order passes it on without: the third one may not see the 1. */
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

    /** The inner one is found through the outer one, whose link may not be seen yet, or an older one. */
    static class Nested extends Unordered {
        static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Node.class, "next", Node.class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        @Actor
        int reader() {
            Node node = seen();
            Node next = node == null ? null : (Node) NEXT.getOpaque(node);
            return node == null ? -1 : next == null ? -2 : next.opaque();
        }

        @Actor
        void writer() {
            Node old = new Node();
            old.opaque(1);
            Node last = new Node();
            last.opaque(2);
            Node first = new Node();
            NEXT.setOpaque(first, old);
            NEXT.setOpaque(first, last);
            last.opaque(3);
            publish(first);
        }
    }

    @Test
    void objectsInUnorderedObjectsAreUnordered() {
        assertEquals(set("-1", "-2", "0", "1", "2", "3"), outcomes(Nested.class));
    }

    /** Elements: what was written first, a zero over it, and what an array of arrays holds. */
    static class Elements {
        static final VarHandle ARRAY;
        static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
        int[] array;

        static {
            try {
                ARRAY = MethodHandles.lookup().findVarHandle(Elements.class, "array", int[].class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

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

    /** A clone has what its original had; the plain write of it races. */
    static class Cloned extends Unordered {
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

    // What stays collapsed

    /** A start orders: of all that was written before there is one write in the graph, and of the zero none. */
    static class Started {
        @Actor
        int actor() throws InterruptedException {
            Node node = new Node();
            node.opaque(1);
            node.opaque(2);
            node.other = 1;
            node.other = 0;
            int[] got = new int[1];
            Thread thread = new Thread(() -> got[0] = node.opaque() + node.other);
            thread.start();
            thread.join();
            return got[0];
        }
    }

    @Test
    void startOrdersWhatWasDoneBefore() {
        assertEquals(set("2"), outcomes(Started.class));
    }

    static class Ordered extends Unordered {
        @Actor
        int reader() {
            Node node = (Node) HEAD.getAcquire(this);
            return node == null ? -1 : node.opaque() + node.other;
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(2);
            node.other = 1;
            node.other = 0;
            HEAD.setRelease(this, node);
        }
    }

    /** One write of the value, one of the reference; three reads. */
    @Test
    void objectThatIsPublishedInOrderLeavesItsLastValues() {
        assertEquals(5, verified(Ordered.class, 2).largestGraph());
        assertEquals(set("-1", "2"), outcomes(Ordered.class));
    }

    static class InMonitor extends Ordered {
        @Override
        @Actor
        int reader() {
            synchronized (this) {
                return head == null ? -1 : head.opaque() + head.other;
            }
        }

        @Override
        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(2);
            synchronized (node) {
                node.other = 3;
            }
            synchronized (this) {
                head = node;
            }
        }
    }

    @Test
    void monitorOrdersWhatWasDoneBefore() {
        assertEquals(set("-1", "5"), outcomes(InMonitor.class));
    }

    // Barriers

    /** Store buffering, with a volatile write of a new object in between, or an update of one. */
    static class Barrier {
        static final VarHandle X = handle("x");
        static final VarHandle Y = handle("y");
        volatile Object published;
        volatile Object alsoPublished;
        int x;
        int y;

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(Barrier.class, field, int.class);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        @Actor
        int one() {
            X.setOpaque(this, 1);
            Node node = new Node();
            node.safe = 1;
            int seen = (int) Y.getOpaque(this);
            published = node;
            return seen;
        }

        @Actor
        int other() {
            Y.setOpaque(this, 1);
            AtomicInteger node = new AtomicInteger();
            node.getAndAdd(1);
            int seen = (int) X.getOpaque(this);
            alsoPublished = node;
            return seen;
        }
    }

    /** On x86 a volatile write and an update are barriers, whatever they write to. Elsewhere they order nothing else. */
    @Test
    void updatesOfNewObjectsAreBarriersOnX86() {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(Barrier.class);
            result.assertVerified();
            boolean isWeak = model != Model.SC && model != Model.TSO;
            assertEquals(isWeak, result.outcomes().containsKey(java.util.List.of(0L, 0L)), result::toString);
        }
    }

    // Loops

    /** Each round makes a node, and the last one publishes it; a round that fails leaves nothing. */
    static class Retries extends Unordered {
        @Actor(2)
        int pusher() {
            while (true) {
                Node old = seen();
                Node node = new Node();
                node.opaque(1);
                node.opaque(old == null ? 2 : 3);
                if (HEAD.weakCompareAndSetPlain(this, old, node)) {
                    return old == null ? 0 : old.opaque();
                }
            }
        }
    }

    /** The second one finds the node of the first, and of its value 0, 1 or 2. */
    @Test
    void roundsThatFailHaveNoEffectOnObjectsOfTheirOwn() {
        assertEquals(set("0,0", "0,1", "0,2", "1,0", "2,0"), outcomes(Retries.class));
    }

    /** An older object that changes in a round is an effect: the loop comes to its end. */
    static class Counts extends Unordered {
        @Actor
        int writer() {
            Node node = new Node();
            publish(node);
            Node counter = new Node();
            while (counter.value < 3 && seen() != null) {
                counter.value++;
            }
            return counter.value;
        }

        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.value;
        }
    }

    static class CountsAndWrites extends Counts {
        @Override
        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.safe;
        }
    }

    @Test
    void changesOfOlderObjectsAreEffects() {
        assertEquals(set("-1,3", "0,3"), outcomes(Counts.class));
        assertEquals(set("-1,3", "0,3"), outcomes(CountsAndWrites.class));
    }

    /** Two with the same code, each with a node of its own. The one that comes later may see the 1 of the other. */
    static class Pair extends Unordered {
        @Actor(2)
        void actor() {
            Node seen = seen();
            Node node = new Node();
            node.opaque(1);
            node.opaque(0);
            publish(node);
            assert seen == null || seen.opaque() != 5;
        }
    }

    static class AlikePair extends Pair {
        @Override
        @Actor(value = 2, alike = true)
        void actor() {
            super.actor();
        }
    }

    static class AlikePairFails extends Unordered {
        @Actor(value = 2, alike = true)
        void actor() {
            Node seen = seen();
            Node node = new Node();
            node.opaque(1);
            node.opaque(0);
            publish(node);
            assert seen == null || seen.opaque() == 0;
        }
    }

    /**
     * Both read null, and the one or the other publishes last; or the first has published last, and the second has read 0, 1 or
     * 0; or the other way round: 2 + 3 + 3. Of alike ones the second kind is left out that has the first read from the second.
     */
    @Test
    void alikeThreadsHaveObjectsOfTheirOwn() {
        verified(Pair.class, 8);
        verified(AlikePair.class, 5);
        expect(AlikePairFails.class, Verdict.CHECK_FAILED);
    }

    // Recordings

    /** The error depends on the 1 that was overwritten. */
    static class Fails extends Zero {
        @Override
        @Actor
        int reader() {
            Node node = seen();
            assert node == null || node.opaque() == 0;
            return 0;
        }
    }

    @ParameterizedTest
    @EnumSource(value = Model.class, names = {"RC11", "JLS"})
    void recordingHasWhatWasDoneBeforeThePublication(Model model) {
        Result found = AwaitModelChecker.under(model).check(Fails.class);
        assertEquals(Verdict.CHECK_FAILED, found.verdict(), found::toString);
        Result again = AwaitModelChecker.under(model).replay(Fails.class, found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample());
    }
}
