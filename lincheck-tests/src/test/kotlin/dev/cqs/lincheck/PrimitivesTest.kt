package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.sync.Mutex
import dev.cqs.sync.Semaphore
import dev.cqs.sync.WeightedWaiter
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The mutex and the semaphore of the core. */
@Tag("slow")
class PrimitivesTest {
    @ParameterizedTest
    @EnumSource
    fun mutex(strategy: Strategy) = strategy.verify(CoreMutex::class, FifoMutex::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreForOnePermitAtATime(strategy: Strategy) = strategy.verify(UnitSemaphore::class, TwoPermits::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreForCoroutines(strategy: Strategy) =
        strategy.verify(SuspendingSemaphore::class, OnePermit::class, scenarios = 10) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun semaphoreWithACancelledHead(strategy: Strategy) =
        strategy.verify(CancelledHead::class, OnePermit::class, scenarios = 0) { cancelledHeadOfThree() }

    @ParameterizedTest
    @EnumSource
    fun semaphoreThatIsUpgradedToWeightedMode(strategy: Strategy) =
        strategy.verify(UpgradedSemaphore::class, NoResults::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreWithADebt(strategy: Strategy) = strategy.verify(IndebtedSemaphore::class, NoResults::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreBoundedAtOne(strategy: Strategy) = strategy.verify(BoundedAtOne::class, AtMostOnePermit::class)

    @ParameterizedTest
    @EnumSource
    fun semaphoreBoundedAtTwo(strategy: Strategy) = strategy.verify(BoundedAtTwo::class, AtMostTwoPermits::class)
}

class CoreMutex {
    private val mutex = Mutex()
    private val holds = BooleanArray(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun lock(@Param(gen = ThreadIdGen::class) thread: Int) {
        mutex.await()
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

/** Unit mode only. */
class UnitSemaphore {
    private val semaphore = Semaphore(2)

    @Operation(promptCancellation = true)
    suspend fun acquire() = semaphore.await()

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
 * Requests for any number of permits, which are cancelled as coroutines are. A cancelled operation may end before the
 * permits that were granted to it are back, so there are no queries here.
 */
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class SuspendingSemaphore {
    private val semaphore = Semaphore(1)

    @Operation(promptCancellation = true)
    suspend fun acquire() = semaphore.await()

    @Operation(promptCancellation = true)
    suspend fun acquire(@Param(name = "n") n: Int) = semaphore.await(n)

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun release(@Param(name = "n") n: Int) = semaphore.release(n)

    @Operation
    fun reducePermit() = semaphore.reducePermits(1)
}

/**
 * A request that is made and cancelled without a coroutine, as by a thread. Its cell decides whether it is cancelled.
 */
private class Request(private val need: Int) :
    Waiter(),
    WeightedWaiter {
    var granted = false

    override fun weight() = need

    override fun tryResume(value: Any): Boolean {
        granted = true
        return true
    }

    fun cancelRequest() = cancel()
}

/**
 * The head waits for two permits, and is cancelled while a release provides them. One permit is free all the time, and
 * must not seem taken, though the drainer deducts it for a moment.
 */
class CancelledHead {
    private val semaphore = Semaphore(1)
    private val head = Request(2)

    fun beginRequest() = semaphore.enqueueOrTake(head)

    fun cancelRequest() = head.cancelRequest()

    fun release() = semaphore.release()

    fun tryAcquire() = semaphore.tryAcquire()

    fun drainsAny() = semaphore.drainPermits() > 0

    fun isAnyFree() = semaphore.availablePermits() > 0
}

private fun Options<*, *>.cancelledHeadOfThree() {
    for (look in listOf(CancelledHead::tryAcquire, CancelledHead::drainsAny, CancelledHead::isAnyFree)) {
        addCustomScenario {
            initial { actor(CancelledHead::beginRequest) }
            parallel {
                thread { actor(CancelledHead::cancelRequest) }
                thread { actor(CancelledHead::release) }
                thread { actor(look) }
            }
        }
    }
}

private fun Semaphore.enqueueOrTake(request: Request): Boolean {
    if (acquire(request.weight(), request) { _, same -> same } != null) return true
    request.granted = true
    return false
}

/**
 * All operations of a semaphore. Together they are not linearizable: the drainer hands permits to the head after a
 * release has freed them, and a try-operation may take them in between. So the operations have no results, and at the
 * end the test checks that every permit is accounted for.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "n", gen = IntGen::class, conf = "1:3")
abstract class AccountedSemaphore(private val initial: Int) {
    private val semaphore = Semaphore(initial)
    private val put = IntArray(THREADS + 1)
    private val requests = Array(THREADS + 1) { ArrayList<Request>() }

    @Operation
    fun beginRequest(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        val request = Request(n)
        requests[thread] += request
        semaphore.enqueueOrTake(request)
    }

    @Operation
    fun beginUnitRequest(@Param(name = "thread") thread: Int) = beginRequest(thread, 1)

    @Operation
    fun cancelRequest(@Param(name = "thread") thread: Int) {
        val last = requests[thread].lastOrNull() ?: return
        if (last.cancelRequest()) requests[thread] -= last
    }

    @Operation
    fun release(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        put[thread] += n
        if (n == 1) semaphore.release() else semaphore.release(n)
    }

    @Operation
    fun tryAcquire(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        if (semaphore.tryAcquire(n)) put[thread] -= n
    }

    @Operation
    fun drainPermits(@Param(name = "thread") thread: Int) {
        put[thread] -= semaphore.drainPermits()
    }

    @Operation
    fun reducePermit(@Param(name = "thread") thread: Int) {
        put[thread] -= 1
        semaphore.reducePermits(1)
    }

    @Validate
    fun everyPermitIsAccountedFor() {
        val (granted, waiting) = requests.flatMap { it }.partition { it.granted }
        val free = initial + put.sum() - granted.sumOf { it.weight() }
        check(semaphore.availablePermits() == free) { "${semaphore.availablePermits()} permits instead of $free" }
        check(semaphore.queueLength() == waiting.size) { "${semaphore.queueLength()} wait instead of ${waiting.size}" }
        val inQueue = ArrayList<Waiter>()
        semaphore.forEachWaiter(inQueue::add)
        check(inQueue.toSet() == waiting.toSet()) { "$inQueue instead of $waiting" }
        check(inQueue.isEmpty() || (inQueue[0] as Request).weight() > free) {
            "the head is not served, though its permits are free"
        }
    }
}

class UpgradedSemaphore : AccountedSemaphore(1)

class IndebtedSemaphore : AccountedSemaphore(-1)

/**
 * A release above the maximum results in an exception. Without cancellation, because a concurrent cancellation can hide
 * such a release.
 */
abstract class BoundedSemaphore(internal val semaphore: Semaphore) {
    @Operation(cancellableOnSuspension = false)
    suspend fun acquire() = semaphore.await()

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
    suspend fun acquireTwo() = semaphore.await(2)

    @Operation
    fun drainPermits() = semaphore.drainPermits()
}
