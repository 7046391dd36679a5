package dev.cqs.amc.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.FinalState;
import dev.cqs.amc.Litmus;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Program;
import dev.cqs.amc.diagnosis.TraceNarrative;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.replay.ConsistencyRecheck;
import dev.cqs.amc.search.RandomProgram.Extra;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rechecking complete graphs agrees with the search, and a cycle is found exactly for graphs that are not sequentially
 * consistent.
 */
class ConsistencyRecheckTest {

    /** A program whose complete graphs are passed to a consumer. */
    private static final class Watched extends Wrapped {

        private final Consumer<Graph> listener;
        private Explorer explorer;

        Watched(Program program, Consumer<Graph> listener) {
            super(program);
            this.listener = listener;
        }

        @Override
        public void checkEnd(FinalState end) {
            listener.accept(explorer.graph());
        }
    }

    private static long explore(Program program, Model model, Consumer<Graph> listener) {
        Watched subject = new Watched(program, listener);
        subject.explorer = new Explorer(subject, Unbounded.options(model));
        return subject.explorer.explore().complete();
    }

    /** SC and JLS are stronger than RC11. So is TSO for programs without volatile accesses and fences. */
    private static void compare(Program program, Model stronger) {
        long[] allowed = new long[1];
        explore(program, Model.RC11, graph -> {
            assertTrue(ConsistencyRecheck.allows(graph, Model.RC11, Map.of()), program.name());
            allowed[0] += ConsistencyRecheck.allows(graph, stronger, Map.of()) ? 1 : 0;
        });
        assertEquals(explore(program, stronger, graph -> {}), allowed[0], program + " under " + stronger);
    }

    @ParameterizedTest
    @EnumSource(
            value = Model.class,
            names = {"SC", "JLS"})
    void strongerModelsHaveAsManyOfTheGraphsAsTheyFindThemselves(Model stronger) {
        Random random = new Random(99);
        for (int i = 0; i < 400; i++) {
            compare(RandomProgram.of(random, Extra.NOTHING).toProgram(), stronger);
        }
        Litmus.all().stream()
                .filter(litmus -> explore(litmus.program(), Model.RC11, graph -> {}) > 0)
                .forEach(litmus -> compare(litmus.program(), stronger));
    }

    @Test
    void totalStoreOrderHasAsManyOfTheGraphsAsItFindsItself() {
        Random random = new Random(100);
        int compared = 0;
        for (int i = 0; i < 1_500; i++) {
            RandomProgram program = RandomProgram.of(random, Extra.NOTHING);
            if (program.threads().stream().flatMap(List::stream).noneMatch(op -> op.mode() == Mode.VOLATILE)) {
                compare(program.toProgram(), Model.TSO);
                compared++;
            }
        }
        assertTrue(compared > 90, "too few programs without volatile accesses: " + compared);
    }

    @Test
    void allVolatileGraphsAreThoseOfSequentialConsistency() {
        Random random = new Random(101);
        long[] kinds = new long[2];
        for (int i = 0; i < 200; i++) {
            explore(RandomProgram.of(random, Extra.NOTHING).toProgram(), Model.RC11, graph -> {
                Map<Event, Mode> modes = new IdentityHashMap<>();
                for (int thread = 0; thread < graph.threads(); thread++) {
                    for (int k = 0; k < graph.length(thread); k++) {
                        modes.put(graph.event(thread, k), Mode.VOLATILE);
                    }
                }
                boolean ordinary = ConsistencyRecheck.allows(graph, Model.SC, Map.of());
                assertEquals(ordinary, ConsistencyRecheck.allows(graph, Model.JLS, modes));
                kinds[ordinary ? 1 : 0]++;
            });
        }
        assertTrue(kinds[0] > 100 && kinds[1] > 100, "one kind is rare: " + Arrays.toString(kinds));
    }

    @Test
    void cycleIsThereUnlessSequentialConsistencyHasTheGraph() {
        Random random = new Random(102);
        long[] kinds = new long[2];
        for (int i = 0; i < 300; i++) {
            explore(RandomProgram.of(random, Extra.NOTHING).toProgram(), Model.RC11, graph -> {
                boolean ordinary = ConsistencyRecheck.allows(graph, Model.SC, Map.of());
                int[] iterations = new int[graph.threads()];
                Arrays.fill(iterations, -1);
                TraceNarrative searched = new TraceNarrative(graph, iterations, Set.of(), Set.of(), false);
                assertEquals(ordinary, searched.cycle().isEmpty());
                checkCycle(searched);
                checkOrder(graph, new TraceNarrative(graph, iterations, Set.of(), Set.of(), ordinary), ordinary);
                kinds[ordinary ? 1 : 0]++;
            });
        }
        assertTrue(kinds[0] > 100 && kinds[1] > 100, "one kind is rare: " + Arrays.toString(kinds));
    }

    private static void checkCycle(TraceNarrative narrative) {
        List<Edge> cycle = narrative.cycle();
        for (int i = 0; i < cycle.size(); i++) {
            assertEquals(cycle.get(i).to(), cycle.get((i + 1) % cycle.size()).from());
        }
        assertEquals(cycle.size(), cycle.stream().map(Edge::from).distinct().count());
    }

    private static void checkOrder(Graph graph, TraceNarrative narrative, boolean ordinary) {
        int told = 0;
        for (Event event : narrative.events()) {
            told++;
            if (event.index > 0) {
                assertTrue(narrative.number(graph.previousInThread(event)) <= narrative.number(event));
            }
            if (event.isRead() && event.source.thread >= 0) {
                assertTrue(narrative.number(event.source) < narrative.number(event));
            }
            if (ordinary && event.isWrite()) {
                Event before = graph.write(event.location, event.order - 1);
                assertFalse(before.thread >= 0 && narrative.number(before) > narrative.number(event));
            }
        }
        assertEquals(graph.size(), told);
    }
}
