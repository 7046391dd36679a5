package dev.cqs.coroutines

import dev.cqs.threads.BlockingPool
import java.util.Collections
import java.util.IdentityHashMap
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/**
 * Coroutines, threads and futures take and put concurrently, and are cancelled. No element has two holders, and at the
 * end each element is in its place, once.
 */
@Tag("slow")
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(6 * PATIENCE)
class PoolStressTest {
    private class Element {
        val holders = AtomicInteger()

        @Volatile
        var isDestroyed = false

        fun arrive() {
            assertEquals(1, holders.incrementAndGet(), "the element has one holder")
            assertFalse(isDestroyed, "the element is alive")
        }

        fun leave() = assertEquals(0, holders.decrementAndGet())
    }

    // A pool of elements

    private suspend fun visit(pool: Pool<Element>, random: Random) {
        val element = when (random.nextInt(4)) {
            0 -> pool.tryTake(random.nextLong(200_000).nanoseconds)
            1 -> pool.tryTake()
            else -> pool.take()
        } ?: return
        try {
            element.arrive()
            if (random.nextInt(8) == 0) yield()
        } finally {
            element.leave()
            pool.put(element)
        }
    }

    private fun visit(pool: BlockingPool<Element>, random: Random) {
        val element = when (random.nextInt(4)) {
            0 -> pool.poll(random.nextLong(200_000), NANOSECONDS)
            1 -> await(pool)
            else -> pool.take()
        } ?: return
        element.arrive()
        element.leave()
        pool.put(element)
    }

    /** Waits for a future, which is sometimes cancelled, or when this thread is interrupted. */
    private fun await(pool: BlockingPool<Element>): Element? {
        val future = pool.takeAsync()
        try {
            return future.get(50_000, NANOSECONDS)
        } catch (e: ExecutionException) {
            throw e
        } catch (e: Exception) {
            return if (future.cancel(true)) null else future.join()
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun allElementsAreBackAtTheEnd(stack: Boolean) {
        for (size in listOf(1, 3)) {
            val pool = if (stack) Pool.stack<Element>() else Pool.queue()
            val elements = List(size) { Element() }
            elements.forEach { pool.put(it) }
            StressHarness(visits = 3_000).run({ visit(pool, it) }, { visit(BlockingPool.viewOf(pool.core), it) })
            awaitThat("all are back") { pool.size == size }
            assertEquals(0, pool.queueLength)
            val left = Collections.newSetFromMap(IdentityHashMap<Element, Boolean>())
            assertEquals(size, pool.drain { left += it })
            assertEquals(elements.toSet(), left)
        }
    }

    // A pool of resources

    private class Refused : Exception()

    private inner class Resources {
        val made = AtomicInteger()
        val destroyed = AtomicInteger()

        val core = dev.cqs.pool.ResourcePool.builder<Element>(2) { make() }
            .destroyer {
                assertEquals(0, it.holders.get())
                it.isDestroyed = true
                destroyed.incrementAndGet()
            }
            .build()

        val forThreads = dev.cqs.threads.ResourcePool.viewOf(core)

        val pool = core.asResourcePool {
            when (Random.nextInt(8)) {
                0 -> throw Refused()
                1, 2 -> yield()
            }
            make()
        }

        private fun make() = Element().also { made.incrementAndGet() }

        suspend fun visit(random: Random) {
            if (random.nextInt(64) == 0) pool.resize(1 + random.nextInt(4))
            val element =
                try {
                    when (random.nextInt(4)) {
                        0 -> pool.tryTake(random.nextLong(200_000).nanoseconds)
                        1 -> pool.tryTake()
                        else -> pool.take()
                    } ?: return
                } catch (e: Refused) {
                    return
                }
            try {
                element.arrive()
                if (random.nextInt(8) == 0) yield()
            } finally {
                element.leave()
                if (random.nextInt(8) == 0) pool.invalidate(element) else pool.put(element)
            }
        }

        fun visitAsThread(random: Random) {
            val element = forThreads.poll(random.nextLong(1_000_000), NANOSECONDS) ?: return
            element.arrive()
            element.leave()
            forThreads.put(element)
        }
    }

    @Test
    fun allSlotsAreFreeAtTheEndAndAllElementsAreAccountedFor() {
        val resources = Resources()
        val pool = resources.pool
        StressHarness(visits = 4_000).run({ resources.visit(it) }, { resources.visitAsThread(it) })
        pool.resize(3)
        awaitThat("all slots are free") { pool.core.available() == 3 }
        assertEquals(0, pool.queueLength)
        assertEquals(pool.size, pool.idle)
        assertEquals(resources.made.get(), resources.destroyed.get() + pool.size)
        pool.close()
        assertEquals(resources.made.get(), resources.destroyed.get())
    }
}
