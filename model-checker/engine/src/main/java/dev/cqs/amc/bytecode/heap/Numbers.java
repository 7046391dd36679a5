package dev.cqs.amc.bytecode.heap;

import java.lang.invoke.WrongMethodTypeException;

/** Primitive values in the encoding of the hooks: widened to long, or the bits of a floating-point number. */
public final class Numbers {

    /** The descriptors in the order of Java's widening conversions, without boolean and char. */
    private static final String ORDER = "BSIJFD";

    private Numbers() {}

    /** The descriptor of a primitive type. */
    static char descriptor(Class<?> type) {
        return type.descriptorString().charAt(0);
    }

    /** Converts a value of one primitive type to another by a widening conversion. */
    static long widen(long value, char from, char to) {
        if (from == to) {
            return value;
        }
        int rank = ORDER.indexOf(from == 'C' ? 'S' : from);
        if (from == 'Z' || to == 'Z' || to == 'C' || rank > ORDER.indexOf(to) || from == 'C' && to == 'S') {
            throw new WrongMethodTypeException(
                    "A value of type " + from + " is given or wanted where the variable needs " + to);
        }
        return switch (to) {
            case 'F' -> Float.floatToRawIntBits((float) value);
            case 'D' -> Double.doubleToRawLongBits(from == 'F' ? Float.intBitsToFloat((int) value) : value);
            default -> value;
        };
    }

    /** Unboxes a value and widens it to {@code type}. */
    public static long unbox(Object box, Class<?> type) {
        char to = descriptor(type);
        if (box instanceof Boolean truth) {
            return widen(truth ? 1 : 0, 'Z', to);
        }
        if (box instanceof Character character) {
            return widen(character, 'C', to);
        }
        if (box instanceof Float number) {
            return widen(Float.floatToRawIntBits(number), 'F', to);
        }
        if (box instanceof Double number) {
            return widen(Double.doubleToRawLongBits(number), 'D', to);
        }
        Number number = (Number) java.util.Objects.requireNonNull(box);
        char from =
                number instanceof Byte ? 'B' : number instanceof Short ? 'S' : number instanceof Integer ? 'I' : 'J';
        return widen(number.longValue(), from, to);
    }

    /** Boxes a value of {@code type}. */
    public static Object box(long value, Class<?> type) {
        return switch (descriptor(type)) {
            case 'Z' -> value != 0;
            case 'B' -> (byte) value;
            case 'S' -> (short) value;
            case 'C' -> (char) value;
            case 'I' -> (int) value;
            case 'F' -> Float.intBitsToFloat((int) value);
            case 'D' -> Double.longBitsToDouble(value);
            default -> value;
        };
    }
}
