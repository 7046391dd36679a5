package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.FieldVisitor;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.Shadowed;

/**
 * Copies the fields of an object that has escaped into its clone. The values are in the graph, not in the real fields.
 */
final class FieldCopies implements FieldVisitor {

    private final CodeRun run;
    private final Heap heap;
    private final Shadowed original;

    FieldCopies(CodeRun run, Heap heap, Shadowed original) {
        this.run = run;
        this.heap = heap;
        this.original = original;
    }

    private void copy(Shadowed clone, int field) {
        heap.fields().set(clone, field, run.get(original, field, 0));
    }

    @Override
    public void visitInt(Shadowed clone, int value, int field) {
        copy(clone, field);
    }

    @Override
    public void visitLong(Shadowed clone, long value, int field) {
        copy(clone, field);
    }

    @Override
    public void visitFloat(Shadowed clone, float value, int field) {
        copy(clone, field);
    }

    @Override
    public void visitDouble(Shadowed clone, double value, int field) {
        copy(clone, field);
    }

    @Override
    public void visitReference(Shadowed clone, Object value, int field) {
        heap.fields().setReference(clone, field, run.object(run.get(original, field, 0)));
    }

    @Override
    public void visitFinal(Object value) {
        // The clone has the value already. A reference loaded from an object of one's own is no sight, but this one is.
        run.sawCloned(value);
    }
}
