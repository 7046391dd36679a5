package dev.cqs.examples;

import java.io.Console;
import java.io.PrintStream;

/**
 * Where the demo shows itself. On a terminal one line overwrites itself; anywhere else, as in the log of a build,
 * plain lines follow one another. Colours are for terminals whose user has not asked for NO_COLOR.
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

    /** Standard output, whatever that is. */
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

    /** There may be a console without a terminal since JDK 22, which has a method to tell. */
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

    /** Says how much there is to do; the unit is that of {@link #advance}. */
    void expect(double units) {
        expected = units;
    }

    /** So much more is done, and this comes now. */
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

    /** Ends the progress and leaves no trace of it on a terminal. */
    void finish() {
        if (terminal) {
            overwrite("");
            out.print('\r');
        } else {
            out.println();
        }
        out.flush();
    }

    /** With spaces behind it instead of an escape sequence, so that it needs nothing but a carriage return. */
    private void overwrite(String line) {
        String fitting = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
        out.print("\r" + fitting + " ".repeat(WIDTH - fitting.length()));
        out.flush();
    }
}
