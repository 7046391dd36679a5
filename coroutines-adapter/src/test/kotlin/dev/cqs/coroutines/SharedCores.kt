package dev.cqs.coroutines

import dev.cqs.threads.Grant
import dev.cqs.threads.ReentrantLock
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.Lock
import kotlin.time.Duration.Companion.nanoseconds
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue

/** A core object with a view for threads and one for coroutines. For all tests of callers of different kinds. */
internal abstract class SharedCore {
    abstract val queueLength: Int
    abstract val isFree: Boolean

    /** Takes everything, through the core. */
    abstract fun hold()

    abstract fun release()

    abstract fun enterThread(n: Int)

    abstract fun tryEnterThread(n: Int, nanos: Long): Boolean

    abstract fun leaveThread(n: Int)

    abstract suspend fun enterCoroutine(n: Int, token: Any?)

    abstract suspend fun tryEnterCoroutine(n: Int, nanos: Long, token: Any?): Boolean

    abstract fun leaveCoroutine(n: Int, token: Any?)

    abstract fun requestByFuture(n: Int): CompletableFuture<Grant>

    abstract fun closeCore(cause: Throwable?): Boolean

    abstract fun closeView(cause: Throwable?): Boolean

    abstract fun forEachWaiter(action: () -> Unit)

    /** Checks the owner. The caller, of kind [kind], must hold the core. */
    open fun checkOwner(kind: SharedKind, token: Any?) {}

    /** The number of waiters in the queue. Requests that are counted and not enqueued yet are not included. */
    fun enqueued(): Int {
        val count = AtomicInteger()
        forEachWaiter { count.incrementAndGet() }
        return count.get()
    }

    fun assertIdle() {
        awaitThat("all is released: $this") { isFree }
        assertEquals(0, queueLength, "queue length")
        assertEquals(0, enqueued(), "waiters in the queue")
    }
}

internal class SharedSemaphore(private val core: dev.cqs.sync.Semaphore) : SharedCore() {
    private val threads = dev.cqs.threads.Semaphore.viewOf(core)
    private val coroutines = core.asSemaphore()

    override val queueLength get() = core.queueLength()
    override val isFree get() = core.availablePermits() == core.maximum()

    override fun hold() = assertTrue(core.tryAcquire(core.maximum()))

    override fun release() = core.release(core.maximum())

    override fun enterThread(n: Int) = if (n == 1) threads.acquire() else threads.acquire(n)

    override fun tryEnterThread(n: Int, nanos: Long) = threads.tryAcquire(n, nanos, NANOSECONDS)

    override fun leaveThread(n: Int) = threads.release(n)

    override suspend fun enterCoroutine(n: Int, token: Any?) =
        if (n == 1) coroutines.acquire() else coroutines.acquire(n)

    override suspend fun tryEnterCoroutine(n: Int, nanos: Long, token: Any?) =
        coroutines.tryAcquire(n, nanos.nanoseconds)

    override fun leaveCoroutine(n: Int, token: Any?) = coroutines.release(n)

    override fun requestByFuture(n: Int): CompletableFuture<Grant> = threads.acquireAsync(n)

    override fun closeCore(cause: Throwable?) = core.close(cause)

    override fun closeView(cause: Throwable?) = coroutines.close(cause)

    override fun forEachWaiter(action: () -> Unit) = core.forEachWaiter { action() }

    override fun toString() = core.toString()
}

internal class SharedMutex : SharedCore() {
    private val core = dev.cqs.sync.Mutex()
    private val lock = ReentrantLock.viewOf(core)
    private val async = dev.cqs.threads.Mutex.viewOf(core)
    private val coroutines = core.asMutex()

    override val queueLength get() = core.queueLength()
    override val isFree get() = !core.isLocked

    override fun hold() = assertTrue(core.tryLock())

    override fun release() = core.unlock()

    override fun enterThread(n: Int) = lock.lockInterruptibly()

    override fun tryEnterThread(n: Int, nanos: Long) = lock.tryLock(nanos, NANOSECONDS)

    override fun leaveThread(n: Int) = lock.unlock()

    override suspend fun enterCoroutine(n: Int, token: Any?) = coroutines.lock(token)

