package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.Mode.ACQUIRE;
import static dev.cqs.amc.Mode.RELEASE;
import static dev.cqs.amc.Mode.VOLATILE;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Program;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Result;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which objects are expanded and which stay collapsed, also in loops, with symmetric threads, and in recordings. */
class FreshObjectsInSearchTest {

    /** As in {@link FreshObjectsTest}. The classes of a scenario are nested in its outermost class. */
    abstract static class UnorderedNodes {

        static final VarHandle HEAD = handle(UnorderedNodes.class, "head", Node.class);

        Node head;
        int data;

        static class Node {
            static final VarHandle VALUE = handle(Node.class, "value", int.class);
            int value;
            int other;
            volatile int safe;

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

    // What stays collapsed

    /** A start orders: the graph has one write for all earlier writes of a field, and none for the zero. */
    static class Started extends UnorderedNodes {
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

    static class Ordered extends UnorderedNodes {
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

    /** The array in the node has another allocation site than the one that uninstrumented code sorts. */
    static class Arrays extends UnorderedNodes {
        static class WithArray extends Node {
            static final VarHandle ARRAY = handle(WithArray.class, "array", int[].class);
            int[] array;
        }

        static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

        @Actor
        int reader() {
            WithArray node = (WithArray) seen();
            int[] seen = node == null ? null : (int[]) WithArray.ARRAY.getOpaque(node);
            return seen == null ? -1 : (int) ELEMENT.getOpaque(seen, 0);
        }

        @Actor
        int writer() {
            int[] sorted = {2, 1};
            java.util.Arrays.sort(sorted);
            WithArray node = new WithArray();
            int[] made = new int[1];
            ELEMENT.setOpaque(made, 0, 8);
            ELEMENT.setOpaque(made, 0, 9);
            WithArray.ARRAY.setOpaque(node, made);
            publish(node);
            return sorted[0];
        }
    }

    @Test
    void kindsAreExpandedOneAfterAnother() {
        assertEquals(set("-1,1", "0,1", "8,1", "9,1"), outcomes(Arrays.class));
    }

    /** The creation of the matrix puts the row into it, without order: the reader may read null. */
    static class Matrix {
        static final VarHandle MATRIX = UnorderedNodes.handle(Matrix.class, "matrix", int[][].class);
        static final VarHandle ROW = MethodHandles.arrayElementVarHandle(int[][].class);
        int[][] matrix;

        @Actor
        boolean reader() {
            int[][] seen = (int[][]) MATRIX.getOpaque(this);
            return seen != null && ROW.getOpaque(seen, 1) != null;
        }

        @Actor
        void writer() {
            MATRIX.setOpaque(this, new int[2][1]);
        }
    }

    @Test
    void rowsOfAMatrixAreWrittenWhenItIsMade() {
        expect(Matrix.class, Verdict.DATA_RACE);
    }

    /** With a listener, the random walks of the estimator run first and meet the same accesses. */
    @Test
    void listenersMakeNoDifference() {
        Result result =
                AwaitModelChecker.under(Model.RC11).onProgress(progress -> {}).check(Pair.class);
        assertEquals(verified(Pair.class, 8).outcomes(), result.outcomes());
        assertEquals(8, result.complete(), result::toString);
    }

    // The order of volatile accesses

    /**
     * The first thread's volatile write precedes its release only by program order at one location, which psc of RC11
     * does not count. The flush of the node between the two must not count either, because the node was written before
     * both.
     */
    static class BetweenTwoWrites extends UnorderedNodes {
        static final Node DUMMY = new Node();
        static final VarHandle DATA = handle(UnorderedNodes.class, "data", int.class);

        @Actor
        void one() {
            Node node = new Node();
            node.value = 1;
            HEAD.setVolatile(this, DUMMY);
            HEAD.setRelease(this, node);
        }

        @Actor
        int other() {
            Node node = (Node) HEAD.getAcquire(this);
            boolean found = node != null && node != DUMMY;
            return found && node.value == 1 ? (int) DATA.getVolatile(this) : -1;
        }

        @Actor
        int third() {
            DATA.setVolatile(this, 1);
            return HEAD.getVolatile(this) == null ? 0 : 1;
        }
    }

    @Test
    void lastValuesAddNothingToTheOrderOfVolatileAccesses() {
        for (Model model : Model.values()) {
            Program program = Program.define("reference", p -> {
                Variable head = p.variable("head");
                Variable data = p.variable("data");
                p.thread(t -> {
                    t.store(head, 1, VOLATILE);
                    t.store(head, 2, RELEASE);
                });
                p.thread(t -> t.observe(t.load(head, ACQUIRE) == 2 ? t.load(data, VOLATILE) : -1));
                p.thread(t -> {
                    t.store(data, 1, VOLATILE);
                    t.observe(t.load(head, VOLATILE) == 0 ? 0 : 1);
                });
            });
            Result wanted = AwaitModelChecker.under(model).check(program);
            Result result = AwaitModelChecker.under(model).check(BetweenTwoWrites.class);
            assertEquals(wanted.outcomes(), result.outcomes(), result::toString);
            assertEquals(model == Model.RC11, result.outcomes().containsKey(List.of(0L, 0L)), result::toString);
        }
    }

