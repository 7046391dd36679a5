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

/** A coroutine that visits a target once. */
class Visit(
    val target: Target,
    context: CoroutineContext,
    beforehand: () -> Unit = {},
    mode: CoroutineStart = CoroutineStart.LAZY,
    body: suspend () -> Unit = {},
) {
    /** What it does inside, and its token. */
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

    /** Checks that it has been inside, and is out again. */
    fun hasVisited() {
        assertEquals(Result.success(true), end)
        assertTrue(entered)
    }

    /** Checks that it was refused because the time ran out. */
    fun isRefused() {
        assertEquals(Result.success(false), end)
        hasNotEntered()
    }

    /** Checks that it has failed before it got in. */
    fun failure(): Throwable {
        hasNotEntered()
        return checkNotNull(end?.exceptionOrNull()) { "should have failed, but: $this" }
    }

    private fun hasNotEntered() {
        assertTrue(!entered)
        if (target.entry.ofMutex) assertTrue(!target.mutex.holdsLock(inside))
    }

    /** Checks that it was cancelled before it got in. */
    fun isCancelled() {
        assertInstanceOf(CancellationException::class.java, failure())
    }

    /** What it has thrown, if it has. */
    fun exception() = end?.exceptionOrNull()

    override fun toString() = "Visit[$end, entered=$entered, $job]"
}

/** A target, coroutines on a [ManualDispatcher] that visit it, and the order in which they come in. */
class Stage(val case: Case) {
    val crank = ManualDispatcher()
    val target = Target(case)
    val served: MutableList<Visit> = Collections.synchronizedList(mutableListOf())

    /** A visit that has gone as far as it can: to the end, or into the queue. */
    fun visit(context: CoroutineContext = crank, body: suspend () -> Unit = {}): Visit {
        lateinit var visit: Visit
        visit = Visit(target, context) {
            served += visit
            body()
        }
        visit.start()
        crank.run()
        return visit
    }

    /** Visits in the queue. */
    fun queue(size: Int) = List(size) { visit() }.onEach { it.waits() }

    /** Checks that these and no others were served, in this order, and that nobody is left. */
    fun wasServed(visits: List<Visit>) {
        visits.forEach { it.hasVisited() }
        assertEquals(visits, served)
        assertIdle()
    }

    /** Checks that all is taken and so many wait, which only our objects tell. */
    fun has(waiting: Int) {
        assertEquals(0, target.free)
        if (case.factory == Factory.CQS) assertEquals(waiting, target.queueLength)
    }

    /** Checks that all is free and nobody waits. */
    fun assertIdle() {
        assertEquals(0, crank.size)
        assertEquals(case.entry.permits, target.free)
        if (case.factory == Factory.CQS) assertEquals(0, target.queueLength)
        target.take()
        assertNull(runCatching { target.giveBack() }.exceptionOrNull())
        assertEquals(case.entry.permits, target.free)
    }
}
