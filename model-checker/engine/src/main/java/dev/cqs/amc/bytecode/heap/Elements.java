package dev.cqs.amc.bytecode.heap;

import java.lang.reflect.Array;

/** The elements of real arrays, as numbers: widened to long, or the bits of floating-point numbers. */
public final class Elements {

    private Elements() {}

    public static boolean isReference(Object array) {
        return array instanceof Object[];
    }

    public static Object getReference(Object array, int index) {
        return ((Object[]) array)[index];
    }

    public static long get(Object array, int index) {
        if (array instanceof boolean[] truths) {
            return truths[index] ? 1 : 0;
        }
        if (array instanceof char[] characters) {
            return characters[index];
        }
        if (array instanceof float[] floats) {
            return Float.floatToRawIntBits(floats[index]);
        }
        if (array instanceof double[] doubles) {
            return Double.doubleToRawLongBits(doubles[index]);
        }
        return Array.getLong(array, index);
    }

    public static void set(Object array, int index, long value) {
        if (array instanceof int[] ints) {
            ints[index] = (int) value;
        } else if (array instanceof long[] longs) {
            longs[index] = value;
        } else if (array instanceof byte[] bytes) {
            bytes[index] = (byte) value;
        } else if (array instanceof boolean[] truths) {
            truths[index] = value != 0;
        } else if (array instanceof char[] characters) {
            characters[index] = (char) value;
        } else if (array instanceof short[] shorts) {
            shorts[index] = (short) value;
        } else if (array instanceof float[] floats) {
            floats[index] = Float.intBitsToFloat((int) value);
        } else {
            ((double[]) array)[index] = Double.longBitsToDouble(value);
        }
    }
}
