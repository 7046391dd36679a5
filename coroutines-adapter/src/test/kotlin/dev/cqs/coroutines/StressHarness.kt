package dev.cqs.coroutines

import java.util.Queue
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicReferenceArray
import java.util.concurrent.atomic.LongAdder
import kotlin.random.Random
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue

/**
 * Runs coroutines and threads that use an object, each [visits] times, and cancels and interrupts them at random. Each
 * visit of a coroutine is a job of its own. For stress tests with coroutines.
 */
internal class StressHarness(private val visits: Int) {
    private companion object {
        const val OF_EACH_KIND = 3
    }

    private val kinds = SharedKind.entries.filter { it.isThread && (it != SharedKind.VIRTUAL || SharedKind.hasVirtual) }
    private val size = OF_EACH_KIND * (1 + kinds.size)
    private val left = CountDownLatch(size)
    private val cancels = AtomicReferenceArray<() -> Unit>(size)
    private val failures: Queue<Throwable> = ConcurrentLinkedQueue()

    /** The number of completed visits. */
    val done = LongAdder()

    /** The number of cancelled and interrupted visits. */
    val cancelled = LongAdder()

    fun run(coroutine: suspend (Random) -> Unit, thread: (Random) -> Unit) {
        for (i in 0 until OF_EACH_KIND) start(i) { coroutine(it) }
        kinds.forEachIndexed { n, kind ->
            for (i in 0 until OF_EACH_KIND) start(kind, (n + 1) * OF_EACH_KIND + i, thread)
        }
        val random = Random(-1)
        val start = System.nanoTime()
        while (!left.await(50_000, NANOSECONDS)) {
            cancels.get(random.nextInt(size))?.invoke()
            if (System.nanoTime() - start > SECONDS.toNanos(4 * PATIENCE)) throw AssertionError("timed out: $failures")
        }
        assertEquals(listOf<Throwable>(), failures.toList())
        assertEquals(size.toLong() * visits, done.sum() + cancelled.sum())
        assertTrue(done.sum() > 0 && cancelled.sum() > 0) { "both happen: $done $cancelled" }
    }

    private fun start(i: Int, visit: suspend (Random) -> Unit) {
        val random = Random(i)
        CoroutineScope(SupervisorJob() + Dispatchers.Default).launch {
            repeat(visits) {
                val job = launch(start = UNDISPATCHED) {
                    try {
                        visit(random)
                        done.increment()
                    } catch (e: CancellationException) {
                        cancelled.increment()
                    } catch (e: Throwable) {
                        failures += e
                    }
                }
                cancels.set(i, job::cancel)
                job.join()
            }
        }.invokeOnCompletion { left.countDown() }
    }

    private fun start(kind: SharedKind, i: Int, visit: (Random) -> Unit) {
        val random = Random(i)
        val thread = kind.start {
            repeat(visits) {
                try {
                    visit(random)
                    done.increment()
                } catch (e: InterruptedException) {
                    cancelled.increment()
                } catch (e: CancellationException) { // the future was cancelled
                    cancelled.increment()
                } catch (e: Throwable) {
                    failures += e
                }
            }
            left.countDown()
        }
        cancels.set(i, thread::interrupt)
    }
}
