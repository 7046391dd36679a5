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
 * Operations with a full heap: each throws before it has changed anything, or completes. Each case runs in a JVM of its own,
 * which executes the operation for the first time. So the heap is full, too, when code is loaded, linked and initialized.
 */
class FullHeapTest {
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    Path folder;

    static Stream<String> cases() {
        return Stream.of(FullHeapCases.class, FullHeapBarrierCases.class, FullHeapPoolCases.class)
                .flatMap(cases -> Arrays.stream(cases.getDeclaredMethods()))
                .filter(method -> method.getReturnType() == FullHeap.Case.class && method.getParameterCount() == 0)
                .filter(method -> !method.isSynthetic())
                .map(method -> method.getDeclaringClass().getName() + "#" + method.getName())
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anOperationThatIsExecutedForTheFirstTimeCompletesOrChangesNothing(String name) throws Exception {
        run(List.of(name));
    }

    /** All cases in one program, so that most code was executed before. */
    @Test
    void operationsThatWereExecutedBeforeCompleteOrChangeNothing() throws Exception {
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
                "-XX:-ClassUnloading", // otherwise the class of a lambda is unloaded with its code, and must be linked
                // again, perhaps with
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
            program.destroyForcibly().waitFor(); // a JVM with a full heap does not end by itself
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
