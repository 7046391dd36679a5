package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import dev.cqs.amc.bytecode.loops.Loop;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Adds hooks at the entry of a loop and at the end of each iteration, with the values of its live variables. The
 * iterations of a loop that cannot access shared memory are only counted.
 */
final class LoopRewriter {
    /*
     * The hooks of loops. A loop with the head H becomes
     *
     *        entering jumps -> E:  beginLoop, live variables, enterLoop; the token is kept
     *                          H:  the loop as it is
     *   at the end of the method
     *        jumps back     -> B:  beginLoop, live variables, nextIteration with the token; goto H
     *
     * Code before H falls into E; if it belongs to the loop, it jumps to B instead. E and B have the frame of H, and
     * are covered only by handlers that cover H. Values on the stack at H, as in a switch expression, stay there:
     * compilers do not touch them during the loop.
     */

    private final MethodContext context;
    private final ExtraLocals extras;
    private final InsnList code;

    LoopRewriter(MethodContext context, ExtraLocals extras) {
        this.context = context;
        this.extras = extras;
        this.code = context.method().instructions;
    }

    void rewrite(Loop loop) {
        int site = context.site(loop.head(), "loop", null);
        int token = extras.add(Opcodes.INTEGER);
        extras.beginning().add(new InsnNode(Opcodes.ICONST_0));
        extras.beginning().add(new VarInsnNode(Opcodes.ISTORE, token));
        LabelNode entry = new LabelNode();
        LabelNode back = new LabelNode();
        loop.jumpsIn().forEach(jump -> redirect(jump, loop.head(), entry));
        loop.jumpsBack().forEach(jump -> redirect(jump, loop.head(), back));
        enter(loop, entry, loop.fallsBack() ? back : null, token, site);
        repeat(loop, back, token, site);
    }

    /** Counts the iterations of the loop with this head during one call of the method. */
    void count(LabelNode head) {
        int iterations = extras.add(Opcodes.INTEGER);
        extras.beginning().add(new InsnNode(Opcodes.ICONST_0));
        extras.beginning().add(new VarInsnNode(Opcodes.ISTORE, iterations));
        FrameNode frame = Code.frameAfter(head);
        code.insert(
                frame == null ? head : frame,
                Code.list(
                        new IincInsnNode(iterations, 1),
                        new VarInsnNode(Opcodes.ILOAD, iterations),
                        Code.loopHook("turned", "(I)V")));
    }

    private void enter(Loop loop, LabelNode entry, @Nullable LabelNode back, int token, int site) {
        InsnList added = new InsnList();
        LabelNode end = new LabelNode();
        added.add(end);
        if (back != null) {
            added.add(new JumpInsnNode(Opcodes.GOTO, back));
        }
        added.add(entry);
        added.add(copy(loop.frame()));
        addState(added, loop);
        added.add(Code.push(site));
        added.add(Code.loopHook("enterLoop", "(I)I"));
        added.add(new VarInsnNode(Opcodes.ISTORE, token));
        code.insertBefore(loop.head(), added);
        for (TryCatchBlockNode block : context.method().tryCatchBlocks) {
            if (block.end == loop.head()) {
                block.end = end;
            }
        }
    }

    private void repeat(Loop loop, LabelNode back, int token, int site) {
        InsnList added = new InsnList();
        added.add(back);
        added.add(copy(loop.frame()));
        if (loop.doesNothing()) {
            added.add(Code.push(site));
            added.add(Code.loopHook("neverEnds", "(I)V"));
        }
        addState(added, loop);
        added.add(new VarInsnNode(Opcodes.ILOAD, token));
        added.add(Code.push(site));
        added.add(Code.loopHook("nextIteration", "(II)V"));
        added.add(new JumpInsnNode(Opcodes.GOTO, loop.head()));
        code.add(added);
    }

    private static void addState(InsnList added, Loop loop) {
        added.add(Code.loopHook("beginLoop", "()V"));
        int slot = 0;
        for (Object type : loop.frame().local) {
            if (loop.live().get(slot)) {
                addLive(added, slot, type);
            }
            slot += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
    }

    /**
     * Adds a live variable, unless it is an uninitialized object, which cannot be passed and does not change in a loop.
     */
    private static void addLive(InsnList added, int slot, Object type) {
        if (type == Opcodes.INTEGER) {
            add(added, Opcodes.ILOAD, slot, "I");
        } else if (type == Opcodes.LONG) {
            add(added, Opcodes.LLOAD, slot, "J");
        } else if (type == Opcodes.FLOAT) {
            add(added, Opcodes.FLOAD, slot, "F");
        } else if (type == Opcodes.DOUBLE) {
            add(added, Opcodes.DLOAD, slot, "D");
        } else if (type instanceof String || type == Opcodes.NULL) {
            add(added, Opcodes.ALOAD, slot, Code.OBJECT);
        }
    }

    private static void add(InsnList added, int load, int slot, String descriptor) {
        added.add(new VarInsnNode(load, slot));
        added.add(Code.loopHook("live", "(" + descriptor + ")V"));
    }

    private static FrameNode copy(FrameNode frame) {
        return Code.frame(frame.local.toArray(), frame.stack.toArray());
    }

    private static void redirect(AbstractInsnNode instruction, LabelNode from, LabelNode to) {
        if (instruction instanceof JumpInsnNode jump && jump.label == from) {
            jump.label = to;
        } else if (instruction instanceof TableSwitchInsnNode table) {
            table.dflt = table.dflt == from ? to : table.dflt;
            replace(table.labels, from, to);
        } else if (instruction instanceof LookupSwitchInsnNode lookup) {
            lookup.dflt = lookup.dflt == from ? to : lookup.dflt;
            replace(lookup.labels, from, to);
        }
    }

    private static void replace(List<LabelNode> labels, LabelNode from, LabelNode to) {
        labels.replaceAll(label -> label == from ? to : label);
    }
}
