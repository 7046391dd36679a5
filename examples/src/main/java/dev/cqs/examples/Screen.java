package dev.cqs.examples;

import java.io.Console;
import java.io.PrintStream;

/**
 * The output of the demo. On a terminal, a progress line is overwritten. Elsewhere, as in the log of a build, all lines are
 * plain. Colours are used on terminals, unless NO_COLOR is set.
 */
final class Screen {
    private static final int WIDTH = 79; // of a line that must not wrap
    private static final int BAR = 12;

    private final PrintStream out;
    private final boolean terminal;
    private final boolean colours;
    private double expected = 1;
    private double done;

    private Screen(PrintStream out, boolean terminal, boolean colours) {
        this.out = out;
        this.terminal = terminal;
        this.colours = colours;
    }

    /** A screen on standard output. */
    static Screen standard() {
        String term = System.getenv("TERM");
        String noColour = System.getenv("NO_COLOR");
        boolean terminal = isTerminal() && term != null && !term.equals("dumb");
        return new Screen(System.out, terminal, terminal && (noColour == null || noColour.isEmpty()));
    }

    static Screen plain(PrintStream out) {
        return new Screen(out, false, false);
    }

    static Screen terminal(PrintStream out, boolean colours) {
        return new Screen(out, true, colours);
    }

    /** Since JDK 22 there may be a console without a terminal. That version has a method to tell. */
    @SuppressWarnings("SystemConsoleNull") // as it says
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException olderThan22) {
            return true;
        }
    }

    void line(String line) {
        out.println(line);
    }

    String bold(String text) {
        return styled("1", text);
    }

    String alarming(String text) {
        return styled("1;31", text);
    }

    private String styled(String style, String text) {
        return colours ? "\033[" + style + "m" + text + "\033[0m" : text;
    }

    // Progress

    /** Sets the total amount of work, in the unit of {@link #advance}. */
    void expect(double units) {
        expected = units;
    }

    /** Adds {@code units} to the completed work, and shows {@code now} as the current step. */
    void advance(double units, String now) {
        done += units;
        if (terminal) {
            double part = Math.min(1, done / expected);
            int filled = (int) (part * BAR);
            String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
            overwrite(String.format("[%s] %3d %%  %s", bar, (int) (part * 100), now));
        }
    }

    /** An intermediate result: a line where there is no progress bar. */
    void report(String result) {
        if (!terminal) {
            out.println(result);
        }
    }

    /** Ends the progress, and clears its line on a terminal. */
    void finish() {
        if (terminal) {
            overwrite("");
            out.print('\r');
        } else {
            out.println();
        }
        out.flush();
    }

    /** Overwrites the line. It is padded with spaces, so that a carriage return is enough. */
    private void overwrite(String line) {
        String fitting = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
        out.print("\r" + fitting + " ".repeat(WIDTH - fitting.length()));
        out.flush();
    }
}
