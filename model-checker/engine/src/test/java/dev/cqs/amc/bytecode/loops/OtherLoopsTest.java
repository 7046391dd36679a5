package dev.cqs.amc.bytecode.loops;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops with side effects are not treated as awaits. */
class OtherLoopsTest {

    /** A reader that polls a flag, and has an effect in each iteration that it or another thread can observe later. */
    abstract static class Polling {
        volatile boolean flag;

        abstract int poll();

        @Actor
        int reader() {
            return Math.min(poll(), 3);
        }

        @Actor
        void writer() {
            flag = true;
        }
    }

    static class CountsIterations extends Polling {
        @Override
        int poll() {
            int iterations = 0;
            while (!flag) {
                iterations++;
            }
            return iterations;
        }
    }

    static class AddsToList extends Polling {
        @Override
        int poll() {
            List<Integer> list = new ArrayList<>();
            while (!flag) {
                list.add(1);
            }
            return list.size();
        }
    }

    static class AddsToListInObject extends Polling {
        static class Log {
            private final List<Integer> first = new ArrayList<>();
            private List<Integer> list = first;
        }

        @Override
        int poll() {
            Log log = new Log();
            while (!flag) {
                log.list.add(1);
            }
            return log.first.size();
        }
    }

    static class AddsToListInArray extends Polling {
        @Override
        int poll() {
            List<?>[] lists = {new ArrayList<Integer>()};
            while (!flag) {
                lists[0].add(null);
            }
            return lists[0].size();
        }
    }

    static class AddsThroughLambda extends Polling {
        @Override
        int poll() {
            List<Integer> list = new ArrayList<>();
            IntConsumer add = list::add;
            while (!flag) {
                add.accept(1);
            }
            return list.size();
        }
    }

    static class ChangesLocalObject extends Polling {
        private static class Box {
            private int iterations;
        }

        @Override
        int poll() {
            Box box = new Box();
            while (!flag) {
                box.iterations++;
            }
            return box.iterations;
        }
    }

    static class ChangesLocalArray extends Polling {
        @Override
        int poll() {
            byte[] iterations = new byte[1];
            while (!flag) {
                iterations[0]++;
            }
            return iterations[0];
        }
    }

    static class FillsLocalArray extends Polling {
        @Override
        int poll() {
            int[] iterations = new int[4];
            int next = 0;
            while (!flag) {
                java.util.Arrays.fill(iterations, 0, 3, next = iterations[2] + 1);
            }
            return next;
        }
    }

    static class ChangesWhatOuterIterationsMake extends Polling {
        @Override
        int poll() {
            int[] iterations;
            do {
                iterations = new int[1];
                while (!flag) {
                    iterations[0]++;
                }
            } while (iterations[0] < 0);
            return iterations[0];
        }
    }

    static class ChangesTheOlderOneFirst extends Polling {
        @Override
        int poll() {
            int[] iterations = new int[1];
            while (!flag) {
                iterations[0]++;
                int[] scratch = new int[1];
                scratch[0] = 1;
            }
            return iterations[0];
        }
    }

    static class PrependsNodes extends Polling {
        private record Node(Node next) {}

        @Override
        int poll() {
            Node head = null;
            while (!flag) {
                head = new Node(head);
            }
            int length = 0;
            for (; head != null; head = head.next()) {
                length++;
            }
            return length;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                CountsIterations.class,
                AddsToList.class,
                AddsToListInObject.class,
                AddsToListInArray.class,
                AddsThroughLambda.class,
                ChangesLocalObject.class,
                ChangesLocalArray.class,
                FillsLocalArray.class,
                ChangesWhatOuterIterationsMake.class,
                ChangesTheOlderOneFirst.class,
                PrependsNodes.class
            })
    void loopThatDoesSomethingIsRepeated(Class<?> scenario) {
        Result result = AwaitModelChecker.under(Model.RC11).loopBound(4).check(scenario);
        assertEquals(Verdict.VERIFIED_UP_TO_BOUND, result.verdict(), result::toString);
        assertEquals(
                List.of(List.of(0L), List.of(1L), List.of(2L), List.of(3L)),
                List.copyOf(result.outcomes().keySet()));
    }

    static class SwapsAndSwapsBack {
        private final AtomicInteger x = new AtomicInteger(1);
        private volatile boolean done;

        @Actor
        void swapper() {
            while (!done) {
                x.set(2);
                x.set(1);
            }
        }

        @Actor
        int reader() {
            int seen = x.get();
            done = true;
            return seen;
        }
    }

    @Test
    void iterationThatWritesAndUndoesItHasAnEffect() {
        Result result = AwaitModelChecker.under(Model.SC).loopBound(2).check(SwapsAndSwapsBack.class);
        assertEquals(Verdict.VERIFIED_UP_TO_BOUND, result.verdict(), result::toString);
        assertEquals(
                List.of(List.of(1L), List.of(2L)), List.copyOf(result.outcomes().keySet()));
    }

    static class SwapsTheSame {
        private final AtomicInteger x = new AtomicInteger(1);

        @Actor
        void waiter() {
            while (x.getAndSet(1) == 1) {}
        }

        @Actor
        void other() {
            x.set(0);
        }
    }

    @Test
    void iterationThatSwapsInTheSameHasNone() {
        verified(SwapsTheSame.class, 1);
    }

    static class BoundedSpin {
        private volatile boolean flag;

        @Actor
        boolean waiter() {
            for (int i = 0; i < 2; i++) {
                if (flag) {
                    return true;
                }
            }
            return false;
        }

        @Actor
        void writer() {
            flag = true;
        }
    }

