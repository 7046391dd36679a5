package dev.cqs.coroutines

import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import org.junit.jupiter.api.Assertions.assertTrue

/**
 * The functions that may suspend until they get a lock, permits or an element, as a parameter of tests that hold for
 * all of them.
 */
enum class AcquireVariant(
    val permits: Int,
    traits: String,
    private val way: suspend Target.(inside: suspend () -> Unit) -> Boolean,
) {
    LOCK(1, "mutex", {
        mutex.lock()
        leaving({ mutex.unlock() }, it)
    }),
    LOCK_OWNER(1, "mutex owned", {
        mutex.lock(it)
        leaving({ mutex.unlock(it) }, it)
    }),
    WITH_LOCK(1, "mutex", {
        mutex.withLock { it() }
        true
    }),
    WITH_LOCK_OWNER(1, "mutex owned", {
        mutex.withLock(it) { it() }
        true
    }),
    TRY_LOCK_TIMED(1, "mutex ours timed", {
        ourMutex.tryLock(timeout) && leaving({ mutex.unlock() }, it)
    }),
    TRY_LOCK_TIMED_OWNER(1, "mutex ours timed owned", {
        ourMutex.tryLock(timeout, it) && leaving({ mutex.unlock(it) }, it)
    }),

    ACQUIRE(1, "", {
        semaphore.acquire()
        leaving({ semaphore.release() }, it)
    }),
    WITH_PERMIT(1, "", {
        semaphore.withPermit { it() }
        true
    }),
    ACQUIRE_1(1, "ours", {
        ourSemaphore.acquire(1)
        leaving({ ourSemaphore.release(1) }, it)
    }),
    ACQUIRE_3(3, "ours", {
        ourSemaphore.acquire(3)
        leaving({ ourSemaphore.release(3) }, it)
    }),
    WITH_PERMITS_1(1, "ours", {
        ourSemaphore.withPermits(1) { it() }
        true
    }),
    WITH_PERMITS_3(3, "ours", {
        ourSemaphore.withPermits(3) { it() }
        true
    }),
    TRY_ACQUIRE_TIMED(1, "ours timed", {
        ourSemaphore.tryAcquire(timeout) && leaving({ semaphore.release() }, it)
    }),
    TRY_ACQUIRE_1_TIMED(1, "ours timed", {
        ourSemaphore.tryAcquire(1, timeout) && leaving({ semaphore.release() }, it)
    }),
    TRY_ACQUIRE_3_TIMED(3, "ours timed", {
        ourSemaphore.tryAcquire(3, timeout) && leaving({ ourSemaphore.release(3) }, it)
    }),

    WRITE_LOCK(1, "ours writes", {
        readWrite.writeLock()
        leaving({ readWrite.writeUnlock() }, it)
    }),
    WRITE(1, "ours writes", {
        readWrite.write { it() }
        true
    }),
    TRY_WRITE_LOCK_TIMED(1, "ours writes timed", {
        readWrite.tryWriteLock(timeout) && leaving({ readWrite.writeUnlock() }, it)
    }),

    POOL_TAKE(1, "ours pool", {
        val element = pool.take()
        leaving({ pool.put(element) }, it)
    }),
    POOL_USE(1, "ours pool", {
        pool.use { _ -> it() }
        true
    }),
    POOL_TRY_TAKE_TIMED(1, "ours pool timed", {
        val element = pool.tryTake(timeout)
        element != null && leaving({ pool.put(element) }, it)
    }),
    RESOURCE_TAKE(1, "ours resource", {
        val element = resources.take()
        leaving({ resources.put(element) }, it)
    }),
    RESOURCE_USE(1, "ours resource", {
        resources.use { _ -> it() }
        true
    }),
    RESOURCE_TRY_TAKE_TIMED(1, "ours resource timed", {
        val element = resources.tryTake(timeout)
        element != null && leaving({ resources.put(element) }, it)
    }),
    HAND_OFF_RECEIVE(1, "ours handOff", {
        val element = handOff.receive()
        leaving({ bring(element) }, it)
    }),
    HAND_OFF_ITERATE(1, "ours handOff", {
        for (element in handOff) {
            leaving({ bring(element) }, it)
            break
        }
        true
    }),
    HAND_OFF_TRY_RECEIVE_TIMED(1, "ours handOff timed", {
        val element = handOff.tryReceive(timeout)
        element != null && leaving({ bring(element) }, it)
    });

    val ofMutex = "mutex" in traits
    val writes = "writes" in traits
    val ofPool = "pool" in traits
    val ofResources = "resource" in traits
    val ofHandOff = "handOff" in traits
    val ofSemaphore = !ofMutex && !writes && !ofPool && !ofResources && !ofHandOff

    /** Whether the target can be closed, and taken from and given back afterwards. */
    val closes = !ofHandOff

    /** The name of the target in messages. */
    val noun = if (ofMutex) "mutex" else if (writes) "read-write mutex" else if (ofSemaphore) "semaphore" else "pool"

    /** Whether the lock is taken with a token, which is the body of the visit. */
    val owned = "owned" in traits
    val timed = "timed" in traits
    val oursOnly = "ours" in traits

    /**
     * Acquires, runs [inside], and releases.
     *
     * @param inside the body, which is also the token where there is one
     * @return `false` after a timeout
     */
    suspend fun visit(target: Target, inside: suspend () -> Unit): Boolean = target.way(inside)
}

private suspend fun leaving(leave: () -> Unit, inside: suspend () -> Unit): Boolean {
    try {
        inside()
    } finally {
        leave()
    }
    return true
}

/** A library and a function of its primitive. */
data class Case(val factory: Factory, val entry: AcquireVariant) {
    override fun toString() = "$factory $entry"
}

