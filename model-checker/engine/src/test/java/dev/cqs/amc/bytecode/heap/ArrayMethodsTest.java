package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The methods of {@code java.util.Arrays}, and lists and streams of arrays, access elements like any other code. */
class ArrayMethodsTest {

    // Methods of Arrays

    /** One actor changes arrays before a flag; the other reads them. */
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

    /** The JDK may read elements after the first difference. */
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

    /** The list is made in the set-up. */
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

    /** The stream is made under the lock, and reads the array when the sum is computed. */
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

    /** The array escapes after a list and a stream of it were made. */
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
}
