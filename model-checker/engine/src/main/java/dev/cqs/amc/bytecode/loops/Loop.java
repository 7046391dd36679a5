package dev.cqs.amc.bytecode.loops;

import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;

/**
 * A loop.
 *
 * @param head where every iteration begins
 * @param frame the types of the variables there
 * @param live the slots of the variables that are live there
 * @param body the instructions of all iterations, by their index in the source
 * @param jumpsIn the jumps to the head that enter the loop
 * @param jumpsBack the jumps to the head that begin another iteration
 * @param fallsBack whether the instruction before the head is the end of an iteration, and not what comes before the
 *     loop
 * @param doesNothing whether an iteration changes nothing, so that all iterations are the same
 */
public record Loop(
        LabelNode head,
        FrameNode frame,
        BitSet live,
        BitSet body,
        List<AbstractInsnNode> jumpsIn,
        List<AbstractInsnNode> jumpsBack,
        boolean fallsBack,
        boolean doesNothing) {}
