package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Verdict;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of arrays are variables like fields, whatever code reads and writes them. */
class ArraysTest {

    /** Each sorts a range that has nothing to be moved; the JDK writes nothing then. */
    static class SortsOneElement {
        private final int[] numbers = {1, 2};
        private final String[] texts = {"a", "b"};

        @Actor(2)
        int actor() {
            Arrays.sort(numbers, 0, 1);
            Arrays.sort(texts, 1, 2);
            Arrays.sort(texts, 1, 1);
            return numbers[0];
        }
    }

    @Test
    void rangeOfOneElementIsNotWritten() {
        assertEquals(set("1,1"), outcomes(SortsOneElement.class));
    }

    /** One actor fills arrays of all types and publishes them, the other one looks. */
    static class AllTypes {
        private final boolean[] truths = new boolean[2];
        private final byte[] bytes = new byte[2];
        private final char[] letters = new char[2];
        private final short[] shorts = new short[2];
        private final int[] ints = new int[2];
        private final long[] longs = new long[2];
        private final float[] floats = new float[2];
        private final double[] doubles = new double[2];
        private final String[] texts = new String[2];
        private final int[][] table = new int[2][2];
        private final Object[][][] ragged = {{}, {null, {"a", 1}}};
        private volatile boolean ready;

        @Actor
        void writer() {
            truths[1] = true;
            bytes[1] = (byte) 200;
            letters[1] = '\uffff';
            shorts[1] = -1;
            ints[1]--;
            longs[1] += Long.MIN_VALUE;
            floats[1] = 1.5f;
            doubles[1] = -0.0;
            texts[1] = "b" + bytes[1];
            table[1][0]++;
            table[0] = new int[] {7, 8, 9};
            ragged[1][1][0] = ragged[0];
            ready = true;
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            assert truths[1] && bytes[1] == -56 && letters[1] == '\uffff' && shorts[1] == -1 && ints[1] == -1;
            assert longs[1] == Long.MIN_VALUE && floats[1] == 1.5f && 1 / doubles[1] == Double.NEGATIVE_INFINITY;
            assert texts[1].equals("b-56") && table[1][0] == 1 && table[0].length == 3 && table[0][2] == 9;
            assert ragged[1][1][0] == ragged[0] && ragged[0].length == 0 && ragged[1][1][1].equals(1);
            return true;
        }
    }

    @Test
    void elementsOfAllTypesAreShared() {
        assertEquals(set("0", "1"), outcomes(AllTypes.class));
    }

    static class Race {
        private final byte[] bytes = new byte[2];

        @Actor(2)
        void actor(int me) {
            bytes[1] = (byte) me;
        }
    }

    static class NoRace {
        private final byte[] bytes = new byte[2];

        @Actor(2)
        void actor(int me) {
            bytes[me] = 1;
        }
    }

    @Test
    void differentElementsAreDifferentVariables() {
        assertEquals(Verdict.DATA_RACE, check(Race.class).verdict());
        verified(NoRace.class, 1);
    }

    static class WrongUse {
        private final Object[] texts = new String[1];
        private final int[] ints = new int[1];
        private int[][] none;

        @Actor
        int actor() {
            int found = 0;
            try {
                texts[0] = 1;
            } catch (ArrayStoreException e) {
                found += 1;
            }
            try {
                ints[1] = 1;
            } catch (ArrayIndexOutOfBoundsException e) {
                found += 2;
            }
            try {
                none[0][0] = 1;
            } catch (NullPointerException e) {
                found += 4;
            }
            try {
                System.arraycopy(ints, 0, texts, 0, 1);
            } catch (ArrayStoreException e) {
                found += 8;
            }
            try {
                System.arraycopy(ints, 0, ints, 1, 1);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += 16;
            }
            return found;
        }
    }

    @Test
    void wrongUseIsThatOfJava() {
        assertEquals(set("31"), outcomes(WrongUse.class));
    }

    // Copies

    /** Writes behind a flag; the copy of the reader must have what was written, and must not be tied to the original. */
    abstract static class Copying {
        final int[] ints = {1, 2, 3};
        final Object[] objects = {"a", this, null};
        volatile boolean ready;

