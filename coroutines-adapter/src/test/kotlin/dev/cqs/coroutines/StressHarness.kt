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
 * Coroutines and threads that use an object, each so many times, and are cancelled and interrupted at random. Each visit of
 * a coroutine is a job of its own.
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

    /** How many visits of coroutines and threads have come to their end. */
    val done = LongAdder()

    /** How many were given up. */
    val givenUp = LongAdder()

    fun run(coroutine: suspend (Random) -> Unit, thread: (Random) -> Unit) {
        for (i in 0 until OF_EACH_KIND) start(i) { coroutine(it) }
        kinds.forEachIndexed { n, kind ->
            for (i in 0 until OF_EACH_KIND) start(kind, (n + 1) * OF_EACH_KIND + i, thread)
        }
        val random = Random(-1)
        val start = System.nanoTime()
        while (!left.await(50_000, NANOSECONDS)) {
            cancels.get(random.nextInt(size))?.invoke()
            if (System.nanoTime() - start > SECONDS.toNanos(4 * PATIENCE)) throw AssertionError("hangs: $failures")
        }
        assertEquals(listOf<Throwable>(), failures.toList())
        assertEquals(size.toLong() * visits, done.sum() + givenUp.sum())
        assertTrue(done.sum() > 0 && givenUp.sum() > 0) { "both happen: $done $givenUp" }
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
                        givenUp.increment()
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
                    givenUp.increment()
                } catch (e: CancellationException) { // of a future
                    givenUp.increment()
                } catch (e: Throwable) {
                    failures += e
                }
            }
            left.countDown()
        }
        cancels.set(i, thread::interrupt)
    }
}
