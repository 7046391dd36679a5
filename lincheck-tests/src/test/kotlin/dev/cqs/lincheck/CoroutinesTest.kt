package dev.cqs.lincheck

import dev.cqs.coroutines.asMutex
import dev.cqs.coroutines.asSemaphore
import dev.cqs.sync.Mutex
import dev.cqs.sync.Semaphore
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The faces for coroutines, as their users call them. What is granted to a coroutine that is cancelled before it runs
 * goes back by the code of the faces; see [dispatched].
 *
 * Lincheck always allows extra suspensions: an operation may suspend where the specification does not.
 */
@Tag("slow")
class CoroutinesTest {
    @ParameterizedTest
    @EnumSource
    fun mutex(strategy: Strategy) = strategy.verify(FaceMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun mutexSharedWithThreads(strategy: Strategy) = strategy.verify(SharedMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun mutexThatIsClosed(strategy: Strategy) =
        strategy.verify(ClosedMutex::class, FifoMutex::class) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun semaphore(strategy: Strategy) = strategy.verify(FaceSemaphore::class, OnePermit::class)

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
}

/** Each request has a token of its own, and the face checks it when it unlocks. */
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

class FaceMutex : MutexOperations() {
    @Operation
    fun tryLock(@Param(name = "thread") thread: Int): Boolean {
        val token = Any()
        return mutex.tryLock(token).also { if (it) tokens[thread] = token }
    }
}

/** Threads that take it only if it is free, on the same mutex. */
class SharedMutex : MutexOperations() {
    private val forThreads = dev.cqs.threads.Mutex.over(core)

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

class FaceSemaphore {
    private val semaphore = Semaphore(1).asSemaphore()

    @Operation(promptCancellation = true)
    suspend fun acquire() = dispatched { semaphore.acquire() }

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()
}

/** The coroutine runs on within the release, which makes it impossible to cancel it between the two. */
class InPlaceSemaphore {
    private val semaphore = Semaphore(1).asSemaphore()

    @Operation
    suspend fun acquire() = semaphore.acquire()

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()
}

/** Nobody takes without waiting; see [AccountedSemaphore]. */
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
