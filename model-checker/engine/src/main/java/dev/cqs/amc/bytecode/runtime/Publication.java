package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.FieldVisitor;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.heap.Shadowed;
import java.util.List;

/**
 * Publishes an object that escapes: adds the last values of its fields to the graph, except those that equal the
 * initial write, and publishes the objects that it refers to. Only the last values are needed, as long as all accesses
 * of other threads happen after the publication; {@link dev.cqs.amc.dpor.FreshObjects} has the argument, and the remedy
 * if one does not. The fields of an expanded object are in the graph already, except for its final fields.
 */
final class Publication implements FieldVisitor {

    private final CodeRun run;
    private final int site;
    private final boolean isExpanded;

    Publication(CodeRun run, int site, boolean isExpanded) {
        this.run = run;
        this.site = site;
        this.isExpanded = isExpanded;
    }

    /** Adds the fields of {@code object} to the graph. */
    void fieldsOf(Object object, Shadow shadow) {
        if (object instanceof Throwable) {
            run.putFirstContent(shadow, site);
            List<Object> content = Foreign.content(object);
            if (content != null) { // otherwise it is refused when another thread gets it
                content.forEach(this::visitFinal);
            }
        }
        if (object instanceof Shadowed shadowed) {
            shadowed.amc$fields(this);
        } else if (object.getClass().isArray()) {
            elementsOf(object, shadow);
        } else if (!(object instanceof Throwable)) {
            List<Object> content = Foreign.content(object);
            if (content != null) {
                content.forEach(this::visitFinal);
            }
        }
    }

    private void elementsOf(Object array, Shadow shadow) {
        if (isExpanded) {
            return;
        }
        int length = java.lang.reflect.Array.getLength(array);
        for (int i = 0; i < length; i++) {
            long value = Elements.isReference(array)
                    ? run.publish(Elements.getReference(array, i), site)
                    : Elements.get(array, i);
            if (value != 0) {
                run.putFirstElement(shadow, i, value, site);
            }
        }
    }

    private void visit(Shadowed object, long value, int field) {
        if (value != 0 && !isExpanded) {
            run.putFirst(object.amc$shadow(), field, value, site);
        }
    }

    @Override
    public void visitInt(Shadowed object, int value, int field) {
        visit(object, value, field);
    }

    @Override
    public void visitLong(Shadowed object, long value, int field) {
        visit(object, value, field);
    }

    @Override
    public void visitFloat(Shadowed object, float value, int field) {
        visit(object, Float.floatToRawIntBits(value), field);
    }

    @Override
    public void visitDouble(Shadowed object, double value, int field) {
        visit(object, Double.doubleToRawLongBits(value), field);
    }

    @Override
    public void visitReference(Shadowed object, Object value, int field) {
        if (!isExpanded) {
            visit(object, run.publish(value, site), field);
        }
    }

    @Override
    public void visitFinal(Object value) {
        run.publish(value, site);
    }
}
