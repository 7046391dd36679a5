package dev.cqs.coroutines

import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.net.URLClassLoader
import java.nio.file.Path
import kotlin.io.path.writeText
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.junit.jupiter.api.Assertions.assertAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.function.Executable
import org.junit.jupiter.api.io.TempDir

/**
 * Calls that the compiler must refuse, because they would not do what they seem to do, and calls that it must accept.
 */
class CompilerTest {
    /** A call and the error that the compiler must report, or `null` for none. */
    private class Call(val text: String, val error: String?)

    @TempDir
    lateinit var folder: Path

    private val tokensAndTimes = listOf(
        Call("mutex.tryLock()", null),
        Call("mutex.tryLock(null)", null),
        Call("mutex.tryLock(Any())", null),
        Call("mutex.tryLock(\"a\")", null),
        Call("mutex.unlock(Any())", null),
        Call("mutex.holdsLock(Any())", null),
        Call("mutex.tryLock(50)", NO_TOKEN),
        Call("mutex.tryLock(50L)", NO_TOKEN),
        Call("mutex.tryLock(java.time.Duration.ofMillis(50))", NO_TOKEN),
    )

    private val inACoroutine = tokensAndTimes + listOf(
        Call("mutex.tryLock(50.milliseconds)", null),
        Call("mutex.tryLock(50.milliseconds, Any())", null),
        Call("mutex.lock()", null),
        Call("mutex.lock(null)", null),
        Call("mutex.lock(Any())", null),
        Call("mutex.lock(50)", NO_TOKEN),
        Call("mutex.lock(50L)", NO_TOKEN),
        Call("mutex.lock(50.milliseconds)", NO_TOKEN),
        Call("mutex.lock(java.time.Duration.ofMillis(50))", NO_TOKEN),
        // Functions without a token parameter.
        Call("semaphore.tryAcquire(2, 50)", "argument type mismatch"),
        Call("semaphore.tryAcquire(java.time.Duration.ofMillis(50))", "none of the following candidates is applicable"),
        Call("readWrite.tryReadLock(50)", "argument type mismatch"),
        Call("readWrite.tryWriteLock(50L)", "argument type mismatch"),
        Call("latch.await(50)", "argument type mismatch"),
        Call("pool.tryTake(50)", "argument type mismatch"),
        Call("resources.tryTake(50)", "argument type mismatch"),
        Call("queue.trySend(\"\", 50)", "argument type mismatch"),
        Call("queue.tryReceive(50)", "argument type mismatch"),
    )

    private val outsideOfCoroutines = tokensAndTimes + Call(
        "mutex.tryLock(50.milliseconds)",
        "can only be called from a coroutine or another suspend function",
    )

    @Test
    fun aTimeOrANumberIsRefusedAsAToken() {
        val calls = inACoroutine + outsideOfCoroutines
        val texts = calls.mapIndexed { i, call ->
            "${if (i < inACoroutine.size) "suspend " else ""}fun call$i() { ${call.text} }"
        }
        val source = folder.resolve("calls.kt")
        source.writeText((texts + DECLARATIONS).joinToString("\n", HEAD))
        val messages = compile(source)
        assertAll(calls.mapIndexed { i, call -> Executable { assertSays(messages, i + FIRST_LINE, call, texts[i]) } })
    }

    private fun assertSays(messages: String, line: Int, call: Call, text: String) {
        val errors = messages.lines().filter { "calls.kt:$line:" in it && ": error: " in it }
        if (call.error == null) {
            assertEquals(listOf<String>(), errors) { text }
        } else {
            assertTrue(errors.any { call.error in it }) { "$text: $errors" }
        }
    }

    private fun compile(source: Path): String {
        val messages = ByteArrayOutputStream()
        val visible = listOf(Mutex::class, dev.cqs.sync.Mutex::class, Unit::class, kotlinx.coroutines.sync.Mutex::class)
        val arguments = arrayOf(
            "-no-stdlib",
            "-no-reflect",
            "-classpath",
            visible.map { whereIs(it.java) }.joinToString(File.pathSeparator),
            "-d",
            folder.resolve("out").toString(),
            source.toString(),
        )
        compilerLoader().use { loader ->
            val compiler = loader.loadClass(K2JVMCompiler::class.java.name)
            val exec = compiler.getMethod("exec", PrintStream::class.java, Array<String>::class.java)
            exec(compiler.getConstructor().newInstance(), PrintStream(messages, true, Charsets.UTF_8), arguments)
        }
        return messages.toString(Charsets.UTF_8)
    }

    /**
     * A class loader of its own: the tools for the binary interface contain other versions of the compiler's classes.
     */
    private fun compilerLoader(): URLClassLoader {
        val parts = listOf(K2JVMCompiler::class.java, Unit::class.java, kotlinx.coroutines.sync.Mutex::class.java)
        val urls = parts.map { whereIs(it).toUri().toURL() }.toTypedArray()
        return URLClassLoader(urls, ClassLoader.getPlatformClassLoader())
    }

    private companion object {
        const val NO_TOKEN = "The argument would be a token for the owner, not a time."
        const val HEAD = "import dev.cqs.coroutines.*\nimport kotlin.time.Duration.Companion.milliseconds\n"
        const val FIRST_LINE = 3

        val DECLARATIONS = listOf(
            "mutex: Mutex",
            "semaphore: Semaphore",
            "readWrite: ReadWriteMutex",
            "latch: CountDownLatch",
            "pool: Pool<String>",
            "resources: ResourcePool<String>",
            "queue: SynchronousQueue<String>",
        ).map { "lateinit var $it" }
    }
}
