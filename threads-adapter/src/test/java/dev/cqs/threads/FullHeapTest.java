package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No primitive is harmed if there is no memory while it is used: an operation either throws before it has done anything, or
 * is done. Each case runs in a JVM of its own, where the operation is executed for the first time with a full heap, and so
 * everything on its way that is not linked, loaded or initialized by then.
 */
class FullHeapTest {
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    Path folder;

    static Stream<String> cases() {
        return Stream.of(FullHeapCases.class, FullHeapPoolCases.class)
                .flatMap(cases -> Arrays.stream(cases.getDeclaredMethods()))
                .filter(method -> method.getReturnType() == FullHeap.Case.class && method.getParameterCount() == 0)
                .filter(method -> !method.isSynthetic())
                .map(method -> method.getDeclaringClass().getName() + "#" + method.getName())
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void cold(String name) throws Exception {
        run(List.of(name));
    }

    /** What needs memory even if it was executed before: all cases in one program. */
    @Test
    void warm() throws Exception {
        run(cases().toList());
    }

    private void run(List<String> names) throws Exception {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms24M",
                "-Xmx24M",
                "-XX:-UseTLAB",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-ClassUnloading", // the class of a lambda goes when the sweeper comes to its code, perhaps with
                // the heap full
                "-cp",
                System.getProperty("java.class.path"),
                FullHeap.class.getName()));
        command.addAll(names);
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                dumpThreads(program);
            }
        } finally {
            program.destroyForcibly().waitFor(); // with a full heap a JVM does not end otherwise
        }
        List<String> expected = names.stream().map(name -> "passed " + name).toList();
        List<String> printed = Files.readAllLines(output);
        assertEquals(expected, printed, () -> String.join("\n", printed));
    }

    /** The dump that a JVM prints by itself needs no memory. */
    private static void dumpThreads(Process program) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(program.pid()))
                .start()
                .waitFor();
        program.waitFor(2, TimeUnit.SECONDS);
    }
}
