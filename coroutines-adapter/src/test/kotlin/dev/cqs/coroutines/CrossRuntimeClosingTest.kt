package dev.cqs.coroutines

import dev.cqs.coroutines.SharedEnd.FAILED
import dev.cqs.coroutines.SharedEnd.GRANTED
import dev.cqs.sync.ClosedException
import java.util.stream.Stream
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource

/** The close of an object for which callers of all kinds wait. */
class CrossRuntimeClosingTest {
    /** An exception that kotlinx.coroutines cannot copy, so that the very same object arrives. */
    class Cause(val number: Int) : Exception("cause $number")

    companion object {
        /** All targets, closed through the core or through the view for coroutines. */
        @JvmStatic
        fun ways(): Stream<Arguments> =
            SharedTarget.entries.flatMap { target -> listOf(true, false).map { Arguments.of(target, it) } }.stream()
    }

    private fun SharedCore.close(throughView: Boolean, cause: Throwable?) =
        if (throughView) closeView(cause) else closeCore(cause)

    @ParameterizedTest
    @MethodSource("ways")
    fun waitersOfAllKindsFail(target: SharedTarget, throughView: Boolean) {
        val core = target.make()
        val cause = Cause(1)
        core.hold()
        val kinds = SharedKind.of(target)
        val waiting = (kinds + kinds.reversed()).mapIndexed { i, kind ->
            SharedRequest.queued(core, kind, target.sizes[i % target.sizes.size])
        }
        assertTrue(core.close(throughView, cause))
        for (request in waiting) assertFailed(request, cause)
        assertEquals(0, core.queueLength)
        assertFalse(core.isFree)
        core.release()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("ways")
    fun laterRequestsOfAllKindsFail(target: SharedTarget, throughView: Boolean) {
        for (taken in listOf(false, true)) {
            for (nanos in listOf(0L, 3_600_000_000_000)) {
                val core = target.make()
                val cause = Cause(2)
                if (taken) core.hold()
                assertTrue(core.close(throughView, cause))
                assertFalse(core.close(!throughView, Cause(3)), "the first close counts")
                for (kind in SharedKind.of(target)) {
                    assertFailed(SharedRequest(core, kind, target.sizes.first(), nanos), cause)
                }
                if (taken) core.release()
                core.assertIdle()
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    fun withoutACauseAllKindsFailWithAClosedException(target: SharedTarget, throughView: Boolean) {
        val core = target.make()
        core.hold()
        val waiting = SharedKind.of(target).map { SharedRequest.queued(core, it, target.sizes.last()) }
        core.close(throughView, null)
        val late = SharedKind.of(target).map { SharedRequest(core, it, target.sizes.last()) }
        for (request in waiting + late) {
            request.endsWith(FAILED)
            val thrown = assertInstanceOf(ClosedException::class.java, request.thrown)
            assertTrue("is closed" in thrown.message!!, thrown.message)
        }
        core.release()
        core.assertIdle()
    }

    @ParameterizedTest
    @MethodSource("ways")
    fun aHolderOfAnyKindReleases(target: SharedTarget, throughView: Boolean) {
        for (holder in SharedKind.of(target)) {
            val core = target.make()
            val cause = Cause(4)
            val holding = SharedRequest(core, holder, target.sizes.first()).endsWith(GRANTED)
            val waiting = SharedKind.of(target).map { SharedRequest.queued(core, it, target.sizes.last()) }
            core.close(throughView, cause)
            for (request in waiting) assertFailed(request, cause)
            assertEquals(GRANTED, holding.end)
            assertFalse(core.isFree)
            holding.leaves()
            core.assertIdle()
        }
    }

    /** A coroutine gets the cause itself, as with a channel. A thread and a future get it inside a ClosedException. */
    private fun assertFailed(request: SharedRequest, cause: Cause) {
        request.endsWith(FAILED)
        val thrown = request.thrown
        if (request.kind.isCoroutine) {
            assertSame(cause, thrown)
        } else {
            assertSame(ClosedException::class.java, thrown?.javaClass)
            assertSame(cause, thrown!!.cause)
        }
        assertNull(cause.cause)
    }
}
