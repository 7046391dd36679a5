package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.pool.PoolSlot
import dev.cqs.pool.ResourcePool
import dev.cqs.sync.ClosedException
import dev.cqs.sync.WaitFailure
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The pool of resources. Which element an operation gets depends on when it reads the store, and the number of elements
 * on when a slot is removed. So the operations have no results, and at the end the test checks that every element is
 * accounted for.
 */
@Tag("slow")
class ResourcePoolTest {
    @ParameterizedTest
    @EnumSource
    fun resized(strategy: Strategy) =
        strategy.verify(Resized::class, NoResultsOfResources::class, scenarios = 3) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun evicted(strategy: Strategy) =
        strategy.verify(Evicted::class, NoResultsOfResources::class, scenarios = 3) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun closed(strategy: Strategy) =
        strategy.verify(Closed::class, NoResultsOfResources::class, scenarios = 3) { actorsPerThread(2) }
}

private class Resource {
    @Volatile
    var destroyed = false
}

/** A request that is made and cancelled without a coroutine, as by a thread. */
private class SlotRequest : Waiter() {
    var slot: Any? = null

    override fun tryResume(value: Any): Boolean {
        slot = value
        return true
    }

    fun cancelRequest() = cancel()
}

@Param(name = "thread", gen = ThreadIdGen::class)
abstract class ResourceAccounting(stack: Boolean, evicting: Boolean) {
    private val living = AtomicInteger()
    private val clock = AtomicInteger()
    internal val pool: ResourcePool<*>
    private val typed: ResourcePool<Resource>
    private val held = Array(THREADS + 1) { ArrayList<Resource>() }
    private val requests = Array(THREADS + 1) { ArrayList<SlotRequest>() }

    init {
        val builder = ResourcePool.builder(2) {
            check(living.incrementAndGet() <= 3) { "more elements are alive than there were slots" }
            Resource()
        }.destroyer {
            check(!it.destroyed) { "destroyed twice" }
            it.destroyed = true
            living.decrementAndGet()
        }.nanoTime { clock.incrementAndGet().toLong() }
        if (stack) builder.stack()
        if (evicting) builder.evictAfter(Duration.ofNanos(1))
        typed = builder.build()
        pool = typed
    }

    @Operation
    fun tryTake(@Param(name = "thread") thread: Int) = unlessClosed {
        typed.tryTakeSlot()?.let { lend(thread, it) }
    }

    private fun lend(thread: Int, slot: PoolSlot<Resource>) {
        held[thread] += slot.lendOrMake("thread").also { check(!it.destroyed) { "a lent element is destroyed" } }
    }

    /** Begins a request, which is completed at the end. */
    @Operation
    fun beginRequest(@Param(name = "thread") thread: Int) = unlessClosed {
        val waiter = SlotRequest()
        val taken = typed.takeSlot(waiter) { _, itself -> itself }
        if (taken === waiter) requests[thread] += waiter else lend(thread, slot(taken))
    }

    @Operation
    fun cancelRequest(@Param(name = "thread") thread: Int) {
        requests[thread].lastOrNull()?.let { if (it.cancelRequest()) requests[thread] -= it }
    }

    @Operation
    fun put(@Param(name = "thread") thread: Int) {
        held[thread].removeLastOrNull()?.let(typed::put)
    }

    @Operation
    fun invalidate(@Param(name = "thread") thread: Int) {
        held[thread].removeLastOrNull()?.let(typed::invalidate)
    }

    private fun unlessClosed(operation: () -> Unit) {
        try {
            operation()
        } catch (e: ClosedException) {
            check(pool.isClosed)
        }
    }

    @Suppress("UNCHECKED_CAST") // it is from this pool
    private fun slot(taken: Any) = taken as PoolSlot<Resource>

    @Validate
    fun everyElementIsAccountedFor() {
        for (waiter in requests.flatMap { it }) {
            val slot = waiter.slot
            if (slot == null) {
                check(waiter.cancelRequest())
            } else if (slot !is WaitFailure) {
                slot(slot).giveBack()
            }
        }
        requests.forEach { it.clear() }
        held.forEach { mine ->
            mine.forEach(typed::put)
            mine.clear()
        }
        check(pool.queueLength() == 0) { "a request waits" }
        check(pool.size() == living.get() && pool.idle() == living.get()) { "$pool, $living alive" }
        val slots = pool.available()
        if (pool.isClosed) {
            check(living.get() == 0) { "$living alive, but closed" }
        } else {
            check(slots == pool.maximum()) { "$slots slots: $pool" }
        }
    }
}

@Param(name = "maximum", gen = IntGen::class, conf = "1:3")
class Resized : ResourceAccounting(stack = false, evicting = false) {
    @Operation
    fun resize(@Param(name = "maximum") maximum: Int) = pool.resize(maximum)
}

class Evicted : ResourceAccounting(stack = true, evicting = true) {
    @Operation
    fun evictIdle() {
        pool.evictIdle()
    }
}

class Closed : ResourceAccounting(stack = false, evicting = false) {
    @Operation
    fun close() {
        pool.close(null)
    }
}

@Suppress("UNUSED_PARAMETER")
class NoResultsOfResources {
    fun tryTake(thread: Int) {}

    fun beginRequest(thread: Int) {}

    fun cancelRequest(thread: Int) {}

    fun put(thread: Int) {}

    fun invalidate(thread: Int) {}

    fun resize(maximum: Int) {}

    fun evictIdle() {}

    fun close() {}

    override fun equals(other: Any?) = other is NoResultsOfResources

    override fun hashCode() = 0
}
