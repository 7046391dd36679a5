package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.VariableHandleCalls;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Replaces operations of variable handles by hooks. They are signature-polymorphic, so each signature gets a bridge
 * method in the class that uses it.
 */
final class VariableHandles {

    private static final String TYPE = "L" + VariableHandleCalls.OWNER + ";";

    private final ClassNode owner;
    private final Map<String, MethodNode> bridges = new LinkedHashMap<>();

    VariableHandles(ClassNode owner) {
        this.owner = owner;
    }

    /** The bridges of the calls so far. */
    Iterable<MethodNode> bridges() {
        return bridges.values();
    }

    @SuppressWarnings("NullAway") // it is a fence
    void rewriteFence(MethodInsnNode call, MethodContext context) {
        Mode mode = VariableHandleCalls.fence(call);
        InsnList code = context.method().instructions;
        code.insertBefore(call, Code.push(mode.ordinal()));
        code.insertBefore(call, Code.push(context.site(call, call.name, mode)));
        code.set(call, Code.hook("fence", "(II)V"));
    }

    @SuppressWarnings("NullAway") // it is an access
    void rewriteAccess(MethodInsnNode call, MethodContext context) {
        VarHandle.AccessMode mode = VariableHandleCalls.mode(call);
        InsnList code = context.method().instructions;
        int coordinates = Type.getArgumentCount(call.desc) - operands(mode);
        if (coordinates < 0 || coordinates > 2 || coordinates == 2 && !isIndex(Type.getArgumentTypes(call.desc)[1])) {
            code.insertBefore(
                    call,
                    Code.refuse("A variable handle is used on memory that is neither a field nor an "
                            + "array element, in " + context.owner().name.replace('/', '.') + "."
                            + context.method().name
                            + ". Only fields and array elements can be checked."));
            return;
        }
        MethodNode bridge =
                bridges.computeIfAbsent(call.name + call.desc, form -> bridge(mode, call.desc, coordinates));
        code.insertBefore(call, Code.push(context.site(call, call.name, order(mode))));
        code.set(call, new MethodInsnNode(Opcodes.INVOKESTATIC, owner.name, bridge.name, bridge.desc, isInterface()));
    }

    private boolean isInterface() {
        return (owner.access & Opcodes.ACC_INTERFACE) != 0;
    }

    private static boolean isIndex(Type type) {
        return type.getSort() >= Type.CHAR && type.getSort() <= Type.INT;
    }

    private MethodNode bridge(VarHandle.AccessMode mode, String callDescriptor, int coordinates) {
        List<Type> arguments = new ArrayList<>();
        arguments.add(Type.getType(TYPE));
        arguments.addAll(Arrays.asList(Type.getArgumentTypes(callDescriptor)));
        arguments.add(Type.INT_TYPE);
        String descriptor =
                Type.getMethodDescriptor(Type.getReturnType(callDescriptor), arguments.toArray(new Type[0]));
        MethodNode method = new MethodNode(
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                "amc$" + mode.methodName() + "$" + bridges.size(),
                descriptor,
                null,
                null);
        new VariableHandleBridge(method.instructions, mode, callDescriptor, coordinates).write();
        return method;
    }

    /** The number of operands of an operation, without the coordinates. */
    static int operands(VarHandle.AccessMode mode) {
        String name = mode.methodName();
        if (name.startsWith("getAnd") || name.startsWith("set")) {
            return 1;
        }
        return name.startsWith("get") ? 0 : 2;
    }

    private static Mode order(VarHandle.AccessMode mode) {
        String name = mode.methodName();
        if (name.equals("get") || name.equals("set")) {
            return Mode.PLAIN;
        }
        if (name.endsWith("Opaque") || name.endsWith("Plain")) {
            return Mode.OPAQUE;
        }
        if (name.endsWith("Acquire")) {
            return Mode.ACQUIRE;
        }
        return name.endsWith("Release") ? Mode.RELEASE : Mode.VOLATILE;
    }
}
