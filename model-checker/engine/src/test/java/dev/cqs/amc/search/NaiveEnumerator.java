package dev.cqs.amc.search;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.search.RandomProgram.Op;
import dev.cqs.amc.search.RandomProgram.What;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Brute-force enumeration: all reads-from relations, times all coherence orders. The axioms of the papers decide each
 * candidate. It shares no code with the engine.
 */
final class NaiveEnumerator {

    /** The executions under one model. */
    static final class Found {
        long executions;
        boolean race;
        boolean hang;
        final Map<String, Long> outcomes = new TreeMap<>();
    }

    /** An event. The write of a read-modify-write exists only in candidates in which it succeeds. */
    private record Node(int thread, Op op, boolean read, boolean write, Mode mode, int readHalf) {

        int location() {
            return op.location();
        }

        Axioms.Event event() {
            return new Axioms.Event(thread, location(), read, write, op.isUpdate(), mode, readHalf, false);
        }
    }

    private final Set<Model> models;
    private final Map<Model, Found> found;
    private final List<Node> nodes = new ArrayList<>();
    private final int locations;

    private final int[] source;
    private final long[] values;
    private final boolean[] exists;
    /** Per location, the existing writes in coherence order. */
    private final List<List<Integer>> orders = new ArrayList<>();

    /**
     * The reads at which threads are blocked forever: they read from the last write, which does not satisfy the await.
     */
    private final Set<Integer> blocked = new HashSet<>();

    /**
     * The executions in which thread i executes {@code lengths[i]} operations, or is blocked at the last of
     * {@code -lengths[i]}.
     */
    private NaiveEnumerator(RandomProgram program, int[] lengths, Map<Model, Found> found) {
        this.models = found.keySet();
        this.found = found;
        locations = program.locations();
        for (int i = 0; i < locations; i++) {
            nodes.add(new Node(-1, new Op(What.STORE, i, Mode.OPAQUE, 0, 0), false, true, Mode.OPAQUE, -1));
            orders.add(new ArrayList<>());
        }
        for (int thread = 0; thread < program.threads().size(); thread++) {
            List<Op> ops = program.threads().get(thread);
            for (Op op : ops.subList(0, Math.abs(lengths[thread]))) {
                addNodes(thread, op);
            }
            if (lengths[thread] < 0) {
                blocked.add(nodes.size() - 1);
            }
        }
        source = new int[nodes.size()];
        values = new long[nodes.size()];
        exists = new boolean[nodes.size()];
    }

    private void addNodes(int thread, Op op) {
        if (op.isUpdate()) {
            nodes.add(new Node(thread, op, true, false, op.mode().readPart(), -1));
            nodes.add(new Node(thread, op, false, true, op.mode().writePart(), nodes.size() - 1));
        } else {
            nodes.add(new Node(thread, op, op.reads(), op.what() == What.STORE, op.mode(), -1));
        }
    }

    static Map<Model, Found> enumerate(RandomProgram program, Set<Model> models) {
        Map<Model, Found> found = new EnumMap<>(Model.class);
        models.forEach(model -> found.put(model, new Found()));
        chooseLengths(program, new int[program.threads().size()], 0, found);
        return found;
    }

