package dev.cqs.amc.bytecode.heap;

import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.lang.reflect.Array;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a variable handle stands for, and the complaints that Java has about its use.
 *
 * @param field the number of the field, or {@link HandleTargets#ELEMENTS}
 * @param handle the handle
 * @param type the type of the variable
 * @param descriptor the first letter of the descriptor of that type
 * @param holder the class of the objects or arrays that have the variable; null for a static field
 * @param coordinates how many arguments say which variable it is
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

    /** What {@code handle}, of the field with this number, stands for: asked once, as the handle takes long to answer. */
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

    /** Complains as Java does about a call with this number of coordinates, and with these values of them. */
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

    /** Complains as Java does about a reference that the variable cannot hold. */
    @SuppressWarnings("ReturnValueIgnored") // it may throw
    public void checkReference(Object receiver, Object value) {
        type.cast(value);
        if (isElement()) {
            receiver.getClass().getComponentType().cast(value);
        }
    }

    /** A number of the primitive type with this descriptor as one of the variable's type. Both are as hooks pass them. */
    public long widened(long value, char from) {
        return Numbers.widen(value, from, descriptor);
    }

    /** A number of the variable's type as one of the primitive type with this descriptor. */
    public long widenedTo(long value, char to) {
        return Numbers.widen(value, descriptor, to);
    }

    /** An object of a box class as a number of the variable's type. */
    public long unboxed(Object box) {
        return Numbers.unbox(box, type);
    }
}