    override suspend fun tryEnterCoroutine(n: Int, nanos: Long, token: Any?) =
        coroutines.tryLock(nanos.nanoseconds, token)

    override fun leaveCoroutine(n: Int, token: Any?) = coroutines.unlock(token)

    override fun requestByFuture(n: Int): CompletableFuture<Grant> = async.lockAsync()

    override fun closeCore(cause: Throwable?) = core.close(cause)

    override fun closeView(cause: Throwable?) = coroutines.close(cause)

    override fun forEachWaiter(action: () -> Unit) = core.forEachWaiter { action() }

    override fun checkOwner(kind: SharedKind, token: Any?) {
        if (kind.isThread) {
            assertSame(Thread.currentThread(), core.owner())
            assertNull(core.ownerToken())
            assertEquals(1, lock.holdCount)
        } else {
            assertNull(core.owner())
            assertSame(token, core.ownerToken())
            assertFalse(lock.isHeldByCurrentThread)
        }
        assertTrue(core.isLocked)
    }

    override fun toString() = core.toString()
}

/** A read-write lock, of which the callers use the read lock or the write lock. */
internal class SharedReadWrite(
    private val core: dev.cqs.sync.ReadWriteMutex = dev.cqs.sync.ReadWriteMutex(),
    private val reads: Boolean = false,
) : SharedCore() {
    private val lock = dev.cqs.threads.ReentrantReadWriteLock.viewOf(core)
    private val ofThreads: Lock = if (reads) lock.readLock() else lock.writeLock()
    private val coroutines = core.asReadWriteMutex()

    override val queueLength get() = core.waitingReaders() + core.waitingWriters()
    override val isFree get() = !core.isWriteLocked && core.readLockCount() == 0

    override fun hold() = assertTrue(core.tryWriteLock())

    override fun release() = core.unlockWrite()

    override fun enterThread(n: Int) = ofThreads.lockInterruptibly()

    override fun tryEnterThread(n: Int, nanos: Long) = ofThreads.tryLock(nanos, NANOSECONDS)

    override fun leaveThread(n: Int) = ofThreads.unlock()

    override suspend fun enterCoroutine(n: Int, token: Any?) =
        if (reads) coroutines.readLock() else coroutines.writeLock()

    override suspend fun tryEnterCoroutine(n: Int, nanos: Long, token: Any?) =
        if (reads) coroutines.tryReadLock(nanos.nanoseconds) else coroutines.tryWriteLock(nanos.nanoseconds)

    override fun leaveCoroutine(n: Int, token: Any?) = if (reads) coroutines.readUnlock() else coroutines.writeUnlock()

    override fun requestByFuture(n: Int): CompletableFuture<Grant> =
        if (reads) lock.readLock().lockAsync() else lock.writeLock().lockAsync()

    override fun closeCore(cause: Throwable?) = core.close(cause)

    override fun closeView(cause: Throwable?) = coroutines.close(cause)

    override fun forEachWaiter(action: () -> Unit) {
        core.forEachWaitingReader { action() }
        core.forEachWaitingWriter { action() }
    }

    override fun checkOwner(kind: SharedKind, token: Any?) {
        assertEquals(reads, !core.isWriteLocked)
        assertEquals(reads, core.readLockCount() > 0)
        assertSame(if (kind.isThread && !reads) Thread.currentThread() else null, core.owner())
        assertEquals(if (kind.isThread && reads) 1 else 0, lock.readHoldCount)
    }

    override fun toString() = core.toString()
}

/** The kinds of core objects, and the weights of requests, of which no two can be granted at the same time. */
enum class SharedTarget(vararg val sizes: Int) {
    MUTEX(1),
    SEMAPHORE(1),
    SEMAPHORE_IN_SECOND_FORM(1),
    WEIGHTED(2, 3),
    WRITE(1),
    ;

    internal fun make(): SharedCore {
        if (this == MUTEX) return SharedMutex()
        if (this == WRITE) return SharedReadWrite()
        val core = dev.cqs.sync.Semaphore.bounded(sizes.max())
        if (this == SEMAPHORE_IN_SECOND_FORM) {
            core.reducePermits(4)
            core.release(4)
        }
        return SharedSemaphore(core)
    }
}
