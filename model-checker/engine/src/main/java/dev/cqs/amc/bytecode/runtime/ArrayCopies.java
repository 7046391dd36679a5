package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.Numbers;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Copies of arrays that have escaped: each element access is an event. */
final class ArrayCopies {

    private ArrayCopies() {}

    /** As {@code System.arraycopy}. */
    static void copy(CodeRun run, Object from, int start, Object to, int place, int length, int site) {
        checkTypes(from, to);
        checkRange(from, start, length);
        checkRange(to, place, length);
        @Nullable Object[] values = new Object[length];
        for (int i = 0; i < length; i++) {
            values[i] = get(run, from, start + i, site);
        }
        for (int i = 0; i < length; i++) {
            set(run, to, place + i, values[i], site);
        }
    }

    private static void checkRange(Object array, int start, int length) {
        if (start < 0 || length < 0 || start > Array.getLength(array) - length) {
            throw new ArrayIndexOutOfBoundsException(
                    length + " elements from " + start + " on are out of bounds for length " + Array.getLength(array));
        }
    }

    private static void checkTypes(Object from, Object to) {
        Class<?> one = from.getClass().getComponentType();
        Class<?> other = to.getClass().getComponentType();
        if (one == null || other == null || one != other && (one.isPrimitive() || other.isPrimitive())) {
            throw new ArrayStoreException(from.getClass().getTypeName() + " cannot be copied to "
                    + to.getClass().getTypeName());
        }
    }

    /** A new array of the same type with the elements from {@code start} on, padded with zeros or nulls. */
    static Object copyOfRange(CodeRun run, Object array, int start, int end, int site) {
        int length = Array.getLength(array);
        if (start < 0 || start > length) {
            throw new ArrayIndexOutOfBoundsException("Index " + start + " out of bounds for length " + length);
        }
        if (end < start) {
            throw new IllegalArgumentException(start + " > " + end);
        }
        Object copy = Array.newInstance(array.getClass().getComponentType(), end - start);
        MemoryHooks.newArray(copy, site);
        copy(run, array, start, copy, 0, Math.min(end, length) - start, site);
        return copy;
    }

    /** Reads an element, boxed if it is primitive. */
    static @Nullable Object get(CodeRun run, Object array, int index, int site) {
        if (MemoryHooks.isReal(array)) {
            return Array.get(array, index);
        }
        long value = run.load(array, index, site);
        Class<?> type = array.getClass().getComponentType();
        return type.isPrimitive() ? Numbers.box(value, type) : run.received(value, site);
    }

    /** Writes an element, given boxed if it is primitive. */
    @SuppressWarnings("NullAway") // a null is for an array of references
    static void set(CodeRun run, Object array, int index, @Nullable Object value, int site) {
        Class<?> type = array.getClass().getComponentType();
        if (type.isPrimitive()) {
            long bits = Numbers.unbox(value, type);
            if (MemoryHooks.isReal(array)) {
                if (run != null && Elements.get(array, index) != bits) {
                    run.overwritten(array);
                }
                Elements.set(array, index, bits);
            } else {
                run.store(array, index, bits, site);
            }
        } else {
            MemoryHooks.storeReference((Object[]) array, index, value, site);
        }
    }
}