    // Barriers

    /** Store buffering, with a volatile write of a new object in between, or an update of one. */
    static class Barrier extends UnorderedNodes {
        static final VarHandle X = handle(Barrier.class, "x", int.class);
        static final VarHandle Y = handle(Barrier.class, "y", int.class);
        volatile Object published;
        volatile Object alsoPublished;
        int x;
        int y;

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

    /** The same, with objects that never escape. */
    static class BarrierOfOnesOwn extends Barrier {
        @Override
        @Actor
        int one() {
            X.setOpaque(this, 1);
            new Node().safe = 1;
            return (int) Y.getOpaque(this);
        }

        @Override
        @Actor
        int other() {
            Y.setOpaque(this, 1);
            new AtomicInteger().getAndAdd(1);
            return (int) X.getOpaque(this);
        }
    }

    /** The same; a third thread may read the node too early, so nodes are expanded. */
    static class BarrierOfAnExpandedObject extends Barrier {
        @Override
        @Actor
        int one() {
            X.setOpaque(this, 1);
            Node node = new Node();
            node.safe = 1;
            int seen = (int) Y.getOpaque(this);
            publish(node);
            return seen;
        }

        @Override
        @Actor
        int other() {
            Y.setOpaque(this, 1);
            Node node = new Node();
            node.safe = 1;
            return (int) X.getOpaque(this);
        }

        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.safe;
        }
    }

    /** HotSpot removes the monitor of an object that does not escape, and the barriers with it. */
    static class BarrierOfAMonitor extends Barrier {
        @Override
        @Actor
        int one() {
            X.setOpaque(this, 1);
            synchronized (new Object()) {
                return (int) Y.getOpaque(this);
            }
        }

        @Override
        @Actor
        int other() {
            Y.setOpaque(this, 1);
            Node node = new Node();
            synchronized (node) {
                synchronized (node) {
                    node.other++;
                }
            }
            return (int) X.getOpaque(this);
        }
    }

    /** Using an object as a monitor does not let it escape. */
    static class BarrierOfAFormerMonitor extends Barrier {
        @Override
        @Actor
        int one() {
            Node node = new Node();
            synchronized (node) {
                node.notifyAll();
            }
            X.setOpaque(this, 1);
            node.safe = 1;
            return (int) Y.getOpaque(this);
        }

        @Override
        @Actor
        int other() {
            Node node = new Node();
            synchronized (node) {
                Y.setOpaque(this, 1);
                node.safe = 1;
                return (int) X.getOpaque(this);
            }
        }
    }

    /** The objects have escaped before. */
    static class BarrierOfAKnownObject extends Barrier {
        @Override
        @Actor
        int one() {
            Node node = new Node();
            published = node;
            X.setOpaque(this, 1);
            node.safe = 1;
            return (int) Y.getOpaque(this);
        }

        @Override
        @Actor
        int other() {
            AtomicInteger node = new AtomicInteger();
            alsoPublished = node;
            Y.setOpaque(this, 1);
            node.getAndAdd(1);
            return (int) X.getOpaque(this);
        }
    }

    /**
     * A new object is no barrier before it is published, if ever: HotSpot removes the barrier with the object, if it
     * does not escape.
     */
    @ParameterizedTest
    @ValueSource(
            classes = {
                Barrier.class,
                BarrierOfOnesOwn.class,
                BarrierOfAnExpandedObject.class,
                BarrierOfAMonitor.class,
                BarrierOfAFormerMonitor.class
            })
    void newObjectsAreNoBarriers(Class<?> scenario) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            result.assertVerified();
            assertEquals(
                    model != Model.SC,
                    result.outcomes().keySet().stream()
                            .anyMatch(seen -> seen.subList(0, 2).equals(List.of(0L, 0L))),
                    result::toString);
        }
    }

    /** A published object is a barrier, under TSO only. */
    @ParameterizedTest
    @ValueSource(classes = {BarrierOfAKnownObject.class, BarrierOfAKnownMonitor.class})
    void objectsThatAreKnownAreBarriersOnX86(Class<?> scenario) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            result.assertVerified();
            boolean isWeak = model != Model.SC && model != Model.TSO;
            assertEquals(isWeak, result.outcomes().containsKey(List.of(0L, 0L)), result::toString);
        }
    }

    /** The same with monitors of objects that have escaped. */
    static class BarrierOfAKnownMonitor extends Barrier {
        @Override
        @Actor
        int one() {
            Node node = new Node();
            published = node;
            X.setOpaque(this, 1);
            synchronized (node) {
                return (int) Y.getOpaque(this);
            }
        }

        @Override
        @Actor
        int other() {
            AtomicInteger node = new AtomicInteger();
            alsoPublished = node;
            Y.setOpaque(this, 1);
            synchronized (node) {
                return (int) X.getOpaque(this);
            }
        }
    }

