package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.Scope;
import dev.cqs.amc.bytecode.classes.Sites;
import dev.cqs.amc.bytecode.classes.StackTypes;
import dev.cqs.amc.bytecode.loops.Loops;
import java.util.Arrays;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Instruments one method that has code: first its instructions, then its control flow. */
final class MethodInstrumenter {

    private final MethodNode method;
    private final MethodContext context;
    private final Loops loops;
    private final StackTypes types;
    private final ExtraLocals extras;

    MethodInstrumenter(ClassNode owner, MethodNode method, Scope scope, ClassShapes shapes, Sites sites) {
        this.method = method;
        this.loops = new Loops(owner, method, shapes);
        this.context = new MethodContext(owner, method, scope, shapes, sites, loops::spins);
        this.types = new StackTypes(owner, method);
        this.extras = new ExtraLocals(method);
    }

    void instrument(VariableHandles handles, boolean isRoot) {
        FieldRewriter fields = new FieldRewriter(context, types);
        ArrayRewriter arrays = new ArrayRewriter(context, types);
        // The additional variables are one per loop, and one for the monitor.
        ForeignCalls foreign = new ForeignCalls(
                context,
                method.maxLocals + loops.shared().size() + loops.local().size() + 1);
        CallRewriter calls = new CallRewriter(context, types, handles, foreign, isRoot);
        boolean freezes = freezes();
        for (AbstractInsnNode instruction : method.instructions.toArray()) {
            if (freezes && instruction.getOpcode() == Opcodes.RETURN) {
                method.instructions.insertBefore(
                        instruction,
                        Code.list(
                                new VarInsnNode(Opcodes.ALOAD, 0),
                                new LdcInsnNode(context.owner().name),
                                Code.hook("constructed", "(L" + Code.SHADOWED + ";Ljava/lang/String;)V")));
            } else if (instruction instanceof FieldInsnNode access) {
                fields.rewrite(access);
            } else {
                arrays.rewrite(instruction);
                calls.rewrite(instruction);
            }
        }
        new HandlerGuard(method).apply();
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            holdMonitor();
        }
        if (method.name.equals("<clinit>")) {
            extras.beginning().add(Code.hook("beginInitializer", "()V"));
            new Bracket(method).apply(MethodInstrumenter::endInitializer, endInitializer());
        }
        if (loops.problem() != null) {
            extras.beginning().add(Code.refuse(loops.problem()));
        }
        LoopRewriter rewriter = new LoopRewriter(context, extras);
        loops.shared().forEach(rewriter::rewrite);
        loops.local().forEach(rewriter::count);
        extras.complete();
    }

    /** Whether it is a constructor that sets final fields, without delegating to another constructor of the class. */
    private boolean freezes() {
        boolean hasFinals = method.name.equals("<init>")
                && context.owner().fields.stream()
                        .anyMatch(field ->
                                (field.access & (Opcodes.ACC_FINAL | Opcodes.ACC_STATIC)) == Opcodes.ACC_FINAL);
        return hasFinals
                && Arrays.stream(method.instructions.toArray())
                        .anyMatch(instruction -> instruction instanceof MethodInsnNode call
                                && call.name.equals("<init>")
                                && types.isUninitializedThis(call)
                                && call.owner.equals(context.owner().superName));
    }

    private static InsnList endInitializer() {
        return Code.list(Code.hook("endInitializer", "()V"));
    }

    private void holdMonitor() {
        method.access &= ~Opcodes.ACC_SYNCHRONIZED;
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        AbstractInsnNode first = method.instructions.getFirst();
        int enter = context.site(first, "monitorEnter", null);
        int exit = context.site(first, "monitorExit", null);
        int monitor = extras.add("java/lang/Object");
        extras.beginning()
                .add(Code.list(
                        isStatic
                                ? new LdcInsnNode(Type.getObjectType(context.owner().name))
                                : new VarInsnNode(Opcodes.ALOAD, 0),
                        new InsnNode(Opcodes.DUP),
                        new VarInsnNode(Opcodes.ASTORE, monitor),
                        Code.push(enter),
                        Code.hook("monitorEnter", "(" + Code.OBJECT + "I)V")));
        InsnList onException = HandlerGuard.call();
        onException.add(exit(monitor, exit));
        new Bracket(method).apply(() -> exit(monitor, exit), onException);
    }

    private static InsnList exit(int monitor, int site) {
        return Code.list(
                new VarInsnNode(Opcodes.ALOAD, monitor),
                Code.push(site),
                Code.hook("monitorExit", "(" + Code.OBJECT + "I)V"));
    }
}
