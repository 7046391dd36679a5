package dev.cqs.lincheck

import dev.cqs.coroutines.Pool
import dev.cqs.coroutines.asMutex
import dev.cqs.coroutines.asReadWriteMutex
import dev.cqs.coroutines.asResourcePool
import dev.cqs.coroutines.asSemaphore
import dev.cqs.pool.ResourcePool
import dev.cqs.sync.Mutex
import dev.cqs.sync.ReadWriteMutex
import dev.cqs.sync.Semaphore
import java.util.IdentityHashMap
import kotlin.reflect.jvm.javaMethod
import org.jetbrains.kotlinx.lincheck.Actor
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The views for coroutines. A grant to a coroutine that is cancelled before it runs is given back by the code of the
 * views; see [dispatched].
 *
 * Lincheck always allows extra suspensions: an operation may suspend where the specification does not.
 */
@Tag("slow")
class CoroutinesTest {
    @ParameterizedTest
    @EnumSource
    fun mutex(strategy: Strategy) = strategy.verify(ViewMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun mutexSharedWithThreads(strategy: Strategy) = strategy.verify(SharedMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun mutexThatIsClosed(strategy: Strategy) =
        strategy.verify(ClosedMutex::class, FifoMutex::class) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun semaphore(strategy: Strategy) = strategy.verify(ViewSemaphore::class, OnePermit::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreWithoutDispatcher(strategy: Strategy) = strategy.verify(InPlaceSemaphore::class, OnePermit::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreForSeveralPermits(strategy: Strategy) =
        strategy.verify(SeveralPermits::class, TwoPermits::class) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun semaphoreThatIsClosed(strategy: Strategy) = strategy.verify(ClosedSemaphore::class, TwoPermits::class)

    @ParameterizedTest
    @EnumSource
    fun readWriteLock(strategy: Strategy) = strategy.verify(ReadWriteView::class, SuspendingTurns::class, scenarios = 4)

    @ParameterizedTest
    @EnumSource
    fun readWriteLockWhoseCallersAreCancelled(strategy: Strategy) =
        strategy.verify(CancelledReadWrite::class, TurnsAfterAWriter::class, scenarios = 12) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun pool(strategy: Strategy) = strategy.verify(ViewPool::class, NoPermit::class, scenarios = 5)

    @ParameterizedTest
    @EnumSource
    fun poolThatIsClosed(strategy: Strategy) =
        strategy.verify(ClosedPool::class, NoPermit::class, scenarios = 4) { actorsPerThread(2) }

    /** A pool with one resource is a mutex. */
    @ParameterizedTest
    @EnumSource
    fun poolOfResources(strategy: Strategy) = strategy.verify(ViewResources::class, FifoMutex::class, scenarios = 4) {
        actorsPerThread(2)
        cancelledWhileItIsLent()
    }
}

/** The resource is lent when another coroutine requests it, which is cancelled before or after its grant. */
private fun Options<*, *>.cancelledWhileItIsLent() {
    addCustomScenario {
        parallel {
            thread {
                actor(ViewResources::lock, 1)
                actor(ViewResources::unlock, 1)
            }
            thread {
                val lock = ViewResources::lock.javaMethod!!
                add(Actor(lock, listOf(2), cancelOnSuspension = true, promptCancellation = true))
            }
        }
    }
}

/** Each request has a token of its own, and the view checks it when it unlocks. */
@Param(name = "thread", gen = ThreadIdGen::class)
abstract class MutexOperations {
    internal val core = Mutex()
    internal val mutex = core.asMutex()
    internal val tokens = arrayOfNulls<Any>(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun lock(@Param(name = "thread") thread: Int) {
        val token = Any()
        dispatched { mutex.lock(token) }
        tokens[thread] = token
        check(mutex.holdsLock(token))
    }

    @Operation
    open fun unlock(@Param(name = "thread") thread: Int): Boolean {
        val token = tokens[thread] ?: return false
        tokens[thread] = null
        mutex.unlock(token)
        check(!mutex.holdsLock(token))
        return true
    }
}

class ViewMutex : MutexOperations() {
    @Operation
    fun tryLock(@Param(name = "thread") thread: Int): Boolean {
        val token = Any()
        return mutex.tryLock(token).also { if (it) tokens[thread] = token }
    }
}

/** Coroutines, and threads that only try, on the same mutex. */
class SharedMutex : MutexOperations() {
    private val forThreads = dev.cqs.threads.Mutex.viewOf(core)

    @Operation
    fun tryLockAsThread(@Param(name = "thread") thread: Int): Boolean =
        forThreads.tryLock().also { if (it) tokens[thread] = forThreads }

    @Operation
    override fun unlock(@Param(name = "thread") thread: Int): Boolean {
        if (tokens[thread] !== forThreads) return super.unlock(thread)
        tokens[thread] = null
        forThreads.unlock()
        return true
    }
}

class ClosedMutex : MutexOperations() {
    @Operation
    fun close() = mutex.close()
}

class ViewSemaphore {
    private val semaphore = Semaphore(1).asSemaphore()

    @Operation(promptCancellation = true)
    suspend fun acquire() = dispatched { semaphore.acquire() }

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()
}

/** The coroutine continues inside the release, so it cannot be cancelled between the two. */
class InPlaceSemaphore {
    private val semaphore = Semaphore(1).asSemaphore()

    @Operation
    suspend fun acquire() = semaphore.acquire()

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()
}

/** Without try-operations; see [AccountedSemaphore]. */
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class SeveralPermits {
    private val semaphore = Semaphore(2).asSemaphore()

    @Operation(promptCancellation = true)
    suspend fun acquire() = dispatched { semaphore.acquire() }

    @Operation(promptCancellation = true)
    suspend fun acquire(@Param(name = "n") n: Int) = dispatched { semaphore.acquire(n) }

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun release(@Param(name = "n") n: Int) = semaphore.release(n)
}

@Param(name = "n", gen = IntGen::class, conf = "1:3")
class ClosedSemaphore {
    private val semaphore = Semaphore(2).asSemaphore()

    @Operation(promptCancellation = true)
    suspend fun acquire(@Param(name = "n") n: Int) = dispatched { semaphore.acquire(n) }

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun close() = semaphore.close()
}

/** Records the holds of each thread, which unlocks only what it holds. */
@Param(name = "thread", gen = ThreadIdGen::class)
abstract class HeldReadWrite {
    internal val lock = ReadWriteMutex().asReadWriteMutex()
    internal val reads = IntArray(THREADS + 1)
    internal val writes = IntArray(THREADS + 1)

    @Operation
    fun unlockRead(@Param(name = "thread") thread: Int): Boolean {
        if (reads[thread] == 0) return false
        reads[thread]--
        lock.readUnlock()
        return true
    }

    @Operation
    fun unlockWrite(@Param(name = "thread") thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        lock.writeUnlock()
        return true
    }

    @Validate
    fun everyHoldBelongsToAThread() =
        check(lock.readLockCount == reads.sum() && lock.isWriteLocked == (writes.sum() == 1)) { "$lock" }
}

class ReadWriteView : HeldReadWrite() {
    @Operation(cancellableOnSuspension = false)
    suspend fun read(@Param(name = "thread") thread: Int) {
        dispatched { lock.readLock() }
        reads[thread]++
    }

    @Operation(cancellableOnSuspension = false)
    suspend fun write(@Param(name = "thread") thread: Int) {
        dispatched { lock.writeLock() }
        writes[thread]++
    }

    @Operation
    fun tryRead(@Param(name = "thread") thread: Int) = lock.tryReadLock().also { if (it) reads[thread]++ }

    @Operation
    fun tryWrite(@Param(name = "thread") thread: Int) = lock.tryWriteLock().also { if (it) writes[thread]++ }

    @Operation
    fun downgrade(@Param(name = "thread") thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        reads[thread]++
        lock.downgrade()
        return true
    }
}

/** The first thread holds the write lock at first, so that others wait. Without queries; see [CancellableLock]. */
class CancelledReadWrite : HeldReadWrite() {
    init {
        lock.tryWriteLock()
        writes[1]++
    }

    @Operation(promptCancellation = true)
    suspend fun read(@Param(name = "thread") thread: Int) {
        dispatched { lock.readLock() }
        reads[thread]++
    }

    @Operation(promptCancellation = true)
    suspend fun write(@Param(name = "thread") thread: Int) {
        dispatched { lock.writeLock() }
        writes[thread]++
    }
}

class TurnsAfterAWriter : SuspendingTurns() {
    init {
        tryWrite(1)
    }
}

/** The results do not distinguish elements, but at the end each must be there once. */
abstract class PoolViewOperations {
    internal val pool = Pool.queue<Any>()

    @Operation(promptCancellation = true)
    suspend fun acquire() {
        dispatched { pool.take() }
    }

    @Operation
    fun tryAcquire() = pool.tryTake() != null

    @Operation
    fun release() = pool.put(Any())

    @Validate
    fun eachElementIsThereOnce() {
        val expected = pool.size
        val found = IdentityHashMap<Any, Any>()
        pool.drain { check(found.put(it, it) == null) { "an element is there twice" } }
        check(found.size == expected) { "${found.size} instead of $expected" }
    }
}

class ViewPool : PoolViewOperations() {
    @Operation
    fun availablePermits() = pool.size
}

class ClosedPool : PoolViewOperations() {
    @Operation
    fun close() = pool.close()
}

/** One of the threads invalidates what it has borrowed, so that elements are made concurrently. */
@Param(name = "thread", gen = ThreadIdGen::class)
class ViewResources {
    private val core = ResourcePool.builder<Any>(1).nanoTime { 0 }.build()
    private val pool = core.asResourcePool { Any() }
    private val held = arrayOfNulls<Any>(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun lock(@Param(name = "thread") thread: Int) {
        held[thread] = dispatched { pool.take() }
    }

    @Operation
    fun unlock(@Param(name = "thread") thread: Int): Boolean {
        val element = held[thread] ?: return false
        held[thread] = null
        if (thread == 1) pool.invalidate(element) else pool.put(element)
        return true
    }

    @Operation
    fun close() = pool.close()

    /** A slot that no thread holds must be in the pool. */
    @Validate
    fun theSlotIsNotLost() = check(pool.isClosed || core.available() + held.count { it != null } == 1) { "$core" }
}
