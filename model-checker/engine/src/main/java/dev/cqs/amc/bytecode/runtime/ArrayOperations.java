package dev.cqs.amc.bytecode.runtime;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@code java.util.Arrays} on arrays that have escaped: each element access is an event. The JDK does not
 * specify which elements a comparison of numbers reads, nor which elements a sort writes, so here it is all of them, in
 * order. A thread that could observe a difference would race.
 */
final class ArrayOperations {

    private ArrayOperations() {}

    /** As {@code Arrays.fill}; the value is boxed if the elements are primitive. */
    static void fill(CodeRun run, Object array, int start, int end, Object value, int site) {
        checkRange(array, start, end);
        for (int i = start; i < end; i++) {
            ArrayCopies.set(run, array, i, value, site);
        }
    }

    /** As {@code Arrays.equals}. */
    static boolean equal(CodeRun run, Object one, Object other, int site) {
        if (one == null || other == null || Hooks.same(one, other)) {
            return one == other || one != null && other != null;
        }
        int length = Array.getLength(one);
        if (length != Array.getLength(other)) {
            return false;
        }
        boolean isPrimitive = one.getClass().getComponentType().isPrimitive();
        boolean equal = true;
        for (int i = 0; i < length && (equal || isPrimitive); i++) {
            equal &= Objects.equals(ArrayCopies.get(run, one, i, site), ArrayCopies.get(run, other, i, site));
        }
        return equal;
    }

    /** As {@code Arrays.sort}; the comparator is null for the natural order, and for numbers. */
    @SuppressWarnings({"unchecked", "NullAway"}) // the caller is responsible for the element type, as in the JDK
    static void sort(CodeRun run, Object array, int start, int end, @Nullable Comparator<?> comparator, int site) {
        checkRange(array, start, end);
        if (end - start < 2) {
            return; // the JDK accesses nothing then
        }
        Object[] values = new Object[end - start];
        for (int i = start; i < end; i++) {
            values[i - start] = ArrayCopies.get(run, array, i, site);
        }
        Arrays.sort(values, (Comparator<Object>) comparator);
        for (int i = start; i < end; i++) {
            ArrayCopies.set(run, array, i, values[i - start], site);
        }
    }

    private static void checkRange(Object array, int start, int end) {
        if (start > end) {
            throw new IllegalArgumentException("fromIndex(" + start + ") > toIndex(" + end + ")");
        }
        if (start < 0 || end > Array.getLength(array)) {
            throw new ArrayIndexOutOfBoundsException(start < 0 ? start : end);
        }
    }
}
