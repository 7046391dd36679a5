package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.heap.Access;
import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.HandleTarget;
import dev.cqs.amc.bytecode.heap.Numbers;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The {@link Hooks} for array elements and for accesses through variable handles. */
public final class MemoryHooks {

    private MemoryHooks() {}

    // Arrays

    /** An array was made. Nested arrays are registered when they are needed. */
    public static void newArray(Object array, int site) {
        if (Hooks.current != null) {
            Hooks.current.newArray(array, site);
        } else if (Hooks.heap != null) {
            Hooks.heap.newPersistent(array);
        }
    }

    static boolean isReal(Object array) {
        return Hooks.current == null || array == null || Hooks.current.isReal(Hooks.current.shadow(array));
    }

    /** Reads an element. */
    public static int loadInt(int[] array, int index, int site) {
        int real = array[index];
        return isReal(array) ? real : (int) Hooks.current.load(array, index, site);
    }

    /** Reads an element. */
    public static long loadLong(long[] array, int index, int site) {
        long real = array[index];
        return isReal(array) ? real : Hooks.current.load(array, index, site);
    }

    /** Reads an element. */
    public static float loadFloat(float[] array, int index, int site) {
        float real = array[index];
        return isReal(array) ? real : Float.intBitsToFloat((int) Hooks.current.load(array, index, site));
    }

    /** Reads an element. */
    public static double loadDouble(double[] array, int index, int site) {
        double real = array[index];
        return isReal(array) ? real : Double.longBitsToDouble(Hooks.current.load(array, index, site));
    }

    /** Reads an element. */
    public static char loadChar(char[] array, int index, int site) {
        char real = array[index];
        return isReal(array) ? real : (char) Hooks.current.load(array, index, site);
    }

    /** Reads an element. */
    public static short loadShort(short[] array, int index, int site) {
        short real = array[index];
        return isReal(array) ? real : (short) Hooks.current.load(array, index, site);
    }

    /** Reads an element of a {@code byte} or {@code boolean} array. */
    public static int loadByte(Object array, int index, int site) {
        long real = array instanceof byte[] bytes ? bytes[index] : ((boolean[]) array)[index] ? 1 : 0;
        return (int) (isReal(array) ? real : Hooks.current.load(array, index, site));
    }

    /** Reads an element. */
    public static @Nullable Object loadReference(Object[] array, int index, int site) {
        Object real = array[index];
        if (isReal(array)) {
            Hooks.localRead(real);
            return real;
        }
        return Hooks.current.received(Hooks.current.load(array, index, site), site);
    }

