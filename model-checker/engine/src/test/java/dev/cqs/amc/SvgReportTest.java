package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Order;
import java.awt.geom.Rectangle2D;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** The picture is well-formed XML with every step and edge, inside the frame, without overlaps. */
class SvgReportTest {

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

    private static CounterExample example(Program program) {
        return AwaitModelChecker.under(Model.RC11).check(program).counterExample();
    }

    private static Program independentReads(String x, String y) {
        return Program.define("independent reads of independent writes", p -> {
            Variable[] written = {p.variable(x), p.variable(y)};
            Variable[] seen = p.array("seen", 4);
            for (Variable each : written) {
                p.thread("writes " + each, t -> t.setRelease(each, 1));
            }
            for (int i = 0; i < 2; i++) {
                int me = i;
                p.thread("reads " + i, t -> {
                    t.set(seen[2 * me], t.getAcquire(written[me]));
                    t.set(seen[2 * me + 1], t.getAcquire(written[1 - me]));
                });
            }
            p.atEnd(end -> end.check(
                    end.get(seen[0]) != 1 || end.get(seen[1]) != 0 || end.get(seen[2]) != 1 || end.get(seen[3]) != 0,
                    "all agree on the order of the writes"));
        });
    }

    private static Program race(String name, String variable) {
        return Program.define(name, p -> {
            Variable x = p.variable(variable);
            p.thread(name, t -> t.set(x, Long.MIN_VALUE));
            p.thread("other", t -> t.get(x));
        });
    }

    static Stream<CounterExample> examples() {
        String wide =
                "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW";
        return Stream.of(
                example(independentReads("x", "y")),
                example(independentReads(
                        "a variable with a very long name that says all there is to say about it", "y")),
                example(race("<b>&\"'\u0000\uD800]]>", "x<y>&")),
                example(race(wide, wide + wide)),
                example(race(
                        "\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57", "\u6f22\u5b57\uD83D\uDE00")),
                example(Program.define(
                        "MCS of DPDK",
                        p -> LockPrograms.count(p, LockPrograms.mcs(p, 2, Mode.OPAQUE, Mode.OPAQUE, Mode.ACQUIRE), 2))),
                example(Program.define(
                        "lock without acquire",
                        p -> LockPrograms.count(
                                p, LockPrograms.mcs(p, 2, Mode.RELEASE, Mode.ACQUIRE, Mode.OPAQUE), 3))),
                example(Program.define("reads its own writes", p -> {
                    Variable x = p.variable("x");
                    p.thread(t -> {
                        t.setVolatile(x, 1);
                        t.getVolatile(x);
                        t.getAndAdd(x, 1, Mode.VOLATILE);
                        t.check(t.getVolatile(x) != 2, "two");
                    });
                })),
                example(Program.define("nothing happens", p -> p.thread(t -> t.check(false, "never")))));
    }

