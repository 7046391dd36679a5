package dev.cqs.coroutines

import dev.cqs.Waiter
import dev.cqs.sync.BarrierResult
import java.util.concurrent.BrokenBarrierException
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Job
import kotlinx.coroutines.suspendCancellableCoroutine

/** Has coroutines wait at a barrier of the rehearsal: for the last party, for a reset, and until a cancellation. */
private val rehearsed = rehearse {
    val nobodys = CyclicBarrier(2)
    val wait: suspend () -> Unit = { nobodys.await() }
    val resumed = Continuation<Unit>(EmptyCoroutineContext) { }
    wait.startCoroutine(resumed)
    wait.startCoroutine(resumed)
    wait.startCoroutine(resumed)
    nobodys.reset()
    val job = Job()
    wait.startCoroutine(Continuation(job) { })
    job.cancel()
}

private fun prepareBarriers() = rehearsed

/**
 * A barrier at which a fixed number of parties wait for each other, round after round.
 *
 * **Order.** The last party to arrive runs the action, in its own context, and then the others go on in the order in which
 * they have arrived. Parties that arrive while the action runs wait for a later round.
 *
 * **Cancellation.** All or none, as with [java.util.concurrent.CyclicBarrier]: waiting is cancellable, and a party that is
 * cancelled while it waits breaks the barrier. The others of its round, and all that arrive until [reset], get a
 * [BrokenBarrierException]. Once a round is complete and its action has begun, only a failing action breaks it; a party
 * that is cancelled then, and before it has resumed, fails alone, unless it was to run the action. Cancellation is prompt if
 * the context has a dispatcher. A call that need not suspend does not check for it.
 *
 * **The action** is run in the call of the last party and must not block. If parties complete a round while the action of
 * the round before is running, the last of them waits for its end and then runs the action again; two never overlap. Inside
 * the action [waiting] is the number of parties, and [reset] breaks its own round: the others get a [BrokenBarrierException]
 * when the action is done, and the party that runs it goes on. This holds for calls in the action's thread before the action
 * ends.
 *
 * **Memory.** Actions of the parties before [await] happen-before the barrier action, and that happens-before their actions
 * after [await].
 *
 * **Sharing.** [core] is the same barrier without a way to wait. Threads use it through `dev.cqs.threads.CyclicBarrier`, and
 * can be parties of the same rounds. Inside a coroutine do not wait through that: it blocks the thread of the dispatcher,
 * which other parties may need to arrive.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param core the barrier that this is a view of; all its views share the rounds
 * @sample dev.cqs.coroutines.samples.barrier
 */
public class CyclicBarrier(public val core: dev.cqs.sync.CyclicBarrier) {
    init {
        prepareWaiting()
        prepareBarriers()
    }

    /**
     * Creates a barrier.
     *
     * @param parties how many must arrive before all go on
     * @param action run in each round by the last party to arrive, before all go on; it must not block
     * @throws IllegalArgumentException if [parties] is not positive
     */
    public constructor(parties: Int, action: (() -> Unit)? = null) :
        this(dev.cqs.sync.CyclicBarrier(parties, action?.let { Runnable(it) }))

    /** How many parties each round has. */
    public val parties: Int get() = core.parties()

    /** How many parties wait in the round that is collecting its parties; inside the action, in the round of the action. */
    public val waiting: Int get() = core.waiting()

    /** Whether the barrier is broken. */
    public val isBroken: Boolean get() = core.isBroken

    /**
     * Begins a new round. The parties that wait get a [BrokenBarrierException]; a broken barrier is whole again. A round
     * whose action is being run is not affected, unless the action calls this.
     */
    public fun reset(): Unit = core.reset()

    /**
     * Suspends until all parties have come. An exception of the action is thrown to the party that runs it.
     *
     * Cancellable, with prompt cancellation; see [CyclicBarrier].
     *
     * @return how many came after this one: `parties - 1` for the first, zero for the last
     * @throws BrokenBarrierException if the barrier is broken or reset, before or meanwhile
     */
    public suspend fun await(): Int {
        if (core.tryArrive()) return 0
        var index = 0
        val result = suspendCancellableCoroutine<BarrierResult> { continuation ->
            index = arrive(PartyWaiter(continuation, core), continuation)
        }
        if (result == BarrierResult.BROKEN) throw BrokenBarrierException()
        if (result == BarrierResult.RUN_ACTION) core.runAction()
        return index
    }

    private fun arrive(waiter: PartyWaiter, continuation: CancellableContinuation<BarrierResult>): Int {
        val index =
            try {
                core.arrive(waiter)
            } catch (e: Throwable) { // from the action
                continuation.resumeWithException(e)
                return 0
            }
        continuation.callOnCancellation(waiter)
        return index
    }

    override fun toString(): String = core.toString()
}

/** The view for coroutines of a barrier that other callers share, threads among them. */
public fun dev.cqs.sync.CyclicBarrier.asCyclicBarrier(): CyclicBarrier = CyclicBarrier(this)

/** A coroutine that waits at the barrier, and breaks the barrier if it is cancelled. */
private class PartyWaiter(
    private val continuation: CancellableContinuation<BarrierResult>,
    private val barrier: dev.cqs.sync.CyclicBarrier,
) : Waiter(),
    Leaving,
    (Throwable?) -> Unit,
    (Throwable, BarrierResult, CoroutineContext) -> Unit {

    override fun tryResume(value: Any): Boolean {
        continuation.resumeInPlace(value.known<BarrierResult>(), this)
        return true
    }

    /** The coroutine was cancelled. */
    override fun invoke(cause: Throwable?) {
        cancel()
    }

    override fun leave(): Boolean = cancel()

    /** The coroutine was cancelled and resumed, and does not run on. */
    override fun invoke(cause: Throwable, result: BarrierResult, context: CoroutineContext) {
        if (result == BarrierResult.RUN_ACTION) barrier.abortAction()
    }
}
