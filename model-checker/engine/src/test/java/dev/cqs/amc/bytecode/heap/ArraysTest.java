package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Array elements are variables like fields, also for copies, and for uninstrumented code. */
class ArraysTest {

    /** Each actor sorts a range that is sorted already; the JDK writes nothing then. */
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

    /** One actor fills arrays of all types and publishes them; the other reads them. */
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

    /** Writes before a flag. The reader's copy must have the written values, and be independent of the original. */
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

    // Uninstrumented code

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
