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

/** The mutex and the semaphore of the library, as the adapters use them. */
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
    fun semaphoreWhoseHeadGivesUp(strategy: Strategy) =
        strategy.verify(GivingUp::class, OnePermit::class, scenarios = 0) { headOfThreeGivesUp() }

    @ParameterizedTest
    @EnumSource
    fun semaphoreThatMovesToItsSecondForm(strategy: Strategy) =
        strategy.verify(MovingSemaphore::class, NoResults::class)

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

/** Unit mode alone. */
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
 * Requests for any number of permits, which are cancelled as coroutines are. A coroutine ends its cancelled request
 * before the permits that it was granted in the same moment are back, so nobody here asks how many there are.
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
 * A request that is made and given up without a coroutine, as a thread does it: whether it was given up is decided
 * in its cell alone.
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

    fun giveUp() = cancel()
}

/**
 * The head waits for two permits and gives up while a release makes it fit. The one that is free in any case must
 * not look taken, although the server deducts it for a moment.
 */
class GivingUp {
    private val semaphore = Semaphore(1)
    private val head = Request(2)

    fun ask() = semaphore.enqueueOrTake(head)

    fun giveUp() = head.giveUp()

    fun release() = semaphore.release()

    fun tryAcquire() = semaphore.tryAcquire()

    fun drainsAny() = semaphore.drainPermits() > 0

    fun isAnyFree() = semaphore.availablePermits() > 0
}

private fun Options<*, *>.headOfThreeGivesUp() {
    for (look in listOf(GivingUp::tryAcquire, GivingUp::drainsAny, GivingUp::isAnyFree)) {
        addCustomScenario {
            initial { actor(GivingUp::ask) }
            parallel {
                thread { actor(GivingUp::giveUp) }
                thread { actor(GivingUp::release) }
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
 * Everything that can be done with a semaphore. There is no order of the operations that explains all results:
 * the server hands permits to the head a moment after a release has put them back, and who takes without waiting may
 * come between. So the operations have no results, and at the end the books must balance.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "n", gen = IntGen::class, conf = "1:3")
abstract class AccountedSemaphore(private val initial: Int) {
    private val semaphore = Semaphore(initial)
    private val put = IntArray(THREADS + 1)
    private val requests = Array(THREADS + 1) { ArrayList<Request>() }

    @Operation
    fun ask(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        val request = Request(n)
        requests[thread] += request
        semaphore.enqueueOrTake(request)
    }

    @Operation
    fun askForOne(@Param(name = "thread") thread: Int) = ask(thread, 1)

    @Operation
    fun giveUp(@Param(name = "thread") thread: Int) {
        val last = requests[thread].lastOrNull() ?: return
        if (last.giveUp()) requests[thread] -= last
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
    fun booksBalance() {
        val (granted, waiting) = requests.flatMap { it }.partition { it.granted }
        val free = initial + put.sum() - granted.sumOf { it.weight() }
        check(semaphore.availablePermits() == free) { "${semaphore.availablePermits()} permits instead of $free" }
        check(semaphore.queueLength() == waiting.size) { "${semaphore.queueLength()} wait instead of ${waiting.size}" }
        val inQueue = ArrayList<Waiter>()
        semaphore.forEachWaiter(inQueue::add)
        check(inQueue.toSet() == waiting.toSet()) { "$inQueue instead of $waiting" }
        check(inQueue.isEmpty() || (inQueue[0] as Request).weight() > free) { "the head fits and is not served" }
    }
}

class MovingSemaphore : AccountedSemaphore(1)

class IndebtedSemaphore : AccountedSemaphore(-1)

/**
 * A release beyond the maximum has an exception as its result. Nothing is cancelled, because a request that is
 * cancelled in the same moment can hide one.
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
