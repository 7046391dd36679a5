package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.FieldVisitor;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.heap.Shadowed;

/**
 * Adds the contents of a new expanded object to the graph: the fields of a clone, the arrays in an array of arrays, and
 * what a constructor wrote before it called that of the super class. The initial write stands for 0 and null.
 */
final class FirstValues implements FieldVisitor {

    private final CodeRun run;

    FirstValues(CodeRun run) {
        this.run = run;
    }

    void of(Object object, Shadow shadow) {
        if (object instanceof Shadowed shadowed) {
            shadowed.amc$fields(this);
        } else if (object.getClass().isArray()) {
            int length = java.lang.reflect.Array.getLength(object);
            for (int i = 0; i < length; i++) {
                put(
                        shadow,
                        i,
                        Elements.isReference(object)
                                ? run.publish(Elements.getReference(object, i), 0)
                                : Elements.get(object, i));
            }
        }
    }

    private void put(Shadow shadow, int index, long value) {
        if (value != 0) {
            run.putAtBegin(shadow, index, value);
        }
    }

    @Override
    public void visitInt(Shadowed object, int value, int field) {
        put(object.amc$shadow(), field, value);
    }

    @Override
    public void visitLong(Shadowed object, long value, int field) {
        put(object.amc$shadow(), field, value);
    }

    @Override
    public void visitFloat(Shadowed object, float value, int field) {
        put(object.amc$shadow(), field, Float.floatToRawIntBits(value));
    }

    @Override
    public void visitDouble(Shadowed object, double value, int field) {
        put(object.amc$shadow(), field, Double.doubleToRawLongBits(value));
    }

    @Override
    public void visitReference(Shadowed object, Object value, int field) {
        put(object.amc$shadow(), field, run.publish(value, 0));
    }

    @Override
    public void visitFinal(Object value) {
        // Accesses to final fields are not events.
    }
}
