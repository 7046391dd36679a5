package dev.cqs.benchmarks;

import dev.cqs.benchmarks.Work.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures the rows of the named groups and prints them as one table.
 *
 * <pre>
 * Figures [quick] [rounds=3] all | group...
 * </pre>
 *
 * <p>JMH runs one benchmark after another, so a machine that changes its speed meanwhile would favour one side. Here, each
 * round runs one fork of each side, ours and the peer's one after the other. The table has the median over the rounds, with
 * the lowest and the highest value. {@code quick} only shows that everything runs; its numbers mean nothing.
 */
public final class Figures {
    private static final String LINE = "%-27s %-54s %10s %10s %8s %7s %-5s %9s %9s %5s  %-23s %-23s %s%n";

    private Figures() {}

    public static void main(String[] args) throws RunnerException {
        List<String> names = new ArrayList<>(Arrays.asList(args));
        boolean quick = names.remove("quick");
        int rounds = quick ? 1 : 3;
        for (String arg : args) {
            if (arg.startsWith("rounds=")) {
                rounds = Integer.parseInt(arg.substring("rounds=".length()));
                names.remove(arg);
            }
        }
        Set<String> groups = new LinkedHashSet<>();
        List<Row> rows = new ArrayList<>();
        for (Row row : Row.all()) {
            groups.add(row.group());
            if (names.contains("all") || names.contains(row.group())) {
                rows.add(row);
            }
        }
        names.removeAll(groups);
        names.remove("all");
        if (rows.isEmpty() || !names.isEmpty()) {
            System.out.println("Usage: Figures [quick] [rounds=3] all | group...");
            System.out.println("Groups: " + String.join(" ", groups));
            return;
        }
        print(rows, measure(rows, rounds, quick), quick);
    }

    /** The samples of each work, one per round. */
    private static Map<Work, List<Sample>> measure(List<Row> rows, int rounds, boolean quick) throws RunnerException {
        Map<Work, List<Sample>> samples = new LinkedHashMap<>();
        for (Row row : rows) {
            row.works().forEach(work -> samples.put(work, new ArrayList<>()));
        }
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<Work, List<Sample>> entry : samples.entrySet()) {
                entry.getValue().add(entry.getKey().sample(quick));
            }
        }
        return samples;
    }

    // The table

    private static void print(List<Row> rows, Map<Work, List<Sample>> samples, boolean quick) {
        System.out.printf(
                LINE,
                "group",
                "ours / peer",
                "ours ns",
                "peer ns",
                "ratio",
                "bar",
                "",
                "ours B",
                "peer B",
                "bar",
                "ours min-max",
                "peer min-max",
                "rejected");
        for (Row row : rows) {
            List<Sample> ours = samples.get(row.ours());
            List<Sample> peer = samples.get(row.peer());
            double[] our = figures(row, ours, samples);
            double[] their = figures(row, peer, samples);
            double bytes = median(sorted(ours, Sample::bytes));
            double theirBytes = median(sorted(peer, Sample::bytes));
            double mostBytes = row.mostBytes() == Row.AS_PEER ? theirBytes : row.mostBytes();
            double ratio = our.length == 0 ? bytes / theirBytes : median(our) / median(their);
            System.out.printf(
                    LINE,
                    row.group(),
                    row.title(),
                    number(median(our)),
                    number(median(their)),
                    number(ratio),
                    number(row.most()),
                    quick ? "" : verdict(row, ratio, bytes, mostBytes),
                    tenths(bytes),
                    tenths(theirBytes),
                    tenths(mostBytes),
                    spread(our),
                    spread(their),
                    rejected(ours) + rejected(peer));
        }
    }

    private static String verdict(Row row, double ratio, double bytes, double mostBytes) {
        boolean timed = !Double.isNaN(row.most());
        boolean counted = !Double.isNaN(mostBytes);
        if (!timed && !counted) {
            return "";
        }
        boolean met = (!timed || ratio <= row.most()) && (!counted || bytes < mostBytes + 0.5);
        return met ? "met" : "MISS";
    }

    private static int rejected(List<Sample> samples) {
        return samples.stream().mapToInt(Sample::rejected).sum();
    }

    /** The figures of one side of the row, one for each round, minus the base of the same round. */
    private static double[] figures(Row row, List<Sample> side, Map<Work, List<Sample>> samples) {
        List<Sample> base = row.base().map(samples::get).orElse(null);
        return IntStream.range(0, side.size())
                .mapToDouble(round -> row.figure(side.get(round)) - (base == null ? 0 : row.figure(base.get(round))))
                .filter(number -> !Double.isNaN(number))
                .sorted()
                .toArray();
    }

    private static double[] sorted(List<Sample> samples, ToDoubleFunction<Sample> part) {
        return samples.stream()
                .mapToDouble(part)
                .filter(number -> !Double.isNaN(number))
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static String spread(double[] sorted) {
        return sorted.length == 0 ? "" : number(sorted[0]) + " - " + number(sorted[sorted.length - 1]);
    }

    private static String tenths(double number) {
        return Double.isNaN(number) ? "" : String.format(Locale.ROOT, "%.1f", number);
    }

    /** Formats a number with at least three significant digits. */
    private static String number(double number) {
        if (Double.isNaN(number)) {
            return "";
        }
        double size = Math.abs(number);
        String format = size >= 100 || size == 0
                ? "%.0f"
                : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : size >= 1e-4 ? "%.5f" : "%.6f";
        return String.format(Locale.ROOT, format, number);
    }
}
