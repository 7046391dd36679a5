package dev.cqs.amc.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A run of the command in this JVM: the exit code and the output. */
record Run(int code, String out, String err) {

    /** Runs it; scenes are named by their simple names. */
    static Run of(String... args) {
        return of(false, args);
    }

    static Run onTerminal(String... args) {
        return of(true, args);
    }

    private static Run of(boolean terminal, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Verify.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal);
        return new Run(code, text(out), text(err));
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> json() {
        return (Map<String, Object>) Json.parse(out);
    }

    @SuppressWarnings("unchecked")
    List<Map<String, Object>> results() {
        return (List<Map<String, Object>>) json().get("results");
    }
}
