package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Bytecode that converts the value on top of the stack. */
final class Conversions {

    private Conversions() {}

    /** Converts a primitive value to long: widens integral values, and takes the bits of floating-point values. */
    static void toLong(InsnList code, Type type) {
        switch (type.getSort()) {
            case Type.LONG -> {}
            case Type.DOUBLE -> call(code, "java/lang/Double", "doubleToRawLongBits", "(D)J");
            case Type.FLOAT -> {
                call(code, "java/lang/Float", "floatToRawIntBits", "(F)I");
                code.add(new InsnNode(Opcodes.I2L));
            }
            default -> code.add(new InsnNode(Opcodes.I2L));
        }
    }

    /** The reverse of {@link #toLong}. */
    static void fromLong(InsnList code, Type type) {
        if (type.getSort() == Type.LONG) {
            return;
        }
        if (type.getSort() == Type.DOUBLE) {
            call(code, "java/lang/Double", "longBitsToDouble", "(J)D");
            return;
        }
        code.add(new InsnNode(Opcodes.L2I));
        switch (type.getSort()) {
            case Type.FLOAT -> call(code, "java/lang/Float", "intBitsToFloat", "(I)F");
            case Type.BYTE -> code.add(new InsnNode(Opcodes.I2B));
            case Type.SHORT -> code.add(new InsnNode(Opcodes.I2S));
            case Type.CHAR -> code.add(new InsnNode(Opcodes.I2C));
            default -> {}
        }
    }

    static void box(InsnList code, Type type) {
        String box = boxOf(type);
        call(code, box, "valueOf", "(" + type.getDescriptor() + ")L" + box + ";");
    }

    /** Converts an object to a value of {@code type}, which may be void. */
    static void fromObject(InsnList code, Type type) {
        if (type.getSort() == Type.VOID) {
            code.add(new InsnNode(Opcodes.POP));
        } else if (Code.isReference(type)) {
            if (!type.getInternalName().equals("java/lang/Object")) {
                code.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
            }
        } else {
            String box = boxOf(type);
            code.add(new TypeInsnNode(Opcodes.CHECKCAST, box));
            code.add(new MethodInsnNode(
                    Opcodes.INVOKEVIRTUAL, box, type.getClassName() + "Value", "()" + type.getDescriptor(), false));
        }
    }

    private static void call(InsnList code, String owner, String name, String descriptor) {
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false));
    }

    private static String boxOf(Type type) {
        return switch (type.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.CHAR -> "java/lang/Character";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }
}
