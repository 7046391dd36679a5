package dev.cqs.coroutines.samples

import dev.cqs.coroutines.ReadWriteMutex
import dev.cqs.coroutines.Semaphore
import dev.cqs.coroutines.moduleFolder
import java.nio.file.Files
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.extension
import kotlin.io.path.readText
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.fail

/** The samples of the KDoc do what it says. */
@Timeout(60)
class SamplesTest {
    @Test
    fun mutexLetsOneCoroutineEnterAfterTheOther() {
        assertEquals(100, runBlocking { mutex() })
    }

    @Test
    fun semaphoreLoadsAllPagesInTheOrderOfTheList() {
        val pages = List(10) { "page $it" }
        assertEquals(listOf("cover") + pages, runBlocking { semaphore(pages) { it } })
    }

    @Test
    fun semaphoreNeverLoadsMoreThanItHasPermitsFor() = runBlocking {
        var weight = 0
        var heaviest = 0
        semaphore(List(10) { "page $it" }) { page ->
            val own = if (page == "cover") 3 else 1
            weight += own
            heaviest = maxOf(heaviest, weight)
            yield()
            weight -= own
            page
        }
        assertEquals(4, heaviest)
    }

    @Test
    fun timeoutDoesTheWorkIfThereIsAPermitAndPutsItBack() = runBlocking {
        val slots = Semaphore(1)
        var worked = false
        assertTrue(timeout(slots) { worked = slots.availablePermits == 0 })
        assertTrue(worked)
        assertEquals(1, slots.availablePermits)
    }

    @Test
    fun timeoutDoesWithoutIfThereIsNoPermitInTime() = runBlocking {
        val slots = Semaphore(1, acquiredPermits = 1)
        assertFalse(timeout(slots) { fail("worked without a permit") })
        assertEquals(0, slots.availablePermits)
        assertEquals(0, slots.queueLength)
    }

    @Test
    fun closeFailsPresentAndLaterRequests() {
        assertEquals(listOf("shut down", "shut down"), runBlocking { close() })
    }

    @Test
    fun latchWaitsForAllParts() {
        assertEquals(45, runBlocking { latch(List(10) { suspend { it } }) })
        assertEquals(0, runBlocking { latch(emptyList()) })
    }

    @Test
    fun barrierBeginsNoStepBeforeThePreviousIsDone() {
        val expected = List(5) { step -> listOf("part of step $step", "part of step $step", "step done") }.flatten()
        assertEquals(expected, runBlocking { barrier(5) })
    }

    @Test
    fun conditionPassesOneWordAfterTheOther() {
        val words = List(100) { "word $it" }
        assertEquals(words, runBlocking { condition(words) })
    }

    @Test
    fun readWriteMutexShowsWhatWasWritten() {
        val names = List(50) { "name $it" }
        assertEquals(names.map { "number of $it" }, runBlocking { readWriteMutex(names) })
    }

    @Test
    fun downgradeReadsWhileOthersReadAndUnlocksInAnyCase() = runBlocking {
        val lock = ReadWriteMutex()
        var written = false
        assertTrue(
            downgrade(lock, { written = lock.isWriteLocked }) {
                assertEquals(1, lock.readLockCount)
                assertFalse(lock.isWriteLocked)
                written
            },
        )
        assertEquals("write", runCatching { downgrade(lock, { error("write") }) {} }.exceptionOrNull()?.message)
        assertEquals("read", runCatching { downgrade(lock, {}) { error("read") } }.exceptionOrNull()?.message)
        assertTrue(lock.tryWriteLock())
    }

    @Test
    fun poolDigestsAllTexts() {
        assertEquals(List(50) { 32 }, runBlocking { pool(List(50) { "text $it" }) })
    }

    @Test
    fun resourcePoolOpensNoMoreConnectionsThanItMayAndClosesThem() = runBlocking {
        val open = HashSet<Any>()
        var most = 0
        val answers = resourcePool(
            open = {
                yield()
                Any().also { open += it }
            },
            isOpen = { it in open },
            close = { open -= it },
            questions = List(20) {
                { connection ->
                    most = maxOf(most, open.size)
                    yield()
                    if (it == 10) open -= connection // the connection is broken from now on
                    "answer $it"
                }
            },
        )
        assertEquals(List(20) { "answer $it" }, answers)
        assertEquals(4, most)
        assertEquals(setOf<Any>(), open)
    }

    @Test
    fun synchronousQueueClosesAllFiles() {
        val open = ConcurrentHashMap.newKeySet<String>()
        fun open(name: String): AutoCloseable {
            open += name
            return AutoCloseable { open -= name }
        }
        val names = List(100) { "file $it" }
        assertEquals(100, runBlocking { synchronousQueue(names, ::open) { 1 } })
        assertEquals(setOf<String>(), open)
        assertThrows(Broken::class.java) { runBlocking { synchronousQueue(names, ::open) { throw Broken() } } }
        assertEquals(setOf<String>(), open, "files that were not received are closed")
    }

    private class Broken : Exception()

    @Test
    fun sharedServesTheThreadAndTheCoroutine() {
        assertEquals(2, shared())
    }

    @Test
    fun theDocumentationNamesEverySampleAndNoOther() {
        val file = Class.forName("dev.cqs.coroutines.samples.SamplesKt")
        val samples = file.declaredMethods.map { "${file.packageName}.${it.name}" }.filter { '$' !in it }.toSet()
        assertEquals(samples, samplesNamedInTheDocumentation())
    }

    private fun samplesNamedInTheDocumentation(): Set<String> =
        Files.walk(moduleFolder().resolve("src/main/kotlin")).use { files ->
            files.filter { it.extension == "kt" }.toList()
                .flatMap { Regex("@sample\\s+(\\S+)").findAll(it.readText()) }
                .map { it.groupValues[1] }
                .toSet()
        }
}
