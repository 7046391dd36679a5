package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.coroutines.asSemaphore
import dev.cqs.sync.Semaphore
import dev.cqs.sync.WaitFailure
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

/** A semaphore whose maximum changes. */
@Tag("slow")
class ResizeTest {
    @ParameterizedTest
    @EnumSource
    fun permitsOfASemaphoreWithoutWaiters(strategy: Strategy) =
        strategy.verify(ResizedPermits::class, AtMostTwoPermits::class, scenarios = 6) { releaseAroundResizes() }

    @ParameterizedTest
    @EnumSource
    fun permitsOfASemaphoreWithWaiters(strategy: Strategy) =
        strategy.verify(ResizedWithWaiters::class, NoResults::class, scenarios = 6)

    @ParameterizedTest
    @EnumSource
    fun coroutines(strategy: Strategy) =
        strategy.verify(ResizedView::class, HeldPermits::class, scenarios = 6) { actorsPerThread(2) }
}

/** Without waiters, so that the operations are linearizable; see [AccountedSemaphore]. */
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class ResizedPermits {
    private val semaphore = Semaphore.bounded(2)

    @Operation
    fun tryAcquire() = semaphore.tryAcquire()

    @Operation
    fun tryAcquire(@Param(name = "n") n: Int) = semaphore.tryAcquire(n)

    @Operation
    fun release() = semaphore.release()

    @Operation
    fun drainPermits() = semaphore.drainPermits()

    @Operation
    fun resize(@Param(name = "n") n: Int) = semaphore.resize(n)

    @Operation
    fun maximum() = semaphore.maximum()

    @Operation
    fun availablePermits() = semaphore.availablePermits()
}

/** One of two permits is taken. Its release is never refused and a second one always is, also between resizes. */
private fun Options<*, *>.releaseAroundResizes() {
    for (sizes in listOf(listOf(1), listOf(3, 1), listOf(1, 2))) {
        for (twice in listOf(false, true)) {
            addCustomScenario {
                initial {
                    actor(ResizedPermits::resize, 2)
                    actor(ResizedPermits::drainPermits)
                    actor(ResizedPermits::release)
                }
                parallel {
                    thread { actor(ResizedPermits::release) }
                    thread {
                        for (size in sizes) actor(ResizedPermits::resize, size)
                        if (twice) actor(ResizedPermits::release)
                    }
                }
                post { actor(ResizedPermits::availablePermits) }
            }
        }
    }
}

/** Requests that are made and cancelled without a coroutine, and release only what they were granted. */
@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class ResizedWithWaiters {
    private class Request(private val need: Int) :
        Waiter(),
        WeightedWaiter {
        @Volatile var outcome: Any? = null

        override fun weight() = need

        override fun tryResume(value: Any): Boolean {
            outcome = value
            return true
        }

        fun cancelRequest() = cancel()
    }

    private val semaphore = Semaphore.bounded(2)
    private val requests = Array(THREADS + 1) { ArrayList<Request>() }

    @Operation
    fun beginRequest(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        val request = Request(n)
        try {
            if (semaphore.acquire(n, request) { _, same -> same } == null) request.outcome = semaphore
        } catch (e: IllegalArgumentException) {
            check(n > 1) { "a request for one permit is never too large" }
            return
        }
        requests[thread] += request
    }

    @Operation
    fun cancelRequest(@Param(name = "thread") thread: Int) {
        val last = requests[thread].lastOrNull() ?: return
        if (last.cancelRequest()) requests[thread] -= last
    }

    @Operation
    fun putBack(@Param(name = "thread") thread: Int) {
        val granted = requests[thread].firstOrNull { it.outcome === semaphore } ?: return
        requests[thread] -= granted
        semaphore.release(granted.weight())
    }

    @Operation
    fun resize(@Param(name = "n") n: Int) = semaphore.resize(n)

    @Validate
    fun everyPermitIsAccountedFor() {
        val (ended, waiting) = requests.flatMap { it }.partition { it.outcome != null }
        val granted = ended.filter { it.outcome !is WaitFailure }
        val free = semaphore.maximum() - granted.sumOf { it.weight() }
        check(semaphore.availablePermits() == free) { "${semaphore.availablePermits()} permits instead of $free" }
        check(semaphore.queueLength() == waiting.size) { "${semaphore.queueLength()} wait instead of ${waiting.size}" }
        val inQueue = ArrayList<Waiter>()
        semaphore.forEachWaiter(inQueue::add)
        check(inQueue.toSet() == waiting.toSet()) { "$inQueue instead of $waiting" }
        val need = (inQueue.firstOrNull() as Request?)?.weight() ?: return
        check(need > free) { "the head is not served, though its permits are free" }
        check(need <= semaphore.maximum()) { "the head is too large and has not failed" }
    }
}

@Param(name = "thread", gen = ThreadIdGen::class)
@Param(name = "n", gen = IntGen::class, conf = "1:3")
class ResizedView {
    private val semaphore = Semaphore.bounded(2).asSemaphore()
    private val held = IntArray(THREADS + 1)

    @Operation(promptCancellation = true)
    suspend fun acquire(@Param(name = "thread") thread: Int, @Param(name = "n") n: Int) {
        dispatched { semaphore.acquire(n) }
        held[thread] += n
    }

    @Operation
    fun release(@Param(name = "thread") thread: Int): Int {
        val n = held[thread]
        held[thread] = 0
        semaphore.release(n)
        return n
    }

    @Operation
    fun resize(@Param(name = "n") n: Int) = semaphore.resize(n)
}
