package dev.cqs.amc.cli;

import dev.cqs.amc.Progress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Shows the progress of a check: on a terminal as one line that is overwritten, elsewhere, such as in a build log, as a
 * line every ten seconds.
 */
final class ProgressLine implements Consumer<Progress> {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int PERCENT = 100;

    private final PrintStream stream;
    private final boolean terminal;
    private final String label;
    private Duration next = INTERVAL;
    private int shown;

    /**
     * Shows the progress of one check.
     *
     * @param label the scenario and the model
     */
    ProgressLine(PrintStream stream, boolean terminal, String label) {
        this.stream = stream;
        this.terminal = terminal;
        this.label = label;
    }

    @Override
    public void accept(Progress progress) {
        if (terminal) {
            String words = words(progress);
            overwrite(words);
            shown = words.length();
        } else if (progress.elapsed().compareTo(next) >= 0) {
            stream.println(words(progress));
            next = progress.elapsed().plus(INTERVAL);
        }
    }

    /** Clears the line. */
    void clear() {
        if (shown > 0) {
            overwrite("");
            stream.print('\r');
            stream.flush();
            shown = 0;
        }
    }

    private void overwrite(String words) {
        stream.print("\r" + words + " ".repeat(Math.max(0, shown - words.length())));
        stream.flush();
    }

    private String words(Progress progress) {
        StringBuilder words = new StringBuilder(label)
                .append(": ")
                .append(count(progress.complete()))
                .append(" complete, ")
                .append(count(progress.blocked()))
                .append(" blocked, ")
                .append(count(Math.round(progress.executionsPerSecond())))
                .append("/s, ")
                .append(seconds(progress.elapsed()));
        progress.estimatedTotal()
                .ifPresent(total -> words.append(", ")
                        .append(share(progress, total))
                        .append(" % of some ")
                        .append(count(rounded(total))));
        return words.toString();
    }

    private static String share(Progress progress, long total) {
        long percent = PERCENT * (progress.complete() + progress.blocked()) / total;
        return percent == 0 ? "less than 1" : "about " + percent;
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Rounds an estimate to two significant digits. */
    private static long rounded(long guess) {
        long unit = 1;
        while (guess / unit >= PERCENT) {
            unit *= 10;
        }
        return (guess + unit / 2) / unit * unit;
    }

    static String seconds(Duration time) {
        double seconds = (double) time.toMillis() / MILLIS_PER_SECOND;
        return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%,.0f s", seconds);
    }
}
