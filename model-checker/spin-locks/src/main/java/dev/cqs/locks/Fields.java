package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds the handles of the fields that locks are made of. */
final class Fields {

    private Fields() {}

    /** The handle of a field of the class that looks it up. */
    static VarHandle handle(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