        abstract int[] copy(int[] array);

        abstract Object[] copy(Object[] array);

        @Actor
        void writer() {
            ints[1] = 5;
            objects[2] = objects;
            ready = true;
        }

        @Actor
        int reader() {
            if (!ready) {
                return 0;
            }
            int[] mine = copy(ints);
            Object[] others = copy(objects);
            mine[0]++;
            others[0] = null;
            assert ints[0] == 1 && objects[0].equals("a") && others[1] == this && others[2] == objects;
            return mine[0] + 10 * mine[1] + 100 * mine[2];
        }
    }

    static class ByClone extends Copying {
        @Override
        int[] copy(int[] array) {
            return array.clone();
        }

        @Override
        Object[] copy(Object[] array) {
            return array.clone();
        }
    }

    static class ByReferenceToClone extends Copying {
        @Override
        int[] copy(int[] array) {
            UnaryOperator<int[]> copy = int[]::clone;
            return copy.apply(array);
        }

        @Override
        Object[] copy(Object[] array) {
            UnaryOperator<Object[]> copy = Object[]::clone;
            return copy.apply(array);
        }
    }

    static class ByCopyOf extends Copying {
        @Override
        int[] copy(int[] array) {
            return Arrays.copyOf(array, 7);
        }

        @Override
        Object[] copy(Object[] array) {
            return Arrays.copyOfRange(array, 0, 3);
        }
    }

    static class ByArraycopy extends Copying {
        interface Copy {
            void copy(Object from, int start, Object to, int place, int length);
        }

        @Override
        int[] copy(int[] array) {
            int[] copy = new int[3];
            System.arraycopy(array, 1, copy, 1, 2);
            System.arraycopy(array, 0, copy, 0, 1);
            return copy;
        }

        @Override
        Object[] copy(Object[] array) {
            Object[] copy = new Object[3];
            Copy reference = System::arraycopy;
            reference.copy(array, 0, copy, 0, 3);
            return copy;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ByClone.class, ByReferenceToClone.class, ByCopyOf.class, ByArraycopy.class})
    void copyHasWhatOthersHaveWritten(Class<?> scenario) {
        assertEquals(set("0", "352"), outcomes(scenario));
    }

    static class CopyRaces {
        private final int[] ints = {1, 2, 3};

        @Actor
        void writer() {
            ints[1] = 5;
        }

        @Actor
        int reader() {
            return ints.clone()[0];
        }
    }

    @Test
    void copyReadsAllElements() {
        assertEquals(Verdict.DATA_RACE, check(CopyRaces.class).verdict());
    }

    static class OverlappingCopies {
        private final int[] shared = {1, 2, 3, 4};

        @Actor
        int actor() {
            int[] mine = {1, 2, 3, 4};
            System.arraycopy(shared, 0, shared, 1, 3);
            System.arraycopy(mine, 0, mine, 1, 3);
            assert shared[3] == mine[3] && shared[1] == mine[1];
            return shared[0] * 1000 + shared[1] * 100 + shared[2] * 10 + shared[3];
        }
    }

    @Test
    void copyMayOverlapWithItsSource() {
        assertEquals(set("1123"), outcomes(OverlappingCopies.class));
    }

    // Methods of Arrays

    /** One actor does something to arrays under a flag, the other one looks. */
    abstract static class Handing {
        final long[] numbers = {3, 1, 2};
        final String[] words = {"c", "a", "b"};
        volatile boolean ready;

        abstract void write();

        @Actor
        void writer() {
            write();
            ready = true;
        }

        @Actor
        int reader() {
            while (!ready) {
                Thread.onSpinWait();
            }
            return (int) (100 * numbers[0] + 10 * numbers[1] + numbers[2]) + 1000 * (words[0].charAt(0) - 'a');
        }
    }

    static class Fills extends Handing {
        @Override
        void write() {
            Arrays.fill(numbers, 4);
            Arrays.fill(numbers, 1, 2, 5);
            Arrays.fill(words, "d");
        }
    }

    static class FillsByReference extends Handing {
        interface Fill {
            void fill(long[] array, long value);
        }

