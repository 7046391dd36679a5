package dev.cqs.amc.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Modifier;

/** Looks up the handles of the variables of the atomic classes. */
final class Handles {

    private Handles() {}

    /** A field of the class that looks it up. */
    static VarHandle own(MethodHandles.Lookup lookup, String field, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A volatile field of {@code owner}, which may be private, for a field updater. Throws the exceptions of the JDK.
     */
    static VarHandle updated(Class<?> owner, Class<?> type, String name) {
        int modifiers;
        try {
            var field = owner.getDeclaredField(name);
            checkType(field.getType(), type);
            modifiers = field.getModifiers();
        } catch (NoSuchFieldException e) {
            throw new RuntimeException(e);
        }
        if (!Modifier.isVolatile(modifiers)) {
            throw new IllegalArgumentException("The field " + name + " must be volatile.");
        }
        if (Modifier.isStatic(modifiers)) {
            throw new IllegalArgumentException("The field " + name + " must not be static.");
        }
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new RuntimeException(e);
        }
    }

    private static void checkType(Class<?> found, Class<?> wanted) {
        if (found == wanted) {
            return;
        }
        if (wanted.isPrimitive()) {
            throw new IllegalArgumentException(
                    "The field must be of type " + wanted + ", but is of type " + found.getName() + ".");
        }
        throw new ClassCastException(
                "The field is not of the type " + wanted.getName() + ", but of " + found.getName() + ".");
    }
}
