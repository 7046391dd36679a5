package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.Refusals;
import dev.cqs.amc.bytecode.classes.StackTypes;
import dev.cqs.amc.bytecode.classes.VariableHandleCalls;
import dev.cqs.amc.bytecode.runtime.Lookups;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Replaces operations on monitors, identity and time by hooks, and adds hooks before calls that are refused. */
final class CallRewriter {

    /** Static methods of the JDK for which there is a hook of the same name and type. */
    private static final Map<String, String> REPLACED = Map.of(
            "identityHashCode", "(Ljava/lang/Object;)I",
            "nanoTime", "()J",
            "currentTimeMillis", "()J");

    /** The methods of exceptions that change the exception. */
    private static final Map<String, String> CHANGING_EXCEPTIONS = Map.of(
            "addSuppressed", "(Ljava/lang/Throwable;)V",
            "setStackTrace", "([Ljava/lang/StackTraceElement;)V",
            "fillInStackTrace", "()Ljava/lang/Throwable;",
            "initCause", "(Ljava/lang/Throwable;)Ljava/lang/Throwable;");

    private static final Set<String> WALKS =
            Set.of("iterator", "spliterator", "stream", "keySet", "values", "entrySet", "toString");

    private final MethodContext context;
    private final StackTypes types;
    private final VariableHandles handles;
    private final ForeignCalls foreign;
    private final Refusals refusals;
    private final boolean isRoot;
    private final InsnList code;

    CallRewriter(
            MethodContext context, StackTypes types, VariableHandles handles, ForeignCalls foreign, boolean isRoot) {
        this.context = context;
        this.types = types;
        this.handles = handles;
        this.foreign = foreign;
        this.refusals = new Refusals(context.shapes(), context.scope());
        this.isRoot = isRoot;
        this.code = context.method().instructions;
    }

    /** Rewrites such an instruction; does nothing for others. */
    void rewrite(AbstractInsnNode instruction) {
        switch (instruction.getOpcode()) {
            case Opcodes.MONITORENTER -> replace(instruction, "monitorEnter");
            case Opcodes.MONITOREXIT -> replace(instruction, "monitorExit");
            case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> compare((JumpInsnNode) instruction);
            default -> {
                if (instruction instanceof MethodInsnNode call) {
                    call(call);
                }
            }
        }
    }

    private void replace(AbstractInsnNode instruction, String hook) {
        code.insertBefore(instruction, Code.push(context.site(instruction, hook, null)));
        code.set(instruction, Code.hook(hook, "(" + Code.OBJECT + "I)V"));
    }

    private void compare(JumpInsnNode jump) {
        code.insertBefore(jump, Code.hook("same", "(" + Code.OBJECT + Code.OBJECT + ")Z"));
        jump.setOpcode(jump.getOpcode() == Opcodes.IF_ACMPEQ ? Opcodes.IFNE : Opcodes.IFEQ);
    }

    private void call(MethodInsnNode call) {
        if (VariableHandleCalls.isAccess(call)) {
            handles.rewriteAccess(call, context);
        } else if (VariableHandleCalls.isFence(call)) {
            handles.rewriteFence(call, context);
        } else if (isWaitOrNotify(call)) {
            int site = context.site(call, call.name, null);
            code.insertBefore(call, Code.push(site));
            code.set(
                    call,
                    Code.hook(
                            call.name,
                            "(" + Code.OBJECT + call.desc.substring(1).replace(")", "I)")));
        } else if (call.owner.equals("java/util/concurrent/TimeUnit") && call.name.equals("sleep")) {
            code.set(
                    call,
                    new MethodInsnNode(
                            Opcodes.INVOKESTATIC,
                            "dev/cqs/amc/jdk/Thread",
                            "sleep",
                            "(Ljava/util/concurrent/TimeUnit;J)V",
                            false));
        } else if (Lookups.has(call.owner, call.name)) {
            code.set(
                    call,
                    new MethodInsnNode(
                            Opcodes.INVOKESTATIC,
                            "dev/cqs/amc/bytecode/runtime/Lookups",
                            call.name,
                            "(L" + call.owner + ";" + call.desc.substring(1),
                            false));
        } else if (call.owner.equals("java/lang/System") && call.desc.equals(REPLACED.get(call.name))) {
            code.set(call, Code.hook(call.name, call.desc));
        } else if (call.getOpcode() == Opcodes.INVOKESPECIAL
                && call.owner.equals("java/lang/Object")
                && call.name.equals("equals")) {
            code.set(call, Code.hook("same", "(" + Code.OBJECT + Code.OBJECT + ")Z"));
        } else if (call.name.equals("hashCode") && call.desc.equals("()I")) {
            hash(call);
        } else if (call.desc.equals(CHANGING_EXCEPTIONS.get(call.name))) {
            announceChange(call);
        } else if (call.owner.equals("java/lang/Object") && call.name.equals("clone")) {
            code.insert(call, Code.hook("cloned", "(" + Code.OBJECT + ")" + Code.OBJECT));
        } else if (!foreign.replace(call)) {
            if (isHashing(call)) {
                code.insertBefore(call, new InsnNode(Opcodes.DUP));
                code.insertBefore(
                        call,
                        Code.hook(
                                call.owner.equals("java/util/Objects") || call.owner.equals("java/util/Arrays")
                                        ? "hashed"
                                        : "printed",
                                "(" + Code.OBJECT + ")V"));
            }
            if (isWalk(call)) {
                announceReceiver(call, "walks");
            }
            announce(call);
            foreign.announceArrays(call);
        }
    }

