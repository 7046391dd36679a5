package dev.cqs.coroutines

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** The contract of every function that may wait, of our objects and those of kotlinx.coroutines. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class WaitingContractTest {
    private companion object {
        const val ALL = "dev.cqs.coroutines.Cases#all"
        const val OWNED = "dev.cqs.coroutines.Cases#owned"
        const val QUEUE = 5
    }

    // Entering and waiting

    @ParameterizedTest
    @MethodSource(ALL)
    fun entersWithoutSuspendingIfTheTargetIsFree(case: Case) {
        val fixture = AcquiringFixture(case)
        val visit = AcquiringCoroutine(fixture.target, fixture.manualDispatcher).start()
        fixture.manualDispatcher.turn() // starts the visit
        visit.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun suspendsUntilItIsGranted(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visit = fixture.visit()
        visit.waits()
        fixture.has(waiting = 1)
        fixture.target.giveBack()
        visit.waits() // it is dispatched and has not run
        assertEquals(1, fixture.manualDispatcher.size)
        fixture.has(waiting = 0) // a handed-over permit is never free
        fixture.manualDispatcher.run()
        fixture.wasServed(listOf(visit))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun waitersAreServedInFifoOrder(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(100) // several segments
        fixture.target.giveBack()
        fixture.manualDispatcher.run()
        fixture.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun eachReleaseServesOneWaiter(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val inside = Job()
        val visits = listOf(fixture.visit { inside.join() }) + fixture.queue(2)
        fixture.target.giveBack()
        fixture.manualDispatcher.run()
        assertTrue(visits[0].entered)
        visits.drop(1).forEach { it.waits() }
        inside.complete()
        fixture.manualDispatcher.run()
        fixture.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun noOtherEntersBetweenAGrantAndTheResumption(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        fixture.target.giveBack()
        val late = AcquiringCoroutine(fixture.target, fixture.manualDispatcher).start()
        assertFalse(fixture.target.tryTakeOne())
        fixture.manualDispatcher.turn()
        granted.hasVisited()
        fixture.manualDispatcher.run()
        late.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aHolderThatEntersAgainWaitsForItself(case: Case) {
        val fixture = AcquiringFixture(case)
        val visit = fixture.visit { case.entry.visit(fixture.target) { throw AssertionError("entered again") } }
        assertTrue(visit.entered && !visit.isOver)
        fixture.has(waiting = 1)
        visit.job.cancel()
        fixture.manualDispatcher.run()
        assertTrue(visit.thrown() is CancellationException)
        fixture.assertIdle()
    }

    // Failures inside

    @ParameterizedTest
    @MethodSource(ALL)
    fun anExceptionInsideIsThrownAndTheNextEnters(case: Case) {
        class Failed : Exception()
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val failed = Failed()
        val failing = fixture.visit { throw failed }
        val next = fixture.visit()
        fixture.target.giveBack()
        fixture.manualDispatcher.run()
        assertSame(failed, failing.thrown())
        next.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aCancellationInsideIsThrownAndTheNextEnters(case: Case) {
        val fixture = AcquiringFixture(case)
        val inside = Job()
        val cancelled = fixture.visit { inside.join() }
        val next = fixture.visit()
        cancelled.job.cancel()
        fixture.manualDispatcher.run()
        assertTrue(cancelled.thrown() is CancellationException)
        next.hasVisited()
        fixture.assertIdle()
    }

    // Cancellation

    @ParameterizedTest
    @MethodSource(ALL)
    fun aVisitThatDoesNotSuspendDoesNotCheckForCancellation(case: Case) {
        val fixture = AcquiringFixture(case)
        val visit = fixture.visitCancelledJob()
        assertTrue(visit.job.isCancelled)
        visit.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aVisitThatMustSuspendInACancelledJobFailsAtOnce(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val before = fixture.visit()
        val visit = fixture.visitCancelledJob()
        visit.isCancelled()
        fixture.has(waiting = 1)
        fixture.target.giveBack()
        fixture.manualDispatcher.run()
        fixture.wasServed(listOf(before))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aCancelledWaiterFailsAtOnceAndDoesNotChangeTheOrderOfTheOthers(case: Case) {
        for (position in listOf(0, QUEUE / 2, QUEUE - 1)) {
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            val visits = fixture.queue(QUEUE).toMutableList()
            val cancelled = visits.removeAt(position)
            cancelled.job.cancel()
            fixture.manualDispatcher.run()
            cancelled.isCancelled()
            fixture.has(waiting = QUEUE - 1)
            fixture.target.giveBack()
            fixture.manualDispatcher.run()
            fixture.wasServed(visits)
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aReleaseSkipsACancelledWaiter(case: Case) {
        for (position in listOf(0, QUEUE / 2, QUEUE - 1)) {
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            val visits = fixture.queue(QUEUE).toMutableList()
            val cancelled = visits.removeAt(position)
            cancelled.job.cancel() // it is dispatched at the end
            fixture.target.giveBack()
            fixture.manualDispatcher.run()
            cancelled.isCancelled()
            fixture.wasServed(visits)
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun theCauseOfTheCancellationIsThrown(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val parent = Job()
        val visit = fixture.visit(fixture.manualDispatcher + parent)
        parent.cancel("the reason")
        fixture.manualDispatcher.run()
        visit.isCancelled()
        assertEquals("the reason", visit.failure().message)
        fixture.target.giveBack()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aQueueOfCancelledWaitersIsEmpty(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visits = fixture.queue(100)
        visits.shuffled(java.util.Random(1)).forEach { it.job.cancel() }
        fixture.manualDispatcher.run()
        visits.forEach { it.isCancelled() }
        fixture.has(waiting = 0)
        fixture.target.giveBack()
        fixture.assertIdle()
        fixture.wasServed(listOf(fixture.visit()))
    }

    // Prompt cancellation

    @ParameterizedTest
    @MethodSource(ALL)
    fun aGrantToACoroutineCancelledBeforeItRunsGoesToTheNext(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        val next = fixture.visit()
        fixture.target.giveBack()
        assertEquals(1, fixture.manualDispatcher.size)
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        fixture.wasServed(listOf(next))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aGrantToACoroutineCancelledBeforeItRunsLeavesTheTargetFreeIfNoOtherWaits(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val granted = fixture.visit()
        fixture.target.giveBack()
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        assertEquals(case.entry.permits, fixture.target.free)
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun manyWaitersCancelledAfterTheirGrantsLoseNothing(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val cancelled = fixture.queue(QUEUE)
        val next = fixture.queue(2)
        fixture.target.giveBack()
        for (visit in cancelled) {
            visit.waits()
            assertEquals(1, fixture.manualDispatcher.size)
            visit.job.cancel()
            fixture.manualDispatcher.turn() // hands the grant to the next
            visit.isCancelled()
        }
        fixture.manualDispatcher.run()
        fixture.wasServed(next)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aGrantToACoroutineCancelledTwiceIsGivenBackOnce(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val parent = Job()
        val granted = fixture.visit(fixture.manualDispatcher + parent)
        fixture.target.giveBack()
        parent.cancel()
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        fixture.assertIdle()
    }

    // Tokens

    @ParameterizedTest
    @MethodSource(OWNED)
    fun theTokenIsTheOwnerFromTheGrantToTheUnlock(case: Case) {
        val fixture = AcquiringFixture(case)
        val mutex = fixture.target.mutex
        assertTrue(mutex.tryLock(fixture))
        val visits = List(3) { fixture.visit { assertTrue(mutex.holdsLock(fixture.served.last().inside)) } }
        assertTrue(mutex.holdsLock(fixture))
        assertTrue(visits.none { mutex.holdsLock(it.inside) })
        mutex.unlock(fixture)
        for (visit in visits) {
            visit.waits()
            assertFalse(mutex.holdsLock(fixture))
            assertEquals(visits.map { it === visit }, visits.map { mutex.holdsLock(it.inside) })
            while (!visit.isOver) fixture.manualDispatcher.turn()
        }
        assertTrue(visits.none { mutex.holdsLock(it.inside) })
        fixture.manualDispatcher.run()
        fixture.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(OWNED)
    fun theTokenIsNotTheOwnerAfterACancellation(case: Case) {
        val fixture = AcquiringFixture(case)
        val mutex = fixture.target.mutex
        assertTrue(mutex.tryLock(fixture))
        val waiting = fixture.visit()
        val granted = fixture.visit()
        waiting.job.cancel()
        fixture.manualDispatcher.run()
        assertTrue(mutex.holdsLock(fixture))
        mutex.unlock(fixture)
        assertTrue(mutex.holdsLock(granted.inside))
        granted.job.cancel()
        fixture.manualDispatcher.run()
        granted.isCancelled()
        assertFalse(mutex.holdsLock(waiting.inside))
        assertFalse(mutex.holdsLock(granted.inside))
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(OWNED)
    fun aSecondLockWithTheSameTokenFailsAndChangesNothing(case: Case) {
        val fixture = AcquiringFixture(case)
        val visit = fixture.visit {
            val token = fixture.served.last().inside
            val thrown = runCatching { case.entry.visit(fixture.target, token) }.exceptionOrNull()
            assertEquals(IllegalStateException::class.java, thrown?.javaClass)
            assertTrue(thrown!!.message!!.contains(token.toString()))
            assertTrue(fixture.target.mutex.holdsLock(token))
        }
        fixture.wasServed(listOf(visit))
    }
}

/** The exception that it has thrown after it entered. */
private fun AcquiringCoroutine.thrown(): Throwable {
    assertTrue(entered)
    return checkNotNull(exception()) { "should have failed, but: $this" }
}

/** A visit by a cancelled coroutine. */
private fun AcquiringFixture.visitCancelledJob(): AcquiringCoroutine {
    lateinit var visit: AcquiringCoroutine
    visit = AcquiringCoroutine(target, manualDispatcher, beforehand = { visit.job.cancel() }).start()
    manualDispatcher.run()
    return visit
}
