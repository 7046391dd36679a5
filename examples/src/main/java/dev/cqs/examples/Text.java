package dev.cqs.examples;

import java.util.Locale;

/** Formats figures, in ASCII, since a terminal may support nothing else. */
final class Text {
    private Text() {}

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String rate(double perSecond) {
        return count(Math.round(perSecond / 1e3)) + " k/s";
    }

    static String micros(double micros) {
        return String.format(Locale.ROOT, micros < 10 ? "%.2f us" : micros < 100 ? "%.1f us" : "%,.0f us", micros);
    }

    static String rateRatio(double ours, double peer) {
        return ours >= peer ? factor(ours / peer) + "x faster" : factor(peer / ours) + "x slower";
    }

    static String costRatio(double ours, double peer) {
        return ours <= peer ? factor(peer / ours) + "x cheaper" : factor(ours / peer) + "x dearer";
    }

    private static String factor(double factor) {
        return String.format(Locale.ROOT, factor < 10 ? "%.2f" : "%,.0f", factor);
    }
}
