package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.ForeignTypes;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.classes.Scope;
import dev.cqs.amc.bytecode.classes.StackTypes;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Replaces accesses to fields of instrumented classes by calls of their accessors. */
final class FieldRewriter {

    private final MethodContext context;
    private final StackTypes types;
    private final InsnList code;
    private final ForeignTypes foreign;

    FieldRewriter(MethodContext context, StackTypes types) {
        this.context = context;
        this.types = types;
        this.code = context.method().instructions;
        this.foreign = new ForeignTypes(context.shapes(), context.scope());
    }

    void rewrite(FieldInsnNode access) {
        ClassShapes.Field field = context.shapes().field(access.owner, access.name, access.desc);
        boolean isRead = access.getOpcode() == Opcodes.GETFIELD || access.getOpcode() == Opcodes.GETSTATIC;
        if (field == null) {
            return;
        }
        if (field.isFinal()) {
            if (isRead) {
                announceFinal(access, field);
            } else if (access.getOpcode() == Opcodes.PUTFIELD
                    && context.scope().coversInternal(field.owner())
                    && !types.isUninitializedThis(access)) {
                announceFinalWrite(access);
            }
        } else if (!context.scope().coversInternal(field.owner())) {
            boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
            if ((!isRead || isStatic) && !Scope.isPlatform(field.owner().replace('/', '.'))) {
                code.insertBefore(
                        access,
                        Code.refuse("The field " + access.name + " of "
                                + field.owner().replace('/', '.') + " is " + (isRead ? "read" : "written")
                                + ", whose class is not"
                                + " instrumented. "
                                + Refusal.instrument(field.owner().replace('/', '.')) + "."));
            }
        } else if (!types.isUninitializedThis(access)) {
            callAccessor(access, field, isRead);
        }
    }

    private void callAccessor(FieldInsnNode access, ClassShapes.Field field, boolean isRead) {
        boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
        int site = context.site(
                access, (isRead ? "read " : "write ") + access.name, field.isVolatile() ? Mode.VOLATILE : Mode.PLAIN);
        String name = isRead ? Accessors.getter(access.name) : Accessors.setter(access.name);
        String descriptor = Accessors.descriptor(field.owner(), access.desc, isStatic, isRead);
        code.insertBefore(access, Code.push(site));
        code.set(access, new MethodInsnNode(Opcodes.INVOKESTATIC, access.owner, name, descriptor, false));
    }

    /** Adds the hook for a write of a final field, which only constructors do. */
    private void announceFinalWrite(FieldInsnNode access) {
        code.insert(
                access,
                Code.list(
                        new VarInsnNode(Opcodes.ALOAD, 0),
                        new LdcInsnNode(access.name),
                        Code.hook("finalWritten", "(L" + Code.SHADOWED + ";Ljava/lang/String;)V")));
    }

    private void announceFinal(FieldInsnNode access, ClassShapes.Field field) {
        Type type = Type.getType(access.desc);
        boolean mayBeForeign = foreign.allow(type);
        if (access.getOpcode() == Opcodes.GETFIELD && (mayBeForeign || foreign.allowWatched(type))) {
            code.insertBefore(access, new InsnNode(Opcodes.DUP));
            code.insert(
                    access,
                    Code.list(
                            new InsnNode(Opcodes.DUP_X1),
                            new LdcInsnNode(field.owner()),
                            Code.hook(
                                    mayBeForeign ? "finalRead" : "watchedFinalRead",
                                    "(" + Code.OBJECT + Code.OBJECT + "Ljava/lang/String;)V")));
        } else if (mayBeForeign) {
            code.insert(
                    access,
                    Code.list(new InsnNode(Opcodes.DUP), Code.hook("staticFinalRead", "(" + Code.OBJECT + ")V")));
        }
    }
}
