package dev.cqs.amc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Progress on a terminal and in a log. Time is the elapsed time of the progress. */
class ProgressLineTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, false, StandardCharsets.UTF_8);

    private static Progress after(long millis, long complete, OptionalLong total) {
        return new Progress(complete, 10, 1234.5, Duration.ofMillis(millis), total);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void lineOfATerminalOverwritesItself() {
        ProgressLine line = new ProgressLine(stream, true, "A under sc");
        line.accept(after(1_000, 123_456, OptionalLong.of(308_712)));
        assertEquals("\rA under sc: 123,456 complete, 10 blocked, 1,235/s, 1.0 s, about 39 % of some 310,000", shown());
        bytes.reset();
        line.accept(after(2_000, 400_000, OptionalLong.empty()));
        assertEquals("\rA under sc: 400,000 complete, 10 blocked, 1,235/s, 2.0 s" + " ".repeat(28), shown());
        bytes.reset();
        line.clear();
        assertEquals(
                "\r" + " ".repeat("A under sc: 400,000 complete, 10 blocked, 1,235/s, 2.0 s".length()) + "\r", shown());
    }

    @Test
    void nothingIsClearedWhereNothingIsShown() {
        ProgressLine line = new ProgressLine(stream, true, "A");
        line.clear();
        assertEquals("", shown());
        line.accept(after(1_000, 1, OptionalLong.empty()));
        line.clear();
        bytes.reset();
        line.clear();
        assertEquals("", shown());
    }

    @Test
    void logGetsALineEveryTenSeconds() {
        ProgressLine line = new ProgressLine(stream, false, "A");
        for (int second = 1; second <= 35; second++) {
            line.accept(after(second * 1_000L, second, OptionalLong.of(1_000_000)));
        }
        line.clear();
        stream.flush();
        assertEquals("""
                A: 10 complete, 10 blocked, 1,235/s, 10 s, less than 1 % of some 1,000,000
                A: 20 complete, 10 blocked, 1,235/s, 20 s, less than 1 % of some 1,000,000
                A: 30 complete, 10 blocked, 1,235/s, 30 s, less than 1 % of some 1,000,000
                """, shown());
    }

    @Test
    void guessIsNotMoreExactThanItIs() {
        ProgressLine line = new ProgressLine(stream, true, "A");
        for (long guess : new long[] {99, 100, 1_249, 995_000}) {
            line.accept(after(0, 0, OptionalLong.of(guess)));
        }
        assertEquals(
                " % of some 99\n % of some 100\n % of some 1,200\n % of some 1,000,000\n",
                shown().replaceAll("\r[^%]*(%[^\r]*?) *(?=\r|$)", " $1\n"));
    }
}
