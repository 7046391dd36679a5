package dev.cqs.amc.bytecode.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * The control flow graph of a method, with its instructions as nodes, and which of them dominate which. Every
 * instruction that is guarded by a handler has an edge to it.
 */
final class ControlFlow {

    private final InsnList code;
    private final List<List<Integer>> jumps = new ArrayList<>();
    private final List<List<Integer>> handlers = new ArrayList<>();
    private final List<List<Integer>> predecessors = new ArrayList<>();
    private final int[] order;
    private final int[] positions;
    private final int[] dominators;

    ControlFlow(MethodNode method) {
        code = method.instructions;
        int size = code.size();
        for (int i = 0; i < size; i++) {
            jumps.add(successors(code.get(i), i));
            handlers.add(new ArrayList<>(0));
            predecessors.add(new ArrayList<>(1));
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            int handler = code.indexOf(block.handler);
            for (int i = code.indexOf(block.start); i < code.indexOf(block.end); i++) {
                if (!handlers.get(i).contains(handler)) {
                    handlers.get(i).add(handler);
                }
            }
        }
        positions = new int[size];
        Arrays.fill(positions, -1);
        order = reversePostorder();
        for (int node : order) {
            jumps.get(node).forEach(next -> predecessors.get(next).add(node));
            handlers.get(node).forEach(next -> predecessors.get(next).add(node));
        }
        dominators = new int[size];
        Arrays.fill(dominators, -1);
        dominate();
    }

    /** The instructions that are reached, each before those it dominates. */
    int[] order() {
        return order;
    }

    /** The targets of the instruction, handlers aside. */
    List<Integer> jumps(int node) {
        return jumps.get(node);
    }

    /** The handlers of the instruction. */
    List<Integer> handlers(int node) {
        return handlers.get(node);
    }

    AbstractInsnNode instruction(int node) {
        return code.get(node);
    }

    int size() {
        return jumps.size();
    }

    boolean dominates(int one, int other) {
        int at = other;
        while (positions[at] > positions[one]) {
            at = dominators[at];
        }
        return at == one;
    }

    /** Whether {@code to} comes first in the order: an edge between them closes a cycle. */
    boolean isBackward(int from, int to) {
        return positions[to] <= positions[from];
    }

    /** All from which {@code sources} can be reached without passing {@code head}, which is one of them. */
    BitSet loopBody(int head, List<Integer> sources) {
        BitSet body = new BitSet(size());
        body.set(head);
        Deque<Integer> open = new ArrayDeque<>(sources);
        while (!open.isEmpty()) {
            int node = open.pop();
            if (!body.get(node)) {
                body.set(node);
                open.addAll(predecessors.get(node));
            }
        }
        return body;
    }

    private List<Integer> successors(AbstractInsnNode instruction, int index) {
        List<Integer> next = new ArrayList<>(1);
        if (instruction instanceof JumpInsnNode jump) {
            next.add(code.indexOf(jump.label));
        } else if (instruction instanceof TableSwitchInsnNode table) {
            addAll(next, table.labels, table.dflt);
        } else if (instruction instanceof LookupSwitchInsnNode lookup) {
            addAll(next, lookup.labels, lookup.dflt);
        }
        if (fallsThrough(instruction) && index + 1 < code.size()) {
            next.add(index + 1);
        }
        return next;
    }

    private void addAll(List<Integer> next, List<LabelNode> labels, LabelNode last) {
        labels.forEach(label -> next.add(code.indexOf(label)));
        next.add(code.indexOf(last));
    }

    /** Whether the instruction after this one may come next. */
    static boolean fallsThrough(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        boolean leaves = opcode == Opcodes.GOTO
                || opcode == Opcodes.ATHROW
                || opcode == Opcodes.TABLESWITCH
                || opcode == Opcodes.LOOKUPSWITCH
                || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        return !leaves;
    }

    /** By a depth-first walk with an explicit stack: methods are long. */
    private int[] reversePostorder() {
        int size = size();
        int[] finished = new int[size];
        int count = 0;
        int[] progress = new int[size];
        boolean[] seen = new boolean[size];
        Deque<Integer> path = new ArrayDeque<>();
        path.push(0);
        seen[0] = true;
        while (!path.isEmpty()) {
            int node = path.peek();
            int edges = jumps.get(node).size();
            int edge = progress[node]++;
            if (edge == edges + handlers.get(node).size()) {
                finished[count++] = node;
                path.pop();
                continue;
            }
            int next = edge < edges
                    ? jumps.get(node).get(edge)
                    : handlers.get(node).get(edge - edges);
            if (!seen[next]) {
                seen[next] = true;
                path.push(next);
            }
        }
        int[] reversed = new int[count];
        for (int i = 0; i < count; i++) {
            reversed[i] = finished[count - 1 - i];
            positions[reversed[i]] = i;
        }
        return reversed;
    }

    private void dominate() {
        dominators[order[0]] = order[0];
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < order.length; i++) {
                int node = order[i];
                int dominator = -1;
                for (int before : predecessors.get(node)) {
                    if (dominators[before] >= 0) {
                        dominator = dominator < 0 ? before : common(dominator, before);
                    }
                }
                changed |= dominators[node] != dominator;
                dominators[node] = dominator;
            }
        }
    }

    private int common(int one, int other) {
        int left = one;
        int right = other;
        while (left != right) {
            if (positions[left] > positions[right]) {
                left = dominators[left];
            } else {
                right = dominators[right];
            }
        }
        return left;
    }
}
