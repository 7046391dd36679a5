package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import java.util.function.Supplier;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** Adds code at every exit of a method, including exceptional exits. */
final class Bracket {

    private final MethodNode method;

    Bracket(MethodNode method) {
        this.method = method;
    }

    /**
     * Adds the code. Its exception handler does not cover the exits by return, so the code runs once.
     *
     * @param end makes the code for one return, which must not use local variables of the source
     * @param onException the code for exceptional exits, with the exception on the stack
     */
    void apply(Supplier<InsnList> end, InsnList onException) {
        InsnList code = method.instructions;
        LabelNode handler = new LabelNode();
        LabelNode from = new LabelNode();
        code.insert(from);
        for (AbstractInsnNode instruction : code.toArray()) {
            int opcode = instruction.getOpcode();
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                LabelNode to = new LabelNode();
                code.insertBefore(instruction, to);
                guard(from, to, handler);
                code.insertBefore(instruction, end.get());
                from = new LabelNode();
                code.insert(instruction, from);
            }
        }
        code.add(handler);
        guard(from, handler, handler);
        code.add(Code.frame(new Object[0], "java/lang/Throwable"));
        code.add(onException);
        code.add(new InsnNode(Opcodes.ATHROW));
    }

    private void guard(LabelNode from, LabelNode to, LabelNode handler) {
        for (AbstractInsnNode at = from; at != to; at = at.getNext()) {
            if (!Code.isMark(at)) {
                method.tryCatchBlocks.add(new TryCatchBlockNode(from, to, handler, null));
                return;
            }
        }
    }
}
