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
 * The pool of resources. Which element an operation gets depends on when it comes to the store, and how many there are on
 * when a place disappears; so the operations have no results, and at the end the books must balance.
 */
@Tag("slow")
class ResourcePoolTest {
    @ParameterizedTest
    @EnumSource
    fun resized(strategy: Strategy) =
        strategy.verify(Resized::class, NoBooks::class, scenarios = 3) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun evicted(strategy: Strategy) =
        strategy.verify(Evicted::class, NoBooks::class, scenarios = 3) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun closed(strategy: Strategy) =
        strategy.verify(Closed::class, NoBooks::class, scenarios = 3) { actorsPerThread(2) }
}

private class Resource {
    @Volatile
    var destroyed = false
}

/** A request that is made and given up without a coroutine, as a thread does it. */
private class Asking : Waiter() {
    var slot: Any? = null

    override fun tryResume(value: Any): Boolean {
        slot = value
        return true
    }

    fun giveUp() = cancel()
}

@Param(name = "thread", gen = ThreadIdGen::class)
abstract class Books(stack: Boolean, evicting: Boolean) {
    private val living = AtomicInteger()
    private val clock = AtomicInteger()
    internal val pool: ResourcePool<*>
    private val typed: ResourcePool<Resource>
    private val held = Array(THREADS + 1) { ArrayList<Resource>() }
    private val asking = Array(THREADS + 1) { ArrayList<Asking>() }

    init {
        val builder = ResourcePool.builder(2) {
            check(living.incrementAndGet() <= 3) { "more than there ever were places" }
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
        held[thread] += slot.lendOrMake("thread").also { check(!it.destroyed) { "lent, but destroyed" } }
    }

    /** Asks, and waits with that for nothing: it is settled at the end. */
    @Operation
    fun ask(@Param(name = "thread") thread: Int) = unlessClosed {
        val waiter = Asking()
        val taken = typed.takeSlot(waiter) { _, itself -> itself }
        if (taken === waiter) asking[thread] += waiter else lend(thread, slot(taken))
    }

    @Operation
    fun giveUp(@Param(name = "thread") thread: Int) {
        asking[thread].lastOrNull()?.let { if (it.giveUp()) asking[thread] -= it }
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
    fun theBooksBalance() {
        for (waiter in asking.flatMap { it }) {
            val slot = waiter.slot
            if (slot == null) {
                check(waiter.giveUp())
            } else if (slot !is WaitFailure) {
                slot(slot).giveBack()
            }
        }
        asking.forEach { it.clear() }
        held.forEach { mine ->
            mine.forEach(typed::put)
            mine.clear()
        }
        check(pool.queueLength() == 0) { "somebody waits" }
        check(pool.size() == living.get() && pool.idle() == living.get()) { "$pool, $living alive" }
        val places = pool.available()
        if (pool.isClosed) {
            check(living.get() == 0) { "$living alive, but closed" }
        } else {
            check(places == pool.maximum()) { "$places places, but $pool" }
        }
    }
}

@Param(name = "maximum", gen = IntGen::class, conf = "1:3")
class Resized : Books(stack = false, evicting = false) {
    @Operation
    fun resize(@Param(name = "maximum") maximum: Int) = pool.resize(maximum)
}

class Evicted : Books(stack = true, evicting = true) {
    @Operation
    fun evictIdle() {
        pool.evictIdle()
    }
}

class Closed : Books(stack = false, evicting = false) {
    @Operation
    fun close() {
        pool.close(null)
    }
}

@Suppress("UNUSED_PARAMETER")
class NoBooks {
    fun tryTake(thread: Int) {}

    fun ask(thread: Int) {}

    fun giveUp(thread: Int) {}

    fun put(thread: Int) {}

    fun invalidate(thread: Int) {}

    fun resize(maximum: Int) {}

    fun evictIdle() {}

    fun close() {}

    override fun equals(other: Any?) = other is NoBooks

    override fun hashCode() = 0
}
