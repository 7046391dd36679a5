package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Makes every exception handler rethrow the checker's own errors: the one that unwinds a thread, and those that end the
 * check without a verdict. So code that catches all exceptions cannot change the verdict.
 */
final class HandlerGuard {

    /**
     * The types of the errors that {@link dev.cqs.amc.bytecode.runtime.Hooks#caught} rethrows, and their super types.
     */
    private static final Set<String> CATCHING = Set.of(
            "java/lang/Throwable",
            "java/lang/Error",
            "java/lang/Exception",
            "java/lang/RuntimeException",
            "java/lang/IllegalStateException",
            "java/lang/LinkageError",
            "java/lang/IncompatibleClassChangeError",
            "java/lang/NoSuchMethodError",
            "java/lang/NoSuchFieldError",
            "java/lang/VirtualMachineError",
            "java/lang/StackOverflowError");

    private final MethodNode method;
    private final Map<LabelNode, LabelNode> guarded = new IdentityHashMap<>();

    HandlerGuard(MethodNode method) {
        this.method = method;
    }

    void apply() {
        Set<LabelNode> handlers = Collections.newSetFromMap(new IdentityHashMap<>());
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if ((block.type == null || CATCHING.contains(block.type)) && handlers.add(block.handler)) {
                guard(block.handler);
            }
        }
        List<TryCatchBlockNode> blocks = new ArrayList<>();
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            split(block, blocks);
        }
        method.tryCatchBlocks = blocks;
    }

    static InsnList call() {
        return Code.list(new InsnNode(Opcodes.DUP), Code.hook("caught", "(Ljava/lang/Throwable;)V"));
    }

    private void guard(LabelNode handler) {
        AbstractInsnNode at = handler;
        while (!(at instanceof FrameNode)) {
            at = at.getNext();
        }
        InsnList added = call();
        LabelNode end = new LabelNode();
        added.add(end);
        method.instructions.insert(at, added);
        guarded.put(handler, end);
    }

    /**
     * A block that covers its own handler would catch the rethrown error again forever, so the guard is excluded from
     * it.
     */
    private void split(TryCatchBlockNode block, List<TryCatchBlockNode> blocks) {
        LabelNode end = guarded.get(block.handler);
        int handler = method.instructions.indexOf(block.handler);
        int first = method.instructions.indexOf(block.start);
        int last = method.instructions.indexOf(block.end);
        if (end == null || handler < first || handler >= last) {
            blocks.add(block);
            return;
        }
        if (handler > first) {
            blocks.add(new TryCatchBlockNode(block.start, block.handler, block.handler, block.type));
        }
        block.start = end;
        if (hasInstruction(end, block.end)) {
            blocks.add(block);
        }
    }

    private static boolean hasInstruction(LabelNode from, LabelNode to) {
        for (AbstractInsnNode at = from; at != to; at = at.getNext()) {
            if (!Code.isMark(at)) {
                return true;
            }
        }
        return false;
    }
}
