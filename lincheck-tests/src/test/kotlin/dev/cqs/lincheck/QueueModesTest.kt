package dev.cqs.lincheck

import dev.cqs.CancellationMode
import dev.cqs.CancellationMode.SIMPLE
import dev.cqs.CancellationMode.SMART
import dev.cqs.ResumeMode.ASYNC
import dev.cqs.ResumeMode.SYNC
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * A semaphore and a mutex in all modes of the queue. All are obstruction-free, except in SYNC mode with SMART
 * cancellation, where a resume waits for the decision of a canceller.
 */
@Tag("slow")
class QueueModesTest {
    @ParameterizedTest
    @EnumSource
    fun asyncSimpleSemaphore(strategy: Strategy) =
        strategy.verify(AsyncSimpleSemaphore::class, TwoPermits::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun asyncSmartSemaphore(strategy: Strategy) =
        strategy.verify(AsyncSmartSemaphore::class, TwoPermits::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun syncSimpleSemaphore(strategy: Strategy) =
        strategy.verify(SyncSimpleSemaphore::class, TwoPermits::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun syncSmartSemaphore(strategy: Strategy) = strategy.verify(SyncSmartSemaphore::class, TwoPermits::class)

    @ParameterizedTest
    @EnumSource
    fun asyncSimpleMutex(strategy: Strategy) =
        strategy.verify(AsyncSimpleMutex::class, FifoMutex::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun asyncSmartMutex(strategy: Strategy) =
        strategy.verify(AsyncSmartMutex::class, FifoMutex::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun syncSimpleMutex(strategy: Strategy) =
        strategy.verify(SyncSimpleMutex::class, FifoMutex::class, obstructionFree = true)

    @ParameterizedTest
    @EnumSource
    fun syncSmartMutex(strategy: Strategy) = strategy.verify(SyncSmartMutex::class, FifoMutex::class)
}

abstract class AsyncSemaphoreOperations internal constructor(internal val semaphore: TestSemaphore) {
    @Operation(promptCancellation = true)
    suspend fun acquire() = semaphore.acquire()

    @Operation
    fun release() = semaphore.release()
}

abstract class SyncSemaphoreOperations internal constructor(semaphore: TestSemaphore) :
    AsyncSemaphoreOperations(semaphore) {
    @Operation
    fun tryAcquire() = semaphore.tryAcquire()
}

class AsyncSimpleSemaphore : AsyncSemaphoreOperations(TestSemaphore(2, ASYNC, SIMPLE))

class AsyncSmartSemaphore : AsyncSemaphoreOperations(TestSemaphore(2, ASYNC, SMART))

class SyncSimpleSemaphore : SyncSemaphoreOperations(TestSemaphore(2, SYNC, SIMPLE))

class SyncSmartSemaphore : SyncSemaphoreOperations(TestSemaphore(2, SYNC, SMART))

abstract class AsyncMutexOperations internal constructor(internal val permit: TestSemaphore) {
    internal val holds = BooleanArray(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun lock(@Param(gen = ThreadIdGen::class) thread: Int) {
        permit.acquire()
        holds[thread] = true
    }

    @Operation
    fun unlock(@Param(gen = ThreadIdGen::class) thread: Int): Boolean {
        if (!holds[thread]) return false
        holds[thread] = false
        permit.release()
        return true
    }
}

abstract class SyncMutexOperations(cancellation: CancellationMode) :
    AsyncMutexOperations(TestSemaphore(1, SYNC, cancellation)) {
    @Operation
    fun tryLock(@Param(gen = ThreadIdGen::class) thread: Int): Boolean {
        val locked = permit.tryAcquire()
        if (locked) holds[thread] = true
        return locked
    }
}

class AsyncSimpleMutex : AsyncMutexOperations(TestSemaphore(1, ASYNC, SIMPLE))

class AsyncSmartMutex : AsyncMutexOperations(TestSemaphore(1, ASYNC, SMART))

class SyncSimpleMutex : SyncMutexOperations(SIMPLE)

class SyncSmartMutex : SyncMutexOperations(SMART)
