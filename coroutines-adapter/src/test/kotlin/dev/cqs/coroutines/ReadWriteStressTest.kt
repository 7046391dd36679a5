package dev.cqs.coroutines

import dev.cqs.threads.ReentrantReadWriteLock
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import kotlin.random.Random
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** Coroutines and threads read and write concurrently, and are cancelled. At the end no lock is held. */
@Tag("slow")
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(6 * PATIENCE)
class ReadWriteStressTest {
    private val lock = ReadWriteMutex()
    private val forThreads = ReentrantReadWriteLock.viewOf(lock.core)
    private val readers = AtomicInteger()
    private val writes = AtomicLong()

    /** Plain: only the lock synchronizes the accesses. */
    private var value = 0L
    private var writing = false

    private inline fun reading(action: () -> Unit) {
        readers.incrementAndGet()
        val seen = value
        assertFalse(writing, "no writer runs beside a reader")
        try {
            action()
            assertEquals(seen, value)
        } finally {
            readers.decrementAndGet()
        }
    }

    private inline fun writing(action: () -> Unit) {
        assertEquals(0, readers.get(), "no reader runs beside a writer")
        assertFalse(writing, "no writer runs beside a writer")
        writing = true
        value++
        writes.incrementAndGet()
        try {
            action()
        } finally {
            writing = false
        }
    }

    private suspend fun visit(random: Random, shareOfWriters: Int) {
        val timeout = random.nextLong(200_000).nanoseconds
        val timed = random.nextInt(4) == 0
        if (random.nextInt(100) < shareOfWriters) {
            if (timed && !lock.tryWriteLock(timeout)) return
            if (!timed) lock.writeLock()
            write(random)
        } else {
            if (timed && !lock.tryReadLock(timeout)) return
            if (!timed) lock.readLock()
            read(random)
        }
    }

    private suspend fun read(random: Random) = try {
        reading { if (random.nextInt(8) == 0) yield() }
    } finally {
        lock.readUnlock()
    }

    private suspend fun write(random: Random) {
        try {
            writing { if (random.nextInt(8) == 0) yield() }
        } catch (e: Throwable) {
            lock.writeUnlock()
            throw e
        }
        if (random.nextInt(4) > 0) {
            lock.writeUnlock()
        } else {
            lock.downgrade()
            read(random)
        }
    }

    private fun visitAsThread(random: Random, shareOfWriters: Int) {
        val writes = random.nextInt(100) < shareOfWriters
        val by = if (writes) forThreads.writeLock() else forThreads.readLock()
        if (random.nextInt(4) >
            0
        ) {
            by.lockInterruptibly()
        } else if (!by.tryLock(random.nextLong(200_000), NANOSECONDS)) {
            return
        }
        try {
            if (writes) writing {} else reading {}
        } finally {
            by.unlock()
        }
    }

    @ParameterizedTest
    @ValueSource(ints = [10, 50])
    fun noReaderRunsBesideAWriterAndTheLockIsFreeAtTheEnd(shareOfWriters: Int) {
        StressHarness(visits = 6_000).run({ visit(it, shareOfWriters) }, { visitAsThread(it, shareOfWriters) })
        assertEquals(writes.get(), value)
        awaitThat("the lock is free") { !lock.isWriteLocked && lock.readLockCount == 0 }
        assertEquals(listOf(0, 0), listOf(lock.waitingReaders, lock.waitingWriters))
        assertTrue(lock.tryWriteLock())
    }
}
