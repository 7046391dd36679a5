package dev.cqs.amc.bytecode.heap;

import org.jspecify.annotations.Nullable;

/** Every object of an instrumented class; its methods are made when the class is loaded. */
public interface Shadowed {

    /** What the checker knows of the object, or null. */
    Shadow amc$shadow();

    /** Sets what the checker knows of the object. */
    void amc$shadow(@Nullable Shadow shadow);

    /**
     * Tells the values of the fields, those of super classes included: every one that is not final, and the
     * references among the final ones.
     */
    void amc$fields(FieldVisitor visitor);
}
