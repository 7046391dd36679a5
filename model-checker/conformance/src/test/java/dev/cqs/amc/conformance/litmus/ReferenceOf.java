package dev.cqs.amc.conformance.litmus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A shared reference, with a handle to access it in any mode, for scenarios that publish an object.
 *
 * @param <T> what it refers to
 */
abstract class ReferenceOf<T> {

    static final VarHandle REFERENCE;

    static {
        try {
            REFERENCE = MethodHandles.lookup().findVarHandle(ReferenceOf.class, "reference", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    T reference;
}
