package dev.cqs.amc.bytecode.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;

/** Additional local variables of a method. They are initialized at its beginning, so every frame has them. */
final class ExtraLocals {

    private final MethodNode method;
    private final int base;
    private final InsnList beginning = new InsnList();
    private final List<Object> types = new ArrayList<>();

    ExtraLocals(MethodNode method) {
        this.method = method;
        this.base = method.maxLocals;
    }

    /** Adds a variable of one slot, which the {@link #beginning} must initialize. */
    int add(Object type) {
        types.add(type);
        return base + types.size() - 1;
    }

    /** The code at the beginning of the method. */
    InsnList beginning() {
        return beginning;
    }

    /** Completes the method. Nothing may be added afterwards. */
    void complete() {
        method.instructions.insert(beginning);
        if (types.isEmpty()) {
            return;
        }
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof FrameNode frame) {
                extend(frame);
            }
        }
    }

    private void extend(FrameNode frame) {
        List<Object> locals = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : locals) {
            slots += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (int i = slots; i < base; i++) {
            locals.add(Opcodes.TOP);
        }
        locals.addAll(types);
        frame.local = locals;
    }
}
