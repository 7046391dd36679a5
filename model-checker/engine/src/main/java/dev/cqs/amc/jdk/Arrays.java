package dev.cqs.amc.jdk;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The methods of {@code java.util.Arrays} whose results access the array later. Each element access is an event, at the
 * time at which the JDK would access the element.
 */
public final class Arrays {

    private Arrays() {}

    /** As in the JDK. */
    public static <T> List<T> asList(T[] array) {
        return new View<>(array);
    }

    /** As in the JDK. */
    public static <T> Stream<T> stream(T[] array) {
        return stream(array, 0, array.length);
    }

    /** As in the JDK. */
    public static <T> Stream<T> stream(T[] array, int start, int end) {
        return indices(array.length, start, end).mapToObj(i -> array[i]);
    }

    /** As in the JDK. */
    public static IntStream stream(int[] array) {
        return stream(array, 0, array.length);
    }

    /** As in the JDK. */
    public static IntStream stream(int[] array, int start, int end) {
        return indices(array.length, start, end).map(i -> array[i]);
    }

    /** As in the JDK. */
    public static LongStream stream(long[] array) {
        return stream(array, 0, array.length);
    }

    /** As in the JDK. */
    public static LongStream stream(long[] array, int start, int end) {
        return indices(array.length, start, end).mapToLong(i -> array[i]);
    }

    /** As in the JDK. */
    public static DoubleStream stream(double[] array) {
        return stream(array, 0, array.length);
    }

    /** As in the JDK. */
    public static DoubleStream stream(double[] array, int start, int end) {
        return indices(array.length, start, end).mapToDouble(i -> array[i]);
    }

    private static IntStream indices(int length, int start, int end) {
        if (start > end) {
            throw new ArrayIndexOutOfBoundsException("origin(" + start + ") > fence(" + end + ")");
        }
        if (start < 0 || end > length) {
            throw new ArrayIndexOutOfBoundsException(start < 0 ? start : end);
        }
        return IntStream.range(start, end);
    }

    /** A list whose elements are those of an array. */
    private static final class View<E> extends AbstractList<E> implements RandomAccess {

        private final E[] array;

        View(E[] array) {
            this.array = Objects.requireNonNull(array);
        }

        @Override
        public int size() {
            return array.length;
        }

        @Override
        public E get(int index) {
            return array[index];
        }

        @Override
        public E set(int index, E element) {
            E was = array[index];
            array[index] = element;
            return was;
        }

        // Like the inherited method, but in instrumented code, which observes uses of identity hash codes.

        @Override
        public int hashCode() {
            int hash = 1;
            for (E element : array) {
                hash = 31 * hash + (element == null ? 0 : element.hashCode());
            }
            return hash;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < array.length; i++) {
                E element = array[i];
                text.append(i == 0 ? "" : ", ").append(element == this ? "(this Collection)" : element);
            }
            return text.append(']').toString();
        }
    }
}
