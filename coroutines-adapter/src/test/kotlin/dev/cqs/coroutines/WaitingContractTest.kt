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

/** What holds for every way to wait, of our objects and of those of kotlinx.coroutines. */
@ExtendWith(NothingUncaught::class)
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
    fun entersWithoutASuspensionIfThatIsPossible(case: Case) {
        val stage = Stage(case)
        val visit = Visit(stage.target, stage.crank).start()
        stage.crank.turn() // its start
        visit.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun suspendsUntilItIsGranted(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visit = stage.visit()
        visit.waits()
        stage.has(waiting = 1)
        stage.target.giveBack()
        visit.waits() // the dispatcher has it
        assertEquals(1, stage.crank.size)
        stage.has(waiting = 0) // what is handed over is never free
        stage.crank.run()
        stage.wasServed(listOf(visit))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun waitersAreServedInTheOrderOfTheirComing(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(100) // several segments
        stage.target.giveBack()
        stage.crank.run()
        stage.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun oneLeavingLetsOneIn(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val inside = Job()
        val visits = listOf(stage.visit { inside.join() }) + stage.queue(2)
        stage.target.giveBack()
        stage.crank.run()
        assertTrue(visits[0].entered)
        visits.drop(1).forEach { it.waits() }
        inside.complete()
        stage.crank.run()
        stage.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun nobodyEntersBetweenTheGrantAndTheEntryOfTheOneGranted(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        stage.target.giveBack()
        val late = Visit(stage.target, stage.crank).start()
        assertFalse(stage.target.tryTakeOne())
        stage.crank.turn()
        granted.hasVisited()
        stage.crank.run()
        late.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun whoIsInsideWaitsForItselfWhenItEntersAgain(case: Case) {
        val stage = Stage(case)
        val visit = stage.visit { case.entry.visit(stage.target) { throw AssertionError("entered again") } }
        assertTrue(visit.entered && !visit.isOver)
        stage.has(waiting = 1)
        visit.job.cancel()
        stage.crank.run()
        assertTrue(visit.thrown() is CancellationException)
        stage.assertIdle()
    }

    // Failures inside

    @ParameterizedTest
    @MethodSource(ALL)
    fun anExceptionInsideGoesThroughAndTheNextComesIn(case: Case) {
        class Failed : Exception()
        val stage = Stage(case)
        stage.target.take()
        val failed = Failed()
        val failing = stage.visit { throw failed }
        val next = stage.visit()
        stage.target.giveBack()
        stage.crank.run()
        assertSame(failed, failing.thrown())
        next.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aCancellationInsideGoesThroughAndTheNextComesIn(case: Case) {
        val stage = Stage(case)
        val inside = Job()
        val cancelled = stage.visit { inside.join() }
        val next = stage.visit()
        cancelled.job.cancel()
        stage.crank.run()
        assertTrue(cancelled.thrown() is CancellationException)
        next.hasVisited()
        stage.assertIdle()
    }

    // Cancellation

    @ParameterizedTest
    @MethodSource(ALL)
    fun doesNotCheckForCancellationIfItNeedNotSuspend(case: Case) {
        val stage = Stage(case)
        val visit = stage.visitCancelledJob()
        assertTrue(visit.job.isCancelled)
        visit.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun failsAtOnceIfItHasToSuspendInACancelledJob(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val before = stage.visit()
        val visit = stage.visitCancelledJob()
        visit.isCancelled()
        stage.has(waiting = 1)
        stage.target.giveBack()
        stage.crank.run()
        stage.wasServed(listOf(before))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aCancelledWaiterFailsAtOnceAndLeavesTheOthersInOrder(case: Case) {
        for (position in listOf(0, QUEUE / 2, QUEUE - 1)) {
            val stage = Stage(case)
            stage.target.take()
            val visits = stage.queue(QUEUE).toMutableList()
            val cancelled = visits.removeAt(position)
            cancelled.job.cancel()
            stage.crank.run()
            cancelled.isCancelled()
            stage.has(waiting = QUEUE - 1)
            stage.target.giveBack()
            stage.crank.run()
            stage.wasServed(visits)
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aWaiterGrantedAfterItsCancellationIsPassedOver(case: Case) {
        for (position in listOf(0, QUEUE / 2, QUEUE - 1)) {
            val stage = Stage(case)
            stage.target.take()
            val visits = stage.queue(QUEUE).toMutableList()
            val cancelled = visits.removeAt(position)
            cancelled.job.cancel() // it is dispatched only now, at the end
            stage.target.giveBack()
            stage.crank.run()
            cancelled.isCancelled()
            stage.wasServed(visits)
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun theCauseOfTheCancellationArrives(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val parent = Job()
        val visit = stage.visit(stage.crank + parent)
        parent.cancel("enough of this")
        stage.crank.run()
        visit.isCancelled()
        assertEquals("enough of this", visit.failure().message)
        stage.target.giveBack()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aQueueOfCancelledWaitersIsEmpty(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val visits = stage.queue(100)
        visits.shuffled(java.util.Random(1)).forEach { it.job.cancel() }
        stage.crank.run()
        visits.forEach { it.isCancelled() }
        stage.has(waiting = 0)
        stage.target.giveBack()
        stage.assertIdle()
        stage.wasServed(listOf(stage.visit()))
    }

    // Prompt cancellation

    @ParameterizedTest
    @MethodSource(ALL)
    fun whatIsGrantedBeforeTheCancellationButNotDispatchedGoesToTheNext(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        val next = stage.visit()
        stage.target.giveBack()
        assertEquals(1, stage.crank.size)
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        stage.wasServed(listOf(next))
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun whatIsGrantedBeforeTheCancellationButNotDispatchedIsFreeIfNobodyWaits(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val granted = stage.visit()
        stage.target.giveBack()
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        assertEquals(case.entry.permits, stage.target.free)
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aRowOfWaitersGrantedAndThenCancelledLosesNothing(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val cancelled = stage.queue(QUEUE)
        val next = stage.queue(2)
        stage.target.giveBack()
        for (visit in cancelled) {
            visit.waits()
            assertEquals(1, stage.crank.size)
            visit.job.cancel()
            stage.crank.turn() // hands over to the next
            visit.isCancelled()
        }
        stage.crank.run()
        stage.wasServed(next)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun cancelledTwiceAfterTheGrantItIsGivenBackOnce(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val parent = Job()
        val granted = stage.visit(stage.crank + parent)
        stage.target.giveBack()
        parent.cancel()
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        stage.assertIdle()
    }

    // Tokens

    @ParameterizedTest
    @MethodSource(OWNED)
    fun holdsTheLockUnderItsTokenFromTheGrantToTheUnlock(case: Case) {
        val stage = Stage(case)
        val mutex = stage.target.mutex
        assertTrue(mutex.tryLock(stage))
        val visits = List(3) { stage.visit { assertTrue(mutex.holdsLock(stage.served.last().inside)) } }
        assertTrue(mutex.holdsLock(stage))
        assertTrue(visits.none { mutex.holdsLock(it.inside) })
        mutex.unlock(stage)
        for (visit in visits) {
            visit.waits()
            assertFalse(mutex.holdsLock(stage))
            assertEquals(visits.map { it === visit }, visits.map { mutex.holdsLock(it.inside) })
            while (!visit.isOver) stage.crank.turn()
        }
        assertTrue(visits.none { mutex.holdsLock(it.inside) })
        stage.crank.run()
        stage.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(OWNED)
    fun doesNotHoldTheLockUnderItsTokenAfterItsCancellation(case: Case) {
        val stage = Stage(case)
        val mutex = stage.target.mutex
        assertTrue(mutex.tryLock(stage))
        val waiting = stage.visit()
        val granted = stage.visit()
        waiting.job.cancel()
        stage.crank.run()
        assertTrue(mutex.holdsLock(stage))
        mutex.unlock(stage)
        assertTrue(mutex.holdsLock(granted.inside))
        granted.job.cancel()
        stage.crank.run()
        granted.isCancelled()
        assertFalse(mutex.holdsLock(waiting.inside))
        assertFalse(mutex.holdsLock(granted.inside))
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(OWNED)
    fun twiceWithOneTokenFailsAndChangesNothing(case: Case) {
        val stage = Stage(case)
        val visit = stage.visit {
            val token = stage.served.last().inside
            val thrown = runCatching { case.entry.visit(stage.target, token) }.exceptionOrNull()
            assertEquals(IllegalStateException::class.java, thrown?.javaClass)
            assertTrue(thrown!!.message!!.contains(token.toString()))
            assertTrue(stage.target.mutex.holdsLock(token))
        }
        stage.wasServed(listOf(visit))
    }
}

/** What it has thrown after it got in. */
private fun Visit.thrown(): Throwable {
    assertTrue(entered)
    return checkNotNull(exception()) { "should have failed, but: $this" }
}

/** A visit by a coroutine that is cancelled already. */
private fun Stage.visitCancelledJob(): Visit {
    lateinit var visit: Visit
    visit = Visit(target, crank, beforehand = { visit.job.cancel() }).start()
    crank.run()
    return visit
}
