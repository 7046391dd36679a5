package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import java.util.concurrent.Executors
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.asCoroutineDispatcher
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** What the context of the coroutine brings: dispatchers that run in place, interceptors, elements of threads. */
@ExtendWith(NothingUncaught::class)
@Timeout(4 * PATIENCE)
class EnvironmentTest {
    private companion object {
        const val ALL = "dev.cqs.coroutines.Cases#all"
        const val OURS = "dev.cqs.coroutines.Cases#ours"
        const val KINDS = "dev.cqs.coroutines.Cases#kinds"
        const val OUR_KINDS = "dev.cqs.coroutines.Cases#ourKinds"
        const val MANY = 100_000
    }

    // Threads

    @ParameterizedTest
    @MethodSource(ALL)
    fun anElementOfTheThreadIsThereAfterASuspensionAndNowhereElse(case: Case) {
        val local = ThreadLocal.withInitial { "outside" }
        val stage = Stage(case)
        stage.target.take()
        val seen = mutableListOf<String>()
        val visits = listOf("first", "second").map { name ->
            stage.visit(stage.crank + local.asContextElement(name)) { seen += local.get() }
        }
        assertEquals("outside", local.get())
        stage.target.giveBack()
        assertEquals("outside", local.get())
        while (stage.crank.size > 0) {
            stage.crank.turn()
            assertEquals("outside", local.get())
        }
        assertEquals(listOf("first", "second"), seen)
        stage.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun anElementOfTheThreadIsThereInPlaceAsWell(case: Case) {
        val local = ThreadLocal.withInitial { "outside" }
        val stage = Stage(case)
        stage.target.take()
        val seen = mutableListOf<String>()
        val visits = listOf("first", "second").map { name ->
            stage.visit(Dispatchers.Unconfined + local.asContextElement(name)) { seen += local.get() }
        }
        stage.target.giveBack()
        assertEquals("outside", local.get())
        assertEquals(listOf("first", "second"), seen)
        stage.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun itRunsOnWhereItsDispatcherRunsItNotWhereItIsGranted(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        lateinit var thread: Thread
        val visit = stage.visit { thread = Thread.currentThread() }
        val granter = Thread { stage.target.giveBack() }
        granter.start()
        granter.join()
        visit.waits()
        stage.crank.run()
        visit.hasVisited()
        assertSame(Thread.currentThread(), thread)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aDispatcherThatIsShutDownBeforeTheGrantLosesNothing(case: Case) {
        val stage = Stage(case)
        stage.target.take()
        val executor = Executors.newSingleThreadExecutor()
        val visit = Visit(stage.target, executor.asCoroutineDispatcher(), mode = UNDISPATCHED)
        val next = stage.visit()
        executor.shutdown()
        stage.target.giveBack()
        until("the visit is over") { visit.job.isCompleted } // the library cancels it, and runs it elsewhere
        visit.isCancelled()
        until("the next one is resumed") { stage.crank.size == 1 }
        stage.crank.run()
        stage.wasServed(listOf(next))
    }

    // In place

    @ParameterizedTest
    @MethodSource(KINDS)
    fun handingOverToManyOnUnconfinedDoesNotGrowTheStack(case: Case) {
        servesManyInPlace(case, Dispatchers.Unconfined)
    }

    /** With kotlinx.coroutines the stack overflows, so there it is ours alone. */
    @ParameterizedTest
    @MethodSource(OUR_KINDS)
    fun handingOverToManyWithoutADispatcherDoesNotGrowTheStack(case: Case) {
        servesManyInPlace(case, EmptyCoroutineContext)
        servesManyInPlace(case, Interceptor())
    }

    private fun servesManyInPlace(case: Case, context: CoroutineContext) {
        val stage = Stage(case)
        stage.target.take()
        var served = 0
        repeat(MANY) { number -> stage.enterBare(context) { assertEquals(number, served++) } }
        assertEquals(0, served)
        stage.target.giveBack()
        assertEquals(MANY, served)
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closableKinds")
    fun aChainOfClosesWithoutADispatcherDoesNotGrowTheStack(case: Case) {
        val targets = List(MANY / 20) { Target(case) }
        var failed = 0
        for ((number, target) in targets.withIndex()) {
            target.take()
            target.enterBare(EmptyCoroutineContext, {
                assertEquals(number, failed++)
                targets.getOrNull(number + 1)?.close(null)
            }) { throw AssertionError("not inside") }
        }
        targets[0].close(null)
        assertEquals(targets.size, failed)
    }

    /** With kotlinx.coroutines the exception comes out of the release. */
    @ParameterizedTest
    @MethodSource(OURS)
    fun whatIsThrownOutOfACoroutineInPlaceDisturbsNobodyElse(case: Case) {
        val thread = Thread.currentThread()
        val uncaught = mutableListOf<Throwable>()
        thread.setUncaughtExceptionHandler { _, thrown -> uncaught += thrown }
        try {
            val failure = Error()
            val stage = Stage(case)
            stage.target.take()
            var served = 0
            stage.enterBare(EmptyCoroutineContext) { throw failure } // and the continuation throws it on
            stage.enterBare(EmptyCoroutineContext) { served++ }
            stage.target.giveBack()
            assertEquals(1, served)
            assertEquals(listOf<Throwable>(failure), uncaught)
            stage.assertIdle()
        } finally {
            thread.setUncaughtExceptionHandler(null)
        }
    }

    // Interceptors that are no dispatchers

    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherItRunsOnInPlace(case: Case) {
        for (context in listOf(EmptyCoroutineContext, Interceptor())) {
            val stage = Stage(case)
            stage.target.take()
            var count = 0
            stage.enterBare(context) { count++ }
            stage.enterBare(context) { count++ }
            assertEquals(0, count)
            stage.target.giveBack()
            assertEquals(2, count)
            stage.assertIdle()
        }
    }

    /** So says `suspendCancellableCoroutine`: prompt cancellation takes a dispatcher. */
    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherWhatWasGrantedBeforeTheCancellationIsKept(case: Case) {
        val interceptor = Interceptor(keeps = true)
        val stage = Stage(case)
        stage.target.take()
        val visit = Visit(stage.target, interceptor, mode = UNDISPATCHED)
        stage.target.giveBack()
        visit.waits()
        if (case.entry.timed) return // it has a coroutine of its own inside, see below
        visit.job.cancel()
        interceptor.goOn()
        visit.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherNothingIsLostWheneverItIsCancelled(case: Case) {
        for (step in 0..3) {
            val interceptor = Interceptor(keeps = true)
            val stage = Stage(case)
            stage.target.take()
            val visit = Visit(stage.target, interceptor, mode = UNDISPATCHED)
            if (step == 0) visit.job.cancel()
            stage.target.giveBack()
            if (step == 1) visit.job.cancel()
            interceptor.kept.poll()?.goOn()
            if (step == 2) visit.job.cancel()
            interceptor.goOn()
            if (step == 0) visit.isCancelled()
            if (visit.entered) visit.hasVisited() else visit.isCancelled()
            stage.assertIdle()
        }
    }

    // Granted between the attempt and the suspension

    @ParameterizedTest
    @MethodSource(ALL)
    fun whatBecomesFreeJustBeforeTheSuspensionIsTaken(case: Case) {
        val interceptor = Interceptor()
        val stage = Stage(case)
        stage.target.take()
        interceptor.onIntercept = { stage.target.giveBack() }
        val visit = Visit(stage.target, interceptor, mode = UNDISPATCHED)
        visit.hasVisited()
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun whatBecomesFreeJustBeforeTheSuspensionOfACancelledOneIsGivenBack(case: Case) {
        val interceptor = Interceptor()
        val stage = Stage(case)
        stage.target.take()
        lateinit var visit: Visit
        visit = Visit(stage.target, interceptor, beforehand = {
            interceptor.onIntercept = {
                stage.target.giveBack()
                visit.job.cancel()
            }
        })
        visit.start()
        visit.isCancelled()
        stage.assertIdle()
    }

    /** In a row on the stack: the suspension happens in the middle of another hand-over in place. */
    @ParameterizedTest
    @MethodSource(OURS)
    fun whatBecomesFreeWhileAnotherIsResumedInPlaceIsTakenByTheNextInTurn(case: Case) {
        val stage = Stage(case)
        val other = Target(case)
        stage.target.take()
        other.take()
        val interceptor = Interceptor()
        lateinit var visit: Visit
        stage.enterBare(EmptyCoroutineContext) {
            interceptor.onIntercept = { other.giveBack() }
            visit = Visit(other, interceptor, mode = UNDISPATCHED)
        }
        stage.target.giveBack()
        visit.hasVisited()
        assertEquals(case.entry.permits, other.free)
        stage.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closable")
    fun isClosedJustBeforeTheSuspension(case: Case) {
        for (cause in listOf(Broken(), null)) {
            val interceptor = Interceptor()
            val target = Target(case)
            target.take()
            interceptor.onIntercept = { target.close(cause) }
            val visit = Visit(target, interceptor, mode = UNDISPATCHED)
            assertEquals(cause?.javaClass ?: ClosedException::class.java, visit.failure().javaClass)
            assertTrue(cause == null || cause === visit.failure())
            assertEquals(0, target.queueLength)
        }
    }

    /** Enters in a coroutine with no job and no dispatcher. */
    private fun Stage.enterBare(context: CoroutineContext, inside: suspend () -> Unit) =
        target.enterBare(context, { throw it }, inside)

    private fun Target.enterBare(
        context: CoroutineContext,
        onFailure: (Throwable) -> Unit,
        inside: suspend () -> Unit,
    ) {
        val visit: suspend () -> Boolean = { entry.visit(this, inside) }
        visit.startCoroutine(object : Continuation<Boolean> {
            override val context = context

            override fun resumeWith(result: Result<Boolean>) {
                result.onFailure(onFailure)
            }
        })
    }
}

private fun Interceptor.goOn() {
    while (true) (kept.poll() ?: return).goOn()
}