    /** A lock that is correct only if both writes are barriers. */
    static class LocksByItsOwn extends Barrier {
        @Override
        @Actor
        int one() {
            X.setOpaque(this, 1);
            new Node().safe = 1;
            return (int) Y.getAcquire(this) == 0 ? data++ : -1;
        }

        @Override
        @Actor
        int other() {
            Y.setOpaque(this, 1);
            new Node().safe = 1;
            return (int) X.getAcquire(this) == 0 ? data++ : -1;
        }
    }

    @Test
    void newObjectsProtectNothingOnX86() {
        assertEquals(
                Verdict.VERIFIED,
                AwaitModelChecker.under(Model.SC).check(LocksByItsOwn.class).verdict());
        assertEquals(
                Verdict.DATA_RACE,
                AwaitModelChecker.under(Model.TSO).check(LocksByItsOwn.class).verdict());
    }

    // Loops

    /** Each iteration makes a node, and the last one publishes it; an iteration that fails leaves nothing. */
    static class Retries extends UnorderedNodes {
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

    /** The second thread reads the node of the first, and its value 0, 1 or 2. */
    @Test
    void iterationsThatFailHaveNoEffectOnObjectsOfTheirOwn() {
        assertEquals(set("0,0", "0,1", "0,2", "1,0", "2,0"), outcomes(Retries.class));
    }

    /** Accesses to objects that have not escaped are no effects of an await, and do not count for the loop bound. */
    static class WaitsBesideItsOwn extends UnorderedNodes {
        @RacyAllowed
        int flag;

        @Actor
        int reader() {
            Node node = seen();
            return node == null ? -1 : node.opaque();
        }

        @Actor
        int writer() {
            Node node = new Node();
            while (node.other == 0 && flag == 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 100; i++) {
                node.value++;
            }
            node.opaque(5);
            int value = node.value;
            publish(node);
            return value;
        }

        @Actor
        void other() {
            flag = 1;
        }
    }

    /** The reader reads null, or it races with the first plain write. */
    @Test
    void whatIsPrivateIsNotWaitedForAndBoundsNoLoop() {
        expect(WaitsBesideItsOwn.class, Verdict.DATA_RACE);
        Result result = AwaitModelChecker.under(Model.RC11)
                .allowRaces(WaitsBesideItsOwn.Node.class.getName() + ".value")
                .check(WaitsBesideItsOwn.class);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(1 + 102, result.complete(), result::toString); // null, or any of 0, 1 to 100, and 5
    }

    /** An iteration that writes the old value to an object that has not escaped may be repeated forever. */
    static class WritesTheSame extends UnorderedNodes.Read {
        @RacyAllowed
        int flag;

        @Actor
        void writer() {
            Node node = new Node();
            int seen;
            do {
                seen = flag;
                node.opaque(seen);
            } while (seen == 0);
            publish(node);
        }

        @Actor
        void other() {
            flag = 1;
        }
    }

    @Test
    void writingTheSameIsNoEffect() {
        assertEquals(set("-1", "0", "1"), outcomes(WritesTheSame.class));
    }

    /** A change of an older object is an effect of the iteration: the loop ends. */
    static class Counts extends UnorderedNodes {
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

    /** Two symmetric threads, each with a node of its own. The later one may read the 1 of the other. */
    static class Pair extends UnorderedNodes {
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

    static class SymmetricPair extends Pair {
        @Override
        @Actor(value = 2, symmetric = true)
        void actor() {
            super.actor();
        }
    }

    static class SymmetricPairFails extends UnorderedNodes {
        @Actor(value = 2, symmetric = true)
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
     * Both read null, and either publishes last; or the second reads the node of the first, with 0, 1 or 0; or the
     * first reads that of the second: 2 + 3 + 3. Symmetry reduction excludes the executions in which the first reads
     * from the second.
     */
    @Test
    void symmetricThreadsHaveObjectsOfTheirOwn() {
        verified(Pair.class, 8);
        verified(SymmetricPair.class, 5);
        expect(SymmetricPairFails.class, Verdict.CHECK_FAILED);
    }

    // Recordings

    /** The error depends on the 1 that was overwritten. */
    static class Fails extends UnorderedNodes.Read {
        @Override
        @Actor
        int reader() {
            Node node = seen();
            assert node == null || node.opaque() == 0;
            return 0;
        }

        @Actor
        void writer() {
            Node node = new Node();
            node.opaque(1);
            node.opaque(0);
            publish(node);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Model.class,
            names = {"RC11", "JLS"})
    void recordingHasWhatWasDoneBeforeThePublication(Model model) {
        Result found = AwaitModelChecker.under(model).check(Fails.class);
        assertEquals(Verdict.CHECK_FAILED, found.verdict(), found::toString);
        Result again = AwaitModelChecker.under(model)
                .replay(Fails.class, found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample());
    }
}
