package dev.cqs.coroutines

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** As FullHeapTest for threads: no coroutine, permit or element is lost while the heap is full. */
class FullHeapCoroutinesTest {
    @ParameterizedTest
    @MethodSource("cases")
    fun nothingIsLost(name: String, @TempDir folder: Path) {
        val output = folder.resolve("output")
        val program = ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms24M",
            "-Xmx24M",
            "-XX:-UseTLAB",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-ClassUnloading", // otherwise the class of a lambda is unloaded with its code
            "-cp",
            System.getProperty("java.class.path"),
            FullHeapProgram::class.java.name,
            name,
        ).redirectErrorStream(true).redirectOutput(output.toFile()).start()
        try {
            if (!program.waitFor(120, TimeUnit.SECONDS)) { // the JVM's own thread dump needs no memory
                ProcessBuilder("kill", "-QUIT", program.pid().toString()).start().waitFor()
                program.waitFor(2, TimeUnit.SECONDS)
            }
        } finally {
            program.destroyForcibly().waitFor()
        }
        assertEquals("passed $name", Files.readString(output).trim())
    }

    companion object {
        @JvmStatic
        fun cases(): List<String> = FullHeapProgram.names.toList()
    }
}
