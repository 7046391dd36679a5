package dev.cqs.amc.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command has the exit code of the checker, and adds nothing to its report. */
class OwnJvmTest {

    @ParameterizedTest
    @CsvSource({"rc11, 1, data race.", "sc, 0, verified.", "none, 64, There is no model"})
    void commandEndsAsTheCheckerDoes(String model, int code, String words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "dev.cqs.amc.conformance.OwnJvm",
                        "dev.cqs.amc.cli.Verify",
                        "--quiet",
                        "--model",
                        model,
                        "dev.cqs.amc.conformance.examples.PetersonLock")
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        assertEquals(code, process.waitFor(), lines::toString);
        assertTrue(lines.get(0).contains(words), lines::toString);
        assertFalse(lines.stream().anyMatch(line -> line.startsWith("\tat ")), lines::toString);
    }
}
