package dev.cqs.coroutines

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.LockSupport
import kotlin.math.max
import kotlin.math.min
import org.junit.jupiter.api.Assertions.assertEquals

/** The time limit of every wait in a test, in seconds. A test that exceeds it fails. */
const val PATIENCE = 30L

/** Spins for [nanos] nanoseconds. */
fun spin(nanos: Long) {
    val start = System.nanoTime()
    while (System.nanoTime() - start < nanos) Thread.onSpinWait()
}

/** Waits until [condition] holds. */
fun awaitThat(what: String, condition: () -> Boolean) {
    val start = System.nanoTime()
    var turns = 0
    while (!condition()) {
        if (System.nanoTime() - start >
            TimeUnit.SECONDS.toNanos(PATIENCE)
        ) {
            throw AssertionError("timed out waiting until $what")
        }
        if (turns++ < 1000) Thread.yield() else LockSupport.parkNanos(100_000)
    }
}

/**
 * Two actions that race in many rounds. The action that wins a round starts later in the next, by more each time as
 * long as it wins. So the rounds reach the point at which either may win, on any machine.
 */
class PairedRace {
    private val winners = mutableSetOf<Boolean>()
    private var step = FIRST_STEP
    private var last: Boolean? = null

    /** The nanoseconds by which the first action starts later than the second; earlier, if negative. */
    var handicap = 0L
        private set

    /** Runs [first] in the current thread and [second] in another. */
    fun race(first: () -> Unit, second: () -> Unit) {
        val gate = Gate()
        val rival = CompletableFuture.runAsync {
            gate.ready = true
            while (!gate.open) Thread.yield()
            spin(max(0, -handicap))
            second()
        }
        awaitThat("the rival is ready") { gate.ready }
        gate.open = true
        spin(max(0, handicap))
        first()
        rival.get(PATIENCE, TimeUnit.SECONDS)
    }

    /** Records whether the first action has won this round. */
    fun hasWon(first: Boolean) {
        winners += first
        step = if (first == last) min(2 * step, LONGEST_STEP) else FIRST_STEP
        handicap += if (first) step else -step
        last = first
    }

    fun assertBothHaveWon() = assertEquals(setOf(true, false), winners)

    private class Gate {
        @Volatile
        var ready = false

        @Volatile
        var open = false
    }

    private companion object {
        const val FIRST_STEP = 100L
        const val LONGEST_STEP = 100_000L
    }
}
