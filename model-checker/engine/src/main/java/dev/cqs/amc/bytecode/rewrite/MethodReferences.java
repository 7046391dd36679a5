package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Scope;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Turns references to methods of uninstrumented classes into lambdas, in which the calls can be rewritten. */
final class MethodReferences {

    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

    private final ClassNode owner;
    private final Scope scope;
    private int count;

    MethodReferences(ClassNode owner, Scope scope) {
        this.owner = owner;
        this.scope = scope;
    }

    void rewrite() {
        for (MethodNode method : List.copyOf(owner.methods)) {
            for (AbstractInsnNode instruction : method.instructions) {
                if (instruction instanceof InvokeDynamicInsnNode dynamic
                        && dynamic.bsm.getOwner().equals(FACTORY)) {
                    rewrite(dynamic);
                }
            }
        }
    }

    private void rewrite(InvokeDynamicInsnNode dynamic) {
        Handle called = (Handle) dynamic.bsmArgs[1];
        int opcode = switch (called.getTag()) {
            case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
            case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> -1;
        };
        if (opcode >= 0 && !scope.coversInternal(called.getOwner())) {
            dynamic.bsmArgs[1] = lambda(called, opcode, Type.getArgumentTypes(dynamic.desc), lineOf(dynamic));
        }
    }

    private static int lineOf(AbstractInsnNode instruction) {
        for (AbstractInsnNode at = instruction; at != null; at = at.getPrevious()) {
            if (at instanceof LineNumberNode line) {
                return line.line;
            }
        }
        return 0;
    }

    /** The first parameters have the types of {@code captured}, the others those of the called method. */
    private Handle lambda(Handle called, int opcode, Type[] captured, int line) {
        boolean isNew = opcode == Opcodes.INVOKESPECIAL;
        boolean hasReceiver = opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE;
        Type type = Type.getObjectType(called.getOwner());
        Type[] parameters = Type.getArgumentTypes(
                hasReceiver ? "(" + type.getDescriptor() + called.getDesc().substring(1) : called.getDesc());
        System.arraycopy(captured, 0, parameters, 0, captured.length);
        Type result = isNew ? type : Type.getReturnType(called.getDesc());
        boolean isInterface = (owner.access & Opcodes.ACC_INTERFACE) != 0;
        MethodNode method = new MethodNode(
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                "amc$reference$" + count++,
                Type.getMethodDescriptor(result, parameters),
                null,
                null);
        InsnList code = method.instructions;
        LabelNode begin = new LabelNode();
        code.add(begin);
        code.add(new LineNumberNode(line, begin));
        if (isNew) {
            code.add(new TypeInsnNode(Opcodes.NEW, called.getOwner()));
            code.add(new InsnNode(Opcodes.DUP));
        }
        int slot = 0;
        for (Type parameter : parameters) {
            code.add(new VarInsnNode(parameter.getOpcode(Opcodes.ILOAD), slot));
            slot += parameter.getSize();
        }
        code.add(new MethodInsnNode(
                opcode, called.getOwner(), called.getName(), called.getDesc(), called.isInterface()));
        code.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
        method.maxLocals = slot;
        method.maxStack = slot + 2;
        owner.methods.add(method);
        return new Handle(Opcodes.H_INVOKESTATIC, owner.name, method.name, method.desc, isInterface);
    }
}
