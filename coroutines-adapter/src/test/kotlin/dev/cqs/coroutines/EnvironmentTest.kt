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

/**
 * The effects of a coroutine's context: dispatchers that resume in place, other interceptors, thread context elements.
 */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class EnvironmentTest {
    private companion object {
        const val ALL = "dev.cqs.coroutines.Cases#all"
        const val OURS = "dev.cqs.coroutines.Cases#ours"
        const val KINDS = "dev.cqs.coroutines.Cases#kinds"
        const val OUR_KINDS = "dev.cqs.coroutines.Cases#ourKinds"
        const val MANY = 100_000
    }

    // Thread context elements and dispatchers

    @ParameterizedTest
    @MethodSource(ALL)
    fun aThreadContextElementIsRestoredAfterASuspension(case: Case) {
        val local = ThreadLocal.withInitial { "outside" }
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val seen = mutableListOf<String>()
        val visits = listOf("first", "second").map { name ->
            fixture.visit(fixture.manualDispatcher + local.asContextElement(name)) { seen += local.get() }
        }
        assertEquals("outside", local.get())
        fixture.target.giveBack()
        assertEquals("outside", local.get())
        while (fixture.manualDispatcher.size > 0) {
            fixture.manualDispatcher.turn()
            assertEquals("outside", local.get())
        }
        assertEquals(listOf("first", "second"), seen)
        fixture.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aThreadContextElementIsRestoredWhenResumedInPlace(case: Case) {
        val local = ThreadLocal.withInitial { "outside" }
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val seen = mutableListOf<String>()
        val visits = listOf("first", "second").map { name ->
            fixture.visit(Dispatchers.Unconfined + local.asContextElement(name)) { seen += local.get() }
        }
        fixture.target.giveBack()
        assertEquals("outside", local.get())
        assertEquals(listOf("first", "second"), seen)
        fixture.wasServed(visits)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aCoroutineContinuesOnItsDispatcherAndNotOnTheThreadThatReleases(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        lateinit var thread: Thread
        val visit = fixture.visit { thread = Thread.currentThread() }
        val granter = Thread { fixture.target.giveBack() }
        granter.start()
        granter.join()
        visit.waits()
        fixture.manualDispatcher.run()
        visit.hasVisited()
        assertSame(Thread.currentThread(), thread)
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aDispatcherThatIsShutDownBeforeTheGrantLosesNothing(case: Case) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val executor = Executors.newSingleThreadExecutor()
        val visit = AcquiringCoroutine(fixture.target, executor.asCoroutineDispatcher(), mode = UNDISPATCHED)
        val next = fixture.visit()
        executor.shutdown()
        fixture.target.giveBack()
        awaitThat("the visit is over") {
            visit.job.isCompleted
        } // kotlinx.coroutines cancels it and runs it on another dispatcher
        visit.isCancelled()
        awaitThat("the next coroutine is resumed") { fixture.manualDispatcher.size == 1 }
        fixture.manualDispatcher.run()
        fixture.wasServed(listOf(next))
    }

    // Resumption in place

    @ParameterizedTest
    @MethodSource(KINDS)
    fun manyHandOffsOnUnconfinedDoNotGrowTheStack(case: Case) {
        assertServesManyInPlace(case, Dispatchers.Unconfined)
    }

    /** For our objects only: those of kotlinx.coroutines overflow the stack. */
    @ParameterizedTest
    @MethodSource(OUR_KINDS)
    fun manyHandOffsWithoutADispatcherDoNotGrowTheStack(case: Case) {
        assertServesManyInPlace(case, EmptyCoroutineContext)
        assertServesManyInPlace(case, Interceptor())
    }

    private fun assertServesManyInPlace(case: Case, context: CoroutineContext) {
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        var served = 0
        repeat(MANY) { number -> fixture.enterBare(context) { assertEquals(number, served++) } }
        assertEquals(0, served)
        fixture.target.giveBack()
        assertEquals(MANY, served)
        fixture.assertIdle()
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

    /** For our objects only: with kotlinx.coroutines the release throws the exception. */
    @ParameterizedTest
    @MethodSource(OURS)
    fun anExceptionOfACoroutineResumedInPlaceDoesNotAffectOthers(case: Case) {
        val thread = Thread.currentThread()
        val uncaught = mutableListOf<Throwable>()
        thread.setUncaughtExceptionHandler { _, thrown -> uncaught += thrown }
        try {
            val failure = Error()
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            var served = 0
            fixture.enterBare(EmptyCoroutineContext) { throw failure } // the continuation throws it again
            fixture.enterBare(EmptyCoroutineContext) { served++ }
            fixture.target.giveBack()
            assertEquals(1, served)
            assertEquals(listOf<Throwable>(failure), uncaught)
            fixture.assertIdle()
        } finally {
            thread.setUncaughtExceptionHandler(null)
        }
    }

    // Interceptors that are not dispatchers

    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherACoroutineIsResumedInPlace(case: Case) {
        for (context in listOf(EmptyCoroutineContext, Interceptor())) {
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            var count = 0
            fixture.enterBare(context) { count++ }
            fixture.enterBare(context) { count++ }
            assertEquals(0, count)
            fixture.target.giveBack()
            assertEquals(2, count)
            fixture.assertIdle()
        }
    }

    /** As documented for `suspendCancellableCoroutine`: prompt cancellation needs a dispatcher. */
    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherAGrantBeforeTheCancellationIsKept(case: Case) {
        val interceptor = Interceptor(keeps = true)
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        val visit = AcquiringCoroutine(fixture.target, interceptor, mode = UNDISPATCHED)
        fixture.target.giveBack()
        visit.waits()
        if (case.entry.timed) return // it runs in a coroutine of its own, see below
        visit.job.cancel()
        interceptor.resumeAll()
        visit.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun withoutADispatcherNothingIsLostByACancellation(case: Case) {
        for (step in 0..3) {
            val interceptor = Interceptor(keeps = true)
            val fixture = AcquiringFixture(case)
            fixture.target.take()
            val visit = AcquiringCoroutine(fixture.target, interceptor, mode = UNDISPATCHED)
            if (step == 0) visit.job.cancel()
            fixture.target.giveBack()
            if (step == 1) visit.job.cancel()
            interceptor.kept.poll()?.resume()
            if (step == 2) visit.job.cancel()
            interceptor.resumeAll()
            if (step == 0) visit.isCancelled()
            if (visit.entered) visit.hasVisited() else visit.isCancelled()
            fixture.assertIdle()
        }
    }

    // Releases between the attempt and the suspension

    @ParameterizedTest
    @MethodSource(ALL)
    fun aReleaseJustBeforeTheSuspensionServesTheCoroutine(case: Case) {
        val interceptor = Interceptor()
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        interceptor.onIntercept = { fixture.target.giveBack() }
        val visit = AcquiringCoroutine(fixture.target, interceptor, mode = UNDISPATCHED)
        visit.hasVisited()
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource(ALL)
    fun aReleaseJustBeforeTheSuspensionOfACancelledCoroutineIsGivenBack(case: Case) {
        val interceptor = Interceptor()
        val fixture = AcquiringFixture(case)
        fixture.target.take()
        lateinit var visit: AcquiringCoroutine
        visit = AcquiringCoroutine(fixture.target, interceptor, beforehand = {
            interceptor.onIntercept = {
                fixture.target.giveBack()
                visit.job.cancel()
            }
        })
        visit.start()
        visit.isCancelled()
        fixture.assertIdle()
    }

    /** The suspension happens inside another hand-off in place. */
    @ParameterizedTest
    @MethodSource(OURS)
    fun aReleaseWhileAnotherIsResumedInPlaceServesTheNextInOrder(case: Case) {
        val fixture = AcquiringFixture(case)
        val other = Target(case)
        fixture.target.take()
        other.take()
        val interceptor = Interceptor()
        lateinit var visit: AcquiringCoroutine
        fixture.enterBare(EmptyCoroutineContext) {
            interceptor.onIntercept = { other.giveBack() }
            visit = AcquiringCoroutine(other, interceptor, mode = UNDISPATCHED)
        }
        fixture.target.giveBack()
        visit.hasVisited()
        assertEquals(case.entry.permits, other.free)
        fixture.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("dev.cqs.coroutines.Cases#closable")
    fun aCloseJustBeforeTheSuspensionFailsTheCoroutine(case: Case) {
        for (cause in listOf(Broken(), null)) {
            val interceptor = Interceptor()
            val target = Target(case)
            target.take()
            interceptor.onIntercept = { target.close(cause) }
            val visit = AcquiringCoroutine(target, interceptor, mode = UNDISPATCHED)
            assertEquals(cause?.javaClass ?: ClosedException::class.java, visit.failure().javaClass)
            assertTrue(cause == null || cause === visit.failure())
            assertEquals(0, target.queueLength)
        }
    }

    /** Acquires in a coroutine without a job and a dispatcher. */
    private fun AcquiringFixture.enterBare(context: CoroutineContext, inside: suspend () -> Unit) =
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

private fun Interceptor.resumeAll() {
    while (true) (kept.poll() ?: return).resume()
}
