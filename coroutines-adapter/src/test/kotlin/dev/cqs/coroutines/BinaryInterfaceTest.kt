package dev.cqs.coroutines

import java.io.File
import java.lang.reflect.Modifier
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createParentDirectories
import kotlin.io.path.extension
import kotlin.io.path.writeText
import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiTools
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/**
 * What other people's compiled code can refer to is what the folder `api` says.
 *
 * A change that is meant is written down with the system property `dev.cqs.api.write`, and reviewed as a diff of that
 * file. CONTRIBUTING.md has the command.
 */
class BinaryInterfaceTest {
    private val tools = AbiTools.getInstance()

    @Test
    fun theBinaryInterfaceIsAsWrittenDown(@TempDir folder: Path) {
        val written = moduleFolder().resolve("api/coroutines-adapter.api")
        val actual = folder.resolve("coroutines-adapter.api")
        actual.writeText(dump())
        if (System.getProperty("dev.cqs.api.write") != null) {
            actual.copyTo(written.createParentDirectories(), overwrite = true)
        }
        val difference = tools.filesDiff(written.toFile(), actual.toFile())
        if (difference != null) {
            fail<Unit>(
                "The binary interface is not as written down. If that is meant, rewrite the file as CONTRIBUTING.md " +
                    "says; if it is not your doing, there may be old classes: build with clean.\n$difference",
            )
        }
    }

    /** The JVM sees them as public, as it sees all that Kotlin calls internal; they are no part of the interface. */
    @ParameterizedTest
    @ValueSource(strings = ["CoroutineWaiter", "CoroutineWaiterKt", "TimedKt"])
    fun internalDeclarationsAreNotInIt(name: String) {
        val type = Class.forName("dev.cqs.coroutines.$name")
        assertTrue(Modifier.isPublic(type.modifiers)) { "$type is not public, so it tells nothing here" }
        assertFalse(name in dump()) { "$type is in the dump" }
    }

    private fun dump(): String = buildString { tools.printJvmDump(this, classFiles(), AbiFilters.EMPTY) }

    private fun classFiles(): List<File> = Files.walk(whereIs(Mutex::class.java)).use { files ->
        files.filter { it.extension == "class" }.map(Path::toFile).sorted().toList()
    }
}
