package dev.cqs.amc.bytecode.classes;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Builders for short sequences of bytecode. */
public final class Code {

    public static final String OBJECT = "Ljava/lang/Object;";
    public static final String SHADOWED = "dev/cqs/amc/bytecode/heap/Shadowed";

    private static final String HOOKS = "dev/cqs/amc/bytecode/runtime/Hooks";
    private static final String LOOP_HOOKS = "dev/cqs/amc/bytecode/runtime/LoopHooks";
    private static final String MEMORY_HOOKS = "dev/cqs/amc/bytecode/runtime/MemoryHooks";

    private Code() {}

    public static AbstractInsnNode push(int value) {
        if (value >= -1 && value <= 5) {
            return new InsnNode(Opcodes.ICONST_0 + value);
        }
        if (value == (byte) value) {
            return new IntInsnNode(Opcodes.BIPUSH, value);
        }
        if (value == (short) value) {
            return new IntInsnNode(Opcodes.SIPUSH, value);
        }
        return new LdcInsnNode(value);
    }

    public static MethodInsnNode hook(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
    }

    /** A call of a hook for arrays or variable handles. */
    public static MethodInsnNode memoryHook(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, MEMORY_HOOKS, name, descriptor, false);
    }

    /** A call of a hook for loops. */
    public static MethodInsnNode loopHook(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, LOOP_HOOKS, name, descriptor, false);
    }

    public static InsnList refuse(String sentence) {
        return list(new LdcInsnNode(sentence), hook("refuse", "(Ljava/lang/String;)V"));
    }

    public static InsnList list(AbstractInsnNode... instructions) {
        InsnList list = new InsnList();
        for (AbstractInsnNode instruction : instructions) {
            list.add(instruction);
        }
        return list;
    }

    /** An expanded stack map frame with these local variables and this stack. */
    public static FrameNode frame(Object[] locals, Object... stack) {
        return new FrameNode(Opcodes.F_NEW, locals.length, locals, stack.length, stack);
    }

    /** The types at {@code label}, or null if the class file does not state them. */
    public static @Nullable FrameNode frameAfter(LabelNode label) {
        for (AbstractInsnNode at = label; at != null && isMark(at); at = at.getNext()) {
            if (at instanceof FrameNode frame && frame.type == Opcodes.F_NEW) {
                return frame;
            }
        }
        return null;
    }

    /** Whether this is a label, a line number or a frame, and no instruction. */
    public static boolean isMark(AbstractInsnNode instruction) {
        return instruction.getOpcode() < 0;
    }

    /** The part of a hook's name for the type: Int, Long, Float, Double, Reference. */
    public static String kind(Type type) {
        return switch (type.getSort()) {
            case Type.LONG -> "Long";
            case Type.FLOAT -> "Float";
            case Type.DOUBLE -> "Double";
            case Type.ARRAY, Type.OBJECT -> "Reference";
            default -> "Int";
        };
    }

    /** The descriptor of the type by which hooks pass a value of this type. */
    public static String carrier(Type type) {
        return switch (kind(type)) {
            case "Reference" -> OBJECT;
            case "Int" -> "I";
            default -> type.getDescriptor();
        };
    }

    public static boolean isReference(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }
}
