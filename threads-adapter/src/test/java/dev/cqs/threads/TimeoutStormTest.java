package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.PATIENCE;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.Waiter;
import dev.cqs.threads.SynchronousQueueVariants.Kind;
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

/** Timed-out requests leave nothing behind: ten million of them fit into a small heap. */
@Tag("slow")
class TimeoutStormTest {
    private static final int ATTEMPTS = 5_000_000;

    private static final Pattern BALANCE =
            Pattern.compile("attempts (\\d+) sent (\\d+) received (\\d+) difference (-?\\d+) failure (.*)");

    static List<Kind> ours() {
        return Kind.ours();
    }

    @ParameterizedTest
    @MethodSource("ours")
    void tenMillionTimedRequestsFitInto16Megabytes(Kind kind, @TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        classPath(),
                        TimeoutStorm.class.getName(),
                        kind.name(),
                        String.valueOf(ATTEMPTS)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(10 * PATIENCE, NANOSECONDS), "the program has ended in time");
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
        // two more than the attempts: those of the pair that does not time out
        assertEquals(2 * ATTEMPTS + 2, Long.parseLong(balance.group(1)), line);
        assertEquals(balance.group(2), balance.group(3), line);
        assertEquals("0", balance.group(4), line);
        assertTrue(Long.parseLong(balance.group(2)) > 1, () -> "some elements were handed over: " + line);
        assertTrue(Long.parseLong(balance.group(2)) < ATTEMPTS / 2, () -> "many requests timed out: " + line);
    }

    /** The class path of the program, wherever the build has put the classes. */
    private static String classPath() {
        return Stream.of(TimeoutStorm.class, SynchronousQueue.class, Waiter.class)
                .map(TimeoutStormTest::location)
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