/** The argument sources of parameterized tests. */
object Cases {
    @JvmStatic
    fun all() = Factory.entries.flatMap { factory -> AcquireVariant.entries.map { Case(factory, it) } }
        .filter { it.factory == Factory.CQS || !it.entry.oursOnly }

    @JvmStatic
    fun ours() = all().filter { it.factory == Factory.CQS }

    /** One case for each kind of waiter and of wait, for slow tests. */
    @JvmStatic
    fun kinds() = all().filter { it.entry in KINDS }

    @JvmStatic
    fun ourKinds() = ours().filter { it.entry in KINDS }

    @JvmStatic
    fun closable() = ours().filter { it.entry.closes }

    /** The cases whose target refuses to take back more than there was. */
    @JvmStatic
    fun closableAndLimited() = closable().filter { !it.entry.ofPool && !it.entry.ofResources }

    @JvmStatic
    fun closableKinds() = ourKinds().filter { it.entry.closes }

    @JvmStatic
    fun timedAndClosable() = timed().filter { it.entry.closes }

    @JvmStatic
    fun timedAndGivingBack() = timed().filter { !it.entry.ofHandOff }

    private val KINDS = setOf(
        AcquireVariant.WITH_LOCK, AcquireVariant.LOCK_OWNER, AcquireVariant.TRY_LOCK_TIMED_OWNER, AcquireVariant.ACQUIRE, AcquireVariant.WITH_PERMITS_3, AcquireVariant.TRY_ACQUIRE_TIMED,
        AcquireVariant.WRITE, AcquireVariant.POOL_TAKE, AcquireVariant.RESOURCE_TAKE, AcquireVariant.HAND_OFF_RECEIVE,
    )

    @JvmStatic
    fun owned() = all().filter { it.entry.owned }

    @JvmStatic
    fun timed() = all().filter { it.entry.timed }
}

/** The object under test, which one coroutine can hold at a time. A contract test runs on all of them by [Cases]. */
class Target(case: Case) {
    val entry = case.entry
    val mutex = case.factory.mutex()
    val semaphore = case.factory.semaphore(entry.permits)
    val ourMutex get() = mutex as Mutex
    val ourSemaphore get() = semaphore as Semaphore
    val readWrite = ReadWriteMutex()
    val pool = Pool.queue<Any>().apply { put("the element") }
    val resources = ResourcePool<Any>(1) { Any() }

    /** A receiver holds the target by the element. While the target is free, a sender waits with the element. */
    val handOff = SynchronousQueue.fair<Any>(onUndelivered = ::bring)

    init {
        bring("the element")
    }

    /** Hands the element to a receiver, or starts a sender that waits with it. */
    fun bring(element: Any) {
        if (!handOff.trySend(element)) startInPlace { handOff.send(element) }
    }

    /** The element that was taken from a pool or queue. */
    private var taken: Any? = null

    /** The object that the case uses. */
    val entered: Any = when {
        entry.ofMutex -> mutex
        entry.writes -> readWrite
        entry.ofPool -> pool
        entry.ofResources -> resources
        entry.ofHandOff -> handOff
        else -> semaphore
    }

    /** The core of that object, if it is ours. */
    val core: Any get() = when {
        entry.ofMutex -> ourMutex.core
        entry.writes -> readWrite.core
        entry.ofPool -> pool.core
        entry.ofResources -> resources.core
        entry.ofHandOff -> handOff.core
        else -> ourSemaphore.core
    }

    /** The timeout of timed functions. */
    var timeout: Duration = 1.hours

    /** The number of free permits. */
    val free get() = when {
        entry.ofMutex -> if (mutex.isLocked) 0 else 1
        entry.writes -> if (readWrite.isWriteLocked) 0 else 1
        entry.ofPool -> pool.size
        entry.ofResources -> if (resources.isClosed) 1 - resources.lent().size else resources.core.available()
        entry.ofHandOff -> handOff.waitingSenders
        else -> semaphore.availablePermits
    }

    /** Takes everything, without waiting. */
    fun take() = repeat(entry.permits) { assertTrue(tryTakeOne()) }

    /** Takes one permit or element if that needs no wait. */
    fun tryTakeOne() = when {
        entry.ofMutex -> mutex.tryLock()
        entry.writes -> readWrite.tryWriteLock()
        entry.ofPool -> took(pool.tryTake())
        entry.ofResources -> took(tryTakeResource())
        entry.ofHandOff -> took(handOff.tryReceive())
        else -> semaphore.tryAcquire()
    }

    private fun took(element: Any?) = (element != null).also { if (it) taken = element }

    private fun tryTakeResource(): Any? {
        var element: Any? = null
        startInPlace { element = resources.tryTake() }
        return element
    }

    /** Releases what was [taken][take]. */
    fun giveBack() = when {
        entry.ofMutex -> mutex.unlock()
        entry.writes -> readWrite.writeUnlock()
        entry.ofPool -> pool.put(taken!!)
        entry.ofResources -> resources.put(taken!!)
        entry.ofHandOff -> bring(taken!!)
        else -> repeat(entry.permits) { semaphore.release() }
    }

    /** The length of the queue, for an object of ours. */
    val queueLength get() = when {
        entry.ofMutex -> ourMutex.queueLength
        entry.writes -> readWrite.waitingWriters
        entry.ofPool -> pool.queueLength
        entry.ofResources -> resources.queueLength
        entry.ofHandOff -> handOff.waitingReceivers
        else -> ourSemaphore.queueLength
    }

    fun close(cause: Throwable?) = when {
        entry.ofMutex -> ourMutex.close(cause)
        entry.writes -> readWrite.close(cause)
        entry.ofPool -> pool.close(cause)
        entry.ofResources -> resources.close(cause)
        else -> ourSemaphore.close(cause)
    }
}
