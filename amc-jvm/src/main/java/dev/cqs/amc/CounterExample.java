package dev.cqs.amc;

import java.util.List;

/**
 * An execution that is wrong.
 *
 * @param verdict what is wrong
 * @param message what is wrong, in a sentence
 * @param threads the names of the threads
 * @param steps what the threads do, in an order in which every value is written before it is read
 * @param writeOrders for each variable that is written more than once, in which order
 * @param cause what the program has thrown, or null
 */
public record CounterExample(Verdict verdict, String message, List<String> threads, List<Step> steps,
        List<String> writeOrders, Throwable cause) {

    /**
     * A step of a thread.
     *
     * @param number its number, from 1 on
     * @param thread the index of its thread
     * @param operation what it does, such as {@code read.acquire x = 1}
     * @param source of a read: the number of the step that has written the value, or 0 if the value is the initial one
     * @param guilty whether the message is about this step
     */
    public record Step(int number, int thread, String operation, int source, boolean guilty) {

        private String words() {
            return "#" + number + (guilty ? "! " : " ") + operation + (source == 0 ? "" : " <- #" + source);
        }
    }

    /** Copies the lists. */
    public CounterExample {
        threads = List.copyOf(threads);
        steps = List.copyOf(steps);
        writeOrders = List.copyOf(writeOrders);
    }

    /** The execution as text, with a column per thread. The steps that the message is about have an exclamation mark. */
    public String text() {
        int[] widths = new int[threads.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = threads.get(i).length();
        }
        for (Step step : steps) {
            widths[step.thread()] = Math.max(widths[step.thread()], step.words().length());
        }
        StringBuilder text = new StringBuilder(verdict.words()).append(": ").append(message).append('\n');
        for (int i = 0; i < widths.length; i++) {
            cell(text, threads.get(i), widths[i], i == widths.length - 1);
        }
        for (Step step : steps) {
            for (int i = 0; i <= step.thread(); i++) {
                cell(text, i == step.thread() ? step.words() : "", widths[i], i == step.thread());
            }
        }
        for (String order : writeOrders) {
            text.append("order of writes to ").append(order).append('\n');
        }
        return text.toString();
    }

    /** The execution for Graphviz: a column per thread, with an edge from each write to those who read it. */
    public String dot() {
        StringBuilder dot = new StringBuilder("digraph execution {\n  node [shape=plaintext];\n");
        dot.append("  label=\"").append(quoted(verdict.words() + ": " + message)).append("\";\n");
        for (int thread = 0; thread < threads.size(); thread++) {
            dot.append("  subgraph cluster_").append(thread).append(" {\n    label=\"").append(quoted(threads.get(thread)))
                    .append("\";\n");
            int before = 0;
            for (Step step : steps) {
                if (step.thread() == thread) {
                    dot.append("    s").append(step.number()).append(" [label=\"").append(quoted(step.operation()))
                            .append(step.guilty() ? "\", fontcolor=red];\n" : "\"];\n");
                    dot.append(before == 0 ? "" : "    s" + before + " -> s" + step.number() + ";\n");
                    before = step.number();
                }
            }
            dot.append("  }\n");
        }
        for (Step step : steps) {
            if (step.source() != 0) {
                dot.append("  s").append(step.source()).append(" -> s").append(step.number())
                        .append(" [label=rf, color=green, constraint=false];\n");
            }
        }
        return dot.append("}\n").toString();
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ");
    }

    private static void cell(StringBuilder text, String words, int width, boolean last) {
        text.append(words).append(last ? "\n" : " ".repeat(width - words.length() + 3));
    }
}
