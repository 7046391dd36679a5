package dev.cqs.amc.bytecode.loops;

import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.VariableHandleCalls;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** What an instruction means for the loop it is in. */
public final class LoopEffects {

    private static final Set<String> HINTS = Set.of("onSpinWait", "yield");
    private static final Set<String> BOXES = Set.of(
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Short",
            "java/lang/Character",
            "java/lang/Float",
            "java/lang/Double");

    private final ClassShapes shapes;

    LoopEffects(ClassShapes shapes) {
        this.shapes = shapes;
    }

    /** Whether the instruction, or what it calls, may read or write what other threads know. */
    boolean touchesSharedMemory(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if (instruction instanceof FieldInsnNode access) {
            ClassShapes.Field field = shapes.field(access.owner, access.name, access.desc);
            return field == null || !field.isFinal();
        }
        if (instruction instanceof MethodInsnNode call) {
            return !isPure(call);
        }
        return isArrayLoad(opcode)
                || isArrayStore(opcode)
                || opcode == Opcodes.INVOKEDYNAMIC
                || opcode == Opcodes.MONITORENTER
                || opcode == Opcodes.MONITOREXIT;
    }

    /** Whether the instruction has no effect but on local variables and on the stack. */
    boolean onlyReads(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if (instruction instanceof MethodInsnNode call) {
            return isPure(call)
                    || VariableHandleCalls.isAccess(call)
                            && call.name.startsWith("get")
                            && !call.name.startsWith("getAnd");
        }
        return switch (opcode) {
            case Opcodes.PUTFIELD,
                    Opcodes.PUTSTATIC,
                    Opcodes.INVOKEDYNAMIC,
                    Opcodes.MONITORENTER,
                    Opcodes.MONITOREXIT,
                    Opcodes.NEW,
                    Opcodes.NEWARRAY,
                    Opcodes.ANEWARRAY,
                    Opcodes.MULTIANEWARRAY -> false;
            default -> !isArrayStore(opcode);
        };
    }

    /** Whether a loop with this instruction in it may take another way in another iteration. */
    static boolean changesSomething(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        return instruction instanceof MethodInsnNode
                || opcode >= Opcodes.ISTORE && opcode <= Opcodes.SASTORE
                || opcode == Opcodes.IINC
                || opcode == Opcodes.PUTFIELD
                || opcode == Opcodes.PUTSTATIC;
    }

    public static boolean isArrayLoad(int opcode) {
        return opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD;
    }

    public static boolean isArrayStore(int opcode) {
        return opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
    }

    private static boolean isPure(MethodInsnNode call) {
        if (call.owner.equals("java/lang/Thread") || call.owner.equals("dev/cqs/amc/jdk/Thread")) {
            return HINTS.contains(call.name);
        }
        if (BOXES.contains(call.owner)) {
            return true;
        }
        return call.owner.equals("java/lang/Math") && !call.name.equals("random");
    }
}
