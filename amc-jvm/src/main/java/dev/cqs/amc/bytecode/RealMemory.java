package dev.cqs.amc.bytecode;

import dev.cqs.amc.engine.Update;
import java.lang.invoke.VarHandle;

/**
 * Accesses through variable handles to the real fields and elements: outside of an exploration, and of objects that
 * nobody but one thread knows. There is one thread, so
 * all modes are the same, until the object gets known.
 */
final class RealMemory {

    private RealMemory() {
    }

    /** Whether the variable is in real memory. */
    static boolean holds(Heap heap, CodeRun run, Object receiver, int index) {
        if (run == null) {
            return true;
        }
        if (receiver != null && index >= 0) {
            java.util.Objects.checkIndex(index, java.lang.reflect.Array.getLength(receiver));
        }
        return receiver != null && run.isLocal(run.shadow(receiver));
    }

    static long access(Heap heap, VarHandle handle, Object receiver, int index, long first, long second, Access access, CodeRun run) {
        int field = heap.handles().field(handle);
        long was = field == Handles.ELEMENTS ? Elements.get(receiver, index) : heap.fields().get(receiver, field);
        if (access.kind() == Access.Kind.GET) {
            return was;
        }
        boolean compares = access.kind() == Access.Kind.COMPARE_AND_SET || access.kind() == Access.Kind.COMPARE_AND_EXCHANGE;
        boolean writes = !compares || was == first;
        if (writes) {
            Update update = access.kind() == Access.Kind.SET ? Update.SET : access.update(handle.varType());
            long is = update.apply(was, compares ? second : first);
            note(run, was != is);
            noteMode(run, receiver, field, access);
            if (field == Handles.ELEMENTS) {
                Elements.set(receiver, index, is);
            } else {
                heap.fields().set(receiver, field, is);
            }
        }
        return access.kind() == Access.Kind.COMPARE_AND_SET ? (writes ? 1 : 0) : was;
    }

    static Object accessReference(Heap heap, VarHandle handle, Object receiver, int index, Object first, Object second, Access access,
            CodeRun run) {
        if (access.kind() == Access.Kind.COMPARE_AND_EXCHANGE) {
            Object was = get(heap, handle, receiver, index);
            if (Hooks.same(was, first)) {
                set(heap, handle, receiver, index, second, access, run);
            }
            return was;
        }
        Object was = get(heap, handle, receiver, index);
        if (access.kind() != Access.Kind.GET) {
            set(heap, handle, receiver, index, first, access, run);
        }
        return was;
    }

    static boolean compareAndSet(Heap heap, VarHandle handle, Object receiver, int index, Object first, Object second, Access access,
            CodeRun run) {
        boolean equal = Hooks.same(get(heap, handle, receiver, index), first);
        if (equal) {
            set(heap, handle, receiver, index, second, access, run);
        }
        return equal;
    }

    private static Object get(Heap heap, VarHandle handle, Object receiver, int index) {
        int field = heap.handles().field(handle);
        return field == Handles.ELEMENTS ? Elements.getReference(receiver, index) : heap.fields().getReference(receiver, field);
    }

    private static void set(Heap heap, VarHandle handle, Object receiver, int index, Object value, Access access, CodeRun run) {
        int field = heap.handles().field(handle);
        note(run, true);
        noteMode(run, receiver, field, access);
        if (field == Handles.ELEMENTS) {
            ((Object[]) receiver)[index] = value;
        } else {
            heap.fields().setReference(receiver, field, value);
        }
    }

    private static void note(CodeRun run, boolean changed) {
        if (run != null) {
            run.overwritten(changed);
        }
    }

    /** A write that orders less than the declaration says is one when the object gets known, too. */
    private static void noteMode(CodeRun run, Object receiver, int field, Access access) {
        if (run != null && field != Handles.ELEMENTS && !access.mode().writePart().releases()) {
            run.shadow(receiver).weaken(field, access.mode().writePart());
        }
    }
}
