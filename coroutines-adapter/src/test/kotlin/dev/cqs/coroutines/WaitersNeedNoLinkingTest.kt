package dev.cqs.coroutines

import java.io.PrintWriter
import java.io.StringWriter
import java.nio.file.Files
import java.nio.file.Path
import java.util.spi.ToolProvider
import kotlin.io.path.extension
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/**
 * The methods that resume a coroutine, or take back what was handed to it, contain nothing that the JVM creates at its
 * first execution: no lambda that must be linked, and no string constant, as in the compiler's parameter checks. With a
 * full heap, each of these would throw an [OutOfMemoryError] in the middle of an operation.
 */
class WaitersNeedNoLinkingTest {
    @Test
    fun waitersContainNeitherLambdasNorStrings() {
        val classes =
            waiters(Path.of(dev.cqs.coroutines.Condition::class.java.protectionDomain.codeSource.location.toURI()))
        val checked = mutableListOf<String>()
        val found = mutableListOf<String>()
        var method: String? = null
        for (line in javap(classes).lines()) {
            val header = Regex("^  .*[ .](\\w+)\\(.*\\).*;$").find(line)
            if (header != null) {
                method = header.groupValues[1].takeIf { it in STEPS }
                if (method != null) checked += method
            } else if (method != null && Regex("\\binvokedynamic\\b|// String ").containsMatchIn(line)) {
                found += "$method: ${line.trim()}"
            }
        }
        assertEquals(emptyList<String>(), found)
        assertTrue(checked.size > 40, "enough methods are checked: $checked")
        assertEquals(STEPS, checked.toSet())
    }

    private fun waiters(folder: Path): List<String> = Files.walk(folder).use { files ->
        files.filter { it.extension == "class" && it.fileName.toString() != "module-info.class" }.toList()
    }.filter { dev.cqs.Waiter::class.java.isAssignableFrom(load(folder.relativize(it))) }.map { it.toString() }

    private fun load(file: Path): Class<*> =
        Class.forName(file.joinToString(".").removeSuffix(".class"), false, javaClass.classLoader)

    private fun javap(classes: List<String>): String {
        val output = StringWriter()
        val writer = PrintWriter(output)
        val result = ToolProvider.findFirst("javap").get().run(writer, writer, "-c", "-p", *classes.toTypedArray())
        assertEquals(0, result, output.toString())
        return output.toString()
    }

    private companion object {
        val STEPS = setOf("tryResume", "invoke", "giveBack", "leave", "resume", "grant", "onCancelled", "fail")
    }
}
