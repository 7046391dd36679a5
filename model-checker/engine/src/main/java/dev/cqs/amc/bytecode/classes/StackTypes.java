package dev.cqs.amc.bytecode.classes;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The static types of the arrays and receivers of some instructions, derived from the stack map frames. */
public final class StackTypes {

    private final Map<AbstractInsnNode, Object> receivers = new IdentityHashMap<>();

    public StackTypes(ClassNode owner, MethodNode method) {
        AnalyzerAdapter types = new AnalyzerAdapter(owner.name, method.access, method.name, method.desc, null);
        for (AbstractInsnNode instruction : method.instructions) {
            int depth = depth(instruction);
            List<Object> stack = types.stack;
            if (depth >= 0 && stack != null) {
                receivers.put(instruction, stack.get(stack.size() - 1 - depth));
            }
            instruction.accept(types);
        }
    }

    /** The internal name of the elements' type for an AALOAD; null if the array is always null. */
    public @Nullable String elementType(AbstractInsnNode load) {
        return receivers.get(load) instanceof String array && array.startsWith("[")
                ? Type.getType(array.substring(1)).getInternalName()
                : null;
    }

    /** Whether the receiver is {@code this} before the constructor of its super class has run. */
    public boolean isUninitializedThis(AbstractInsnNode instruction) {
        return receivers.get(instruction) == Opcodes.UNINITIALIZED_THIS;
    }

    /** The depth of the array or receiver below the top of the stack, in slots; -1 if there is none. */
    private static int depth(AbstractInsnNode instruction) {
        return switch (instruction.getOpcode()) {
            case Opcodes.AALOAD -> 1;
            case Opcodes.PUTFIELD ->
                Type.getType(((FieldInsnNode) instruction).desc).getSize();
            case Opcodes.INVOKESPECIAL ->
                (Type.getArgumentsAndReturnSizes(((MethodInsnNode) instruction).desc) >> 2) - 1;
            default -> -1;
        };
    }
}
