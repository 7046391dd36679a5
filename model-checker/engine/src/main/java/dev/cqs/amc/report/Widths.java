package dev.cqs.amc.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Upper bounds on the width of text, for the fonts that browsers usually substitute. */
final class Widths {

    private static final double CODE = 7.9;
    private static final double SMALL_CODE = 6.7;
    private static final double TEXT = 13;

    private Widths() {}

    /** The width in the monospaced font of the steps. */
    static double code(String text) {
        return text.codePoints()
                .mapToDouble(code -> isWide(code) ? 2 * CODE : CODE)
                .sum();
    }

    /** The width in the smaller monospaced font of the places. */
    static double smallCode(String text) {
        return code(text) * SMALL_CODE / CODE;
    }

    /** The width in the font of sentences. */
    static double text(String text) {
        return text.codePoints().mapToDouble(code -> TEXT * share(code)).sum();
    }

    /** The width in the font of the title. */
    static double title(String text) {
        return text(text) * 1.45;
    }

    private static double share(int code) {
        if (isWide(code) || "WMmw@%→←".indexOf(code) >= 0) {
            return 1;
        }
        if (" .,:;'!|()[]ijltfrI-".indexOf(code) >= 0) {
            return 0.36;
        }
        return Character.isUpperCase(code) || code > 0x7F ? 0.78 : 0.58;
    }

    /** Whether a character is full-width, as East Asian characters are. */
    private static boolean isWide(int code) {
        return code >= 0x1100 && Character.isIdeographic(code)
                || code >= 0xAC00 && code < 0xD7B0
                || code >= 0x3040 && code < 0x3100
                || code >= 0xFF00 && code < 0xFF61
                || code >= 0x1F000;
    }

    /** Wraps a text at spaces into lines that are no wider than {@code most}. A wider word is broken. */
    static List<String> wrap(String text, ToDoubleFunction<String> measure, double most) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (measure.applyAsDouble(rest) > most) {
            int end = 1;
            while (measure.applyAsDouble(rest.substring(0, end + 1)) <= most) {
                end++;
            }
            int space = rest.lastIndexOf(' ', end);
            end = space > 0 ? space : Character.isLowSurrogate(rest.charAt(end)) && end > 1 ? end - 1 : end;
            lines.add(rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
