package dev.cqs.amc.conformance.litmus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What scenarios share that hand an object over: a reference, and a handle to access it in any mode.
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