        @Override
        void write() {
            Fill fill = Arrays::fill;
            fill.fill(numbers, 4);
            numbers[1] = 5;
            words[0] = "d";
        }
    }

    static class Sorts extends Handing {
        @Override
        void write() {
            Arrays.sort(numbers);
            Arrays.sort(words, 1, 3);
            Arrays.sort(words, java.util.Comparator.reverseOrder());
            assert words[2].equals("a");
            Arrays.sort(words, 0, 2, null);
        }
    }

    static class Compares extends Handing {
        @Override
        void write() {
            long[] same = {3, 1, 2};
            boolean equal = Arrays.equals(numbers, same)
                    && Arrays.equals(words, new String[] {"c", "a", "b"})
                    && !Arrays.equals(numbers, new long[] {3, 1, 3})
                    && !Arrays.equals(numbers, null)
                    && Arrays.equals(numbers, numbers)
                    && !Arrays.equals(numbers, new long[3])
                    && Arrays.equals((int[]) null, null);
            Arrays.fill(numbers, equal ? 7 : 0);
        }
    }

    @Test
    void methodsOfArraysDoWhatTheJdkDoes() {
        assertEquals(set("3454"), outcomes(Fills.class));
        assertEquals(set("3454"), outcomes(FillsByReference.class));
        assertEquals(set("1123"), outcomes(Sorts.class));
        assertEquals(set("2777"), outcomes(Compares.class));
    }

    static class WrongRanges {
        private final int[] ints = {1, 2};

        @Actor
        int actor() {
            int found = 0;
            try {
                Arrays.fill(ints, 1, 0, 3);
            } catch (IllegalArgumentException e) {
                found++;
            }
            try {
                Arrays.sort(ints, -1, 1);
            } catch (ArrayIndexOutOfBoundsException e) {
                found++;
            }
            try {
                Arrays.fill((int[]) null, 1);
            } catch (NullPointerException e) {
                found++;
            }
            return found + ints[0] + ints[1];
        }
    }

    @Test
    void wrongRangesAreThoseOfJava() {
        assertEquals(set("6"), outcomes(WrongRanges.class));
    }

    abstract static class Racing {
        final int[] ints = {1, 2, 3};

        @Actor
        void writer() {
            ints[2] = 3;
        }
    }

    static class FillRaces extends Racing {
        @Actor
        void other() {
            Arrays.fill(ints, 1);
        }
    }

    /** The JDK may have read more than up to the first difference. */
    static class EqualsRaces extends Racing {
        @Actor
        boolean other() {
            return Arrays.equals(ints, new int[] {0, 2, 3});
        }
    }

    static class SortRaces extends Racing {
        @Actor
        void other() {
            Arrays.sort(ints);
        }
    }

    static class PartDoesNotRace extends Racing {
        @Actor
        void other() {
            Arrays.fill(ints, 0, 2, 1);
            Arrays.sort(ints, 0, 2);
        }
    }

    @Test
    void methodsOfArraysAccessAllElementsOfTheirPart() {
        assertEquals(Verdict.DATA_RACE, check(FillRaces.class).verdict());
        assertEquals(Verdict.DATA_RACE, check(EqualsRaces.class).verdict());
        assertEquals(Verdict.DATA_RACE, check(SortRaces.class).verdict());
        verified(PartDoesNotRace.class, 1);
    }

    // Lists and streams read an array when they are used

    static class Summed {
        final int[] ints = {1, 2, 3};
        final long[] longs = {1, 2, 3};
        final double[] doubles = {1, 2, 3};
        final String[] words = {"a", "b", "c"};
        volatile boolean ready;

        @Actor
        void writer() {
            ints[1] = 4;
            longs[1] = 4;
            doubles[1] = 4;
            words[1] = "d";
            ready = true;
        }

