package dev.cqs.coroutines.samples

import dev.cqs.coroutines.CountDownLatch
import dev.cqs.coroutines.CyclicBarrier
import dev.cqs.coroutines.Mutex
import dev.cqs.coroutines.Pool
import dev.cqs.coroutines.ReadWriteMutex
import dev.cqs.coroutines.Semaphore
import dev.cqs.coroutines.SynchronousQueue
import dev.cqs.coroutines.asResourcePool
import dev.cqs.coroutines.asSemaphore
import dev.cqs.coroutines.newCondition
import dev.cqs.coroutines.read
import dev.cqs.coroutines.use
import dev.cqs.coroutines.withPermits
import dev.cqs.coroutines.write
import java.security.MessageDigest
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.yield

// The KDoc shows the bodies of these functions. SamplesTest runs them.

/** One coroutine after the other, in FIFO order. */
internal suspend fun mutex(): Int {
    val mutex = Mutex()
    var visits = 0
    coroutineScope {
        repeat(100) {
            launch(Dispatchers.Default) {
                mutex.withLock { visits++ }
            }
        }
    }
    return visits
}

/** Loads at most four pages at a time. The cover is large and counts as three. */
internal suspend fun semaphore(pages: List<String>, load: suspend (String) -> String): List<String> {
    val connections = Semaphore(permits = 4)
    return coroutineScope {
        val cover = async { connections.withPermits(3) { load("cover") } }
        val others = pages.map { page -> async { connections.withPermit { load(page) } } }
        listOf(cover.await()) + others.awaitAll()
    }
}

/** A coroutine that gets no permit in time skips its work and has nothing to release. */
internal suspend fun timeout(slots: Semaphore, work: suspend () -> Unit): Boolean {
    if (!slots.tryAcquire(50.milliseconds)) return false
    try {
        work()
    } finally {
        slots.release()
    }
    return true
}

/** Coroutines that wait at the shutdown fail, and so do later ones. */
internal suspend fun close(): List<String?> {
    val slots = Semaphore(permits = 1, acquiredPermits = 1)

    suspend fun attempt() = try {
        slots.withPermit { "done" }
    } catch (e: ShutDown) {
        e.message
    }

    return coroutineScope {
        val waiting = async { attempt() }
        yield()
        slots.close(ShutDown())
        listOf(waiting.await(), attempt())
    }
}

internal class ShutDown : Exception("shut down")

/** The summary waits for all parts, on whichever thread they run. */
internal suspend fun latch(parts: List<suspend () -> Int>): Int {
    val done = CountDownLatch(parts.size)
    val results = AtomicIntegerArray(parts.size)
    return coroutineScope {
        parts.forEachIndexed { i, part ->
            launch(Dispatchers.Default) {
                results.set(i, part())
                done.countDown()
            }
        }
        done.await()
        parts.indices.sumOf { results.get(it) }
    }
}

/** Each step of a simulation begins when all parts have completed the step before. */
internal suspend fun barrier(steps: Int): List<String> {
    val log = CopyOnWriteArrayList<String>()
    val stepDone = CyclicBarrier(parties = 2) { log += "step done" }
    coroutineScope {
        repeat(2) {
            launch(Dispatchers.Default) {
                repeat(steps) { step ->
                    log += "part of step $step"
                    stepDone.await()
                }
            }
        }
    }
    return log
}

/** A box for one word. put waits until it is empty, and take waits until it is full. */
internal suspend fun condition(words: List<String>): List<String> {
    val mutex = Mutex()
    val emptied = mutex.newCondition()
    val filled = mutex.newCondition()
    var box: String? = null

    suspend fun put(word: String) = mutex.withLock {
        while (box != null) emptied.await()
        box = word
        filled.signal()
    }

    suspend fun take(): String = mutex.withLock {
        while (box == null) filled.await()
        emptied.signal()
        box!!.also { box = null }
    }

    return coroutineScope {
        launch { words.forEach { put(it) } }
        List(words.size) { take() }
    }
}

/** Many coroutines look up names concurrently, and sometimes one changes a name. */
internal suspend fun readWriteMutex(names: List<String>): List<String?> {
    val lock = ReadWriteMutex()
    val numbers = HashMap<String, String>()

    suspend fun find(name: String): String? = lock.read { numbers[name] }

    suspend fun change(name: String, number: String) = lock.write { numbers[name] = number }

    return coroutineScope {
        names.forEach { name -> launch(Dispatchers.Default) { change(name, "number of $name") } }
        names.map { name ->
            async(Dispatchers.Default) {
                while (find(name) == null) yield()
                find(name)
            }
        }.awaitAll()
    }
}

/** The writer reads what it has written before any other writer changes it. Other readers may read at the same time. */
internal suspend fun <T> downgrade(lock: ReadWriteMutex, write: () -> Unit, read: suspend () -> T): T {
    lock.writeLock()
    try {
        write()
    } catch (e: Throwable) {
        lock.writeUnlock()
        throw e
    }
    lock.downgrade()
    try {
        return read()
    } finally {
        lock.readUnlock()
    }
}

/** A few digests, which are expensive and not thread-safe, serve many texts. */
internal suspend fun pool(texts: List<String>): List<Int> {
    val digests = Pool.stack<MessageDigest>()
    repeat(2) { digests.put(MessageDigest.getInstance("SHA-256")) }
    return coroutineScope {
        texts.map { text ->
            async(Dispatchers.Default) { digests.use { digest -> digest.digest(text.encodeToByteArray()).size } }
        }.awaitAll()
    }
}

/** At most four connections. A broken connection is replaced. */
internal suspend fun <C : Any> resourcePool(
    open: suspend () -> C,
    isOpen: (C) -> Boolean,
    close: (C) -> Unit,
    questions: List<suspend (C) -> String>,
): List<String> {
    val connections = dev.cqs.pool.ResourcePool.builder<C>(4)
        .validator(isOpen)
        .destroyer(close)
        .build()
        .asResourcePool(open)
    try {
        return coroutineScope {
            questions.map { ask -> async { connections.use { ask(it) } } }.awaitAll()
        }
    } finally {
        connections.close()
    }
}

/**
 * Each file goes from the coroutine that opens it to one that reads and closes it. A file that is not received is
 * closed.
 */
internal suspend fun <F : AutoCloseable> synchronousQueue(
    names: List<String>,
    open: (String) -> F,
    read: (F) -> Int,
): Int {
    val files = SynchronousQueue.fair<F>(onUndelivered = { it.close() })
    return coroutineScope {
        launch {
            names.forEach { name -> files.send(open(name)) }
            files.close()
        }
        val readers = List(2) {
            async(Dispatchers.Default) {
                var sum = 0
                for (file in files) sum += file.use(read)
                sum
            }
        }
        readers.awaitAll().sum()
    }
}

/** A thread and a coroutine wait for the same permit in one queue. */
internal fun shared(): Int {
    val core = dev.cqs.sync.Semaphore(1)
    var visits = 0

    // For threads of your own. Inside a coroutine never wait through this view: it blocks the thread of the
    // dispatcher, which the holder of the permit may need to go on.
    val forThreads = dev.cqs.threads.Semaphore.viewOf(core)
    val thread = thread {
        forThreads.acquire()
        try {
            visits++
        } finally {
            forThreads.release()
        }
    }

    val forCoroutines = core.asSemaphore()
    runBlocking {
        launch { forCoroutines.withPermit { visits++ } }
    }

    thread.join()
    return visits
}
