package dev.cqs.amc.engine;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Step;
import dev.cqs.amc.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns the graph that something is wrong with into words. */
final class Snapshot {

    private final Subject subject;
    private final Graph graph;
    private final Map<Event, Integer> numbers = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    private Snapshot(Subject subject, Graph graph) {
        this.subject = subject;
        this.graph = graph;
    }

    static CounterExample of(Subject subject, Graph graph, ThreadRun[] threads, Failure failure) {
        Snapshot snapshot = new Snapshot(subject, graph);
        snapshot.order(failure.events(), threads);
        return new CounterExample(failure.verdict(), failure.message(), threadNames(subject), snapshot.steps,
                snapshot.writeOrders(), failure.cause());
    }

    /** Each event after those before it in its thread, and after its source. */
    private void order(List<Event> guilty, ThreadRun[] threads) {
        int[] done = new int[graph.threads()];
        boolean more = true;
        while (more) {
            more = false;
            for (int thread = 0; thread < done.length; thread++) {
                while (done[thread] < graph.length(thread)) {
                    Event event = graph.event(thread, done[thread]);
                    if (event.source != null && event.source.thread >= 0 && !numbers.containsKey(event.source)) {
                        break;
                    }
                    done[thread]++;
                    add(event, guilty, threads);
                    more = true;
                }
            }
        }
    }

    private void add(Event event, List<Event> guilty, ThreadRun[] threads) {
        int source = event.isRead() && event.source.thread >= 0 ? numbers.get(event.source) : 0;
        if (event.isPairedWrite()) {
            // The step of its read tells both.
            numbers.put(event, numbers.get(graph.previous(event)));
            if (guilty.contains(event)) {
                Step step = steps.get(numbers.get(event) - 1);
                steps.set(step.number() - 1, new Step(step.number(), step.thread(), step.operation(), step.source(), true));
            }
            return;
        }
        ThreadRun run = threads[event.thread];
        boolean awaits = run.isAwaiting() && event.index >= run.roundBegin();
        int number = steps.size() + 1;
        numbers.put(event, number);
        steps.add(new Step(number, event.thread, (awaits ? "await " : "") + describe(subject, event), source,
                guilty.contains(event)));
    }

    /** Per variable that has been written: its writes in their order. */
    private List<String> writeOrders() {
        List<String> orders = new ArrayList<>();
        for (int location = 0; location < graph.locations(); location++) {
            int count = graph.writeCount(location);
            if (count < 3) {
                continue;
            }
            StringBuilder order = new StringBuilder(subject.locationName(location)).append(": ");
            for (int i = 0; i < count; i++) {
                Event write = graph.write(location, i);
                order.append(i == 0 ? "" : ", then ").append(subject.valueName(location, write.value));
                order.append(i == 0 ? " at first" : " (#" + numbers.get(write) + ")");
            }
            orders.add(order.toString());
        }
        return orders;
    }

    /** An event in words, such as {@code read.acquire x = 1}. */
    static String describe(Subject subject, Event event) {
        String mode = event.mode.name().toLowerCase(Locale.ROOT);
        String name = event.location < 0 ? "" : subject.locationName(event.location);
        return switch (event.kind) {
            case READ -> event.update == null ? "read." + mode + " " + name + " = " + value(subject, event, event.value)
                    : describeUpdate(subject, event, name);
            case FENCE -> "fence." + (event.mode == Mode.VOLATILE ? "full" : mode);
            case CHOICE -> "choose " + event.value + " of " + event.options;
            case CREATE -> "start " + subject.threadName((int) event.value);
            case START -> "begin";
            case END -> "end";
            case JOIN -> "join " + subject.threadName(event.source.thread);
            default -> "write." + mode + " " + name + " = " + value(subject, event, event.value);
        };
    }

    private static String value(Subject subject, Event event, long value) {
        return subject.valueName(event.location, value);
    }

    private static List<String> threadNames(Subject subject) {
        List<String> names = new ArrayList<>();
        for (int thread = 0; thread < subject.threads(); thread++) {
            names.add(subject.threadName(thread));
        }
        return names;
    }

    private static String describeUpdate(Subject subject, Event read, String name) {
        String read1 = read.mode.name().toLowerCase(Locale.ROOT);
        String write = read.writeMode.name().toLowerCase(Locale.ROOT);
        String mode = read1.equals(write) ? read1 : read1 + "/" + write;
        String change = read.paired
                ? " = " + value(subject, read, read.value) + " -> "
                        + value(subject, read, read.update.apply(read.value, read.operand))
                : " = " + value(subject, read, read.value) + ", not " + value(subject, read, read.expected);
        return (read.update == Update.COMPARE_AND_SET ? "cas." : "swap.") + mode + " " + name + change;
    }
}