    @Test
    void loopWithACounterIsNoWait() {
        assertEquals(set("0", "1"), outcomes(BoundedSpin.class));
        verified(BoundedSpin.class, 3);
    }

    static class Nested {
        private final AtomicInteger[] cells = {new AtomicInteger(), new AtomicInteger()};

        @Actor
        int waiter() {
            int sum = 0;
            for (AtomicInteger cell : cells) {
                for (int seen; (sum += seen = cell.get()) >= 0 && seen == 0; ) {
                    sum += 0;
                }
            }
            for (var all = List.of(1, 2).iterator(); all.hasNext(); ) {
                sum += all.next() * cells[0].get();
            }
            return sum;
        }

        @Actor
        void writer() {
            cells[0].set(1);
            cells[1].set(1);
        }
    }

    @Test
    void loopOverAnArrayWaitsForEachElement() {
        assertEquals(set("5"), outcomes(Nested.class));
        verified(Nested.class, 1);
    }

    static class Traversal {
        static class Node {
            private final int value;
            private volatile Node next;

            Node(int value) {
                this.value = value;
            }
        }

        private final Node head = new Node(0);

        @Actor
        int reader() {
            Node at = head;
            while (at.value < 2) {
                Node next = at.next;
                if (next != null) {
                    at = next;
                }
            }
            return at.value;
        }

        @Actor
        void writer() {
            head.next = new Node(1);
            head.next.next = new Node(2);
        }
    }

    @Test
    void traversalWaitsAtEachNode() {
        verified(Traversal.class, 1);
    }

    static class EqualObjects {
        private final AtomicReference<Object> x = new AtomicReference<>();

        record Value(int number) {}

        @Actor
        void waiter() {
            Object before = new Value(0);
            while (before.equals(new Value(0))) {
                Object seen = x.get();
                if (seen != null) {
                    before = seen;
                } else {
                    before = new Value(0);
                }
            }
        }

        @Actor
        void writer() {
            x.set(new Value(1));
        }
    }

    @Test
    void liveObjectThatIsAnotherOneMakesAnotherIteration() {
        Result result = AwaitModelChecker.under(Model.RC11).loopBound(3).check(EqualObjects.class);
        assertEquals(Verdict.VERIFIED_UP_TO_BOUND, result.verdict(), result::toString);
        // The first, second or third of the permitted iterations reads the value.
        assertEquals(3, result.complete());
    }

    static class Deadline {
        private volatile boolean flag;

        @Actor
        boolean waiter() throws InterruptedException {
            long deadline = System.nanoTime() + 1_000;
            while (!flag) {
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                Thread.sleep(0, 1); // checked, so no time passes but that of the model
            }
            return true;
        }

        @Actor
        void writer() {
            flag = true;
        }
    }

    @Test
    void pollingUntilADeadlineEndsBothWays() {
        assertEquals(set("0", "1"), outcomes(Deadline.class));
    }

    static class NoIterationHelps {
        private volatile boolean flag;

        @Actor
        void waiter() {
            while (!flag) {}
        }

        @Arbiter
        void end() {
            throw new AssertionError("never reached");
        }
    }

    static class WritesInEachIteration {
        private volatile int x;

        @Actor
        void actor() {
            while (x == 0) {
                synchronized (this) {
                    x = x;
                }
            }
        }
    }

    static class DoesNothing {
        @Actor
        void actor() {
            for (; ; ) {}
        }
    }

    static class WaitsForALocalVariable {
        private static void run(boolean stop, int number) {
            while (!stop && number > 0) {}
        }

        @Actor
        void actor() {
            try {
                run(true, 1);
                run(false, 1);
            } finally {
                run(false, 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {NoIterationHelps.class, DoesNothing.class, WaitsForALocalVariable.class})
    void waitThatNobodyEndsIsAHang(Class<?> scenario) {
        expect(scenario, Verdict.HANG);
    }

    @Test
    void loopThatWritesWhatItHasReadIsNoWait() {
        Result result = AwaitModelChecker.under(Model.RC11).loopBound(2).check(WritesInEachIteration.class);
        assertTrue(result.boundHit(), result::toString);
    }

    // The name of a loop that is cut off

    private static int line() {
        return new Throwable().getStackTrace()[1].getLineNumber();
    }

    static class FieldAtTheHead {
        static final int LINE = line() + 5;
        int count;

        @Actor
        void actor() {
            while (count < 100) {
                count++;
            }
        }
    }

    static class LoopInALoop {
        static final int LINE = line() + 7;
        static int count;

        @Actor
        void actor() {
            int iterations = 0;
            while (iterations < 3) {
                while (count < 100) {
                    count++;
                }
                iterations++;
            }
        }
    }

    static class TestAtTheFoot {
        static final int LINE = line() + 6;
        volatile int count;

        @Actor
        void actor() {
            do {
                count++;
            } while (count < 100);
        }
    }

    /** The line of the first instruction of an iteration. */
    @Test
    void loopIsCalledByItsLine() {
        assertEquals("OtherLoopsTest.java:" + FieldAtTheHead.LINE, placeOfTheBound(FieldAtTheHead.class));
        assertEquals("OtherLoopsTest.java:" + LoopInALoop.LINE, placeOfTheBound(LoopInALoop.class));
        assertEquals("OtherLoopsTest.java:" + TestAtTheFoot.LINE, placeOfTheBound(TestAtTheFoot.class));
    }

    private static String placeOfTheBound(Class<?> scenario) {
        Result result = expect(scenario, Verdict.NOTHING_COMPLETE);
        assertEquals(1, result.cutOffs().size(), result::toString);
        return result.cutOffs().get(0).place();
    }
}
