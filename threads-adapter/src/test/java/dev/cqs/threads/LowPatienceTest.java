package dev.cqs.threads;

import static dev.cqs.threads.Waiting.PATIENCE;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Waiter;
import dev.cqs.threads.HandOffVariants.Kind;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that are given up leave nothing behind: ten million of them fit into a small heap. */
@Tag("slow")
class LowPatienceTest {
    private static final int ATTEMPTS = 5_000_000;

    private static final Pattern BALANCE =
            Pattern.compile("attempts (\\d+) sent (\\d+) received (\\d+) difference (-?\\d+) failure (.*)");

    static List<Kind> ours() {
        return Kind.ours();
    }

    @ParameterizedTest
    @MethodSource("ours")
    void tenMillionAttemptsOfLittlePatienceFitInto16Megabytes(Kind kind, @TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        classPath(),
                        LowPatience.class.getName(),
                        kind.name(),
                        String.valueOf(ATTEMPTS)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(10 * PATIENCE, NANOSECONDS), "the program ends");
            List<String> lines = Files.readAllLines(output);
            assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
            assertBalance(lines.get(lines.size() - 1));
        } finally {
            process.destroyForcibly();
        }
    }

    private static void assertBalance(String line) {
        Matcher balance = BALANCE.matcher(line);
        assertTrue(balance.matches(), line);
        assertEquals("null", balance.group(5));
        assertEquals(2 * ATTEMPTS + 2, Long.parseLong(balance.group(1)), line); // the two of the patient pair
        assertEquals(balance.group(2), balance.group(3), line);
        assertEquals("0", balance.group(4), line);
        assertTrue(Long.parseLong(balance.group(2)) > 1, () -> "some were handed over: " + line);
        assertTrue(Long.parseLong(balance.group(2)) < ATTEMPTS / 2, () -> "many have given up: " + line);
    }

    /** Of the program and of what it uses, wherever the build has put them. */
    private static String classPath() {
        return Stream.of(LowPatience.class, SynchronousQueue.class, Waiter.class)
                .map(LowPatienceTest::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
