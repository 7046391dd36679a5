package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JLS 17.5: a thread that gets a reference to an object after its constructor has ended reads, through the final
 * fields, the values that the constructor wrote, however the reference was published.
 */
class FinalFieldsTest {

    /** An immutable list. */
    static class Numbers implements Iterable<Integer> {
        final int[] elements;

        Numbers(int... given) {
            elements = new int[given.length];
            for (int i = 0; i < given.length; i++) {
                elements[i] = -5;
                elements[i] = given[i];
            }
        }

        int get(int index) {
            return elements[index];
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < elements.length;
                }

                @Override
                public Integer next() {
                    return elements[next++];
                }
            };
        }
    }

    /** Publishes without order. */
    abstract static class Published {
        @RacyAllowed
        Numbers numbers;

        @Actor
        void writer() {
            numbers = new Numbers(3, 4);
        }
    }

    // What is ordered

    static class ReadAtOnce extends Published {
        @Actor
        int reader() {
            Numbers seen = numbers;
            return seen == null ? 0 : seen.get(0) + seen.elements[1];
        }
    }

    static class ReadFromLocal extends Published {
        @Actor
        int reader() {
            Numbers seen = numbers;
            int sum = 0;
            if (seen != null) {
                int[] elements = seen.elements;
                for (int element : elements) {
                    sum += element;
                }
            }
            return sum;
        }
    }

    static class ReadByMethod extends Published {
        static int sum(int[] elements) {
            return elements[0] + elements[1];
        }

        @Actor
        int reader() {
            Numbers seen = numbers;
            return seen == null ? 0 : sum(seen.elements);
        }
    }

    static class ReadByIterator extends Published {
        @Actor
        int reader() {
            Numbers seen = numbers;
            int sum = 0;
            if (seen != null) {
                for (int element : seen) {
                    sum += element;
                }
            }
            return sum;
        }
    }

    static class ReadByCopying extends Published {
        @Actor
        int reader() {
            Numbers seen = numbers;
            if (seen == null) {
                return 0;
            }
            int[] copy = seen.elements.clone();
            return Arrays.copyOf(seen.elements, 1)[0] + copy[1];
        }
    }

    static class ReadTwice extends Published {
        @Actor(2)
        int reader() {
            Numbers first = numbers;
            Numbers second = numbers;
            return first == null || second == null ? 0 : first.get(0) + second.get(1);
        }
    }

    /** The caller of the constructor fills the array. */
    static class FilledBefore {
        static class Wrapper {
            final int[] elements;

            Wrapper(int[] elements) {
                this(elements, 0);
            }

            private Wrapper(int[] elements, int unused) {
                this.elements = elements;
            }
        }

        static class MoreThanThat extends Wrapper {
            final int[] more;

            MoreThanThat(int[] elements) {
                super(elements);
                elements[1]++;
                more = elements;
            }
        }

        @RacyAllowed
        MoreThanThat wrapper;

        @Actor
        void writer() {
            int[] elements = {3, 3};
            wrapper = new MoreThanThat(elements);
        }

        @Actor
        int reader() {
            MoreThanThat seen = wrapper;
            return seen == null ? 0 : seen.more[0] + seen.more[1];
        }
    }

    /** Another thread has filled the array, which happens before. */
    static class FilledByAnother {
        static class Wrapper {
            final int[] elements;

            Wrapper(int[] elements) {
                this.elements = elements;
            }
        }

        volatile int[] filled;

        @RacyAllowed
        Wrapper wrapper;

        @Actor
        void filler() {
            filled = new int[] {3, 4};
        }

        @Actor
        void writer() {
            int[] elements = filled;
            if (elements != null) {
                wrapper = new Wrapper(elements);
            }
        }

        @Actor
        int reader() {
            Wrapper seen = wrapper;
            return seen == null ? 0 : seen.elements[0] + seen.elements[1];
        }
    }

    /** A final field that leads to plain fields, to an array, to objects, and from one of these back. */
    static class Deep {
        static class Node {
            int value;
            Node[] next;
            Node back;

            Node(int value) {
                this.value = value;
            }
        }

        static class Tree {
            final Node root = new Node(1);

            Tree() {
                root.next = new Node[] {null, new Node(2)};
                root.next[1].back = root;
                root.next[1].next = new Node[] {new Node(4)};
            }
        }

        @RacyAllowed
        Tree tree;

        @Actor
        void writer() {
            tree = new Tree();
        }

        @Actor
        int reader() {
            Tree seen = tree;
            return seen == null
                    ? 0
                    : seen.root.value + seen.root.next[1].back.next[1].value + seen.root.next[1].next[0].value;
        }
    }

    /** A list of nodes that a loop walks. */
    static class Chained {
        static class Node {
            int value;
            Node next;
        }

        static class Chain {
            final Node first;

            Chain(int... values) {
                Node top = null;
                for (int value : values) {
                    Node node = new Node();
                    node.value = value;
                    node.next = top;
                    top = node;
                }
                first = top;
            }
        }

        @RacyAllowed
        Chain chain;

        @Actor
        void writer() {
            chain = new Chain(1, 2, 4);
        }

        @Actor
        int reader() {
            Chain seen = chain;
            int sum = 0;
            for (Node node = seen == null ? null : seen.first; node != null; node = node.next) {
                sum += node.value;
            }
            return sum;
        }
    }

    /**
     * The holder of the array is reached through a final field itself, and the array is filled after the holder's
     * constructor.
     */
    static class HolderInHolder {
        static class Inner {
            final int[] elements = new int[2];
        }

        static class Outer {
            final Inner inner = new Inner();

            Outer() {
                inner.elements[0] = 3;
                inner.elements[1] = 4;
            }
        }

        @RacyAllowed
        Outer outer;

        @Actor
        void writer() {
            outer = new Outer();
        }

        @Actor
        int reader() {
            Outer seen = outer;
            return seen == null ? 0 : seen.inner.elements[0] + seen.inner.elements[1];
        }
    }

    /** The same holder is read from two fields. */
    static class SeenInTwoFields {
        static class Pair {
            final int[] left;
            final int[] right;

            Pair() {
                left = new int[] {3, 4};
                right = left;
            }
        }

        @RacyAllowed
        Pair pair;

        @Actor
        void writer() {
            pair = new Pair();
        }

        @Actor
        int reader() {
            Pair seen = pair;
            return seen == null ? 0 : seen.right[0] + seen.left[1];
        }
    }

    /** Two holders of one array; the later one is read first. */
    static class TwoHolders {
        static class Holder {
            final int[] elements;

            Holder(int[] elements) {
                this.elements = elements;
            }
        }

        @RacyAllowed
        Holder one;

        @RacyAllowed
        Holder other;

        @Actor
        void writer() {
            int[] elements = {3, 4};
            one = new Holder(elements);
            other = new Holder(elements);
        }

        @Actor
        int reader() {
            Holder late = other;
            Holder early = one;
            return late == null || early == null ? 0 : late.elements[0] + early.elements[1];
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReadAtOnce.class,
                ReadFromLocal.class,
                ReadByMethod.class,
                ReadByIterator.class,
                ReadByCopying.class,
                FilledBefore.class,
                FilledByAnother.class,
                Deep.class,
                Chained.class,
                HolderInHolder.class,
                SeenInTwoFields.class,
                TwoHolders.class
            })
    void whatTheConstructorHasLeftBehindFinalFieldsIsSeen(Class<?> scenario) {
        assertEquals(set("0", "7"), outcomes(scenario));
    }

    @Test
    void everyReaderSeesIt() {
        assertEquals(set("0,0", "0,7", "7,0", "7,7"), outcomes(ReadTwice.class));
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void underAllModels(Model model) {
        for (Class<?> scenario : new Class<?>[] {ReadAtOnce.class, Deep.class, Counting.class}) {
            AwaitModelChecker.under(model).check(scenario).assertVerified();
        }
    }

    /** A volatile variable reached through a final field has the value of the constructor, or a later one. */
    static class Counting {
        static class Counter {
            final AtomicInteger count = new AtomicInteger(5);
        }

        @RacyAllowed
        Counter counter;

        @Actor
        void writer() {
            Counter made = new Counter();
            made.count.set(6);
            counter = made;
        }

        @Actor
        int reader() {
            Counter seen = counter;
            int got = seen == null ? -1 : seen.count.get();
            assert got != 0;
            return got;
        }
    }

    static class CountingMore extends Counting {
        @Override
        @Actor
        int reader() {
            Counter seen = counter;
            int got = seen == null ? -1 : seen.count.getAndIncrement();
            assert got != 0;
            return got;
        }
    }

    @Test
    void volatileVariablesBehindThemAreNoOlder() {
        assertEquals(set("-1", "5", "6"), outcomes(Counting.class));
        assertEquals(set("-1", "5", "6"), outcomes(CountingMore.class));
    }

    /** The variable has escaped already, and another thread writes it before or after the constructor. */
    static class WrittenByTwo {
        static class Counter {
            final AtomicInteger count;

            Counter(AtomicInteger count) {
                this.count = count;
                count.set(5);
            }
        }

        @RacyAllowed
        AtomicInteger known;

        @RacyAllowed
        Counter counter;

        @Actor
        int reader() {
            Counter seen = counter;
            return seen == null ? -1 : seen.count.get();
        }

        @Actor
        void setter() {
            AtomicInteger seen = known;
            if (seen != null) {
                seen.set(6);
            }
        }

        @Actor
        void writer() {
            AtomicInteger made = new AtomicInteger();
            known = made;
            counter = new Counter(made);
        }

        @Arbiter
        int end() {
            return known.get();
        }
    }

    /** Writes before that of the constructor in coherence order are not read. */
    @Test
    void orderOfWritesCounts() {
        for (Model model : new Model[] {Model.TSO, Model.RC11, Model.JLS}) {
            Result result = AwaitModelChecker.under(model).check(WrittenByTwo.class);
            result.assertVerified();
            assertEquals(
                    Set.of(List.of(-1L, 5L), List.of(-1L, 6L), List.of(5L, 5L), List.of(5L, 6L), List.of(6L, 6L)),
                    result.outcomes().keySet());
        }
    }

    // What is not ordered

    static class WrittenLater extends Published {
        @Override
        @Actor
        void writer() {
            Numbers made = new Numbers(3, 4);
            made.elements[1] = 5;
            numbers = made;
        }

        @Actor
        int reader() {
            Numbers seen = numbers;
            return seen == null ? 0 : seen.get(1);
        }
    }

    /** The constructor of the super class has ended, which freezes only its own final fields. */
    static class WrittenBySubclass extends Published {
        static class Changed extends Numbers {
            Changed() {
                super(3, 4);
                elements[0] = 5;
            }
        }

        @Override
        @Actor
        void writer() {
            numbers = new Changed();
        }

        @Actor
        int reader() {
            Numbers seen = numbers;
            return seen == null ? 0 : seen.get(0);
        }
    }

    /** The constructor of the subclass has a freeze of its own, for its own final fields. */
    static class WrittenBySubclassWithFinals extends Published {
        static class Changed extends Numbers {
            final int[] others = {1};

            Changed() {
                super(3, 4);
                elements[0] = 5;
            }
        }

        @Override
        @Actor
        void writer() {
            numbers = new Changed();
        }

        @Actor
        int reader() {
            Changed seen = (Changed) numbers;
            return seen == null ? 0 : seen.others[0] + seen.elements[0];
        }
    }

    static class Leaking {
        static class Early {
            final int[] elements;

            Early(Leaking owner, int[] given) {
                elements = given;
                elements[0] = 3;
                owner.early = this;
                elements[1] = 4;
            }
        }

        @RacyAllowed
        Early early;

        @Actor
        void writer() {
            new Early(this, new int[2]);
        }
    }

    static class LeakedBeforeTheWrite extends Leaking {
        @Actor
        int reader() {
            Early seen = early;
            return seen == null ? 0 : seen.elements[1];
        }
    }

    static class LeakedAfterTheWrite extends Leaking {
        @Actor
        int reader() {
            Early seen = early;
            return seen == null ? 0 : seen.elements[0];
        }
    }

    /** Publishing the object again after the end does not help a thread that may have an earlier reference. */
    static class LeakedAndPublished extends Leaking {
        @Override
        @Actor
        void writer() {
            early = new Early(this, new int[2]);
        }

        @Actor
        int reader() {
            Early seen = early;
            return seen == null ? 0 : seen.elements[0];
        }
    }

    static class ByPlainField {
        static class Holder {
            int[] elements = {3, 4};
        }

        static class Outer {
            final int[] elements;

            Outer(int[] elements) {
                this.elements = elements;
            }
        }

        @RacyAllowed
        int[] direct;

        @RacyAllowed
        Outer outer;

        @Actor
        void writer() {
            int[] elements = {3, 4};
            direct = elements;
            outer = new Outer(elements);
        }

        @Actor
        int reader() {
            int[] seen = direct;
            return seen == null ? 0 : seen[0];
        }
    }

    static class ByBothWays extends ByPlainField {
        @Override
        @Actor
        int reader() {
            int[] seen = direct;
            Outer first = outer;
            return first == null || seen == null ? 0 : first.elements[0];
        }
    }

    /** A compiler may read the second reference first, and use it if both are equal. */
    static class ByBothWaysLater extends ByPlainField {
        @Override
        @Actor
        int reader() {
            Outer first = outer;
            int got = first == null ? 0 : first.elements[0];
            return direct == null ? 0 : got;
        }
    }

    /** One holder is made after the array is written, the other before. */
    static class ByAnEarlierHolderToo {
        static class Holder implements Cloneable {
            final int[] elements;

            Holder(int[] elements) {
                this.elements = elements;
            }

            @Override
            protected Holder clone() {
                try {
                    return (Holder) super.clone();
                } catch (CloneNotSupportedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        @RacyAllowed
        Holder early;

        @RacyAllowed
        Holder late;

        @Actor
        void writer() {
            int[] elements = {3};
            early = new Holder(elements);
            elements[0] = 5;
            late = new Holder(elements);
        }

        @Actor
        int reader() {
            Holder first = late;
            Holder second = early;
            return first == null || second == null || first.elements != second.elements ? 0 : first.elements[0];
        }
    }

    static class ByACloneOfItToo extends ByAnEarlierHolderToo {
        @Override
        @Actor
        int reader() {
            Holder first = late;
            Holder second = early;
            return first == null || second == null || first.elements != second.clone().elements ? 0 : first.elements[0];
        }
    }

    /** For the thread that made the holder, nothing orders the write either. */
    static class HolderOfAnother {
        static class Holder {
            final int[] elements;

            Holder(int[] elements) {
                this.elements = elements;
            }
        }

        @RacyAllowed
        int[] direct;

        @RacyAllowed
        Holder holder;

        @Actor
        void writer() {
            direct = new int[] {3};
        }

        @Actor
        void wrapper() {
            int[] seen = direct;
            if (seen != null) {
                holder = new Holder(seen);
            }
        }

        @Actor
        int reader() {
            Holder seen = holder;
            return seen == null ? 0 : seen.elements[0];
        }
    }

    /** Final-field semantics do not order writes. */
    static class WrittenByReader extends Published {
        @Actor
        void reader() {
            Numbers seen = numbers;
            if (seen != null) {
                seen.elements[0] = 1;
            }
        }
    }

    static class WrittenByAThird extends ReadAtOnce {
        @Actor
        void changer() {
            Numbers seen = numbers;
            if (seen != null) {
                seen.elements[1] = 1;
            }
        }
    }

    /** Objects that a variable reached through a final field refers to since then. */
    static class HungOnLater {
        static class Box {
            int[] elements;
        }

        static class Holder {
            final Box box = new Box();
        }

        @RacyAllowed
        Holder holder;

        @Actor
        void writer() {
            Holder made = new Holder();
            made.box.elements = new int[] {3};
            holder = made;
        }

        @Actor
        int reader() {
            Holder seen = holder;
            int[] elements = seen == null ? null : seen.box.elements;
            return elements == null ? 0 : elements[0];
        }
    }

    /** A final field does not make the other fields of its object final. */
    static class BesideAFinalField {
        static class Holder {
            final int[] elements = {1};
            int beside = 3;
        }

        @RacyAllowed
        Holder holder;

        @Actor
        void writer() {
            holder = new Holder();
        }

        @Actor
        int reader() {
            Holder seen = holder;
            return seen == null ? 0 : seen.elements[0] + seen.beside;
        }
    }

    /** The object is also reached, without order, through a lambda of another thread. */
    static class ByALambdaToo extends ByPlainField {
        @RacyAllowed
        IntSupplier lambda;

        @Actor
        void wrapper() {
            int[] seen = direct;
            if (seen != null) {
                lambda = () -> seen[0];
            }
        }

        @Override
        @Actor
        int reader() {
            Outer first = outer;
            IntSupplier found = lambda;
            return first == null || found == null ? 0 : first.elements[0];
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WrittenLater.class,
                WrittenBySubclass.class,
                WrittenBySubclassWithFinals.class,
                LeakedBeforeTheWrite.class,
                LeakedAfterTheWrite.class,
                LeakedAndPublished.class,
                ByPlainField.class,
                ByBothWays.class,
                ByBothWaysLater.class,
                ByAnEarlierHolderToo.class,
                ByACloneOfItToo.class,
                HolderOfAnother.class,
                WrittenByReader.class,
                WrittenByAThird.class,
                HungOnLater.class,
                BesideAFinalField.class,
                ByALambdaToo.class
            })
    void whatComesLaterOrByAnotherWayRaces(Class<?> scenario) {
        for (Model model : Model.values()) {
            Result result = AwaitModelChecker.under(model).check(scenario);
            assertEquals(Verdict.DATA_RACE, result.verdict(), result::toString);
        }
    }

    /** Replay finds the same race. */
    @Test
    void raceIsFoundInItsRecording() {
        Result found = expect(WrittenLater.class, Verdict.DATA_RACE);
        Result again = AwaitModelChecker.under(Model.RC11)
                .replay(WrittenLater.class, found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample());
    }

    /** Opaque accesses never race; by another reference the reader may still read an older value. */
    static class OldValues {
        static class Counter {
            final AtomicInteger count;

            Counter(AtomicInteger count) {
                this.count = count;
            }
        }

        @RacyAllowed
        Counter counter;

        @RacyAllowed
        AtomicInteger direct;

        @Actor
        void writer() {
            AtomicInteger made = new AtomicInteger(5);
            counter = new Counter(made);
            direct = made;
        }

        @Actor
        int reader() {
            Counter seen = counter;
            int got = seen == null ? -1 : seen.count.get();
            return direct == null ? -1 : got;
        }
    }

    @Test
    void byAnotherWayOldValuesMayBeSeen() {
        assertEquals(set("-1", "0", "5"), outcomes(OldValues.class));
    }

    /** A failing check is found under the right assumptions. */
    static class FailsLater extends Counting {
        @Override
        @Actor
        int reader() {
            Counter seen = counter;
            assert seen == null || seen.count.get() == 6;
            return 0;
        }
    }

    @Test
    void recordingOfACheckThatFailsIsRunAgain() {
        Result found = expect(FailsLater.class, Verdict.CHECK_FAILED);
        Result again = AwaitModelChecker.under(Model.RC11)
                .replay(FailsLater.class, found.counterExample().replay());
        assertEquals(found.counterExample(), again.counterExample());
    }

    // The final fields of an object that escapes too early

    static class LeakedNumber {
        static class Early {
            final int number;

            Early(LeakedNumber owner) {
                number = 3;
                owner.early = this;
            }
        }

        @RacyAllowed
        Early early;

        @Actor
        void writer() {
            new Early(this);
        }

        @Actor
        int reader() {
            Early seen = early;
            return seen == null ? 0 : seen.number;
        }
    }

    /** A thread that the constructor starts gets the object in order. */
    static class StartsItself {
        static class Worker implements Runnable {
            final int number;
            final Thread thread;

            Worker() {
                number = 3;
                thread = new Thread(this);
                thread.start();
            }

            @Override
            public void run() {
                assert number == 3;
            }
        }

        @Actor
        void actor() {
            new Worker();
        }
    }

    /** The JLS allows the reader to read 0; the checker does not, and notes that. */
    @Test
    void objectsThatGetKnownTooEarlyAreNoted() {
        Result result = expect(LeakedNumber.class, Verdict.VERIFIED);
        assertEquals(1, result.notes().size(), result::toString);
        assertTrue(
                result.summary().contains("Early may escape to other threads before its constructor has ended"),
                result::toString);
        assertEquals(List.of(), expect(StartsItself.class, Verdict.VERIFIED).notes());
        assertEquals(List.of(), expect(ReadAtOnce.class, Verdict.VERIFIED).notes());
    }
}
