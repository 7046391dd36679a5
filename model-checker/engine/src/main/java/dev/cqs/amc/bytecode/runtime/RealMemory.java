package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Access;
import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.HandleTarget;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.graph.Update;

/**
 * Accesses through variable handles to the real fields and elements: outside of an exploration, and of objects that
 * only one thread knows and that are not expanded. There is one thread, so all modes are the same, until the
 * object gets known.
 */
final class RealMemory {

    private RealMemory() {}

    /** Whether the variable is in real memory. */
    static boolean holds(CodeRun run, Object receiver) {
        return run == null || receiver != null && run.isReal(run.shadow(receiver));
    }

    static long access(
            Heap heap,
            HandleTarget variable,
            Object receiver,
            int index,
            long first,
            long second,
            Access access,
            CodeRun run) {
        long was = variable.isElement()
                ? Elements.get(receiver, index)
                : heap.fields().get(receiver, variable.field());
        if (access.kind() == Access.Kind.GET) {
            return was;
        }
        boolean compares =
                access.kind() == Access.Kind.COMPARE_AND_SET || access.kind() == Access.Kind.COMPARE_AND_EXCHANGE;
        boolean writes = !compares || was == first;
        if (writes) {
            Update update = access.kind() == Access.Kind.SET ? Update.SET : access.update(variable.type());
            long is = update.apply(was, compares ? second : first);
            note(run, receiver, was != is);
            noteMode(run, receiver, variable, access);
            if (variable.isElement()) {
                Elements.set(receiver, index, is);
            } else {
                heap.fields().set(receiver, variable.field(), is);
            }
        }
        return access.kind() == Access.Kind.COMPARE_AND_SET ? (writes ? 1 : 0) : was;
    }

    static Object accessReference(
            Heap heap,
            HandleTarget variable,
            Object receiver,
            int index,
            Object first,
            Object second,
            Access access,
            CodeRun run) {
        if (access.kind() == Access.Kind.COMPARE_AND_EXCHANGE) {
            Object was = get(heap, variable, receiver, index);
            if (Hooks.same(was, first)) {
                set(heap, variable, receiver, index, second, access, run);
            }
            return was;
        }
        Object was = get(heap, variable, receiver, index);
        if (access.kind() != Access.Kind.GET) {
            set(heap, variable, receiver, index, first, access, run);
        }
        return was;
    }

    static boolean compareAndSet(
            Heap heap,
            HandleTarget variable,
            Object receiver,
            int index,
            Object first,
            Object second,
            Access access,
            CodeRun run) {
        boolean equal = Hooks.same(get(heap, variable, receiver, index), first);
        if (equal) {
            set(heap, variable, receiver, index, second, access, run);
        }
        return equal;
    }

    private static Object get(Heap heap, HandleTarget variable, Object receiver, int index) {
        return variable.isElement()
                ? Elements.getReference(receiver, index)
                : heap.fields().getReference(receiver, variable.field());
    }

    private static void set(
            Heap heap, HandleTarget variable, Object receiver, int index, Object value, Access access, CodeRun run) {
        note(run, receiver, true);
        noteMode(run, receiver, variable, access);
        if (variable.isElement()) {
            ((Object[]) receiver)[index] = value;
        } else {
            heap.fields().setReference(receiver, variable.field(), value);
        }
    }

    private static void note(CodeRun run, Object receiver, boolean changed) {
        if (run != null && changed) {
            run.overwritten(receiver);
        }
    }

    /** A write that orders less than the declaration says is one when the object gets known, too. */
    private static void noteMode(CodeRun run, Object receiver, HandleTarget variable, Access access) {
        if (run != null && !variable.isElement() && !access.mode().writePart().releases()) {
            run.shadow(receiver).weaken(variable.field(), access.mode().writePart());
        }
    }
}
