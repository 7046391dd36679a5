package dev.cqs.amc.bytecode.heap;

import org.jspecify.annotations.Nullable;

/** Implemented by all instrumented classes. Instrumentation adds the methods. */
public interface Shadowed {

    /** The shadow of the object, or null. */
    Shadow amc$shadow();

    /** Sets the shadow of the object. */
    void amc$shadow(@Nullable Shadow shadow);

    /**
     * Visits the fields, including those of super classes: all non-final fields, and the final fields with references.
     */
    void amc$fields(FieldVisitor visitor);
}
