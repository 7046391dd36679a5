package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.ForeignTypes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Adds a getter and a setter for each non-final field of a class. They access the real field if the object has not
 * escaped, and call a hook otherwise.
 */
final class Accessors {

    private static final int ACCESS = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

    private final ClassNode owner;
    private final ForeignTypes foreign;

    Accessors(ClassNode owner, ForeignTypes foreign) {
        this.owner = owner;
        this.foreign = foreign;
    }

    static String getter(String field) {
        return "amc$get$" + field;
    }

    static String setter(String field) {
        return "amc$set$" + field;
    }

    static String descriptor(String owner, String type, boolean isStatic, boolean isRead) {
        String object = isStatic ? "" : "L" + owner + ";";
        return isRead ? "(" + object + "I)" + type : "(" + object + type + "I)V";
    }

    void add(FieldNode field, int id) {
        owner.methods.add(getter(field, id));
        owner.methods.add(setter(field, id));
    }

    private MethodNode getter(FieldNode field, int id) {
        boolean isStatic = (field.access & Opcodes.ACC_STATIC) != 0;
        Type type = Type.getType(field.desc);
        MethodNode method = new MethodNode(
                ACCESS, getter(field.name), descriptor(owner.name, field.desc, isStatic, true), null, null);
        InsnList code = method.instructions;
        LabelNode shared = new LabelNode();
        askWhetherLocal(code, isStatic, shared);
        loadObject(code, isStatic, false);
        code.add(
                new FieldInsnNode(isStatic ? Opcodes.GETSTATIC : Opcodes.GETFIELD, owner.name, field.name, field.desc));
        if (!isStatic && foreign.allow(type)) {
            code.add(new InsnNode(Opcodes.DUP));
            code.add(Code.hook("localRead", "(" + Code.OBJECT + ")V"));
        }
        code.add(new InsnNode(type.getOpcode(Opcodes.IRETURN)));
        code.add(shared);
        code.add(frame(isStatic, null));
        loadObject(code, isStatic, true);
        code.add(Code.push(id));
        code.add(new VarInsnNode(Opcodes.ILOAD, isStatic ? 0 : 1));
        code.add(Code.hook("get" + Code.kind(type), "(" + Code.OBJECT + "II)" + Code.carrier(type)));
        if (Code.isReference(type)) {
            code.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
        }
        code.add(new InsnNode(type.getOpcode(Opcodes.IRETURN)));
        return method;
    }

    private MethodNode setter(FieldNode field, int id) {
        boolean isStatic = (field.access & Opcodes.ACC_STATIC) != 0;
        Type type = Type.getType(field.desc);
        int value = isStatic ? 0 : 1;
        MethodNode method = new MethodNode(
                ACCESS, setter(field.name), descriptor(owner.name, field.desc, isStatic, false), null, null);
        InsnList code = method.instructions;
        LabelNode shared = new LabelNode();
        askWhetherLocal(code, isStatic, shared);
        loadObject(code, isStatic, false);
        if (!isStatic) {
            noteOverwritten(code, field, type, value);
        }
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
        code.add(
                new FieldInsnNode(isStatic ? Opcodes.PUTSTATIC : Opcodes.PUTFIELD, owner.name, field.name, field.desc));
        code.add(new InsnNode(Opcodes.RETURN));
        code.add(shared);
        code.add(frame(isStatic, type));
        loadObject(code, isStatic, true);
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
        truncate(code, type);
        code.add(Code.push(id));
        code.add(new VarInsnNode(Opcodes.ILOAD, value + type.getSize()));
        code.add(Code.hook("put" + Code.kind(type), "(" + Code.OBJECT + Code.carrier(type) + "II)V"));
        code.add(new InsnNode(Opcodes.RETURN));
        return method;
    }

    private void noteOverwritten(InsnList code, FieldNode field, Type type, int value) {
        code.add(new InsnNode(Opcodes.DUP));
        code.add(new InsnNode(Opcodes.DUP));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, owner.name, field.name, field.desc));
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
        String carrier = Code.carrier(type);
        code.add(Code.hook("overwritten", "(" + Code.OBJECT + carrier + carrier + ")V"));
    }

    private static void askWhetherLocal(InsnList code, boolean isStatic, LabelNode shared) {
        if (isStatic) {
            code.add(Code.hook("isOutside", "()Z"));
        } else {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(Code.hook("isReal", "(L" + Code.SHADOWED + ";)Z"));
        }
        code.add(new JumpInsnNode(Opcodes.IFEQ, shared));
    }

    private static void loadObject(InsnList code, boolean isStatic, boolean isHook) {
        if (!isStatic) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        } else if (isHook) {
            code.add(new InsnNode(Opcodes.ACONST_NULL));
        }
    }

    /** The frame of an accessor; {@code value} is null in a getter. */
    private FrameNode frame(boolean isStatic, @Nullable Type value) {
        List<Object> locals = new ArrayList<>();
        if (!isStatic) {
            locals.add(owner.name);
        }
        if (value != null) {
            locals.add(frameType(value));
        }
        locals.add(Opcodes.INTEGER);
        return Code.frame(locals.toArray());
    }

    private static Object frameType(Type type) {
        return switch (Code.kind(type)) {
            case "Long" -> Opcodes.LONG;
            case "Float" -> Opcodes.FLOAT;
            case "Double" -> Opcodes.DOUBLE;
            case "Reference" -> type.getInternalName();
            default -> Opcodes.INTEGER;
        };
    }

    /** Truncates a value to the low bits that a field of a small type keeps. */
    private static void truncate(InsnList code, Type type) {
        switch (type.getSort()) {
            case Type.BOOLEAN -> {
                code.add(new InsnNode(Opcodes.ICONST_1));
                code.add(new InsnNode(Opcodes.IAND));
            }
            case Type.BYTE -> code.add(new InsnNode(Opcodes.I2B));
            case Type.SHORT -> code.add(new InsnNode(Opcodes.I2S));
            case Type.CHAR -> code.add(new InsnNode(Opcodes.I2C));
            default -> {}
        }
    }
}
