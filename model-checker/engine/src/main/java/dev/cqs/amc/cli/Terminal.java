package dev.cqs.amc.cli;

import java.io.Console;

/** Whether the output goes to a terminal. */
final class Terminal {

    private Terminal() {}

    /** Since JDK 22 there is always a console, and it says whether it is a terminal. */
    @SuppressWarnings("SystemConsoleNull") // as it says
    static boolean isThere() {
        Console console = System.console();
        if (console == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException thrown) {
            return true;
        } catch (ReflectiveOperationException thrown) {
            return false;
        }
    }
}