    /** A thread runs to its end, or is blocked in an await. */
    private static void chooseLengths(RandomProgram program, int[] lengths, int thread, Map<Model, Found> found) {
        if (thread == lengths.length) {
            new NaiveEnumerator(program, lengths, found).chooseSources(0);
            return;
        }
        List<Op> ops = program.threads().get(thread);
        lengths[thread] = ops.size();
        chooseLengths(program, lengths, thread + 1, found);
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i).what() == What.AWAIT) {
                lengths[thread] = -i - 1;
                chooseLengths(program, lengths, thread + 1, found);
            }
        }
    }

    private void chooseSources(int node) {
        if (node == nodes.size()) {
            if (computeValues()) {
                chooseOrders(0);
            }
            return;
        }
        if (!nodes.get(node).read()) {
            chooseSources(node + 1);
            return;
        }
        for (int i = 0; i < nodes.size(); i++) {
            Node write = nodes.get(i);
            boolean later = write.thread() == nodes.get(node).thread() && i > node;
            if (write.write() && write.location() == nodes.get(node).location() && !later) {
                source[node] = i;
                chooseSources(node + 1);
            }
        }
    }

    /** False if po ∪ rf has a cycle, or if a write that is read from does not exist. */
    private boolean computeValues() {
        boolean[] done = new boolean[nodes.size()];
        for (boolean more = true; more; ) {
            more = false;
            for (int i = 0; i < nodes.size(); i++) {
                boolean first = i < locations
                        || nodes.get(i - 1).thread() != nodes.get(i).thread();
                boolean ready =
                        !done[i] && (first || done[i - 1]) && (!nodes.get(i).read() || done[source[i]]);
                if (ready) {
                    compute(i);
                    done[i] = true;
                    more = true;
                }
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (!done[i] || nodes.get(i).read() && !exists[source[i]]) {
                return false;
            }
            Op op = nodes.get(i).op();
            if (op.what() == What.AWAIT && (values[i] == op.expected()) == blocked.contains(i)) {
                return false;
            }
        }
        return true;
    }

    private void compute(int i) {
        Node node = nodes.get(i);
        exists[i] = true;
        if (node.read()) {
            values[i] = values[source[i]];
        } else if (node.readHalf() >= 0) {
            long read = values[node.readHalf()];
            exists[i] = node.op().what() != What.CAS || read == node.op().expected();
            values[i] = node.op().what() == What.ADD
                    ? read + node.op().operand()
                    : node.op().operand();
        } else if (node.write()) {
            values[i] = node.op().operand();
        }
    }

    private void chooseOrders(int location) {
        if (location == locations) {
            judge();
            return;
        }
        List<Integer> rest = new ArrayList<>();
        for (int i = locations; i < nodes.size(); i++) {
            if (exists[i] && nodes.get(i).write() && nodes.get(i).location() == location) {
                rest.add(i);
            }
        }
        List<Integer> order = orders.get(location);
        order.clear();
        order.add(location);
        permute(rest, order, complete -> chooseOrders(location + 1));
    }

    /** Only coherence orders that agree with program order: the others are incoherent in every model. */
    private void permute(List<Integer> rest, List<Integer> order, Consumer<List<Integer>> then) {
        if (rest.isEmpty()) {
            then.accept(order);
            return;
        }
        for (int i = 0; i < rest.size(); i++) {
            int write = rest.get(i);
            boolean first = true;
            for (int k = 0; k < i; k++) {
                first &= nodes.get(rest.get(k)).thread() != nodes.get(write).thread();
            }
            if (first) {
                List<Integer> others = new ArrayList<>(rest);
                others.remove(i);
                order.add(write);
                permute(others, order, then);
                order.remove(order.size() - 1);
            }
        }
    }

    private void judge() {
        for (int read : blocked) {
            List<Integer> order = orders.get(nodes.get(read).location());
            if (order.get(order.size() - 1) != source[read]) {
                return;
            }
        }
        Axioms axioms = new Axioms(nodes.stream().map(Node::event).toList(), exists, source, orders, List.of());
        if (!axioms.coherentAndAtomic()) {
            return;
        }
        for (Model model : models) {
            if (axioms.hold(model)) {
                Found result = found.get(model);
                if (!blocked.isEmpty()) {
                    result.hang = true;
                    continue;
                }
                result.executions++;
                result.race |= axioms.race(model);
                StringBuilder outcome = new StringBuilder();
                for (int i = 0; i < nodes.size(); i++) {
                    if (nodes.get(i).read()) {
                        outcome.append(values[i]).append(',');
                    }
                }
                result.outcomes.merge(outcome.toString(), 1L, Long::sum);
            }
        }
    }
}
