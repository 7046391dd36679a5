package dev.cqs.amc.bytecode.loops;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.Code;
import dev.cqs.amc.bytecode.classes.MethodContext;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Finds the loops of a method: the natural ones, by dominators. A loop that is closed by an exception alone is none:
 * compilers let a handler guard its own beginning.
 */
public final class Loops {

    private final ClassNode owner;
    private final MethodNode method;
    private final LoopEffects effects;
    private @Nullable String problem;
    private final List<Loop> shared = new ArrayList<>();
    private final List<LabelNode> local = new ArrayList<>();
    private final Map<AbstractInsnNode, BitSet> spinning = new IdentityHashMap<>();

    public Loops(ClassNode owner, MethodNode method, ClassShapes shapes) {
        this.owner = owner;
        this.method = method;
        this.effects = new LoopEffects(shapes);
        if (hasJump()) {
            try {
                find();
            } catch (InstrumentationException problem) {
                shared.clear();
                this.problem = problem.getMessage();
            }
        }
    }

    /** Why the loops of the method cannot be followed; null if they can. */
    public @Nullable String problem() {
        return problem;
    }

    /** The loops in which shared memory may be touched, and those that do nothing, in the order of the source. */
    public List<Loop> shared() {
        return shared;
    }

    /** The heads of the other loops. */
    public List<LabelNode> local() {
        return local;
    }

    /** Whether the instruction is in a loop that does nothing but read. */
    public boolean spins(AbstractInsnNode instruction) {
        return spinning.containsKey(instruction);
    }

    private boolean hasJump() {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof JumpInsnNode
                    || instruction instanceof TableSwitchInsnNode
                    || instruction instanceof LookupSwitchInsnNode) {
                return true;
            }
        }
        return false;
    }

    private void find() {
        ControlFlow flow = new ControlFlow(method);
        Map<Integer, List<Integer>> backEdges = new TreeMap<>();
        for (int node : flow.order()) {
            for (int next : flow.jumps(node)) {
                if (flow.isBackward(node, next)) {
                    if (!flow.dominates(next, node)) {
                        throw MethodContext.problem(
                                owner,
                                method,
                                "it has a loop with more than one entry. " + "Compile it from Java source.");
                    }
                    backEdges.computeIfAbsent(next, head -> new ArrayList<>()).add(node);
                }
            }
        }
        LiveVariables liveness = backEdges.isEmpty() ? null : new LiveVariables(flow);
        backEdges.forEach((head, sources) -> add(flow, liveness, head, sources));
    }

    @SuppressWarnings("NullAway") // there is one if there is a loop
    private void add(ControlFlow flow, @Nullable LiveVariables liveness, int head, List<Integer> sources) {
        BitSet body = flow.loopBody(head, sources);
        boolean doesNothing = body.stream()
                .mapToObj(flow::instruction)
                .noneMatch(node -> effects.touchesSharedMemory(node) || LoopEffects.changesSomething(node));
        if (!doesNothing && body.stream().mapToObj(flow::instruction).noneMatch(effects::touchesSharedMemory)) {
            local.add(label(flow, head));
            return;
        }
        if (body.stream().mapToObj(flow::instruction).allMatch(effects::onlyReads)) {
            body.stream().forEach(node -> spinning.put(flow.instruction(node), body));
        }
        LabelNode label = label(flow, head);
        FrameNode frame = frameAfter(label);
        List<AbstractInsnNode> jumpsIn = new ArrayList<>();
        List<AbstractInsnNode> jumpsBack = new ArrayList<>();
        boolean fallsBack = false;
        for (int node : flow.order()) {
            if (!flow.jumps(node).contains(head)) {
                continue;
            }
            boolean back = flow.dominates(head, node);
            AbstractInsnNode instruction = flow.instruction(node);
            if (node + 1 == head && ControlFlow.fallsThrough(instruction)) {
                fallsBack = back;
            }
            (back ? jumpsBack : jumpsIn).add(instruction);
        }
        shared.add(new Loop(label, frame, liveness.at(head), body, jumpsIn, jumpsBack, fallsBack, doesNothing));
    }

    private LabelNode label(ControlFlow flow, int head) {
        if (flow.instruction(head) instanceof LabelNode label) {
            return label;
        }
        throw MethodContext.problem(owner, method, "a loop begins where nothing jumps to.");
    }

    private FrameNode frameAfter(LabelNode label) {
        FrameNode frame = Code.frameAfter(label);
        if (frame != null) {
            return frame;
        }
        throw MethodContext.problem(
                owner, method, "the types at the head of a loop are missing. " + "Compile it for Java 8 or later.");
    }
}
