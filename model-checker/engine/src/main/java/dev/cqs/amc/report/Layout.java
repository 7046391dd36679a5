package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The layout of a counter-example: a column per thread, a row per step. */
final class Layout {

    static final double LINE = 17;
    private static final double TEXT_HEIGHT = 9;
    static final double MARGIN = 24;
    private static final double PADDING = 9;
    /** The width beside the outermost columns, for curves within a column. */
    private static final double SIDE = 60;
    /** The width between two columns, for curves that begin there and for their labels. */
    private static final double NARROWEST_GAP = 130;

    private static final double WIDEST_GAP = 300;
    private static final double LANE = 26;
    private static final double ROW_GAP = 20;
    private static final int LONGEST_LINE = 400;

    /**
     * A step.
     *
     * @param x its left edge
     * @param y its upper edge
     * @param lines its text
     */
    record Box(Step step, double x, double y, double width, double height, List<String> lines) {

        double right() {
            return x + width;
        }

        double middle() {
            return x + width / 2;
        }

        double bottom() {
            return y + height;
        }

        double centre() {
            return y + height / 2;
        }
    }

    /** The gap between a column and the next one. */
    record Gap(double left, double right) {}

    final List<Box> boxes = new ArrayList<>();
    final double[] columnX;
    final double[] columnWidth;
    final double top;
    final double bottom;
    final double width;

    private final CounterExample example;
    /** Per gap, the edges whose curves are in it, in the order of their lanes. */
    private final List<List<Edge>> lanes = new ArrayList<>();

    /** Lays out the steps below {@code top}, with space for {@code edges}. */
    Layout(CounterExample example, Collection<Edge> edges, double top) {
        this.example = example;
        this.top = top;
        int columns = example.threads().size();
        columnX = new double[columns];
        columnWidth = new double[columns];
        double x = MARGIN + SIDE;
        for (int column = 0; column < columns; column++) {
            int gap = column;
            lanes.add(edges.stream()
                    .filter(edge -> gapOf(edge) == gap)
                    .sorted(Comparator.comparing(this::isRightward)
                            .reversed()
                            .thenComparing(Edge::from, Comparator.reverseOrder()))
                    .toList());
            columnX[column] = x;
            columnWidth[column] = width(example, column);
            x += columnWidth[column]
                    + Math.max(
                            NARROWEST_GAP,
                            Math.min(WIDEST_GAP, LANE * (lanes.get(column).size() + 2)));
        }
        width = columnX[columns - 1] + columnWidth[columns - 1] + SIDE + MARGIN;
        double y = top + LINE * 2;
        for (Step step : example.steps()) {
            List<String> lines = lines(step);
            double height = PADDING * 2 + LINE * (lines.size() - 1) + TEXT_HEIGHT + (step.place() == null ? 0 : LINE);
            double own = boxWidth(step, lines);
            double left = columnX[step.thread()] + (columnWidth[step.thread()] - own) / 2;
            boxes.add(new Box(step, left, y, own, height, lines));
            y += height + ROW_GAP;
        }
        bottom = y;
    }

    Box box(int step) {
        return boxes.get(step - 1);
    }

    private int thread(int step) {
        return example.step(step).thread();
    }

    private boolean isRightward(Edge edge) {
        return thread(edge.from()) < thread(edge.to());
    }

    /** The column to the left of the gap with the edge's curve; -1 for an edge within a column. */
    private int gapOf(Edge edge) {
        return thread(edge.from()) == thread(edge.to())
                ? -1
                : isRightward(edge) ? thread(edge.from()) : thread(edge.from()) - 1;
    }

    /** The gap with the curve of an edge between two columns. */
    Gap gap(Edge edge) {
        int column = gapOf(edge);
        return new Gap(columnX[column] + columnWidth[column], columnX[column + 1]);
    }

    /** The abscissa of the edge's lane in its gap. */
    double lane(Edge edge) {
        List<Edge> all = lanes.get(gapOf(edge));
        Gap gap = gap(edge);
        return gap.left + (gap.right - gap.left) * (all.indexOf(edge) + 1) / (all.size() + 1);
    }

    private static double width(CounterExample example, int column) {
        double width = Widths.code(example.threads().get(column)) + 2 * PADDING;
        for (Step step : example.steps()) {
            if (step.thread() == column) {
                width = Math.max(width, boxWidth(step, lines(step)));
            }
        }
        return width;
    }

    private static double boxWidth(Step step, List<String> lines) {
        double longest = lines.stream().mapToDouble(Widths::code).max().orElse(0);
        double place = step.place() == null ? 0 : Widths.smallCode(step.place());
        return Math.max(longest, place) + 2 * PADDING;
    }

    private static List<String> lines(Step step) {
        return Widths.wrap("#" + step.number() + " " + step.operation(), Widths::code, LONGEST_LINE);
    }
}
