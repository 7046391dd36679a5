package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.FieldVisitor;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.heap.Shadowed;
import java.util.List;

/**
 * An object becomes known to other threads: what its fields hold goes into the graph, as far as it is not what a
 * field holds anyway, and the objects it refers to become known with it. Only the last values count, which is right as long
 * as all other threads come after the publication; {@link dev.cqs.amc.dpor.FreshObjects} says why, and what is done if one
 * does not. Of an expanded object all is in the graph already, but for what its final fields refer to.
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

    /** Puts what {@code object} holds into the graph. */
    void fieldsOf(Object object, Shadow shadow) {
        if (object instanceof Throwable) {
            run.putFirstContent(shadow, site);
            List<Object> content = Foreign.content(object);
            if (content != null) { // it is refused otherwise when another thread gets it
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