        @Actor
        int reader() {
            if (!ready) {
                return Arrays.stream(ints, 2, 3).sum()
                        + Arrays.stream(words, 0, 1).mapToInt(String::length).sum();
            }
            assert Stream.of(words).collect(Collectors.joining()).equals("adc")
                    && Arrays.stream(words, 1, 2).findFirst().get().equals("d");
            assert LongStream.of(longs).max().getAsLong() == 4
                    && DoubleStream.of(doubles).sum() == 8;
            assert IntStream.of(ints).boxed().sorted().toList().equals(List.of(1, 3, 4))
                    && IntStream.of(5).sum() == 5;
            Function<int[], IntStream> stream = Arrays::stream;
            return stream.apply(ints).sum()
                    + (int) Arrays.stream(longs).sum()
                    + (int) Arrays.stream(doubles, 1, 2).sum();
        }
    }

    static class Listed {
        final String[] words = {"b", "c", "a"};
        volatile List<String> list;

        @Actor
        void writer() {
            List<String> made = Arrays.asList(words);
            made.set(1, "e");
            Collections.sort(made);
            assert words[0].equals("a");
            words[1] = "d";
            list = made;
        }

        @Actor
        int reader() {
            List<String> seen = list;
            if (seen == null) {
                return Arrays.asList("x", "y").size();
            }
            StringBuilder text = new StringBuilder();
            for (String word : seen) {
                text.append(word);
            }
            assert text.toString().equals("ade") && seen.contains("d") && seen.indexOf("e") == 2 && !seen.contains("b");
            assert seen.equals(List.of("a", "d", "e"))
                    && seen.hashCode() == List.of("a", "d", "e").hashCode();
            assert seen.toString().equals("[a, d, e]")
                    && new ArrayList<>(seen).size() == 3
                    && seen.stream().count() == 3;
            return seen.subList(1, 3).toArray(new String[0]).length;
        }
    }

    /** The list is there from the beginning. */
    static class ListOfTheSetUp {
        final List<int[]> slots = Arrays.asList(new int[1], new int[1]);
        int sum;

        @Actor(2)
        void actor(int me) {
            slots.get(me)[0] = me + 1;
            synchronized (this) {
                sum += slots.get(me)[0];
            }
        }

        @Arbiter
        int end() {
            return sum;
        }
    }

    @Test
    void listsAndStreamsOfArraysDoWhatTheJdkDoes() {
        assertEquals(set("4", "20"), outcomes(Summed.class));
        assertEquals(set("2"), outcomes(Listed.class));
        assertEquals(set("3"), outcomes(ListOfTheSetUp.class));
    }

    static class WrongUseOfViews {
        private final int[] ints = {1, 2};
        private final Object[] texts = new String[1];

        @Actor
        int actor() {
            int found = 0;
            try {
                Arrays.stream(ints, 1, 0);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += 1;
            }
            try {
                Arrays.stream(ints, 1, 3);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += 2;
            }
            try {
                Arrays.asList((Object[]) null);
            } catch (NullPointerException e) {
                found += 4;
            }
            try {
                Arrays.asList(texts).set(0, 1);
            } catch (ArrayStoreException e) {
                found += 8;
            }
            try {
                Arrays.asList(texts).get(1);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += 16;
            }
            try {
                Arrays.asList(texts).add("a");
            } catch (UnsupportedOperationException e) {
                found += 32;
            }
            return found;
        }
    }

    @Test
    void wrongUseOfViewsIsThatOfJava() {
        assertEquals(set("63"), outcomes(WrongUseOfViews.class));
    }

    static class StreamRaces extends Racing {
        @Actor
        int other() {
            return Arrays.stream(ints).sum();
        }
    }

    static class ListRaces {
        private final Integer[] boxes = {1, 2, 3};

        @Actor
        void writer() {
            boxes[2] = 3;
        }

        @Actor
        boolean other() {
            return Arrays.asList(boxes).contains(4);
        }
    }

    static class PartOfAStreamDoesNotRace extends Racing {
        @Actor
        int other() {
            return Arrays.stream(ints, 0, 2).sum()
                    + Arrays.stream(ints).limit(2).sum();
        }
    }

    /** The stream is made under the lock, and reads the array when it is asked for the sum. */
    static class StreamsTooLate {
        private final int[] ints = {1, 2, 3};

        @Actor
        synchronized void writer() {
            ints[0] = 0;
        }

