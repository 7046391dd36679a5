package dev.cqs.amc.fuzz;

import dev.cqs.amc.Model;
import dev.cqs.amc.fuzz.Interpreter.Cell;
import dev.cqs.amc.fuzz.Interpreter.Step;
import dev.cqs.amc.fuzz.Interpreter.Trace;
import dev.cqs.amc.fuzz.SmallProgram.Op;
import dev.cqs.amc.fuzz.SmallProgram.Start;
import dev.cqs.amc.search.Axioms;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Brute-force enumeration: all traces of each thread for all values that it may read, times all reads-from relations,
 * times all coherence orders. The axioms decide each candidate. Objects that have not escaped are treated like all
 * others, except that their accesses are no barriers. It shares no code with the checker.
 */
final class TraceEnumerator {

    /** The executions under one model. */
    static final class Found {
        long executions;
        boolean race;
        boolean hang;
        final Map<List<Long>, Long> outcomes = new HashMap<>();
    }

    /** There are too many candidates. */
    static final class TooLarge extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("too large", null, false, false);
        }
    }

    private static final int MOST_EVENTS = 31;
    private static final int MOST_VALUES = 7;
    private static final int MOST_TRACES = 500;
    private static final int MOST_COMBINATIONS = 20_000;
    private static final int MOST_CANDIDATES = 3_000;

    /** The empty trace of a thread that is not started. */
    private static final Trace ABSENT = new Trace(List.of(), List.of(), false, false);

    private final SmallProgram program;
    private final Map<Model, Found> found = new EnumMap<>(Model.class);
    private int combinations;
    private int candidates;

    private TraceEnumerator(SmallProgram program) {
        this.program = program;
        Arrays.stream(Model.values()).forEach(model -> found.put(model, new Found()));
    }

    /**
     * Enumerates all executions.
     *
     * @throws TooLarge if there are too many candidates
     */
    static Map<Model, Found> enumerate(SmallProgram program) {
        TraceEnumerator enumerator = new TraceEnumerator(program);
        List<List<Trace>> traces = enumerator.traces();
        enumerator.combine(traces, new ArrayList<>());
        return enumerator.found;
    }

    // The traces of threads

    /**
     * The traces of each thread, by a fixpoint iteration. A value that is read has been written, and a value that is
     * written may depend on values that were read. A chain of such dependencies is no longer than the number of writes,
     * so the iteration is complete when nothing new appears, or after that number of steps.
     */
    private List<List<Trace>> traces() {
        Map<Cell, Set<Long>> values = new HashMap<>();
        while (true) {
            List<List<Trace>> all = new ArrayList<>();
            for (List<Op> ops : program.actors()) {
                all.add(traces(memory -> Interpreter.run(program, ops, memory), values));
            }
            Start started = program.started();
            if (started != null) {
                List<Trace> traces = traces(memory -> Interpreter.run(program, started, memory), values);
                traces.add(ABSENT);
                all.add(traces);
            }
            boolean more = false;
            for (List<Trace> traces : all) {
                for (Trace trace : traces) {
                    for (Step step : trace.steps()) {
                        more |= step.write()
                                && values.computeIfAbsent(step.cell(), cell -> new TreeSet<>())
                                        .add(step.value());
                    }
                }
            }
            if (!more) {
                return all;
            }
            if (values.values().stream().anyMatch(set -> set.size() > MOST_VALUES)) {
                throw new TooLarge();
            }
        }
    }

    /** The interpreter needs the value of another read. */
    private static final class Choice extends RuntimeException {

        private static final long serialVersionUID = 1L;
        final Set<Long> options;

        Choice(Set<Long> options) {
            super("a choice", null, false, false);
            this.options = options;
        }
    }

    /** The traces of a thread whose reads return 0 or one of these values. */
    private List<Trace> traces(Function<ToLongFunction<Cell>, Trace> thread, Map<Cell, Set<Long>> values) {
        List<Trace> traces = new ArrayList<>();
        Deque<List<Long>> prefixes = new ArrayDeque<>(List.of(List.of()));
        while (!prefixes.isEmpty()) {
            List<Long> prefix = prefixes.pop();
            int[] position = {0};
            try {
                traces.add(thread.apply(cell -> {
                    if (position[0] == prefix.size()) {
                        Set<Long> options = new TreeSet<>(values.getOrDefault(cell, Set.of()));
                        options.add(0L);
                        if (cell == Interpreter.THREAD) {
                            options.add(1L);
                        }
                        throw new Choice(options);
                    }
                    return prefix.get(position[0]++);
                }));
            } catch (Choice choice) {
                for (long option : choice.options) {
                    List<Long> longer = new ArrayList<>(prefix);
                    longer.add(option);
                    prefixes.push(longer);
                }
            }
            if (traces.size() + prefixes.size() > MOST_TRACES) {
                throw new TooLarge();
            }
        }
        return traces;
    }

    private void combine(List<List<Trace>> traces, List<Trace> chosen) {
        if (chosen.size() < traces.size()) {
            for (Trace trace : traces.get(chosen.size())) {
                chosen.add(trace);
                combine(traces, chosen);
                chosen.remove(chosen.size() - 1);
            }
            return;
        }
        if (++combinations > MOST_COMBINATIONS) {
            throw new TooLarge();
        }
        if (isFed(chosen) && hasRightThread(chosen)) {
            new Candidates(chosen).chooseSources(0);
        }
    }

    /** Whether the started thread has a trace if it is started, and has ended if its starter joins it. */
    private boolean hasRightThread(List<Trace> chosen) {
        if (program.started() == null) {
            return true;
        }
        Trace thread = chosen.get(chosen.size() - 1);
        List<Trace> others = chosen.subList(0, chosen.size() - 1);
        boolean starts = others.stream().anyMatch(trace -> trace.indexOf(Axioms.Event.BORDER) >= 0);
        boolean joins = others.stream().anyMatch(trace -> trace.indexOf(Axioms.Event.JOIN) >= 0);
        boolean waits = others.stream().anyMatch(Trace::waitsForThread);
        return starts == (thread != ABSENT) && !(joins && thread.blocked()) && (!waits || thread.blocked());
    }

    /** Whether all values that are read are written. */
    private static boolean isFed(List<Trace> chosen) {
        Set<List<Object>> written = new HashSet<>();
        for (Trace trace : chosen) {
            trace.steps().stream().filter(Step::write).forEach(step -> written.add(List.of(step.cell(), step.value())));
        }
        return chosen.stream()
                .flatMap(trace -> trace.steps().stream())
                .allMatch(step ->
                        !step.read() || step.value() == 0 || written.contains(List.of(step.cell(), step.value())));
    }

    /** The candidates for one trace per thread. */
    private final class Candidates {

        private final List<Trace> chosen;
        private final List<Axioms.Event> events = new ArrayList<>();
        private final List<Long> values = new ArrayList<>();
        private final Map<Cell, Integer> locations = new LinkedHashMap<>();
        private final int[] source;
        private final boolean[] exists;
        private final List<List<Integer>> orders = new ArrayList<>();
        private final List<int[]> borders = new ArrayList<>();

        Candidates(List<Trace> chosen) {
            this.chosen = chosen;
            Set<Cell> cells = new LinkedHashSet<>();
            chosen.forEach(trace ->
                    trace.steps().stream().filter(step -> step.cell() != null).forEach(step -> cells.add(step.cell())));
            for (Cell cell : cells) {
                locations.put(cell, locations.size());
                events.add(new Axioms.Event(
                        -1, locations.size() - 1, false, true, false, dev.cqs.amc.Mode.OPAQUE, -1, false));
                values.add(0L);
                orders.add(new ArrayList<>());
            }
            for (int thread = 0; thread < chosen.size(); thread++) {
                int begin = events.size();
                for (Step step : chosen.get(thread).steps()) {
                    events.add(new Axioms.Event(
                            thread,
                            step.cell() == null ? step.border() : locations.get(step.cell()),
                            step.read(),
                            step.write(),
                            step.locked(),
                            step.mode(),
                            step.readHalf() < 0 ? -1 : begin + step.readHalf(),
                            step.own()));
                    values.add(step.value());
                }
            }
            if (events.size() > MOST_EVENTS) {
                throw new TooLarge();
            }
            findBorders();
            source = new int[events.size()];
            exists = new boolean[events.size()];
            Arrays.fill(exists, true);
        }

        /** The edges from the start of the thread to its beginning, and from its end to the join. */
        private void findBorders() {
            int begin = events.size() - chosen.get(chosen.size() - 1).steps().size();
            for (int i = 0, all = events.size(); i < begin && program.started() != null; i++) {
                if (events.get(i).location() == Axioms.Event.BORDER) {
                    borders.add(new int[] {i, begin});
                } else if (events.get(i).location() == Axioms.Event.JOIN) {
                    borders.add(new int[] {all - 1, i});
                }
            }
        }

        void chooseSources(int event) {
            if (event == events.size()) {
                if (isCausal()) {
                    chooseOrders(0);
                }
                return;
            }
            Axioms.Event read = events.get(event);
            if (!read.read()) {
                chooseSources(event + 1);
                return;
            }
            for (int i = 0; i < events.size(); i++) {
                Axioms.Event write = events.get(i);
                boolean later = write.thread() == read.thread() && i > event;
                if (write.write()
                        && write.location() == read.location()
                        && !later
                        && values.get(i).equals(values.get(event))) {
                    source[event] = i;
                    chooseSources(event + 1);
                }
            }
        }

        /** Whether po ∪ rf is acyclic. */
        private boolean isCausal() {
            boolean[] done = new boolean[events.size()];
            boolean all = false;
            for (boolean more = true; more; ) {
                more = false;
                all = true;
                for (int i = 0; i < done.length; i++) {
                    boolean first = i == 0
                            || events.get(i - 1).thread() != events.get(i).thread()
                            || i < orders.size();
                    int to = i;
                    boolean before = borders.stream().allMatch(border -> border[1] != to || done[border[0]]);
                    if (!done[i]
                            && before
                            && (first || done[i - 1])
                            && (!events.get(i).read() || done[source[i]])) {
                        done[i] = true;
                        more = true;
                    }
                    all &= done[i];
                }
            }
            return all;
        }

        private void chooseOrders(int location) {
            if (location == orders.size()) {
                judge();
                return;
            }
            List<Integer> rest = new ArrayList<>();
            for (int i = orders.size(); i < events.size(); i++) {
                if (events.get(i).write() && events.get(i).location() == location) {
                    rest.add(i);
                }
            }
            List<Integer> order = orders.get(location);
            order.clear();
            order.add(location);
            permute(rest, order, location);
        }

        /** Only coherence orders that agree with program order: the others are incoherent in every model. */
        private void permute(List<Integer> rest, List<Integer> order, int location) {
            if (rest.isEmpty()) {
                chooseOrders(location + 1);
                return;
            }
            for (int i = 0; i < rest.size(); i++) {
                int write = rest.get(i);
                if (rest.subList(0, i).stream()
                        .noneMatch(other ->
                                events.get(other).thread() == events.get(write).thread())) {
                    List<Integer> others = new ArrayList<>(rest);
                    others.remove(i);
                    order.add(write);
                    permute(others, order, location);
                    order.remove(order.size() - 1);
                }
            }
        }

        /** Whether each waiting thread reads from the last write. */
        private boolean isFair() {
            int end = orders.size();
            for (Trace trace : chosen) {
                end += trace.steps().size();
                if (trace.waitsForValue()) {
                    List<Integer> order = orders.get(events.get(end - 1).location());
                    if (order.get(order.size() - 1) != source[end - 1]) {
                        return false;
                    }
                }
            }
            return true;
        }

        private void judge() {
            if (++candidates > MOST_CANDIDATES) {
                throw new TooLarge();
            }
            if (!isFair()) {
                return;
            }
            Axioms axioms = new Axioms(events, exists, source, orders, borders);
            if (!axioms.coherentAndAtomic()) {
                return;
            }
            boolean hangs = chosen.stream().anyMatch(Trace::blocked);
            List<Long> outcome = new ArrayList<>();
            int actors = program.actors().size();
            chosen.subList(0, actors).forEach(trace -> outcome.addAll(trace.observed()));
            outcome.addAll(Interpreter.run(program, program.end(), this::last).observed());
            chosen.subList(actors, chosen.size()).forEach(trace -> outcome.addAll(trace.observed()));
            found.forEach((model, result) -> {
                if (axioms.hold(model)) {
                    result.race |= axioms.race(model);
                    result.hang |= hangs;
                    if (!hangs) {
                        result.executions++;
                        result.outcomes.merge(outcome, 1L, Long::sum);
                    }
                }
            });
        }

        /** The final value of a location. */
        private long last(Cell cell) {
            Integer location = locations.get(cell);
            if (location == null) {
                return 0;
            }
            List<Integer> order = orders.get(location);
            return values.get(order.get(order.size() - 1));
        }
    }
}
