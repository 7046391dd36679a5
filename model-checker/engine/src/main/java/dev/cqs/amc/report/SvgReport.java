package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import dev.cqs.amc.report.Layout.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Renders a counter-example as a self-contained SVG file. */
public final class SvgReport {

    private static final double LINE = Layout.LINE;
    private static final double MARGIN = Layout.MARGIN;
    private static final double NARROWEST = 720;
    private static final double LABEL_HEIGHT = 13;
    /** Where on its curve a label may be, the best place first. */
    private static final double[] LABEL_PLACES = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};

    private static final double LEGEND_GAP = 22;
    private static final double LEGEND_LINE = 30;

    /** The area that a label covers. */
    private record Label(double x, double y, double width) {

        boolean hits(Label other) {
            return Math.abs(x - other.x) < (width + other.width) / 2 && Math.abs(y - other.y) < LABEL_HEIGHT;
        }

        boolean hits(Box box) {
            return x + width / 2 > box.x()
                    && x - width / 2 < box.right()
                    && y + LABEL_HEIGHT / 2 > box.y()
                    && y - LABEL_HEIGHT / 2 < box.bottom();
        }
    }

    private final CounterExample example;
    private final Sentences sentences;
    private final List<Edge> cycle;
    private final StringBuilder svg = new StringBuilder();
    private final List<Label> labels = new ArrayList<>();
    private double width;

    private SvgReport(CounterExample example) {
        this.example = example;
        sentences = new Sentences(example);
        cycle = example.explanation().cycle();
    }

    /** The file. */
    public static String of(CounterExample example) {
        return new SvgReport(example).write();
    }

    private String write() {
        Set<Edge> edges = DrawnEdges.of(example);
        width = Math.max(NARROWEST, new Layout(example, edges, 0).width);
        double y = heading(MARGIN + LINE);
        y = legend(edges, y);
        Layout layout = new Layout(example, edges, y + LINE);
        columns(layout);
        programOrder(layout);
        edges.forEach(edge -> edge(layout, edge));
        layout.boxes.forEach(this::box);
        edges.forEach(edge -> label(layout, edge));
        double height = explanation(layout.bottom + LINE) + MARGIN;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height)
                + "\" width=\""
                + number(width) + "\" height=\"" + number(height) + "\">\n<title>" + escaped(sentences.title())
                + "</title>\n" + style()
                + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" + svg + "</svg>\n";
    }

    private static String style() {
        StringBuilder style =
                new StringBuilder("<style>\n.paper { fill: #ffffff }\ntext { font: 13px Helvetica, Arial, sans-serif; "
                        + "fill: #222222 }\n.title { font-size: 17px; font-weight: bold }\n.heading { font-weight: bold }\n"
                        + ".code { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace }\n"
                        + ".place { font-size: 11px; fill: #777777 }\n.box { fill: #f8f9fb; stroke: #9aa3ad }\n"
                        + ".guilty .box { fill: #fff0ee; stroke: #d1242f; stroke-width: 2 }\n.guilty .code { fill: #b3141f }\n"
                        + ".column { stroke: #e8ebee; stroke-width: 2 }\npath, .po { fill: none; stroke-width: 1.4 }\n"
                        + ".behind { fill: #ffffff; fill-opacity: 0.85 }\n.name { font-size: 11px; text-anchor: middle }\n"
                        + ".cycle path, .cycle .po { stroke-width: 3.4 }\n.cycle .name { font-weight: bold }\n");
        for (Order order : Order.values()) {
            style.append('.')
                    .append(order.sign())
                    .append(" path, .")
                    .append(order.sign())
                    .append(" .po { stroke: ")
                    .append(colour(order))
                    .append(dashes(order))
                    .append(" }\n.")
                    .append(order.sign())
                    .append(" .name { fill: ")
                    .append(colour(order))
                    .append(" }\n");
        }
        style.append("</style>\n<defs>\n");
        for (Order order : Order.values()) {
            style.append("<marker id=\"")
                    .append(order.sign())
                    .append("-head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" ")
                    .append("markerUnits=\"userSpaceOnUse\" markerWidth=\"11\" markerHeight=\"9\" orient=\"auto\">")
                    .append("<path d=\"M0,0 L10,5 L0,10 z\" style=\"fill: ")
                    .append(colour(order))
                    .append("; stroke: none\"/></marker>\n");
        }
        return style.append("</defs>\n").toString();
    }

    private static String colour(Order order) {
        return switch (order) {
            case PROGRAM -> "#555555";
            case READS_FROM -> "#1a7f37";
            case WRITES -> "#9a5b13";
            case FROM_READ -> "#d1242f";
            case SYNCHRONIZES -> "#0b5cd6";
            case STARTS, ENDS -> "#777777";
        };
    }

    private static String dashes(Order order) {
        return switch (order) {
            case WRITES -> "; stroke-dasharray: 6 4";
            case STARTS, ENDS -> "; stroke-dasharray: 2 3";
            case SYNCHRONIZES -> "; stroke-width: 2.2";
            default -> "";
        };
    }

    // Above the picture

    private double heading(double y) {
        double below = paragraph(sentences.title(), "title", 0, y) + 4;
        return paragraph(example.message(), "", 0, below) + 4;
    }

    private double legend(Set<Edge> edges, double y) {
        double x = MARGIN;
        double at = y;
        for (Order order : Order.values()) {
            String words = order.sign() + ": " + order.words();
            double needed = LEGEND_LINE + 6 + Widths.text(words);
            if (order != Order.PROGRAM && edges.stream().noneMatch(edge -> edge.order() == order)) {
                continue;
            }
            if (x + needed > width - MARGIN) {
                x = MARGIN;
                at += LINE;
            }
            svg.append("<g class=\"legend ")
                    .append(order.sign())
                    .append("\"><path d=\"M")
                    .append(number(x))
                    .append(',')
                    .append(number(at - 4))
                    .append(" h")
                    .append(number(LEGEND_LINE))
                    .append("\" marker-end=\"url(#")
                    .append(order.sign())
                    .append("-head)\"/>");
            text(words, "", x + LEGEND_LINE + 6, at);
            svg.append("</g>\n");
            x += needed + LEGEND_GAP;
        }
        if (!cycle.isEmpty()) {
            at = paragraph("Thick: the cycle that sequential consistency forbids.", "", 0, at + LINE) - LINE;
        }
        return at;
    }

    // The picture

    private void columns(Layout layout) {
        for (int column = 0; column < example.threads().size(); column++) {
            double middle = layout.columnX[column] + layout.columnWidth[column] / 2;
            svg.append("<line class=\"column\" x1=\"")
                    .append(number(middle))
                    .append("\" x2=\"")
                    .append(number(middle))
                    .append("\" y1=\"")
                    .append(number(layout.top + LINE))
                    .append("\" y2=\"")
                    .append(number(layout.bottom))
                    .append("\"/>\n");
            svg.append("<text class=\"heading code\" text-anchor=\"middle\" x=\"")
                    .append(number(middle))
                    .append("\" y=\"")
                    .append(number(layout.top + LINE - 6))
                    .append("\">")
                    .append(escaped(example.threads().get(column)))
                    .append("</text>\n");
        }
    }

    private void programOrder(Layout layout) {
        Box[] latest = new Box[example.threads().size()];
        for (Box box : layout.boxes) {
            int thread = box.step().thread();
            if (latest[thread] != null) {
                line(latest[thread], box);
            }
            latest[thread] = box;
        }
    }

    private void line(Box from, Box to) {
        Edge own = new Edge(Order.PROGRAM, from.step().number(), to.step().number());
        boolean inCycle = cycle.stream()
                .anyMatch(edge -> edge.order() == Order.PROGRAM
                        && edge.from() <= own.from()
                        && edge.to() >= own.to()
                        && example.step(edge.from()).thread() == from.step().thread());
        open(own, inCycle);
        svg.append("<line class=\"po\" x1=\"")
                .append(number(from.middle()))
                .append("\" y1=\"")
                .append(number(from.bottom()))
                .append("\" x2=\"")
                .append(number(to.middle()))
                .append("\" y2=\"")
                .append(number(to.y()))
                .append("\" marker-end=\"url(#po-head)\"/></g>\n");
    }

    private void open(Edge edge, boolean inCycle) {
        svg.append("<g class=\"edge ")
                .append(edge.order().sign())
                .append(inCycle ? " cycle" : "")
                .append("\" data-from=\"")
                .append(edge.from())
                .append("\" data-to=\"")
                .append(edge.to())
                .append("\"><title>#")
                .append(edge.from())
                .append(' ')
                .append(words(edge))
                .append(" #")
                .append(edge.to())
                .append("</title>");
    }

    private static String words(Edge edge) {
        return switch (edge.order()) {
            case READS_FROM -> "is read by";
            case PROGRAM, WRITES -> "comes before";
            default -> edge.order().words();
        };
    }

    private void edge(Layout layout, Edge edge) {
        open(edge, cycle.contains(edge));
        svg.append("<path d=\"")
                .append(Curve.of(edge, layout).path())
                .append("\" marker-end=\"url(#")
                .append(edge.order().sign())
                .append("-head)\"/></g>\n");
    }

    private void box(Box box) {
        svg.append("<g class=\"step")
                .append(box.step().guilty() ? " guilty" : "")
                .append("\" data-step=\"")
                .append(box.step().number())
                .append("\"><title>")
                .append(escaped(example.threads().get(box.step().thread()) + ": " + Sentences.cell(box.step())
                        + (box.step().place() == null ? "" : " at " + box.step().place())))
                .append("</title>");
        svg.append("<rect class=\"box\" rx=\"4\" x=\"")
                .append(number(box.x()))
                .append("\" y=\"")
                .append(number(box.y()))
                .append("\" width=\"")
                .append(number(box.width()))
                .append("\" height=\"")
                .append(number(box.height()))
                .append("\"/>");
        double y = box.y() + LINE + 2;
        for (String line : box.lines()) {
            text(line, "code", box.x() + 9, y);
            y += LINE;
        }
        if (box.step().place() != null) {
            text(box.step().place(), "code place", box.x() + 9, y - 1);
        }
        svg.append("</g>\n");
    }

    /** Labels an edge, where the label covers no step and no other label if there is such a place. */
    private void label(Layout layout, Edge edge) {
        Curve curve = Curve.of(edge, layout);
        double wide = Widths.text(edge.order().sign()) + 4;
        Label best = null;
        for (double place : LABEL_PLACES) {
            Label label = new Label(curve.x(place), curve.y(place), wide);
            boolean free = labels.stream().noneMatch(label::hits)
                    && layout.boxes.stream().noneMatch(label::hits);
            if (free) {
                best = label;
                break;
            }
        }
        if (best == null) {
            return;
        }
        labels.add(best);
        svg.append("<g class=\"")
                .append(edge.order().sign())
                .append(cycle.contains(edge) ? " cycle" : "")
                .append("\"><rect class=\"behind\" x=\"")
                .append(number(best.x - wide / 2))
                .append("\" y=\"")
                .append(number(best.y - LABEL_HEIGHT / 2))
                .append("\" width=\"")
                .append(number(wide))
                .append("\" height=\"")
                .append(number(LABEL_HEIGHT))
                .append("\"/>");
        text(edge.order().sign(), "name", best.x, best.y + 4);
        svg.append("</g>\n");
    }

    // Below the picture

    private double explanation(double y) {
        double at = section("What is wrong", example.explanation().reasons(), y);
        at = section("Where it can happen", sentences.models(), at);
        at = section("What would repair it", sentences.repairs(), at);
        return section("Coherence order", example.writeOrders(), at);
    }

    private double section(String title, List<String> paragraphs, double y) {
        if (paragraphs.isEmpty()) {
            return y;
        }
        double at = paragraph(title, "heading", 0, y);
        for (String paragraph : paragraphs) {
            at = paragraph(paragraph, "", 14, at);
        }
        return at + 8;
    }

    private double paragraph(String words, String style, double indent, double y) {
        boolean isTitle = style.equals("title");
        double at = y;
        for (String line : Widths.wrap(words, isTitle ? Widths::title : Widths::text, width - 2 * MARGIN - indent)) {
            text(line, style, MARGIN + indent, at);
            at += isTitle ? LINE + 4 : LINE;
        }
        return at;
    }

    private void text(String words, String style, double x, double y) {
        svg.append("<text")
                .append(style.isEmpty() ? "" : " class=\"" + style + "\"")
                .append(" x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y))
                .append("\" xml:space=\"preserve\">")
                .append(escaped(words))
                .append("</text>");
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    /** Escapes text for XML, and replaces the characters that XML does not allow. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(code -> {
            switch (code) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(code) ? code : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int code) {
        return code >= ' ' && code != 0xFFFE && code != 0xFFFF && !(code >= 0xD800 && code < 0xE000);
    }
}
