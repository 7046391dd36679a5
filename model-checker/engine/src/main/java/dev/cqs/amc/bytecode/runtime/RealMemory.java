package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.bytecode.heap.Access;
import dev.cqs.amc.bytecode.heap.Elements;
import dev.cqs.amc.bytecode.heap.HandleTarget;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.graph.Update;

/**
 * Accesses through variable handles to real fields and elements: outside an exploration, and to objects that have not
 * escaped and are not expanded. Only one thread accesses them, so modes do not matter until the object escapes.
 */
final class RealMemory {

    private RealMemory() {}

    /** Whether the value of the variable is in real memory. */
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

    /**
     * Notes a write that is weaker than the declaration of the field: the write that publishes the value is as weak.
     */
    private static void noteMode(CodeRun run, Object receiver, HandleTarget variable, Access access) {
        if (run != null && !variable.isElement() && !access.mode().writePart().releases()) {
            run.shadow(receiver).weaken(variable.field(), access.mode().writePart());
        }
    }
}
