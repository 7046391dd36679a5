package dev.cqs.coroutines

import java.util.Collections
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue

/** A coroutine that acquires a [Target] once, runs a body, and releases. */
class AcquiringCoroutine(
    val target: Target,
    context: CoroutineContext,
    beforehand: () -> Unit = {},
    mode: CoroutineStart = CoroutineStart.LAZY,
    body: suspend () -> Unit = {},
) {
    /** The body, which is also the token. */
    val inside: suspend () -> Unit = {
        entered = true
        assertEquals(0, target.free)
        body()
    }

    @Volatile
    var entered = false
        private set

    @Volatile
    private var end: Result<Boolean>? = null

    val isOver get() = end != null

    val job: Job = CoroutineScope(context).launch(context, mode) {
        beforehand()
        end = runCatching { target.entry.visit(target, inside) }
    }

    fun start() = apply { job.start() }

    /** Checks that it has neither entered nor ended. */
    fun waits() {
        assertTrue(!entered && end == null) { "should wait, but: $this" }
    }

    /** Checks that it has entered and released. */
    fun hasVisited() {
        assertEquals(Result.success(true), end)
        assertTrue(entered)
    }

    /** Checks that it was refused after its timeout. */
    fun isRefused() {
        assertEquals(Result.success(false), end)
        hasNotEntered()
    }

    /** Checks that it has failed without entering. */
    fun failure(): Throwable {
        hasNotEntered()
        return checkNotNull(end?.exceptionOrNull()) { "should have failed, but: $this" }
    }

    private fun hasNotEntered() {
        assertTrue(!entered)
        if (target.entry.ofMutex) assertTrue(!target.mutex.holdsLock(inside))
    }

    /** Checks that it was cancelled without entering. */
    fun isCancelled() {
        assertInstanceOf(CancellationException::class.java, failure())
    }

    /** The exception that it has thrown, or `null`. */
    fun exception() = end?.exceptionOrNull()

    override fun toString() = "AcquiringCoroutine[$end, entered=$entered, $job]"
}

/** A target, visits on a [ManualDispatcher], and the order in which they enter. For all contract tests of waiting. */
class AcquiringFixture(val case: Case) {
    val manualDispatcher = ManualDispatcher()
    val target = Target(case)
    val served: MutableList<AcquiringCoroutine> = Collections.synchronizedList(mutableListOf())

    /** Starts a visit, which runs until it ends or suspends. */
    fun visit(context: CoroutineContext = manualDispatcher, body: suspend () -> Unit = {}): AcquiringCoroutine {
        lateinit var visit: AcquiringCoroutine
        visit = AcquiringCoroutine(target, context) {
            served += visit
            body()
        }
        visit.start()
        manualDispatcher.run()
        return visit
    }

    /** Starts [size] visits that must wait. */
    fun queue(size: Int) = List(size) { visit() }.onEach { it.waits() }

    /** Checks that exactly these visits were served, in this order, and that no visit is left. */
    fun wasServed(visits: List<AcquiringCoroutine>) {
        visits.forEach { it.hasVisited() }
        assertEquals(visits, served)
        assertIdle()
    }

    /** Checks that the target is held and, for our objects, that [waiting] visits wait. */
    fun has(waiting: Int) {
        assertEquals(0, target.free)
        if (case.factory == Factory.CQS) assertEquals(waiting, target.queueLength)
    }

    /** Checks that the target is free and no visit waits. */
    fun assertIdle() {
        assertEquals(0, manualDispatcher.size)
        assertEquals(case.entry.permits, target.free)
        if (case.factory == Factory.CQS) assertEquals(0, target.queueLength)
        target.take()
        assertNull(runCatching { target.giveBack() }.exceptionOrNull())
        assertEquals(case.entry.permits, target.free)
    }
}
