package dev.cqs.coroutines

import dev.cqs.coroutines.SharedEnd.CANCELLED
import dev.cqs.coroutines.SharedEnd.FAILED
import dev.cqs.coroutines.SharedEnd.GRANTED
import dev.cqs.coroutines.SharedEnd.REFUSED
import dev.cqs.threads.Grant
import java.lang.reflect.InvocationTargetException
import java.util.concurrent.CancellationException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.NANOSECONDS
import java.util.concurrent.TimeoutException
import java.util.concurrent.locks.LockSupport
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull

/** The kinds of callers that share one core object. */
enum class SharedKind {
    PLATFORM,
    VIRTUAL,
    COROUTINE,

    /** A coroutine with a token, for a mutex. */
    NAMED_COROUTINE,
    FUTURE,
    ;

    val isThread get() = this == PLATFORM || this == VIRTUAL
    val isCoroutine get() = this == COROUTINE || this == NAMED_COROUTINE

    fun start(body: Runnable): Thread {
        val thread = if (this == VIRTUAL) virtual(body) else Thread(body)
        if (this == PLATFORM) thread.isDaemon = true // a failed test may leave it waiting
        thread.start()
        return thread
    }

    companion object {
        val hasVirtual = Runtime.version().feature() >= 21

        /** The kinds that this Java has and that differ for this target. */
        fun of(target: SharedTarget) = entries.filter {
            (it != VIRTUAL || hasVirtual) && (it != NAMED_COROUTINE || target == SharedTarget.MUTEX)
        }

        /** Starts a virtual thread by reflection, since Java 17 has none. */
        private fun virtual(body: Runnable): Thread = try {
            val builder = Thread::class.java.getMethod("ofVirtual").invoke(null)
            val unstarted = Class.forName("java.lang.Thread\$Builder").getMethod("unstarted", Runnable::class.java)
            unstarted.invoke(builder, body) as Thread
        } catch (e: InvocationTargetException) {
            throw AssertionError(e)
        }

        fun isVirtual(thread: Thread) =
            hasVirtual && Thread::class.java.getMethod("isVirtual").invoke(thread) as Boolean
    }
}

/** The ways in which a wait ends. */
enum class SharedEnd { GRANTED, REFUSED, CANCELLED, FAILED }

/**
 * A caller of any kind that acquires once, holds until the test calls [leaves], and can be cancelled while it waits.
 *
 * @param nanos the timeout of the wait, or zero for none
 */
internal class SharedRequest(
    private val core: SharedCore,
    val kind: SharedKind,
    private val n: Int,
    private val nanos: Long = 0,
    private val dispatcher: CoroutineDispatcher = Dispatchers.Default,
    private val onGrant: (SharedRequest) -> Unit = {},
) {
    @Volatile var end: SharedEnd? = null
        private set

    @Volatile var thrown: Throwable? = null
        private set

    @Volatile private var left = false
    private val leave = CountDownLatch(1)
    private val leaveSuspended = CompletableDeferred<Unit>()

    @Volatile private var grant: Grant? = null

    @Volatile var ranOn: Thread? = null
        private set

    /** Interrupts the thread, or cancels the job or the future. */
    val cancel: () -> Unit

    private val token get() = if (kind == SharedKind.NAMED_COROUTINE) this else null

    init {
        cancel = when {
            kind.isThread -> kind.start(::runThread)::interrupt

            kind.isCoroutine -> {
                val job = CoroutineScope(SupervisorJob() + dispatcher).launch { runCoroutine() }
                job::cancel
            }

            else -> {
                val future = core.requestByFuture(n)
                if (nanos > 0) future.orTimeout(nanos, NANOSECONDS)
                future.whenComplete(::whenFutureEnds)
                val cancel: () -> Unit = { future.cancel(true) }
                cancel
            }
        }
    }

    private fun runThread() {
        ranOn = Thread.currentThread()
        try {
            if (nanos > 0 && !core.tryEnterThread(n, nanos)) {
                end = REFUSED
                return
            }
            if (nanos == 0L) core.enterThread(n)
            granted()
            stay()
            core.checkOwner(kind, null)
            core.leaveThread(n)
            left = true
        } catch (e: InterruptedException) {
            end = CANCELLED
        } catch (e: Throwable) {
            fail(e)
        }
    }

    private fun stay() {
        while (true) {
            try {
                return leave.await()
            } catch (e: InterruptedException) {
                continue // the interrupt was too late
            }
        }
    }

    private suspend fun runCoroutine() {
        try {
            if (nanos > 0 && !core.tryEnterCoroutine(n, nanos, token)) {
                end = REFUSED
                return
            }
            if (nanos == 0L) core.enterCoroutine(n, token)
            granted()
            withContext(NonCancellable) { leaveSuspended.await() } // the cancellation was too late
            core.checkOwner(kind, token)
            core.leaveCoroutine(n, token)
            left = true
        } catch (e: CancellationException) {
            end = CANCELLED
        } catch (e: Throwable) {
            fail(e)
        }
    }

    private fun whenFutureEnds(granted: Grant?, failure: Throwable?) {
        try {
            when (failure) {
                null -> {
                    grant = granted
                    granted()
                }

                is CancellationException -> end = CANCELLED

                is TimeoutException -> end = REFUSED

                else -> fail(failure)
            }
        } catch (e: Throwable) {
            fail(e)
        }
    }

    private fun granted() {
        core.checkOwner(kind, token)
        onGrant(this)
        end = GRANTED
    }

    private fun fail(e: Throwable) {
        thrown = e
        end = FAILED
    }

    /** Waits until it is in the queue behind [before] other waiters. */
    fun awaitEnqueuedAfter(before: Int): SharedRequest {
        awaitThat("$this is in the queue of $core") { end != null || core.enqueued() == before + 1 }
        assertNull(end, "$this must wait: $thrown")
        return this
    }

    fun endsWith(expected: SharedEnd): SharedRequest {
        awaitThat("$this ends") { end != null }
        assertEquals(expected, end) { "$this: $thrown" }
        return this
    }

    fun stillWaits() = assertNull(end, "$this must wait: $thrown")

    /** Lets it release, and waits until it has ended. */
    fun leaves() {
        endsWith(GRANTED)
        if (kind == SharedKind.FUTURE) {
            core.checkOwner(kind, null)
            grant!!.close()
            left = true
        }
        leave.countDown()
        leaveSuspended.complete(Unit)
        awaitThat("$this leaves") { left || thrown != null }
        assertNull(thrown)
    }

    override fun toString() = "$kind for $n"

    companion object {
        /** Starts a request, which must wait, and waits until it is in the queue. */
        fun queued(core: SharedCore, kind: SharedKind, n: Int, onGrant: (SharedRequest) -> Unit = {}): SharedRequest {
            val before = core.enqueued()
            return SharedRequest(core, kind, n, onGrant = onGrant).awaitEnqueuedAfter(before)
        }

        /**
         * As [queued], and waits until the request is parked or suspended. A caller that is in the queue may still have
         * to check whether it must serve others. A release at that moment would leave the serving to it.
         */
        fun atRest(core: SharedCore, kind: SharedKind, n: Int): SharedRequest {
            val before = core.enqueued()
            val request = SharedRequest(core, kind, n, dispatcher = Dispatchers.Unconfined).awaitEnqueuedAfter(before)
            if (kind.isThread) awaitThat("$request is parked") { LockSupport.getBlocker(request.ranOn) != null }
            return request
        }
    }
}
