package dev.cqs.coroutines

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.startCoroutineUninterceptedOrReturn
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith

/** Queries for a token that race with its changes. */
@Tag("slow")
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(8 * PATIENCE)
class TokenStressTest {
    private val mutex = Mutex()
    private val token = Any()

    /** All callers use the same token, so a caller that does not get the mutex must find this token as its owner. */
    @Test
    fun tryLockWithTheTokenOfTheHolderFails() {
        val wrong = AtomicLong()
        val callers = List(2) { n ->
            CompletableFuture.runAsync {
                repeat(CALLS) {
                    try {
                        if (if (n ==
                                0
                            ) {
                                mutex.tryLock(token)
                            } else {
                                locksAtOnce()
                            }
                        ) {
                            mutex.unlock(token)
                        } else {
                            wrong.incrementAndGet()
                        }
                    } catch (e: IllegalStateException) {
                        check("already locked" in e.message!!) { "$e" }
                    }
                }
            }
        }
        callers.forEach { it.get(4 * PATIENCE, SECONDS) }
        assertEquals(0, wrong.get()) { "of ${2 * CALLS} calls" }
    }

    private fun locksAtOnce(): Boolean {
        val block: suspend () -> Unit = { mutex.lock(token) }
        return block.startCoroutineUninterceptedOrReturn(Unlocks()) !== COROUTINE_SUSPENDED
    }

    /** Unlocks when a waiting lock call gets the mutex later. */
    private inner class Unlocks : Continuation<Unit> {
        override val context = EmptyCoroutineContext

        override fun resumeWith(result: Result<Unit>) = mutex.unlock(token)
    }

    /** One thread unlocks many mutexes in turn, and another cancels the coroutines that wait for them. */
    @Test
    fun aCancelledCoroutineLeavesNoToken() {
        var wrong = 0
        var cancelled = 0
        repeat(ROUNDS) { round ->
            val races = List(RACES) { Race() }
            val started = AtomicInteger(-1)
            val canceller = CompletableFuture.runAsync {
                races.forEachIndexed { i, race ->
                    while (started.get() < i) Thread.onSpinWait()
                    repeat((round + i) % MOST_TURNS) { Thread.onSpinWait() }
                    if (race.isCancelled()) cancelled++
                    if (race.hasLeftItsToken()) wrong++
                }
            }
            races.forEachIndexed { i, race ->
                started.set(i)
                race.mutex.unlock()
            }
            canceller.get(PATIENCE, SECONDS)
        }
        assertEquals(0, wrong) { "of ${ROUNDS * RACES} races" }
        assertTrue(cancelled in 1 until ROUNDS * RACES) { "both sides have won: $cancelled" }
    }

    private inner class Race {
        val mutex = Mutex(locked = true)
        private val job = CoroutineScope(Dispatchers.Unconfined).launch(start = UNDISPATCHED) {
            mutex.lock(token)
            mutex.unlock(token)
        }

        fun isCancelled(): Boolean {
            job.cancel()
            while (!job.isCompleted) Thread.onSpinWait()
            return job.isCancelled
        }

        fun hasLeftItsToken() = try {
            if (mutex.tryLock(token)) mutex.unlock(token)
            false
        } catch (e: IllegalStateException) {
            true
        }
    }

    private companion object {
        const val CALLS = 2_000_000
        const val ROUNDS = 500
        const val RACES = 500
        const val MOST_TURNS = 16
    }
}
