package dev.cqs.amc.bytecode.loops;

import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Which local variables of a method are still read after an instruction is reached, and before they are written. */
final class LiveVariables {

    private final ControlFlow flow;
    private final BitSet[] live;

    LiveVariables(ControlFlow flow) {
        this.flow = flow;
        live = new BitSet[flow.size()];
        for (int i = 0; i < live.length; i++) {
            live[i] = new BitSet();
        }
        int[] order = flow.order();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = order.length - 1; i >= 0; i--) {
                changed |= update(order[i]);
            }
        }
    }

    /** The slots that are live before the instruction. */
    BitSet at(int node) {
        return live[node];
    }

    private boolean update(int node) {
        BitSet before = new BitSet();
        flow.jumps(node).forEach(next -> before.or(live[next]));
        AbstractInsnNode instruction = flow.instruction(node);
        if (instruction instanceof VarInsnNode variable) {
            before.set(variable.var, isLoad(variable));
        } else if (instruction instanceof IincInsnNode increment) {
            before.set(increment.var);
        }
        // An instruction that throws has written nothing, so what its handler reads is live before it.
        flow.handlers(node).forEach(handler -> before.or(live[handler]));
        boolean changed = !before.equals(live[node]);
        live[node] = before;
        return changed;
    }

    private static boolean isLoad(VarInsnNode variable) {
        return variable.getOpcode() >= Opcodes.ILOAD && variable.getOpcode() <= Opcodes.ALOAD;
    }
}
