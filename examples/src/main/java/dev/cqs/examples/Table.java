package dev.cqs.examples;

import dev.cqs.examples.Comparison.Figures;
import dev.cqs.examples.Comparison.Result;
import java.util.ArrayList;
import java.util.List;

/** The figures in columns: three lines for each comparison, one per side and one for their ratio. */
final class Table {
    private static final String[] HEADER = {"threads", "primitive", "side", "throughput", "FIFO order", "timeout cost"};

    private final List<String[]> rows = new ArrayList<>();

    Table(List<Result> results) {
        for (Result result : results) {
            add(result);
        }
    }

    private void add(Result result) {
        Figures ours = result.ours();
        Figures peer = result.peer();
        Primitive primitive = result.primitive();
        String permits = primitive.permits == 1 ? "" : "of " + primitive.permits;
        rows.add(new String[0]);
        rows.add(row(result.kind().name(), primitive.title, "cqs", ours));
        rows.add(row(Text.count(result.threads()) + " contend", permits, "j.u.c.", peer));
        rows.add(new String[] {
            Text.count(result.waiters()) + " wait",
            "",
            "ratio",
            Text.rateRatio(ours.perSecond(), peer.perSecond()),
            "",
            Text.costRatio(ours.microsPerTimeout(), peer.microsPerTimeout())
        });
    }

    private static String[] row(String threads, String primitive, String side, Figures figures) {
        return new String[] {
            threads,
            primitive,
            side,
            Text.rate(figures.perSecond()),
            figures.inOrder() ? "kept" : "BROKEN",
            Text.micros(figures.microsPerTimeout())
        };
    }

    void show(Screen screen) {
        int[] widths = widths();
        int total = 1;
        for (int width : widths) {
            total += width + 2;
        }
        screen.line(screen.bold(aligned(HEADER, widths)));
        for (String[] row : rows) {
            if (row.length == 0) {
                screen.line(" " + "-".repeat(total - 3));
            } else {
                String line = aligned(row, widths);
                screen.line(row[4].equals("BROKEN") ? screen.alarming(line) : line);
            }
        }
    }

    private int[] widths() {
        int[] widths = new int[HEADER.length];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = HEADER[column].length();
            for (String[] row : rows) {
                if (row.length > 0) {
                    widths[column] = Math.max(widths[column], row[column].length());
                }
            }
        }
        return widths;
    }

    /** Aligns words left and figures right. */
    private static String aligned(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.length; column++) {
            String padding = " ".repeat(widths[column] - cells[column].length());
            boolean figure = column == 3 || column == 5;
            line.append(column == 0 ? " " : "  ").append(figure ? padding + cells[column] : cells[column] + padding);
        }
        return line.toString().stripTrailing();
    }
}
