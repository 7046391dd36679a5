package dev.cqs.amc.bytecode.heap;

import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.lang.reflect.Array;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The variable of a variable handle, with the exceptions that Java specifies for its use.
 *
 * @param field the number of the field, or {@link HandleTargets#ELEMENTS}
 * @param handle the handle
 * @param type the type of the variable
 * @param descriptor the first character of the descriptor of that type
 * @param holder the class of the objects or arrays that have the variable; null for a static field
 * @param coordinates the number of coordinates of the handle
 * @param modes a bit for each access mode that the handle has, by its ordinal
 */
public record HandleTarget(
        int field,
        VarHandle handle,
        Class<?> type,
        char descriptor,
        @Nullable Class<?> holder,
        int coordinates,
        long modes) {

    private static final VarHandle.AccessMode[] MODES = VarHandle.AccessMode.values();

    /**
     * The target of {@code handle}, of the field with this number. It is cached, because queries of the handle are
     * slow.
     */
    static HandleTarget of(int field, VarHandle handle) {
        List<Class<?>> coordinates = handle.coordinateTypes();
        long modes = 0;
        for (VarHandle.AccessMode mode : MODES) {
            modes |= handle.isAccessModeSupported(mode) ? 1L << mode.ordinal() : 0;
        }
        return new HandleTarget(
                field,
                handle,
                handle.varType(),
                Numbers.descriptor(handle.varType()),
                coordinates.isEmpty() ? null : coordinates.get(0),
                coordinates.size(),
                modes);
    }

    public boolean isElement() {
        return field == HandleTargets.ELEMENTS;
    }

    /** Throws the exceptions of Java for a call with this number of coordinates and these values. */
    @SuppressWarnings({"NullAway", "ReturnValueIgnored"}) // it has a holder if it has a receiver; a cast may throw
    public void check(Object receiver, int index, int given, int mode) {
        if (given != coordinates) {
            throw new WrongMethodTypeException(
                    "A variable handle of " + coordinates + " coordinates is given " + given + ": " + handle);
        }
        if ((modes & 1L << mode) == 0) {
            throw new UnsupportedOperationException(MODES[mode].methodName() + " of a variable of " + type.getName());
        }
        if (coordinates > 0) {
            java.util.Objects.requireNonNull(receiver);
            holder.cast(receiver);
        }
        if (isElement() && (index < 0 || index >= Array.getLength(receiver))) {
            throw new ArrayIndexOutOfBoundsException(
                    "Index " + index + " out of bounds for length " + Array.getLength(receiver));
        }
    }

    /** Throws the exceptions of Java for a reference that the variable cannot hold. */
    @SuppressWarnings("ReturnValueIgnored") // it may throw
    public void checkReference(Object receiver, Object value) {
        type.cast(value);
        if (isElement()) {
            receiver.getClass().getComponentType().cast(value);
        }
    }

    /** Converts a value of the primitive type with this descriptor to the variable's type. */
    public long widened(long value, char from) {
        return Numbers.widen(value, from, descriptor);
    }

    /** Converts a value of the variable's type to the primitive type with this descriptor. */
    public long widenedTo(long value, char to) {
        return Numbers.widen(value, descriptor, to);
    }

    /** Converts a box to a value of the variable's type. */
    public long unboxed(Object box) {
        return Numbers.unbox(box, type);
    }
}