    /** Writes an element. */
    public static void storeInt(int[] array, int index, int value, int site) {
        int real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, value);
            array[index] = value;
        } else {
            Hooks.current.store(array, index, value, site);
        }
    }

    /** Writes an element. */
    public static void storeLong(long[] array, int index, long value, int site) {
        long real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, value);
            array[index] = value;
        } else {
            Hooks.current.store(array, index, value, site);
        }
    }

    /** Writes an element. */
    public static void storeFloat(float[] array, int index, float value, int site) {
        float real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, value);
            array[index] = value;
        } else {
            Hooks.current.store(array, index, Float.floatToRawIntBits(value), site);
        }
    }

    /** Writes an element. */
    public static void storeDouble(double[] array, int index, double value, int site) {
        double real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, value);
            array[index] = value;
        } else {
            Hooks.current.store(array, index, Double.doubleToRawLongBits(value), site);
        }
    }

    /** Writes an element. */
    public static void storeChar(char[] array, int index, int value, int site) {
        char real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, (char) value);
            array[index] = (char) value;
        } else {
            Hooks.current.store(array, index, (char) value, site);
        }
    }

    /** Writes an element. */
    public static void storeShort(short[] array, int index, int value, int site) {
        short real = array[index];
        if (isReal(array)) {
            Hooks.overwritten(array, real, (short) value);
            array[index] = (short) value;
        } else {
            Hooks.current.store(array, index, (short) value, site);
        }
    }

    /** Writes an element of a {@code byte} or {@code boolean} array. */
    public static void storeByte(Object array, int index, int value, int site) {
        long real = Elements.get(array, index);
        long stored = array instanceof boolean[] ? value & 1 : (byte) value;
        if (isReal(array)) {
            Hooks.overwritten(array, real, stored);
            Elements.set(array, index, stored);
        } else {
            Hooks.current.store(array, index, stored, site);
        }
    }

    /** Writes an element. */
    public static void storeReference(Object[] array, int index, Object value, int site) {
        Object real = array[index];
        if (isReal(array)) {
            array[index] = value;
            Hooks.overwritten(array, real, value);
            return;
        }
        if (value != null && !array.getClass().getComponentType().isInstance(value)) {
            throw new ArrayStoreException(value.getClass().getName());
        }
        Hooks.current.store(array, index, Hooks.current.publish(value, site), site);
    }

    /** {@code clone} of an array. */
    public static Object cloneOf(Object array, int site) {
        return copyOfRange(array, 0, java.lang.reflect.Array.getLength(array), site);
    }

    /** {@code Arrays.copyOf}. */
    public static Object copyOf(Object array, int length, int site) {
        if (length < 0) {
            throw new NegativeArraySizeException(Integer.toString(length));
        }
        return copyOfRange(array, 0, length, site);
    }

    /** {@code Arrays.copyOfRange}. */
    public static Object copyOfRange(Object array, int start, int end, int site) {
        return ArrayCopies.copyOfRange(Hooks.current, array, start, end, site);
    }

    /** {@code System.arraycopy}. */
    public static void copy(Object from, int start, Object to, int place, int length, int site) {
        if (Hooks.current == null) {
            System.arraycopy(from, start, to, place, length);
        } else {
            ArrayCopies.copy(Hooks.current, from, start, to, place, length, site);
        }
    }

    /** {@code Arrays.fill}. */
    public static void fill(Object array, Object value, int site) {
        ArrayOperations.fill(Hooks.current, array, 0, java.lang.reflect.Array.getLength(array), value, site);
    }

    /** {@code Arrays.fill} of a part. */
    public static void fill(Object array, int start, int end, Object value, int site) {
        ArrayOperations.fill(Hooks.current, array, start, end, value, site);
    }

    /** {@code Arrays.equals}. */
    public static boolean equals(Object one, Object other, int site) {
        return ArrayOperations.equal(Hooks.current, one, other, site);
    }

    /** {@code Arrays.sort}. */
    public static void sort(Object array, int site) {
        sort(array, null, site);
    }

    /** {@code Arrays.sort} of a part. */
    public static void sort(Object array, int start, int end, int site) {
        sort(array, start, end, null, site);
    }

    /** {@code Arrays.sort} by a comparator, which may be null. */
    public static void sort(Object array, @Nullable Comparator<?> comparator, int site) {
        sort(array, 0, java.lang.reflect.Array.getLength(array), comparator, site);
    }

    /** {@code Arrays.sort} of a part by a comparator, which may be null. */
    public static void sort(Object array, int start, int end, @Nullable Comparator<?> comparator, int site) {
        ArrayOperations.sort(Hooks.current, array, start, end, comparator, site);
    }

    /** An array is about to be passed to uninstrumented code, which may read and write its elements. */
    public static void passed(Object array, int site) {
        if (Hooks.current != null && array != null) {
            Hooks.current.passed(array, site);
        }
    }

    /** The same, and that code keeps the array. */
    public static void kept(Object array, int site) {
        if (Hooks.current != null && array != null) {
            Hooks.current.kept(array, site);
        }
    }

    // Variable handles. Receiver: the object or the array, null for a static field. Index: of an array element, else
    // -1. Form: the ordinal of the VarHandle.AccessMode, and Access.COORDINATE times the number of coordinates.
    // Operands that an operation does not have are 0 or null.

    private static HandleTarget variable(VarHandle handle, Object receiver, int index, int form) {
        HandleTarget variable = Hooks.heap.handles().variable(handle);
        variable.check(receiver, index, form / Access.COORDINATE, form % Access.COORDINATE);
        return variable;
    }

    /** All access modes of a primitive variable. Values are widened to long, or raw bits. */
    public static long access(
            VarHandle handle, Object receiver, int index, long first, long second, int form, int site) {
        HandleTarget variable = variable(handle, receiver, index, form);
        Access access = Access.of(form % Access.COORDINATE);
        if (!variable.type().isPrimitive()) {
            throw Hooks.refused(Refusal.unboxed(handle));
        }
        if (RealMemory.holds(Hooks.current, receiver)) {
            return RealMemory.access(Hooks.heap, variable, receiver, index, first, second, access, Hooks.current);
        }
        return Hooks.current.access(variable, receiver, index, first, second, access, site);
    }

    /** The access modes of a reference variable that return a reference or nothing. */
    public static @Nullable Object accessReference(
            VarHandle handle, Object receiver, int index, Object first, Object second, int form, int site) {
        HandleTarget variable = variable(handle, receiver, index, form);
        Access access = Access.of(form % Access.COORDINATE);
        if (variable.type().isPrimitive()) {
            long one = access.operands() > 0 ? variable.unboxed(first) : 0;
            long other = access.operands() > 1 ? variable.unboxed(second) : 0;
            return Numbers.box(access(handle, receiver, index, one, other, form, site), variable.type());
        }
        variable.checkReference(receiver, first);
        variable.checkReference(receiver, second);
        if (RealMemory.holds(Hooks.current, receiver)) {
            return RealMemory.accessReference(
                    Hooks.heap, variable, receiver, index, first, second, access, Hooks.current);
        }
        boolean compares = access.kind() == Access.Kind.COMPARE_AND_EXCHANGE;
        long one = compares ? Hooks.current.expected(first) : Hooks.current.publish(first, site);
        long other = Hooks.current.publish(second, site);
        return Hooks.current.received(Hooks.current.access(variable, receiver, index, one, other, access, site), site);
    }

    /** The access modes of a reference variable that return whether they succeeded. */
    public static boolean compareAndSetReference(
            VarHandle handle, Object receiver, int index, Object first, Object second, int form, int site) {
        HandleTarget variable = variable(handle, receiver, index, form);
        if (variable.type().isPrimitive()) {
            return access(handle, receiver, index, variable.unboxed(first), variable.unboxed(second), form, site) != 0;
        }
        variable.checkReference(receiver, first);
        variable.checkReference(receiver, second);
        Access access = Access.of(form % Access.COORDINATE);
        if (RealMemory.holds(Hooks.current, receiver)) {
            return RealMemory.compareAndSet(
                    Hooks.heap, variable, receiver, index, first, second, access, Hooks.current);
        }
        long expected = Hooks.current.expected(first);
        return Hooks.current.access(
                        variable, receiver, index, expected, Hooks.current.publish(second, site), access, site)
                != 0;
    }

    /** Converts an operand from its type at the call site to the type of the variable. */
    public static long operand(VarHandle handle, long value, char type) {
        HandleTarget variable = Hooks.heap.handles().variable(handle);
        if (!variable.type().isPrimitive()) {
            throw Hooks.refused(Refusal.unboxed(handle));
        }
        return variable.widened(value, type);
    }

    /** Converts a value of the variable to the result type at the call site. */
    public static long result(VarHandle handle, long value, char type) {
        return Hooks.heap.handles().variable(handle).widenedTo(value, type);
    }

    /** Boxes a value of a primitive variable. */
    public static Object boxed(VarHandle handle, long value) {
        return Numbers.box(value, Hooks.heap.handles().variable(handle).type());
    }
}
