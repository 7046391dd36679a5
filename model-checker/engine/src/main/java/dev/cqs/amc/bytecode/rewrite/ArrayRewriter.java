package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.StackTypes;
import dev.cqs.amc.bytecode.loops.LoopEffects;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Replaces accesses of array elements by hooks, and adds a hook after each array creation. */
final class ArrayRewriter {

    /** In the order of the opcodes from IALOAD and IASTORE on. */
    private static final String[] KINDS = {"Int", "Long", "Float", "Double", "Reference", "Byte", "Char", "Short"};

    private static final String[] ARRAYS = {"[I", "[J", "[F", "[D", "[" + Code.OBJECT, Code.OBJECT, "[C", "[S"};
    private static final String[] LOADED = {"I", "J", "F", "D", Code.OBJECT, "I", "C", "S"};
    private static final String[] STORED = {"I", "J", "F", "D", Code.OBJECT, "I", "I", "I"};

    private final MethodContext context;
    private final StackTypes types;
    private final InsnList code;

    ArrayRewriter(MethodContext context, StackTypes types) {
        this.context = context;
        this.types = types;
        this.code = context.method().instructions;
    }

    /** Rewrites an instruction on arrays; does nothing for others. */
    void rewrite(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if (LoopEffects.isArrayLoad(opcode)) {
            load(instruction, opcode - Opcodes.IALOAD);
        } else if (LoopEffects.isArrayStore(opcode)) {
            int kind = opcode - Opcodes.IASTORE;
            code.insertBefore(instruction, Code.push(context.site(instruction, "element write", Mode.PLAIN)));
            code.set(
                    instruction,
                    Code.memoryHook("store" + KINDS[kind], "(" + ARRAYS[kind] + "I" + STORED[kind] + "I)V"));
        } else if (opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY || opcode == Opcodes.MULTIANEWARRAY) {
            announce(instruction);
        }
    }

    @SuppressWarnings("NullAway") // a reference without a type has been left out
    private void load(AbstractInsnNode instruction, int kind) {
        boolean isReference = instruction.getOpcode() == Opcodes.AALOAD;
        String element = isReference ? types.elementType(instruction) : null;
        if (isReference && element == null) {
            return;
        }
        code.insertBefore(instruction, Code.push(context.site(instruction, "element read", Mode.PLAIN)));
        if (isReference && !element.equals("java/lang/Object")) {
            code.insert(instruction, new TypeInsnNode(Opcodes.CHECKCAST, element));
        }
        code.set(instruction, Code.memoryHook("load" + KINDS[kind], "(" + ARRAYS[kind] + "II)" + LOADED[kind]));
    }

    /** Adds the hook for a new array, also for the result of {@code clone}. */
    void announce(AbstractInsnNode instruction) {
        code.insert(
                instruction,
                Code.list(
                        new InsnNode(Opcodes.DUP),
                        Code.push(context.site(instruction, "new array", null)),
                        Code.memoryHook("newArray", "(" + Code.OBJECT + "I)V")));
    }
}