    private void announceChange(MethodInsnNode call) {
        announceReceiver(call, "changing");
        foreign.announceArrays(call);
    }

    /** Whether the call iterates over what may be a set or a map of the JDK. */
    private static boolean isWalk(MethodInsnNode call) {
        boolean isCollection = call.owner.startsWith("java/util/") || call.owner.equals("java/lang/Iterable");
        return isCollection
                && call.getOpcode() != Opcodes.INVOKESTATIC
                && (call.desc.startsWith("()L") && WALKS.contains(call.name)
                        || call.name.equals("forEach") && Type.getArgumentCount(call.desc) == 1);
    }

    /** Adds a hook on the receiver of a call that has no argument, or one reference argument. */
    private void announceReceiver(MethodInsnNode call, String hook) {
        boolean hasArgument = !call.desc.startsWith("()");
        if (hasArgument) {
            code.insertBefore(call, new InsnNode(Opcodes.DUP2));
            code.insertBefore(call, new InsnNode(Opcodes.POP));
        } else {
            code.insertBefore(call, new InsnNode(Opcodes.DUP));
        }
        code.insertBefore(call, Code.hook(hook, "(" + Code.OBJECT + ")V"));
    }

    /**
     * Whether the JDK computes a hash code or a text of the object on top of the stack, which may use identity hash
     * codes.
     */
    private static boolean isHashing(MethodInsnNode call) {
        return switch (call.owner) {
            case "java/util/Objects" ->
                call.desc.startsWith("(Ljava/lang/Object;)") && call.name.equals("hashCode")
                        || call.name.equals("hash");
            case "java/util/Arrays" ->
                call.desc.startsWith("([Ljava/lang/Object;)")
                        && Set.of("hashCode", "deepHashCode", "toString", "deepToString")
                                .contains(call.name);
            case "java/lang/String" -> call.name.equals("valueOf") && call.desc.startsWith("(Ljava/lang/Object;)");
            case "java/lang/StringBuilder", "java/lang/StringBuffer" ->
                call.name.equals("append") && call.desc.startsWith("(Ljava/lang/Object;)");
            default ->
                call.getOpcode() != Opcodes.INVOKESPECIAL
                        && call.getOpcode() != Opcodes.INVOKESTATIC
                        && call.name.equals("toString")
                        && call.desc.startsWith("()");
        };
    }

    /**
     * Whether it calls {@code wait} or {@code notify} of {@code Object}. They are final, so the owner does not matter.
     */
    private static boolean isWaitOrNotify(MethodInsnNode call) {
        return call.getOpcode() != Opcodes.INVOKESTATIC
                && switch (call.name) {
                    case "wait" -> call.desc.equals("()V") || call.desc.equals("(J)V") || call.desc.equals("(JI)V");
                    case "notify", "notifyAll" -> call.desc.equals("()V");
                    default -> false;
                };
    }

    private void hash(MethodInsnNode call) {
        if (call.getOpcode() == Opcodes.INVOKESPECIAL) {
            if (call.owner.equals("java/lang/Object")) {
                code.set(call, Code.hook("identityHashCode", "(" + Code.OBJECT + ")I"));
            }
        } else if (call.getOpcode() != Opcodes.INVOKESTATIC && context.shapes().mayHaveIdentityHash(call.owner)) {
            code.set(call, Code.hook("hashCode", "(" + Code.OBJECT + ")I"));
        } else if (call.getOpcode() != Opcodes.INVOKESTATIC) {
            announceReceiver(call, "hashed");
        }
    }

    private void announce(MethodInsnNode call) {
        String always = Refusals.reasonAlways(call);
        if (always != null) {
            code.insertBefore(
                    call, Code.list(new LdcInsnNode(always), Code.hook("refuseAlways", "(Ljava/lang/String;)V")));
        }
        String reason = refusals.reason(call);
        if (reason != null) {
            code.insertBefore(call, Code.refuse(reason));
        }
        boolean callsSuper = isRoot
                && call.name.equals("<init>")
                && types.isUninitializedThis(call)
                && call.owner.equals(context.owner().superName);
        if (callsSuper) {
            code.insert(
                    call,
                    Code.list(new VarInsnNode(Opcodes.ALOAD, 0), Code.hook("created", "(L" + Code.SHADOWED + ";)V")));
        }
    }
}