    private static Document parse(CounterExample example) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(example.svg())));
    }

    private static List<Element> all(Document svg, String tag) {
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < svg.getElementsByTagName(tag).getLength(); i++) {
            found.add((Element) svg.getElementsByTagName(tag).item(i));
        }
        return found;
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyStepAndEdgeIsThere(CounterExample example) throws Exception {
        Document svg = parse(example);
        Set<Integer> steps = new HashSet<>();
        Set<Edge> edges = new HashSet<>();
        Set<Edge> thick = new HashSet<>();
        for (Element group : all(svg, "g")) {
            if (group.hasAttribute("data-step")) {
                int step = Integer.parseInt(group.getAttribute("data-step"));
                steps.add(step);
                assertEquals(
                        example.step(step).guilty(), group.getAttribute("class").contains("guilty"));
                String place = example.step(step).place();
                assertTrue(place == null
                        || group.getElementsByTagName("title")
                                .item(0)
                                .getTextContent()
                                .endsWith(" at " + place));
            } else if (group.hasAttribute("data-from")) {
                Order order = Stream.of(Order.values())
                        .filter(each -> group.getAttribute("class").contains(" " + each.sign()))
                        .findFirst()
                        .orElseThrow();
                Edge edge = new Edge(
                        order,
                        Integer.parseInt(group.getAttribute("data-from")),
                        Integer.parseInt(group.getAttribute("data-to")));
                edges.add(edge);
                if (group.getAttribute("class").contains("cycle") && order != Order.PROGRAM) {
                    thick.add(edge);
                }
            }
        }
        assertEquals(example.steps().size(), steps.size());
        for (Edge edge : example.edges()) {
            boolean told = edge.order() != Order.FROM_READ
                    && (edge.order() != Order.WRITES
                            || example.step(edge.from()).thread()
                                            != example.step(edge.to()).thread()
                                    && !example.edges().contains(new Edge(Order.READS_FROM, edge.from(), edge.to())));
            assertTrue(!told || edges.contains(edge), edge::toString);
        }
        assertEquals(
                new HashSet<>(example.explanation().cycle().stream()
                        .filter(edge -> edge.order() != Order.PROGRAM)
                        .toList()),
                thick);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void nothingIsOutsideOfTheFrame(CounterExample example) throws Exception {
        Document svg = parse(example);
        String[] view = svg.getDocumentElement().getAttribute("viewBox").split(" ");
        Rectangle2D frame = new Rectangle2D.Double(0, 0, Double.parseDouble(view[2]), Double.parseDouble(view[3]));
        for (Element text : all(svg, "text")) {
            Rectangle2D covered = covered(text);
            assertTrue(frame.contains(covered), () -> text.getTextContent() + " covers " + covered + " of " + frame);
        }
        for (Element box : all(svg, "rect")) {
            assertTrue(box.getAttribute("width").equals("100%") || frame.contains(rectangle(box)));
        }
        for (Element path : all(svg, "path")) {
            if (!path.getParentNode().getNodeName().equals("marker")
                    && !path.getAttribute("d").contains("h")) {
                checkPath(path.getAttribute("d"), frame);
            }
        }
    }

    /** The control points of a curve, whose hull contains it. */
    private static void checkPath(String path, Rectangle2D frame) {
        Matcher numbers = NUMBER.matcher(path);
        List<Double> found = new ArrayList<>();
        while (numbers.find()) {
            found.add(Double.parseDouble(numbers.group()));
        }
        assertEquals(10, found.size(), path);
        for (int x : new int[] {0, 2, 3, 5, 7, 9}) {
            assertTrue(found.get(x) >= 0 && found.get(x) <= frame.getWidth(), path);
        }
        for (int y : new int[] {1, 4, 6, 8}) {
            assertTrue(found.get(y) >= 0 && found.get(y) <= frame.getHeight(), path);
        }
    }

    private static Rectangle2D rectangle(Element box) {
        return new Rectangle2D.Double(number(box, "x"), number(box, "y"), number(box, "width"), number(box, "height"));
    }

    /** The area of a text in usual fonts. */
    private static Rectangle2D covered(Element text) {
        String style = text.getAttribute("class");
        double size = style.contains("title") ? 17 : style.contains("place") || style.contains("name") ? 11 : 13;
        double width = text.getTextContent()
                        .codePoints()
                        .mapToDouble(code -> share(code, style.contains("code")))
                        .sum()
                * size;
        boolean middle = text.getAttribute("text-anchor").equals("middle") || style.contains("name");
        return new Rectangle2D.Double(
                number(text, "x") - (middle ? width / 2 : 0), number(text, "y") - size * 0.75, width, size);
    }

    /** The width of a character relative to the font size: that of DejaVu Sans Mono, and roughly that of Helvetica. */
    private static double share(int code, boolean monospaced) {
        if (code > 0x2E80) {
            return 1;
        }
        if (monospaced) {
            return 0.602;
        }
        if (" .,:;!'|()[]fijltrI-".indexOf(code) >= 0) {
            return 0.333;
        }
        return code == 'W' ? 0.944 : code == 'm' ? 0.833 : Character.isUpperCase(code) || code == 'w' ? 0.722 : 0.556;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void textsAndStepsDoNotCoverEachOther(CounterExample example) throws Exception {
        Document svg = parse(example);
        List<Rectangle2D> boxes = all(svg, "rect").stream()
                .filter(box -> box.getAttribute("class").equals("box"))
                .map(SvgReportTest::rectangle)
                .toList();
        List<Rectangle2D> names = all(svg, "rect").stream()
                .filter(box -> box.getAttribute("class").equals("behind"))
                .map(SvgReportTest::rectangle)
                .toList();
        List<Rectangle2D> texts =
                all(svg, "text").stream().map(SvgReportTest::covered).toList();
        checkApart(boxes);
        checkApart(names);
        checkApart(texts);
        for (Rectangle2D name : names) {
            assertTrue(boxes.stream().noneMatch(name::intersects), () -> "a name is on a step: " + name);
        }
        for (Element text : all(svg, "text")) {
            Element group = (Element) text.getParentNode();
            if (group.hasAttribute("data-step")) {
                Rectangle2D box =
                        rectangle((Element) group.getElementsByTagName("rect").item(0));
                assertTrue(box.contains(covered(text)), () -> text.getTextContent() + " is not in " + box);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void edgesThatGoUpOrDownBetweenTwoColumnsDoSoInDifferentPlaces(CounterExample example) throws Exception {
        List<String> places = new ArrayList<>();
        for (Element group : all(parse(example), "g")) {
            if (group.hasAttribute("data-from")
                    && group.getElementsByTagName("path").getLength() > 0) {
                int from = example.step(Integer.parseInt(group.getAttribute("data-from")))
                        .thread();
                int to = example.step(Integer.parseInt(group.getAttribute("data-to")))
                        .thread();
                if (from != to) {
                    places.add(((Element) group.getElementsByTagName("path").item(0))
                            .getAttribute("d")
                            .split("[ ,]")[3]);
                }
            }
        }
        assertEquals(places.size(), new HashSet<>(places).size(), places::toString);
    }

    private static void checkApart(List<Rectangle2D> all) {
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                Rectangle2D one = all.get(i);
                Rectangle2D other = all.get(k);
                assertFalse(one.intersects(other), () -> one + " covers " + other);
            }
        }
    }
}
