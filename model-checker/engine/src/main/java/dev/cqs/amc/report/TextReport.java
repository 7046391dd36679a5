package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Step;
import java.util.List;

/** Renders a counter-example as text. */
public final class TextReport {

    /**
     * Four columns of this width fit on a wide screen. A longer cell continues into the next column, which is empty in
     * its row.
     */
    private static final int WIDEST = 32;

    private static final int GAP = 3;

    private final CounterExample example;
    private final StringBuilder text = new StringBuilder();

    private TextReport(CounterExample example) {
        this.example = example;
    }

    /** The text, with a line feed after each line. */
    public static String of(CounterExample example) {
        return new TextReport(example).write();
    }

    private String write() {
        Sentences sentences = new Sentences(example);
        text.append(sentences.title())
                .append('\n')
                .append(example.message())
                .append('\n')
                .append(sentences.bounds())
                .append("\n\n");
        table();
        for (String order : example.writeOrders()) {
            text.append("coherence order of ").append(order).append('\n');
        }
        section("What is wrong", example.explanation().reasons());
        section("Where it can happen", sentences.models());
        section("What would repair it", sentences.repairs());
        return text.toString();
    }

    private void section(String title, List<String> sentences) {
        if (!sentences.isEmpty()) {
            text.append('\n').append(title).append('\n');
            sentences.forEach(sentence -> text.append("  ").append(sentence).append('\n'));
        }
    }

    private void table() {
        List<String> threads = example.threads();
        int[] begins = new int[threads.size()];
        for (int i = 1; i < begins.length; i++) {
            begins[i] = begins[i - 1] + Math.max(threads.get(i - 1).length(), Math.min(WIDEST, widest(i - 1))) + GAP;
        }
        int end = 0;
        for (int i = 0; i < begins.length; i++) {
            text.append(" ".repeat(begins[i] - end)).append(threads.get(i));
            end = begins[i] + threads.get(i).length();
        }
        text.append('\n');
        for (Step step : example.steps()) {
            text.append(" ".repeat(begins[step.thread()])).append(cell(step)).append('\n');
        }
        if (!example.writeOrders().isEmpty()) {
            text.append('\n');
        }
    }

    private int widest(int thread) {
        return example.steps().stream()
                .filter(step -> step.thread() == thread)
                .mapToInt(step -> cell(step).length())
                .max()
                .orElse(0);
    }

    private static String cell(Step step) {
        return Sentences.cell(step) + (step.place() == null ? "" : "  (" + step.place() + ")");
    }
}
