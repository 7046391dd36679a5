package dev.cqs.coroutines

import dev.cqs.pool.Lease
import dev.cqs.pool.PoolSlot
import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.currentCoroutineContext

/**
 * A fair pool of resources that are made on demand, up to a maximum at a time, which coroutines borrow. The [core] decides how
 * they are validated, evicted and destroyed, and what is reported; that is configured when the core is built.
 *
 * **Order.** Requests are served in FIFO order, and none is overtaken. An idle element is lent before another is made.
 *
 * **Making.** The coroutine that borrows the element makes it, and may suspend meanwhile; no other request waits for that.
 * If the factory fails or is cancelled, its slot goes to the next in line, and its exception is thrown to the coroutine
 * that wanted the element. A factory that suspends after it has opened something, and is cancelled there, has to close that
 * itself.
 *
 * **Cancellation.** All suspending functions are cancellable, with prompt cancellation: if the job is cancelled while
 * the function waits, or after it was handed a slot and before it has resumed, it throws
 * [CancellationException][kotlinx.coroutines.CancellationException], and the element or the slot goes to the next in
 * line or back into the pool. Cancellation takes constant time, however many requests wait. A function that need not suspend
 * does not check for cancellation. Prompt cancellation needs a dispatcher: in a context without one, a coroutine that is
 * cancelled after it was handed a slot goes on with it.
 *
 * **Memory.** Actions before an element is [put] happen-before actions after it was lent again.
 *
 * **Sharing.** [core] is the same pool without a way to wait. Threads use it through `dev.cqs.threads.ResourcePool` and
 * wait in the same queue. Elements that are made by suspending can be made by coroutines only; a thread that finds none idle
 * then fails. Inside a coroutine do not wait through the view for threads: it blocks the thread of the dispatcher, which
 * the borrowers of the elements may need to go on.
 *
 * The validator, the destroyer and the listener of the core are called in the thread that uses the pool, and must not block
 * it for long.
 *
 * Safe for use from many coroutines and threads at once.
 *
 * @param E the elements, compared by identity
 * @property core the pool without a way to wait, which views of all kinds share
 * @sample dev.cqs.coroutines.samples.resourcePool
 * @see use
 */
