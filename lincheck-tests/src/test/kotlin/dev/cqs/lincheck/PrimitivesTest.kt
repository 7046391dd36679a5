package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.spi.Steps
import dev.cqs.spi.SyncAccess
import dev.cqs.spi.WeightedWaiter
import dev.cqs.sync.Mutex
import dev.cqs.sync.Semaphore
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The mutex and the semaphore of the library, as the adapters use them. */
class PrimitivesTest {
    @ParameterizedTest
    @EnumSource
    fun mutex(strategy: Strategy) = strategy.verify(CoreMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreForOnePermitAtATime(strategy: Strategy) =
        strategy.verify(UnitSemaphore::class, TwoPermits::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreForCoroutines(strategy: Strategy) = strategy.verify(SuspendingSemaphore::class, OnePermit::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreOnItsWayToTheSecondForm(strategy: Strategy) =
        strategy.verify(MovingSemaphore::class, OnePermit::class) { headGivesUp() }

    @ParameterizedTest
    @EnumSource
    fun semaphoreInTheSecondForm(strategy: Strategy) =
        strategy.verify(IndebtedSemaphore::class, Debt::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreBoundedAtOne(strategy: Strategy) = strategy.verify(BoundedAtOne::class, AtMostOnePermit::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreBoundedAtTwo(strategy: Strategy) = strategy.verify(BoundedAtTwo::class, AtMostTwoPermits::class)
}

private val SEMAPHORE = SyncAccess.semaphore()
private val MUTEX = SyncAccess.mutex()

class CoreMutex {
    private val mutex = Mutex()
    private val holds = BooleanArray(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun lock(@Param(gen = ThreadIdGen::class) thread: Int) {
        MUTEX.await(mutex, 1) { mutex.unlock() }
        holds[thread] = true
    }

    @Operation
    fun tryLock(@Param(gen = ThreadIdGen::class) thread: Int): Boolean {
        val locked = mutex.tryLock()
        if (locked) holds[thread] = true
        return locked
    }

    @Operation
    fun unlock(@Param(gen = ThreadIdGen::class) thread: Int): Boolean {
        if (!holds[thread]) return false
        holds[thread] = false
        mutex.unlock()
        return true
    }
}

/** The first form alone. */
class UnitSemaphore {
    private val semaphore = Semaphore(2)

    @Operation(promptCancellation = true)
    suspend fun acquire() = SEMAPHORE.await(semaphore, 1) { semaphore.release() }

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun availablePermits() = semaphore.availablePermits()

    @Operation
    fun drainPermits() = semaphore.drainPermits()
}

/**
 * Requests for any number of permits, which are cancelled as coroutines are. A coroutine ends its cancelled request
 * before the permits that it was granted in the same moment are back, so nobody here asks how many there are.
 */
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class SuspendingSemaphore {
    private val semaphore = Semaphore(1)

    @Operation(promptCancellation = true)
    suspend fun acquire() = SEMAPHORE.await(semaphore, 1) { semaphore.release() }

    @Operation(promptCancellation = true)
    suspend fun acquire(@Param(name = "n") n: Int) = SEMAPHORE.await(semaphore, n) { semaphore.release(n) }

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun release(@Param(name = "n") n: Int) = semaphore.release(n)

    @Operation
    fun reducePermit() = semaphore.reducePermits(1)
}

/**
 * Requests that are made and given up by operations of their own, as a thread does with its timeout. Each thread
 * has at most one.
 */
@Param(name = "n", gen = IntGen::class, conf = "1:3")
abstract class AskedSemaphore(internal val semaphore: Semaphore) {
    private val asked = arrayOfNulls<Asked>(THREADS + 1)

    private class Asked(private val weight: Int) : Waiter(), WeightedWaiter {
        override fun weight() = weight

        override fun tryResume(value: Any) = true

        fun giveUp() = cancel()
    }

    @Operation
    fun ask(@Param(gen = ThreadIdGen::class) thread: Int, @Param(name = "n") n: Int): Boolean {
        if (asked[thread] != null) return false
        val waiter = Asked(n)
        do {
            val ticket = SEMAPHORE.reserve(semaphore, n)
            if (ticket == Steps.GRANTED) return true
        } while (!SEMAPHORE.enqueue(semaphore, waiter, ticket))
        asked[thread] = waiter
        return false
    }

    /** Answers `false` if the request was granted, or there was none. */
    @Operation
    fun giveUp(@Param(gen = ThreadIdGen::class) thread: Int): Boolean {
        val waiter = asked[thread] ?: return false
        asked[thread] = null
        return waiter.giveUp()
    }

    @Operation
    fun release() = semaphore.release()

    // The server hands permits to the head a moment after a release has put them back. Who looks or takes
    // without waiting may come between, so these are not for random scenarios.

    fun tryAcquire() = semaphore.tryAcquire()

    fun availablePermits() = semaphore.availablePermits()

    fun drainPermits() = semaphore.drainPermits()
}

/**
 * The head asks for two permits and gives up while a release lets it fit. The permit that is free in any case must
 * not look taken, although the server has deducted it for the moment.
 */
private fun Options<*, *>.headGivesUp() {
    for (look in listOf(AskedSemaphore::tryAcquire, AskedSemaphore::availablePermits, AskedSemaphore::drainPermits)) {
        addCustomScenario {
            initial { actor(AskedSemaphore::ask, 1, 2) }
            parallel {
                thread { actor(AskedSemaphore::giveUp, 1) }
                thread { actor(AskedSemaphore::release) }
                thread { actor(look) }
            }
        }
    }
}

/** Starts in the first form. A release there of several permits is not atomic, so there is none. */
class MovingSemaphore : AskedSemaphore(Semaphore(1))

/** Starts in the second form. */
class IndebtedSemaphore : AskedSemaphore(Semaphore(-1)) {
    @Operation
    fun release(@Param(name = "n") n: Int) = semaphore.release(n)

    @Operation
    fun reducePermit() = semaphore.reducePermits(1)
}

/**
 * A release beyond the maximum has an exception as its result. Nothing is cancelled, because a request that is
 * cancelled in the same moment can hide one.
 */
abstract class BoundedSemaphore(internal val semaphore: Semaphore) {
    @Operation(cancellableOnSuspension = false)
    suspend fun acquire() = SEMAPHORE.await(semaphore, 1) { semaphore.release() }

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun availablePermits() = semaphore.availablePermits()
}

class BoundedAtOne : BoundedSemaphore(Semaphore.bounded(1))

class BoundedAtTwo : BoundedSemaphore(Semaphore.bounded(2)) {
    @Operation(cancellableOnSuspension = false)
    suspend fun acquireTwo() = SEMAPHORE.await(semaphore, 2) { semaphore.release(2) }

    @Operation
    fun drainPermits() = semaphore.drainPermits()
}
