package dev.cqs.amc.conformance.litmus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Two shared integers, with handles to access them in any mode. */
abstract class TwoNumbers {

    static final VarHandle X;
    static final VarHandle Y;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            X = lookup.findVarHandle(TwoNumbers.class, "x", int.class);
            Y = lookup.findVarHandle(TwoNumbers.class, "y", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    int x;
    int y;
}
