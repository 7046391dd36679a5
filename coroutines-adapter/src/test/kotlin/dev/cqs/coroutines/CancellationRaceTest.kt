package dev.cqs.coroutines

import java.util.Random
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** Grants, cancellations and timeouts that race on two threads. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class CancellationRaceTest {
    private companion object {
        const val KINDS = "dev.cqs.coroutines.Cases#kinds"
        const val TIMED = "dev.cqs.coroutines.Cases#timed"
        const val ROUNDS = 300
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun exactlyOneOfARacingCancellationAndGrantWins(case: Case) {
        val race = PairedRace()
        val target = Target(case)
        repeat(ROUNDS) {
            target.take()
            val visit = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            visit.waits()
            race.race({ target.giveBack() }, { visit.job.cancel() })
            visit.ends()
            if (visit.entered) visit.hasVisited() else visit.isCancelled()
            assertEquals(case.entry.permits, target.free)
            race.hasWon(visit.entered)
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun aGrantThatLosesTheRaceGoesToTheNext(case: Case) {
        val target = Target(case)
        val race = PairedRace()
        repeat(ROUNDS) {
            target.take()
            val visit = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            val next = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            race.race({ target.giveBack() }, { visit.job.cancel() })
            visit.ends()
            next.ends()
            next.hasVisited()
            assertEquals(case.entry.permits, target.free)
            race.hasWon(visit.entered)
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun exactlyOneOfARacingTimeoutAndGrantWins(case: Case) {
        val race = PairedRace()
        val target = Target(case)
        target.timeout = 1.milliseconds
        repeat(ROUNDS) {
            target.take()
            val start = System.nanoTime()
            val visit = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            spin(1_000_000 + race.handicap - (System.nanoTime() - start))
            target.giveBack()
            visit.ends()
            if (visit.entered) visit.hasVisited() else visit.isRefused()
            assertEquals(case.entry.permits, target.free)
            race.hasWon(visit.entered)
        }
        race.assertBothHaveWon()
    }

    @ParameterizedTest
    @MethodSource(TIMED)
    fun exactlyOneOfARacingTimeoutCancellationAndGrantWins(case: Case) {
        val race = PairedRace()
        val target = Target(case)
        target.timeout = 1.milliseconds
        repeat(ROUNDS) {
            target.take()
            val start = System.nanoTime()
            val visit = AcquiringCoroutine(target, Dispatchers.Default, mode = UNDISPATCHED)
            spin(900_000 - (System.nanoTime() - start))
            race.race({ target.giveBack() }, { visit.job.cancel() })
            visit.ends()
            if (visit.entered) visit.hasVisited()
            assertEquals(case.entry.permits, target.free)
            race.hasWon(visit.entered)
        }
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun theNextHolderSeesTheWritesOfTheOneBefore(case: Case) = runBlocking {
        val target = Target(case)
        var count = 0 // plain: only the target synchronizes the accesses
        val entered = AtomicInteger()
        coroutineScope {
            repeat(4) { number ->
                launch(Dispatchers.Default) {
                    repeat(1000) { turn ->
                        val visited = case.entry.visit(target) {
                            assertEquals(1, entered.incrementAndGet())
                            count++
                            if (turn % 8 == number) yield()
                            entered.decrementAndGet()
                        }
                        assertTrue(visited)
                    }
                }
            }
        }
        assertEquals(4000, count)
        assertEquals(case.entry.permits, target.free)
    }

    @ParameterizedTest
    @MethodSource(KINDS)
    fun manyCancelledCoroutinesLoseNothing(case: Case) = runBlocking {
        val target = Target(case)
        val entered = AtomicInteger()
        val random = Random(1)
        val visits = List(2000) {
            AcquiringCoroutine(target, Dispatchers.Default) {
                assertEquals(1, entered.incrementAndGet())
                if (it % 4 == 0) yield()
                entered.decrementAndGet()
            }
        }
        for ((i, visit) in visits.withIndex()) {
            visit.start()
            if (i % 3 == 0) visits[i - random.nextInt(min(i + 1, 10))].job.cancel()
        }
        withTimeout(PATIENCE * 1000) { visits.map { it.job }.joinAll() }
        assertEquals(case.entry.permits, target.free)
    }

    private fun min(a: Int, b: Int) = if (a < b) a else b

    private fun AcquiringCoroutine.ends() = awaitThat("it ends: $this") { job.isCompleted }
}