public class ResourcePool<E : Any> internal constructor(
    public val core: dev.cqs.pool.ResourcePool<E>,
    private val factory: (suspend () -> E)?,
) {
    init {
        prepareWaiting()
    }

    /** How many elements there may be at a time. */
    public val maximum: Int get() = core.maximum()

    /** How many elements there are, lent or idle. */
    public val size: Int get() = core.size()

    /** How many elements are idle at this moment. */
    public val idle: Int get() = core.idle()

    /** How many requests wait at this moment, of coroutines and threads together. */
    public val queueLength: Int get() = core.queueLength()

    /** Whether the pool was [closed][close]. */
    public val isClosed: Boolean get() = core.isClosed

    /**
     * Borrows an element, and suspends until it is this request's turn. Suspends also to make one, if none is idle and there
     * are fewer than the maximum.
     *
     * Cancellable, with prompt cancellation; see [ResourcePool].
     *
     * @see use
     */
    public suspend fun take(): E {
        val slot = tryTakeSlot() ?: core.awaitSlot()
        return lend(slot)
    }

    /**
     * Borrows an element if one is idle, or can be made; suspends only to make one.
     *
     * @return the element, or `null` if all are lent
     */
    public suspend fun tryTake(): E? {
        val slot = tryTakeSlot() ?: return null
        return lend(slot)
    }

    /**
     * Borrows an element, and waits for its turn no longer than [timeout], in the same FIFO order as [take]. With a timeout of
     * zero or less it does not wait. The time that the factory takes is not limited. The time is that of the dispatcher,
     * as for [withTimeout][kotlinx.coroutines.withTimeout].
     *
     * Unlike `withTimeout { take() }` it cannot lose an element that is handed over as the time runs out.
     *
     * Cancellable, with prompt cancellation; see [ResourcePool].
     *
     * @return the element, or `null` if the time has run out
     */
    public suspend fun tryTake(timeout: Duration): E? {
        val slot = tryTakeSlot()
            ?: timedOrNull(timeout, { core.awaitSlot() }, { it.giveBack() })
            ?: return null
        return lend(slot)
    }

    private fun tryTakeSlot(): PoolSlot<E>? = unlessClosed { core.tryTakeSlot() }

    /** Only the factory suspends here, so a coroutine that has a slot gets an element or gives the slot back. */
    private suspend fun lend(slot: PoolSlot<E>): E {
        val borrower = currentCoroutineContext()[CoroutineName]?.name ?: "coroutine"
        if (factory == null) return slot.lendOrMake(borrower)
        val idle: E? = slot.lend(borrower)
        return idle ?: make(factory, slot, borrower)
    }

    private suspend fun make(factory: suspend () -> E, slot: PoolSlot<E>, borrower: String): E {
        val made =
            try {
                factory()
            } catch (e: Throwable) {
                slot.giveBack()
                throw e
            }
        return slot.fill(made, borrower)
    }

    /**
     * Gives an element back; any caller may. The request that has waited longest gets it.
     *
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated
     * @throws IllegalStateException if it was put back before
     */
    public fun put(element: E): Unit = core.put(element)

    /**
     * Gives an element back that is not to be used any more. It is destroyed, and another may be made in its place.
     *
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated before
     * @throws IllegalStateException if it was put back before
     */
    public fun invalidate(element: E): Unit = core.invalidate(element)

    /** For [use]: its action may have invalidated the element. */
    @PublishedApi
    internal fun putIfLent(element: E): Unit = core.putIfLent(element)

    /**
     * Changes how many elements there may be at a time. If there are more, then idle ones are destroyed before this returns,
     * and lent ones when they come back. Does not suspend.
     *
     * @throws IllegalArgumentException if [maximum] is not positive
     */
    public fun resize(maximum: Int): Unit = core.resize(maximum)

    /**
     * Destroys the elements that have been idle for too long, and frees the slots of elements that were dropped.
     *
     * @return how many were destroyed
     */
    public fun evictIdle(): Int = core.evictIdle()

    /** The elements that are lent at this moment, and their borrowers: coroutines are called by their [CoroutineName]. */
    public fun lent(): List<Lease<E>> = core.lent()

    /**
     * Closes the pool for good. Requests that wait, and requests that come later, fail with [cause], or with
     * [ClosedException][dev.cqs.sync.ClosedException] if there is none. Threads get a `ClosedException` in any case, with
     * this cause. Idle elements are destroyed, and lent ones when they are put back.
     *
     * @return `false` if it was closed before; it then keeps its first cause
     */
    public fun close(cause: Throwable? = null): Boolean = core.close(cause)

    override fun toString(): String = core.toString()
}

/**
 * Creates a pool of elements that are neither validated nor evicted nor destroyed. To have that, use the builder of the
 * [core][dev.cqs.pool.ResourcePool.builder], with [asResourcePool].
 *
 * @param maximum how many elements there may be at a time
 * @param factory makes an element, in the coroutine that borrows it and in its context; it may suspend, and its exceptions
 * are thrown there
 * @throws IllegalArgumentException if [maximum] is not positive
 */
public fun <E : Any> ResourcePool(maximum: Int, factory: suspend () -> E): ResourcePool<E> =
    dev.cqs.pool.ResourcePool.builder<E>(maximum).build().asResourcePool(factory)

/**
 * The view for coroutines of a pool that other callers share, threads among them. All wait for its elements in one queue. The
 * factory of the pool makes the elements.
 */
public fun <E : Any> dev.cqs.pool.ResourcePool<E>.asResourcePool(): ResourcePool<E> = ResourcePool(this, null)

/**
 * The view for coroutines of a pool; the coroutines make its elements with [factory], in place of its own if it has one.
 *
 * @param factory makes an element, in the coroutine that borrows it and in its context; it may suspend, and its exceptions
 * are thrown there
 */
public fun <E : Any> dev.cqs.pool.ResourcePool<E>.asResourcePool(factory: suspend () -> E): ResourcePool<E> =
    ResourcePool(this, factory)

/**
 * Runs [action] with an element of this pool and puts it back at the end, however that comes. An action that finds the
 * element unusable [invalidates][ResourcePool.invalidate] it, which takes the place of putting it back.
 *
 * Cancellable while it waits, with prompt cancellation; see [ResourcePool]. The action is then not run.
 *
 * @return what the action returns
 */
@OptIn(ExperimentalContracts::class)
public suspend inline fun <E : Any, T> ResourcePool<E>.use(action: (E) -> T): T {
    contract { callsInPlace(action, InvocationKind.EXACTLY_ONCE) }
    val element = take()
    try {
        return action(element)
    } finally {
        putIfLent(element)
    }
}
