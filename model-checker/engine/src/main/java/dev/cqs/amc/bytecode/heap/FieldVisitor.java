package dev.cqs.amc.bytecode.heap;

/** Visits the values of the fields of an object. */
public interface FieldVisitor {

    void visitInt(Shadowed object, int value, int field);

    void visitLong(Shadowed object, long value, int field);

    void visitFloat(Shadowed object, float value, int field);

    void visitDouble(Shadowed object, double value, int field);

    void visitReference(Shadowed object, Object value, int field);

    /** A final field. */
    void visitFinal(Object value);
}
