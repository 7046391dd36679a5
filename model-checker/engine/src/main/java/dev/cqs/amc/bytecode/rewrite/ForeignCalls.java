package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.classes.VariableHandleCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Rewrites calls of uninstrumented code that access elements of arrays. Hooks make copies, and lists and streams have a
 * model. Before any other such call a hook is added.
 */
final class ForeignCalls {

    private static final Set<String> STREAMS = Set.of(
            "java/util/stream/Stream",
            "java/util/stream/IntStream",
            "java/util/stream/LongStream",
            "java/util/stream/DoubleStream");
    private static final Set<String> KEEPERS = Set.of("java/io/ByteArrayInputStream", "java/io/CharArrayReader");

    private final MethodContext context;
    private final InsnList code;
    private final int firstFreeLocal;

    /** @param firstFreeLocal the first free local variable */
    ForeignCalls(MethodContext context, int firstFreeLocal) {
        this.context = context;
        this.code = context.method().instructions;
        this.firstFreeLocal = firstFreeLocal;
    }

    /** Replaces the call if there is a hook or a model. Returns whether it did. */
    boolean replace(MethodInsnNode call) {
        if (call.owner.startsWith("[") && call.name.equals("clone")) {
            if (!isConstantsOfEnum(call.getPrevious())) {
                replaceBy(call, "cloneOf", "(" + Code.OBJECT + "I)" + Code.OBJECT, Type.getObjectType(call.owner));
            }
            return true;
        }
        if (call.owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
            replaceBy(call, "copy", call.desc.replace(")", "I)"), null);
            return true;
        }
        Type[] parameters = Type.getArgumentTypes(call.desc);
        if (isView(call, parameters)) {
            code.set(
                    call,
                    new MethodInsnNode(
                            Opcodes.INVOKESTATIC,
                            "dev/cqs/amc/jdk/Arrays",
                            call.name.equals("asList") ? "asList" : "stream",
                            call.desc,
                            false));
            return true;
        }
        if (call.owner.equals("java/util/Arrays")
                && call.name.startsWith("copyOf")
                && isArray(Type.getReturnType(call.desc))
                && parameters[parameters.length - 1] == Type.INT_TYPE) {
            String ints = call.name.equals("copyOf") ? "I" : "II";
            replaceBy(call, call.name, "(" + Code.OBJECT + ints + "I)" + Code.OBJECT, Type.getReturnType(call.desc));
            return true;
        }
        return call.owner.equals("java/util/Arrays") && replaceOperation(call, parameters);
    }

    /** Whether the call makes a list or a stream of an array, which is modelled. */
    private static boolean isView(MethodInsnNode call, Type[] parameters) {
        return call.owner.equals("java/util/Arrays")
                ? call.name.equals("asList") || call.name.equals("stream")
                : STREAMS.contains(call.owner) && call.name.equals("of") && isArray(parameters[0]);
    }

    /** Whether the result of the call accesses the array later. */
    private static boolean keeps(MethodInsnNode call) {
        return call.name.equals("spliterator")
                || call.owner.startsWith("java/nio/") && call.name.equals("wrap")
                || call.name.equals("<init>") && KEEPERS.contains(call.owner);
    }

    /** Replaces fills, comparisons and sorts, except for some overloads. */
    private boolean replaceOperation(MethodInsnNode call, Type[] parameters) {
        int count = parameters.length;
        switch (call.name) {
            case "fill" -> {
                InsnList boxed = new InsnList();
                if (!Code.isReference(parameters[count - 1])) {
                    Conversions.box(boxed, parameters[count - 1]);
                }
                code.insertBefore(call, boxed);
                replaceBy(call, "fill", "(" + Code.OBJECT + (count == 2 ? "" : "II") + Code.OBJECT + "I)V", null);
                return true;
            }
            case "equals" -> {
                if (count != 2) {
                    return false;
                }
                replaceBy(call, "equals", "(" + Code.OBJECT + Code.OBJECT + "I)Z", null);
                return true;
            }
            case "sort" -> {
                String comparator =
                        Code.isReference(parameters[count - 1]) && count % 2 == 0 ? "Ljava/util/Comparator;" : "";
                replaceBy(call, "sort", "(" + Code.OBJECT + (count > 2 ? "II" : "") + comparator + "I)V", null);
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    /** Whether it clones the array of an enum's constants, which is never written. */
    private static boolean isConstantsOfEnum(AbstractInsnNode before) {
        return before instanceof FieldInsnNode access
                && access.getOpcode() == Opcodes.GETSTATIC
                && access.name.equals("$VALUES");
    }

    private void replaceBy(MethodInsnNode call, String hook, String descriptor, @Nullable Type result) {
        code.insertBefore(call, Code.push(context.site(call, call.name, null)));
        if (result != null) {
            code.insert(call, new TypeInsnNode(Opcodes.CHECKCAST, result.getInternalName()));
        }
        code.set(call, Code.memoryHook(hook, descriptor));
    }

    /** Adds a hook for every array that the call passes. */
    void announceArrays(MethodInsnNode call) {
        Type[] parameters = Type.getArgumentTypes(call.desc);
        int first = 0;
        while (first < parameters.length && !isArray(parameters[first])) {
            first++;
        }
        if (first == parameters.length
                || context.scope().coversInternal(call.owner)
                || VariableHandleCalls.isAccess(call)) {
            return;
        }
        InsnList added = new InsnList();
        List<Integer> locals = new ArrayList<>();
        int next = firstFreeLocal;
        for (int i = first; i < parameters.length; i++) {
            locals.add(next);
            next += parameters[i].getSize();
        }
        for (int i = parameters.length - 1; i >= first; i--) {
            added.add(new VarInsnNode(parameters[i].getOpcode(Opcodes.ISTORE), locals.get(i - first)));
        }
        int site = context.site(call, call.name, null);
        for (int i = first; i < parameters.length; i++) {
            added.add(new VarInsnNode(parameters[i].getOpcode(Opcodes.ILOAD), locals.get(i - first)));
            if (isArray(parameters[i])) {
                added.add(new InsnNode(Opcodes.DUP));
                added.add(Code.push(site));
                added.add(Code.memoryHook(keeps(call) ? "kept" : "passed", "(" + Code.OBJECT + "I)V"));
            }
        }
        code.insertBefore(call, added);
    }

    private static boolean isArray(Type type) {
        return type.getSort() == Type.ARRAY;
    }
}
