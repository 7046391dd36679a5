package dev.cqs.coroutines

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.math.max
import kotlin.math.min
import org.junit.jupiter.api.Assertions.assertEquals

/** After so many seconds what should happen has not happened. */
const val PATIENCE = 30L

/** Burns so many nanoseconds. */
fun spin(nanos: Long) {
    val start = System.nanoTime()
    while (System.nanoTime() - start < nanos) Thread.onSpinWait()
}

/** Waits until this is so. */
fun until(what: String, condition: () -> Boolean) {
    val start = System.nanoTime()
    while (!condition()) {
        if (System.nanoTime() - start >
            TimeUnit.SECONDS.toNanos(PATIENCE)
        ) {
            throw AssertionError("has not come true: $what")
        }
        Thread.yield()
    }
}

/**
 * Two actions that race. The one that has won starts a little later the next time, and ever more so as long as it wins.
 * So the rounds come to the point where either may win, on any machine.
 */
class Duel {
    private val winners = mutableSetOf<Boolean>()
    private var step = FIRST_STEP
    private var last: Boolean? = null

    /** By how many nanoseconds the first starts later, or earlier if negative. */
    var handicap = 0L
        private set

    /** Lets the current thread do the first while another does the second. */
    fun fight(first: () -> Unit, second: () -> Unit) {
        val gate = Gate()
        val rival = CompletableFuture.runAsync {
            gate.ready = true
            while (!gate.open) Thread.yield()
            spin(max(0, -handicap))
            second()
        }
        until("the rival is ready") { gate.ready }
        gate.open = true
        spin(max(0, handicap))
        first()
        rival.get(PATIENCE, TimeUnit.SECONDS)
    }

    /** Takes note of who has won. */
    fun hasWon(first: Boolean) {
        winners += first
        step = if (first == last) min(2 * step, LONGEST_STEP) else FIRST_STEP
        handicap += if (first) step else -step
        last = first
    }

    fun bothHaveWon() = assertEquals(setOf(true, false), winners)

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
