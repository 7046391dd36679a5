package dev.cqs.lincheck

import dev.cqs.threads.Mutex
import dev.cqs.threads.ReentrantLock
import dev.cqs.threads.Semaphore
import java.util.concurrent.TimeUnit.NANOSECONDS
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The views for threads. Lincheck cannot cancel a blocked thread, and reports an error if all threads wait. So each
 * operation here takes what it needs and puts it back.
 */
class ThreadsTest {
    @ParameterizedTest
    @EnumSource
    fun semaphore(strategy: Strategy) = strategy.verify(GuardedBySemaphore::class, Counter::class)

    @ParameterizedTest
    @EnumSource
    fun mutex(strategy: Strategy) = strategy.verify(GuardedByMutex::class, Counter::class)

    @ParameterizedTest
    @EnumSource
    fun reentrantLock(strategy: Strategy) = strategy.verify(GuardedByLock::class, Counter::class)
}

/** A writer takes two permits, a reader one. */
class GuardedBySemaphore {
    private val semaphore = Semaphore(2)
    private var value = 0

    @Operation(blocking = true)
    fun increment(): Int {
        semaphore.acquire(2)
        return (++value).also { semaphore.release(2) }
    }

    @Operation(blocking = true)
    fun read(): Int {
        semaphore.acquire()
        return value.also { semaphore.release() }
    }

    /** Whether it gets the permit in time is not specified. */
    @Operation(blocking = true)
    fun readInTime() {
        if (semaphore.tryAcquire(1, NANOSECONDS)) semaphore.release()
    }

    @Validate
    fun noPermitIsLost() = check(semaphore.availablePermits() == 2 && !semaphore.hasQueuedThreads())
}

class GuardedByMutex {
    private val mutex = Mutex()
    private var value = 0

    @Operation(blocking = true)
    fun increment(): Int {
        mutex.lock()
        return (++value).also { mutex.unlock() }
    }

    @Operation(blocking = true)
    fun read(): Int {
        mutex.lockInterruptibly()
        return value.also { mutex.unlock() }
    }

    @Operation(blocking = true)
    fun readInTime() {
        if (mutex.tryLock(1, NANOSECONDS)) mutex.unlock()
    }

    @Validate
    fun isFree() = check(!mutex.isLocked && !mutex.hasQueuedThreads())
}

class GuardedByLock {
    private val lock = ReentrantLock()
    private var value = 0

    @Operation(blocking = true)
    fun increment(): Int {
        lock.lock()
        lock.lock()
        value++
        lock.unlock()
        return value.also { lock.unlock() }
    }

    @Operation(blocking = true)
    fun read(): Int {
        lock.lock()
        return value.also { lock.unlock() }
    }

    @Operation(blocking = true)
    fun readInTime() {
        if (lock.tryLock() && lock.tryLock(1, NANOSECONDS)) {
            lock.unlock()
            lock.unlock()
        }
    }

    @Validate
    fun isFree() = check(!lock.isLocked && !lock.hasQueuedThreads())
}
