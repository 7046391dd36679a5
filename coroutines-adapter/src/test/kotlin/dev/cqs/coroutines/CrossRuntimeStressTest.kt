package dev.cqs.coroutines

import java.util.Queue
import java.util.concurrent.CancellationException
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReferenceArray
import java.util.concurrent.atomic.LongAdder
import kotlin.random.Random
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Callers of all kinds use one object concurrently, and are cancelled at random. */
@Tag("slow")
class CrossRuntimeStressTest {
    private companion object {
        const val OF_EACH_KIND = 3
        const val VISITS = 10_000
    }

    /** One core object and all its users. */
    private class Round(target: SharedTarget, private val core: SharedCore) {
        private val kinds = SharedKind.of(target)
        private val sizes = target.sizes
        private val size = kinds.size * OF_EACH_KIND
        private val left = CountDownLatch(size)
        private val cancels = AtomicReferenceArray<() -> Unit>(size)
        private val inside = AtomicInteger()
        private var guarded = 0 // plain: guarded by the core
        val failures: Queue<Throwable> = ConcurrentLinkedQueue()
        val granted = kinds.associateWith { LongAdder() }
        val cancelled = kinds.associateWith { LongAdder() }

        fun run() {
            for (i in 0 until size) {
                val kind = kinds[i % kinds.size]
                val random = Random(i)
                when {
                    kind.isThread -> {
                        val thread = kind.start { toTheEnd { repeat(VISITS) { visit(kind, random) } } }
                        cancels.set(i, thread::interrupt)
                    }

                    kind.isCoroutine -> CoroutineScope(SupervisorJob() + Dispatchers.Default).launch {
                        for (visit in 1..VISITS) {
                            // begins even if it is cancelled
                            val job = launch(start = UNDISPATCHED) { visitSuspended(kind, random) }
                            cancels.set(i, job::cancel)
                            job.join()
                        }
                    }.invokeOnCompletion { end(it) }

                    else -> SharedKind.PLATFORM.start {
                        toTheEnd { repeat(VISITS) { requestByFuture(i, kind, random) } }
                    }
                }
            }
            cancelAtRandom()
        }

        private fun toTheEnd(body: () -> Unit) {
            var thrown: Throwable? = null
            try {
                body()
            } catch (e: Throwable) {
                thrown = e
            }
            end(thrown)
        }

        private fun end(thrown: Throwable?) {
            if (thrown != null) failures.add(thrown)
            left.countDown()
        }

        private fun cancelAtRandom() {
            val random = Random(-1)
            val start = System.nanoTime()
            while (!left.await(50_000, NANOSECONDS)) {
                cancels.get(random.nextInt(size))?.invoke()
                if (System.nanoTime() - start > 120_000_000_000) {
                    throw AssertionError("timed out: $core, $granted $cancelled $failures")
                }
            }
        }

        private fun visit(kind: SharedKind, random: Random) {
            val n = sizes.random(random)
            try {
                val entered = when (random.nextInt(3)) {
                    0 -> core.tryEnterThread(n, random.nextLong(200_000))
                    else -> true.also { core.enterThread(n) }
                }
                if (!entered) return cancelled[kind]!!.increment()
                stay(kind, null)
                if (random.nextInt(8) == 0) Thread.yield()
                leave(kind, null)
                core.leaveThread(n)
            } catch (e: InterruptedException) {
                cancelled[kind]!!.increment()
            }
        }

        private suspend fun visitSuspended(kind: SharedKind, random: Random) {
            val n = sizes.random(random)
            val token = if (kind == SharedKind.NAMED_COROUTINE) Any() else null
            try {
                val entered = when (random.nextInt(3)) {
                    0 -> core.tryEnterCoroutine(n, random.nextLong(200_000), token)
                    else -> true.also { core.enterCoroutine(n, token) }
                }
                if (!entered) return cancelled[kind]!!.increment()
            } catch (e: CancellationException) {
                cancelled[kind]!!.increment()
                throw e
            }
            try {
                stay(kind, token)
                if (random.nextInt(8) == 0) yield()
            } finally {
                leave(kind, token)
                core.leaveCoroutine(n, token)
            }
        }

        private fun requestByFuture(i: Int, kind: SharedKind, random: Random) {
            val future = core.requestByFuture(sizes.random(random))
            cancels.set(i) { future.cancel(true) }
            if (random.nextInt(3) == 0) future.orTimeout(random.nextLong(200_000), NANOSECONDS)
            val used = future.handle { grant, _ ->
                if (grant == null) {
                    cancelled[kind]!!.increment()
                } else {
                    stay(kind, null)
                    leave(kind, null)
                    grant.close()
                }
            }
            if (random.nextInt(4) != 0) used.join() // otherwise it continues without waiting
        }

        private fun stay(kind: SharedKind, token: Any?) {
            granted[kind]!!.increment()
            assertEquals(1, inside.incrementAndGet(), "inside")
            guarded++
            core.checkOwner(kind, token)
        }

        private fun leave(kind: SharedKind, token: Any?) {
            core.checkOwner(kind, token)
            guarded++
            inside.decrementAndGet()
        }

        fun assertBalance() {
            core.assertIdle()
            assertEquals(listOf<Throwable>(), failures.toList())
            assertEquals(0, inside.get())
            assertEquals(2 * granted.values.sumOf { it.sum() }, guarded.toLong(), "the count of the holders")
            for (kind in kinds) {
                assertEquals(OF_EACH_KIND * VISITS.toLong(), granted[kind]!!.sum() + cancelled[kind]!!.sum(), "$kind")
                assertTrue(
                    granted[kind]!!.sum() > 0 && cancelled[kind]!!.sum() > 0,
                    "$kind: both happen: $granted $cancelled",
                )
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun noPermitIsLostAndHoldersExcludeEachOther(target: SharedTarget) {
        val core = target.make()
        val crowd = Round(target, core)
        crowd.run()
        crowd.assertBalance()
    }
}
