package dev.cqs.coroutines

import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration

/**
 * A fair pool of elements that coroutines borrow, for which they wait if there is none. It lends what was put into it, and
 * has no capacity. A [ResourcePool] makes its elements itself.
 *
 * **Order.** Requests are served in FIFO order: [put] hands its element to the request that has waited longest, and no other
 * overtakes it. Which element is lent if several are idle is the choice of [queue] or [stack].
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while
 * the function waits, or after it was handed an element and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException], and the element goes to the next in line or back into
 * the pool. Cancellation takes constant time, however many requests wait. A function that need not suspend does not check for
 * cancellation. Prompt cancellation needs a dispatcher: in a context without one, a coroutine that is cancelled after it was
 * handed its element goes on with it.
 *
 * **Memory.** Actions before an element is [put] happen-before actions after it was taken.
 *
 * **Sharing.** [core] is the same pool without a way to wait. Threads use it through `dev.cqs.threads.BlockingPool` and
 * wait in the same queue. Inside a coroutine do not wait through that view: it blocks the thread of the dispatcher, which the
 * borrowers of the elements may need to go on.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param E the elements
 * @param core the pool that this is a view of; all its views share the elements
 * @sample dev.cqs.coroutines.samples.pool
 * @see use
 */
public class Pool<E : Any>(public val core: dev.cqs.pool.Pool<E>) {
    init {
        prepareWaiting()
    }

    /** How many elements are idle at this moment. */
    public val size: Int get() = core.size()

    /** How many requests wait at this moment, of coroutines, threads and futures together. */
    public val queueLength: Int get() = core.queueLength()

    /** Whether the pool was [closed][close]. */
    public val isClosed: Boolean get() = core.isClosed

    /**
     * Takes an element, and suspends until it is this request's turn.
     *
     * Cancellable, with prompt cancellation; see [Pool].
     *
     * @see use
     */
    public suspend fun take(): E {
        val element = tryTake()
        if (element != null) return element
        return core.awaitElement()
    }

    /**
     * Takes an element if one is idle; does not suspend, and overtakes no request, because no element is idle while one
     * waits.
     *
     * @return the element, or `null`
     */
    public fun tryTake(): E? = unlessClosed { core.tryTake() }

    /**
     * Takes an element, and suspends for no longer than [timeout], in the same FIFO order as [take]. With a timeout of zero or
     * less it does not suspend. The time is that of the dispatcher, as for [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { take() }` it cannot lose an element that is handed over as the time runs out.
     *
     * Cancellable, with prompt cancellation; see [Pool].
     *
     * @return the element, or `null` if the time has run out
     */
    public suspend fun tryTake(timeout: Duration): E? =
        tryTake() ?: timedOrNull(timeout, { core.awaitElement() }, { core.put(it) })

    /**
     * Hands the element to the request that has waited longest, or keeps it until it is taken. Does not suspend, for there
     * is no capacity. A closed pool keeps it as well, for [drain]. The same object may be put several times: it is then in
     * the pool several times.
     */
    public fun put(element: E): Unit = core.put(element)

    /**
     * Closes the pool for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads and futures get a `ClosedException` in any
     * case, with this cause. Elements are put back as before, and [drain] takes them out.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     */
    public fun close(cause: Throwable? = null): Boolean = core.close(cause)

    /**
     * Takes all idle elements, of a closed pool as well, and gives each to [action]. If that throws, the elements that it
     * has not been given stay in the pool.
     *
     * @return how many there were
     */
    public fun drain(action: (E) -> Unit): Int = core.drain(action)

    override fun toString(): String = core.toString()

    /** Creates empty pools. */
    public companion object {
        /** Creates an empty pool that lends the element that has been idle longest. */
        public fun <E : Any> queue(): Pool<E> = Pool(dev.cqs.pool.Pool.queue())

        /**
         * Creates an empty pool that lends the element that was put last, until threads contend for it; from then on a
         * recent one, preferably one that the same thread has put.
         */
        public fun <E : Any> stack(): Pool<E> = Pool(dev.cqs.pool.Pool.stack())
    }
}

/** The view for coroutines of a pool that other callers share, threads among them. All wait in one queue. */
public fun <E : Any> dev.cqs.pool.Pool<E>.asPool(): Pool<E> = Pool(this)

/**
 * Runs [action] with an element of this pool and puts it back at the end, however that comes.
 *
 * Cancellable while it waits, with prompt cancellation; see [Pool]. The action is then not run.
 *
 * @return what the action returns
 */
@OptIn(ExperimentalContracts::class)
public suspend inline fun <E : Any, T> Pool<E>.use(action: (E) -> T): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    val element = take()
    try {
        return action(element)
    } finally {
        put(element)
    }
}
