package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import java.util.Locale;

/**
 * The path of an edge: horizontally out of a step, by a cubic curve to the row of the other step, and horizontally into
 * it. The curve lies in the gap beside the column where it begins. A row has one step, so the rest of the path crosses
 * nothing.
 *
 * @param x1 where the path begins
 * @param begin where the curve begins
 * @param lane the abscissa of the control points
 * @param end where the curve ends
 * @param x2 where the path ends
 */
record Curve(double x1, double y1, double begin, double lane, double end, double x2, double y2) {

    /** How far a curve within a column bulges sideways, and how much farther for each step that it passes. */
    private static final double BULGE = 30;

    private static final double BULGE_PER_STEP = 4;
    private static final double WIDEST_BULGE = 58;

    /** The curve of an edge between two boxes. Curves of different relations between the same boxes do not overlap. */
    static Curve of(Edge edge, Layout layout) {
        Layout.Box from = layout.box(edge.from());
        Layout.Box to = layout.box(edge.to());
        double y1 = from.centre() + shift(edge.order());
        double y2 = to.centre() + shift(edge.order());
        if (from.step().thread() == to.step().thread()) {
            boolean left = edge.order() == Order.WRITES || edge.order() == Order.FROM_READ;
            double side = Math.min(WIDEST_BULGE, BULGE + BULGE_PER_STEP * Math.abs(edge.to() - edge.from()));
            double x1 = left ? from.x() : from.right();
            double x2 = left ? to.x() : to.right();
            int column = from.step().thread();
            double out =
                    left ? layout.columnX[column] - side : layout.columnX[column] + layout.columnWidth[column] + side;
            return new Curve(x1, y1, x1, out, x2, x2, y2);
        }
        boolean right = from.step().thread() < to.step().thread();
        Layout.Gap gap = layout.gap(edge);
        double lane = layout.lane(edge);
        return right
                ? new Curve(from.right(), y1, gap.left(), lane, gap.right(), to.x(), y2)
                : new Curve(from.x(), y1, gap.right(), lane, gap.left(), to.right(), y2);
    }

    private static double shift(Order order) {
        return switch (order) {
            case READS_FROM -> -5;
            case SYNCHRONIZES -> 0;
            case WRITES -> 5;
            case FROM_READ -> 10;
            default -> 0;
        };
    }

    /** The abscissa at a fraction of the curve, from 0 to 1. */
    double x(double part) {
        return at(part, begin, lane, lane, end);
    }

    /** The ordinate at a fraction of the curve, from 0 to 1. */
    double y(double part) {
        return at(part, y1, y1, y2, y2);
    }

    private static double at(double part, double a, double b, double c, double d) {
        double rest = 1 - part;
        return rest * rest * rest * a
                + 3 * rest * rest * part * b
                + 3 * rest * part * part * c
                + part * part * part * d;
    }

    /** The path in SVG syntax. */
    String path() {
        return String.format(
                Locale.ROOT,
                "M%.1f,%.1f H%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f H%.1f",
                x1,
                y1,
                begin,
                lane,
                y1,
                lane,
                y2,
                end,
                y2,
                x2);
    }
}
