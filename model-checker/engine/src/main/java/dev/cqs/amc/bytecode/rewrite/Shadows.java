package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.Code;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Makes a class implement {@link dev.cqs.amc.bytecode.heap.Shadowed}. */
final class Shadows {

    private static final String NAME = "amc$shadow";
    private static final String TYPE = "Ldev/cqs/amc/bytecode/heap/Shadow;";
    private static final String FIELDS = "amc$fields";
    private static final String VISITOR = "dev/cqs/amc/bytecode/heap/FieldVisitor";
    private static final int ACCESS = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;

    private final ClassNode owner;
    private final boolean isRoot;
    private final ClassShapes shapes;

    /** @param isRoot whether the super class is not instrumented */
    Shadows(ClassNode owner, boolean isRoot, ClassShapes shapes) {
        this.owner = owner;
        this.isRoot = isRoot;
        this.shapes = shapes;
    }

    /** Adds the methods. {@code ids} has the number of each field, or -1 for a final field. */
    void add(FieldNode[] fields, int[] ids) {
        owner.methods.add(fields(fields, ids));
        if (isRoot) {
            owner.interfaces.add(Code.SHADOWED);
            owner.fields.add(new FieldNode(
                    Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC, NAME, TYPE, null, null));
            owner.methods.add(getter());
            owner.methods.add(setter());
            addIdentity("hashCode", "()I", "identityHashCode", "(" + Code.OBJECT + ")I");
            addIdentity("equals", "(" + Code.OBJECT + ")Z", "same", "(" + Code.OBJECT + Code.OBJECT + ")Z");
        }
    }

    /**
     * Overrides {@code hashCode} or {@code equals} of {@code Object}, because uninstrumented code, such as a hash map,
     * calls them.
     */
    private void addIdentity(String name, String descriptor, String hook, String hookDescriptor) {
        if (!shapes.inheritsFromObject(owner.name, name, descriptor)) {
            return;
        }
        MethodNode method = new MethodNode(ACCESS, name, descriptor, null, null);
        for (int i = 0; i < Type.getArgumentCount(hookDescriptor); i++) {
            method.instructions.add(new VarInsnNode(Opcodes.ALOAD, i));
        }
        method.instructions.add(Code.hook(hook, hookDescriptor));
        method.instructions.add(new InsnNode(Opcodes.IRETURN));
        owner.methods.add(method);
    }

    private MethodNode getter() {
        MethodNode method = new MethodNode(ACCESS, NAME, "()" + TYPE, null, null);
        method.instructions = Code.list(
                new VarInsnNode(Opcodes.ALOAD, 0),
                new FieldInsnNode(Opcodes.GETFIELD, owner.name, NAME, TYPE),
                new InsnNode(Opcodes.ARETURN));
        return method;
    }

    private MethodNode setter() {
        MethodNode method = new MethodNode(ACCESS, NAME, "(" + TYPE + ")V", null, null);
        method.instructions = Code.list(
                new VarInsnNode(Opcodes.ALOAD, 0),
                new VarInsnNode(Opcodes.ALOAD, 1),
                new FieldInsnNode(Opcodes.PUTFIELD, owner.name, NAME, TYPE),
                new InsnNode(Opcodes.RETURN));
        return method;
    }

    private MethodNode fields(FieldNode[] fields, int[] ids) {
        String descriptor = "(L" + VISITOR + ";)V";
        MethodNode method = new MethodNode(ACCESS, FIELDS, descriptor, null, null);
        InsnList code = method.instructions;
        if (!isRoot) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(new VarInsnNode(Opcodes.ALOAD, 1));
            code.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, owner.superName, FIELDS, descriptor, false));
        }
        for (int i = 0; i < fields.length; i++) {
            boolean isStatic = (fields[i].access & Opcodes.ACC_STATIC) != 0;
            if (!isStatic && (ids[i] >= 0 || Code.isReference(Type.getType(fields[i].desc)))) {
                visit(code, fields[i], ids[i]);
            }
        }
        code.add(new InsnNode(Opcodes.RETURN));
        return method;
    }

    private void visit(InsnList code, FieldNode field, int id) {
        Type type = Type.getType(field.desc);
        code.add(new VarInsnNode(Opcodes.ALOAD, 1));
        if (id >= 0) {
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        }
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, owner.name, field.name, field.desc));
        if (id < 0) {
            code.add(
                    new MethodInsnNode(Opcodes.INVOKEINTERFACE, VISITOR, "visitFinal", "(" + Code.OBJECT + ")V", true));
            return;
        }
        code.add(Code.push(id));
        code.add(new MethodInsnNode(
                Opcodes.INVOKEINTERFACE,
                VISITOR,
                "visit" + Code.kind(type),
                "(L" + Code.SHADOWED + ";" + Code.carrier(type) + "I)V",
                true));
    }
}
