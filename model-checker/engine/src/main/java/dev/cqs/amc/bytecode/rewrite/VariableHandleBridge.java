package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.heap.Access;
import java.lang.invoke.VarHandle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes the body of a bridge: a method that takes the handle, the arguments of a call site and the number of the site,
 * calls the hook, and converts the result to the type at the call site.
 */
final class VariableHandleBridge {

    private static final String HANDLE = "Ljava/lang/invoke/VarHandle;";

    private final InsnList code;
    private final VarHandle.AccessMode mode;
    private final Type[] arguments;
    private final Type returned;
    private final int coordinates;
    private final boolean isReference;

    VariableHandleBridge(InsnList code, VarHandle.AccessMode mode, String callDescriptor, int coordinates) {
        this.code = code;
        this.mode = mode;
        this.arguments = Type.getArgumentTypes(callDescriptor);
        this.returned = Type.getReturnType(callDescriptor);
        this.coordinates = coordinates;
        this.isReference = isReference();
    }

    /** Whether the call site uses the variable as a reference. */
    private boolean isReference() {
        for (int i = coordinates; i < arguments.length; i++) {
            if (Code.isReference(arguments[i])) {
                return true;
            }
        }
        return arguments.length == coordinates && Code.isReference(returned);
    }

    void write() {
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        int slot = loadCoordinates();
        int last = slot;
        for (int i = 0; i < 2; i++) {
            if (coordinates + i < arguments.length) {
                Type type = arguments[coordinates + i];
                code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), last));
                last += type.getSize();
                convertOperand(type);
            } else {
                code.add(new InsnNode(isReference ? Opcodes.ACONST_NULL : Opcodes.LCONST_0));
            }
        }
        code.add(Code.push(mode.ordinal() + Access.COORDINATE * coordinates));
        code.add(new VarInsnNode(Opcodes.ILOAD, last));
        callHook();
        code.add(new InsnNode(returned.getOpcode(Opcodes.IRETURN)));
    }

    /** Loads the coordinates. Returns the slot of the first operand. */
    private int loadCoordinates() {
        int slot = 1;
        if (coordinates == 0) {
            code.add(new InsnNode(Opcodes.ACONST_NULL));
        } else {
            code.add(new VarInsnNode(Opcodes.ALOAD, slot++));
        }
        if (coordinates == 2) {
            code.add(new VarInsnNode(Opcodes.ILOAD, slot++));
        } else {
            code.add(new InsnNode(Opcodes.ICONST_M1));
        }
        return slot;
    }

    private void convertOperand(Type type) {
        if (!isReference) {
            Conversions.toLong(code, type);
            convert("operand", type);
        } else if (!Code.isReference(type)) {
            Conversions.box(code, type);
        }
    }

    private void callHook() {
        String which = HANDLE + Code.OBJECT + "I";
        if (!isReference) {
            code.add(Code.memoryHook("access", "(" + which + "JJII)J"));
            returnLong();
        } else if (saysWhetherItSucceeded()) {
            code.add(Code.memoryHook("compareAndSetReference", "(" + which + Code.OBJECT + Code.OBJECT + "II)Z"));
            returnTruth();
        } else {
            code.add(Code.memoryHook("accessReference", "(" + which + Code.OBJECT + Code.OBJECT + "II)" + Code.OBJECT));
            Conversions.fromObject(code, returned);
        }
    }

    /** Converts the long on top of the stack between the type at the call site and that of the variable. */
    private void convert(String hook, Type type) {
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new InsnNode(Opcodes.DUP_X2));
        code.add(new InsnNode(Opcodes.POP));
        code.add(Code.push(type.getDescriptor().charAt(0)));
        code.add(Code.memoryHook(hook, "(" + HANDLE + "JC)J"));
    }

    private boolean saysWhetherItSucceeded() {
        return mode.methodName().contains("ompareAndSet");
    }

    private void returnLong() {
        if (returned.getSort() == Type.VOID) {
            code.add(new InsnNode(Opcodes.POP2));
        } else if (saysWhetherItSucceeded()) {
            code.add(new InsnNode(Opcodes.L2I));
            returnTruth();
        } else if (Code.isReference(returned)) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(new InsnNode(Opcodes.DUP_X2));
            code.add(new InsnNode(Opcodes.POP));
            code.add(Code.memoryHook("boxed", "(" + HANDLE + "J)" + Code.OBJECT));
            Conversions.fromObject(code, returned);
        } else {
            convert("result", returned);
            Conversions.fromLong(code, returned);
        }
    }

    private void returnTruth() {
        if (returned.getSort() == Type.VOID) {
            code.add(new InsnNode(Opcodes.POP));
        } else if (Code.isReference(returned)) {
            Conversions.box(code, Type.BOOLEAN_TYPE);
            Conversions.fromObject(code, returned);
        }
    }
}