        @Actor
        int reader() {
            IntStream stream;
            synchronized (this) {
                stream = Arrays.stream(ints);
            }
            return stream.sum();
        }
    }

    @Test
    void listsAndStreamsAccessElements() {
        assertEquals(Verdict.DATA_RACE, check(StreamRaces.class).verdict());
        assertEquals(Verdict.DATA_RACE, check(ListRaces.class).verdict());
        assertEquals(Verdict.DATA_RACE, check(StreamsTooLate.class).verdict());
        verified(PartOfAStreamDoesNotRace.class, 1);
    }

    /** The array gets known when there are a list and a stream of it already. */
    static class KnownLater {
        volatile Integer[] known;
        volatile boolean changed;

        @Actor
        int actor() {
            Integer[] mine = {1, 2};
            List<Integer> list = Arrays.asList(mine);
            Stream<Integer> stream = Stream.of(mine);
            known = mine;
            return changed ? 10 * list.get(0) + stream.mapToInt(i -> i).sum() : 0;
        }

        @Actor
        void other() {
            Integer[] seen = known;
            if (seen != null) {
                seen[0] = 3;
                changed = true;
            }
        }
    }

    @Test
    void listsAndStreamsOfAnArrayThatGetsKnownReadWhatOthersWrite() {
        assertEquals(set("0", "35"), outcomes(KnownLater.class));
    }

    // Code that is not seen

    abstract static class Kept {
        volatile byte[] known;

        abstract Object keep(byte[] array);

        @Actor
        void writer() {
            byte[] array = {1, 2};
            Object keeper = keep(array);
            known = array;
            assert keeper != null;
        }

        @Actor
        int reader() {
            byte[] seen = known;
            return seen == null ? 0 : seen[0];
        }
    }

    static class KeptByABuffer extends Kept {
        @Override
        Object keep(byte[] array) {
            return ByteBuffer.wrap(array);
        }
    }

    static class KeptByAStream extends Kept {
        @Override
        Object keep(byte[] array) {
            return new ByteArrayInputStream(array);
        }
    }

    static class KeptBySpliterator {
        volatile int[] known;

        @Actor
        void writer() {
            int[] array = {1};
            var split = Arrays.spliterator(array);
            known = array;
            assert split.tryAdvance((int value) -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {KeptByABuffer.class, KeptByAStream.class, KeptBySpliterator.class})
    void arrayThatTheJdkKeepsDoesNotGetKnown(Class<?> scenario) {
        refused(scenario, "ArraysTest.java:", "Copy it");
    }

    static class Printed {
        private final Object[] objects = {1L, 2};

        @Actor(2)
        boolean actor() {
            return String.format("%s", objects).isEmpty();
        }
    }

    static class MadeToString {
        private final char[] letters = {'a'};

        @Actor(2)
        int actor() {
            return new String(letters, 0, 1).length();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Printed.class, MadeToString.class})
    void sharedArrayIsNotPassedToCodeThatIsNotSeen(Class<?> scenario) {
        refused(scenario, "ArraysTest.java:", "Copy it first");
    }

    static class LocalOnes {
        enum Colour {
            RED,
            GREEN
        }

        private static int sum(int... numbers) {
            return Arrays.stream(numbers).sum();
        }

        private static String colour(Colour colour) {
            switch (colour) {
                case RED:
                    return "red";
                default:
                    return "green";
            }
        }

        @Actor(2)
        int actor() {
            int[] ints = new int[3];
            Arrays.fill(ints, 2);
            long[][] table = new long[2][3];
            table[1] = table[0].clone();
            table[1][2] = 1;
            Object[] objects = {table, ints};
            assert table[0][2] == 0 && ((int[]) objects[1])[2] == 2 && Colour.values().length == 2;
            return sum(ints)
                    + sum(1, 2)
                    + colour(Colour.GREEN).length()
                    + String.format("%d", 10).length();
        }
    }

    @Test
    void arraysOfOneThreadAreItsOwnMatter() {
        verified(LocalOnes.class, 1);
        assertEquals(set("16,16"), outcomes(LocalOnes.class));
    }
}
