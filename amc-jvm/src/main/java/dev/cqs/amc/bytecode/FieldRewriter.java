package dev.cqs.amc.bytecode;

import dev.cqs.amc.Mode;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Sends the accesses of the fields of instrumented classes to the accessors that these classes have been given. */
final class FieldRewriter {

    /** Final fields of these types hold nothing that can change. */
    private static final Set<String> CONSTANTS = Set.of("java/lang/String", "java/lang/Class",
            "java/lang/invoke/VarHandle", "java/lang/Integer", "java/lang/Long", "java/lang/Boolean", "java/lang/Byte",
            "java/lang/Short", "java/lang/Character", "java/lang/Float", "java/lang/Double");

    private final MethodContext context;
    private final StackTypes types;
    private final InsnList code;

    FieldRewriter(MethodContext context, StackTypes types) {
        this.context = context;
        this.types = types;
        this.code = context.method().instructions;
    }

    void rewrite(FieldInsnNode access) {
        ClassShapes.Field field = context.shapes().field(access.owner, access.name, access.desc);
        boolean isRead = access.getOpcode() == Opcodes.GETFIELD || access.getOpcode() == Opcodes.GETSTATIC;
        if (field == null) {
            return;
        }
        if (field.isFinal()) {
            if (isRead) {
                announceFinal(access);
            }
        } else if (!context.scope().coversInternal(field.owner())) {
            if (!isRead && !Scope.isPlatform(field.owner().replace('/', '.'))) {
                code.insertBefore(access, Code.refuse("The field " + access.name + " of "
                        + field.owner().replace('/', '.') + " is written, whose class is not instrumented. Instrument "
                        + "its package too."));
            }
        } else if (!types.isUninitializedThis(access)) {
            callAccessor(access, field, isRead);
        }
    }

    private void callAccessor(FieldInsnNode access, ClassShapes.Field field, boolean isRead) {
        boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
        int site = context.site(access, (isRead ? "read " : "write ") + access.name,
                field.isVolatile() ? Mode.VOLATILE : Mode.PLAIN);
        String name = isRead ? Accessors.getter(access.name) : Accessors.setter(access.name);
        String descriptor = Accessors.descriptor(field.owner(), access.desc, isStatic, isRead);
        code.insertBefore(access, Code.push(site));
        code.set(access, new MethodInsnNode(Opcodes.INVOKESTATIC, access.owner, name, descriptor, false));
    }

    private void announceFinal(FieldInsnNode access) {
        Type type = Type.getType(access.desc);
        boolean isConstant = !Code.isReference(type) || CONSTANTS.contains(type.getInternalName())
                || context.scope().coversInternal(type.getInternalName());
        if (isConstant) {
            return;
        }
        if (access.getOpcode() == Opcodes.GETSTATIC) {
            code.insert(access, Code.list(new InsnNode(Opcodes.DUP),
                    Code.hook("staticFinalRead", "(" + Code.OBJECT + ")V")));
        } else {
            code.insertBefore(access, new InsnNode(Opcodes.DUP));
            code.insert(access, Code.list(new InsnNode(Opcodes.DUP_X1),
                    Code.hook("finalRead", "(" + Code.OBJECT + Code.OBJECT + ")V")));
        }
    }
}
