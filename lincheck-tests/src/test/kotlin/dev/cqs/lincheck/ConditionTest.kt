package dev.cqs.lincheck

import dev.cqs.CancellableQueueSynchronizer
import dev.cqs.CancellationMode.SIMPLE
import dev.cqs.ResumeMode.ASYNC
import dev.cqs.Waiter
import dev.cqs.sync.ClosedException
import dev.cqs.sync.ConditionWaiter
import dev.cqs.sync.Mutex
import dev.cqs.sync.WaitFailure.Closed
import dev.cqs.threads.ReentrantLock
import java.util.concurrent.TimeUnit.MICROSECONDS
import java.util.concurrent.atomic.AtomicReferenceArray
import org.jetbrains.lincheck.datastructures.DSLThreadScenario
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * A condition of a mutex.
 *
 * Timed waits are not model checked. There, `System.nanoTime()` always returns the same value, so Lincheck reports
 * every loop around `parkNanos` that ends by its deadline as a livelock, also the JDK's `awaitNanos`. Under stress the
 * clock is real.
 */
@Tag("slow")
class ConditionTest {
    @ParameterizedTest
    @EnumSource
    fun conditionWithCancelledWaiters(strategy: Strategy) =
        strategy.verify(LibraryCondition::class, TwoQueues::class, scenarios = 3) {
            actorsPerThread(2)
            signalsAndLeaves()
        }

    @ParameterizedTest
    @EnumSource
    fun closeOfTheMutexDuringSignalsAndCancellations(strategy: Strategy) =
        strategy.verify(ClosedDuringWaits::class, ClosedDuringWaitsSpecification::class, scenarios = 0) {
            closings()
        }

    @Test
    fun threadsWithTimedWaits() = Strategy.STRESS.verify(TimedWaits::class, Counter::class, scenarios = 4)

    @Test
    fun findsASignalThatStopsAtACancelledWaiter() =
        assertFound(StopsAtCancelledWaiter::class, TwoQueues::class, scenarios = 0) {
            signalsAndLeaves()
        }

    @Test
    fun findsACancellationThatRemovesASignalledWaiterFromTheQueueOfTheMutex() =
        assertFound(CancelsInAnyQueue::class, TwoQueues::class, scenarios = 0) {
            signalsAndLeaves()
        }
}

/** Three wait. Two of them are cancelled while two are signalled. */
private fun Options<*, *>.signalsAndLeaves() {
    addCustomScenario {
        initial {
            repeat(3) { actor(ConditionOperations::beginRequest) }
        }
        parallel {
            thread {
                actor(ConditionOperations::signal)
                actor(ConditionOperations::unlock)
                actor(ConditionOperations::signal)
                actor(ConditionOperations::unlock)
            }
            thread { actor(ConditionOperations::leave, 0) }
            thread { actor(ConditionOperations::leave, 1) }
        }
    }
}

/** Two wait. The mutex is closed while the first is cancelled and one is signalled, or a new one arrives. */
private fun Options<*, *>.closings() {
    fun scenario(holder: DSLThreadScenario.() -> Unit) = addCustomScenario {
        initial {
            repeat(2) { actor(ClosedDuringWaits::beginRequest) }
        }
        parallel {
            thread { holder() }
            thread { actor(ClosedDuringWaits::leave, 0) }
            thread { actor(ClosedDuringWaits::close) }
        }
        post {
            actor(ClosedDuringWaits::ends)
        }
    }
    scenario {
        actor(ClosedDuringWaits::signal)
        actor(ClosedDuringWaits::unlock)
    }
    scenario {
        actor(ClosedDuringWaits::beginRequest)
        actor(ClosedDuringWaits::signal)
    }
}

/**
 * One thread acts in the name of the holder of the mutex. The others cancel waiters. The results say which requests
 * have held the mutex, in which order, and which were cancelled. signalAll is one signal for each waiter, and
 * cancellations may come in between, so it is not an atomic operation and not among these.
 */
@Param(name = "number", gen = IntGen::class, conf = "0:3")
abstract class ConditionOperations {
    /** Waits as a thread or a coroutine does: for the signal and then for the mutex. */
    protected open class Request(val number: Int, private val granted: (Int) -> Unit) : Waiter() {
        override fun tryResume(value: Any): Boolean {
            granted(number)
            return true
        }

        /** Cancels the waiter in the queue in which it is now. */
        fun leaveAnyQueue() = cancel()
    }

    protected val mutex = Mutex().apply { tryLock() }
    private val requests = AtomicReferenceArray<Request>(10)
    private var begun = 0
    private var holder = NOBODY

    protected abstract fun request(number: Int, granted: (Int) -> Unit): Request

    /** Enqueues the request on the condition, and releases the mutex. */
    protected abstract fun await(request: Request)

    protected abstract fun leave(request: Request): Boolean

    @Operation(nonParallelGroup = "holder")
    abstract fun signal()

    /** Begins a wait. The result says the number of the request, and which request holds the mutex next. */
    @Operation(nonParallelGroup = "holder")
    fun beginRequest(): String {
        val request = request(begun++) { holder = it }
        val next = nextHolder { await(request) }
        requests[request.number] = request // from now on it may be cancelled
        return "${request.number} asks, then $next"
    }

    /** Returns the number of the request that holds the mutex next. */
    @Operation(nonParallelGroup = "holder")
    fun unlock(): Int = nextHolder { mutex.unlock() }

    private inline fun nextHolder(unlock: () -> Unit): Int {
        holder = NOBODY
        unlock()
        check(holder != NOBODY || mutex.tryLock()) { "the mutex is lost" }
        return holder
    }

    @Operation
    fun leave(@Param(name = "number") number: Int): Boolean = requests[number]?.let(::leave) ?: false

    @Validate
    fun theMutexIsHeld() = check(mutex.isLocked)
}

private const val NOBODY = -1

class LibraryCondition : ConditionOperations() {
    private class OnCondition(number: Int, granted: (Int) -> Unit) :
        Request(number, granted),
        ConditionWaiter {
        override fun fail(closing: Closed) = error("this mutex is not closed")
    }

    private val condition = mutex.newCondition()

    override fun request(number: Int, granted: (Int) -> Unit): Request = OnCondition(number, granted)

    override fun await(request: Request) = condition.await(request as OnCondition)

    override fun leave(request: Request) = request.leaveAnyQueue() // cancels in the queue of the condition only

    override fun signal() = condition.signal()
}

/** A second implementation, into which the tests put defects. */
abstract class SimpleCondition : ConditionOperations() {
    private val queue = object : CancellableQueueSynchronizer<Any>(ASYNC, SIMPLE) {}

    override fun request(number: Int, granted: (Int) -> Unit) = Request(number, granted)

    override fun await(request: Request) {
        queue.suspend(request)
        mutex.unlock()
    }

    override fun leave(request: Request) = queue.cancel(request)

    override fun signal() {
        while (!move(queue.firstWaiter() ?: return)) {
            // it was cancelled, so the next one
        }
    }

    protected fun moveFirst() = move(queue.firstWaiter())

    private fun move(waiter: Waiter?): Boolean {
        if (waiter == null || !queue.claim(waiter)) return false
        check(mutex.lock(waiter) { _, same -> same } != null) { "the mutex is held" }
        return true
    }
}

class StopsAtCancelledWaiter : SimpleCondition() {
    override fun signal() {
        moveFirst()
    }
}

class CancelsInAnyQueue : SimpleCondition() {
    override fun leave(request: Request) = request.leaveAnyQueue()
}

/**
 * How waits end if the mutex is closed meanwhile. Every signalled and every failed waiter gets the mutex once. If a
 * signal and the close overlap, their order is open, so the results have the order of the signalled waiters only.
 */
class ClosedDuringWaits {
    private inner class Request(val number: Int) :
        Waiter(),
        ConditionWaiter {
        var closing: Closed? = null
        var left = false
        var grants = 0

        override fun fail(closing: Closed) {
            this.closing = closing
        }

        override fun tryResume(value: Any): Boolean {
            check(value === mutex) { "resumed with something else" }
            check(++holders == 1) { "not alone" }
            grants++
            if (closing == null) signalled += number
            return true
        }

        fun leave() = cancel()

        fun end() = if (left) {
            "left"
        } else if (closing != null) {
            "failed"
        } else if (grants == 1) {
            "signalled"
        } else {
            "waits"
        }
    }

    private val mutex = Mutex().apply { tryLock() }
    private val condition = mutex.newCondition()
    private val requests = AtomicReferenceArray<Request>(4)
    private val signalled = ArrayList<Int>()
    private var begun = 0
    private var holders = 1

    @Operation
    fun beginRequest(): Int {
        val request = Request(begun++)
        requests[request.number] = request
        holders = 0
        try {
            condition.await(request)
        } catch (e: ClosedException) {
            holders = 1 // the caller keeps the mutex
            requests[request.number] = null
            return NOBODY
        }
        try {
            if (mutex.tryLock()) check(++holders == 1) { "not alone" }
        } catch (e: ClosedException) {
            // only signalled and failed waiters get the mutex now
        }
        return request.number
    }

    @Operation
    fun leave(number: Int): Boolean {
        val request = requests[number]
        val left = request.leave()
        if (left) request.left = true
        return left
    }

    /** If the mutex is not held, it is closed, and there is no waiter to signal. */
    @Operation
    fun signal() {
        if (mutex.isLocked) condition.signal()
    }

    @Operation
    fun close() = mutex.close(null)

    @Operation
    fun unlock() {
        holders = 0
        mutex.unlock()
    }

    /** All holders unlock, one after the other. */
    @Operation
    fun ends(): String {
        while (mutex.isLocked) unlock()
        val ends = (0 until begun).mapNotNull { requests[it] }
        for (request in ends) {
            val comesBack = request.end() == "failed" || request.end() == "signalled"
            check(request.grants == if (comesBack) 1 else 0) {
                "${request.number} has had the mutex ${request.grants} times"
            }
        }
        return ends.map { it.end() }.toString() + signalled
    }
}

/** The specification of [ClosedDuringWaits]. */
class ClosedDuringWaitsSpecification {
    private val forSignal = ArrayList<Int>()
    private val signalled = ArrayList<Int>()
    private val ends = ArrayList<String>()
    private var closed = false

    fun beginRequest(): Int {
        if (closed) return NOBODY
        forSignal += ends.size
        ends += "waits"
        return ends.size - 1
    }

    fun leave(number: Int) = forSignal.remove(number as Any).also { if (it) ends[number] = "left" }

    fun signal() {
        if (forSignal.isNotEmpty()) signalled += forSignal.removeAt(0).also { ends[it] = "signalled" }
    }

    fun close(): Boolean {
        forSignal.forEach { ends[it] = "failed" }
        forSignal.clear()
        return !closed.also { closed = true }
    }

    fun unlock() {}

    fun ends() = ends.toString() + signalled

    override fun equals(other: Any?) = other is ClosedDuringWaitsSpecification && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(forSignal, signalled, ends, closed)
}

/** A counter whose readers wait for a short time for the signal of a writer. */
class TimedWaits {
    private val lock = ReentrantLock()
    private val condition = lock.newCondition()
    private var value = 0

    @Operation(blocking = true)
    fun increment(): Int {
        lock.lock()
        value++
        condition.signal()
        return value.also { lock.unlock() }
    }

    /** The wait ends by a signal, the timeout, or both. The reader holds the lock in any case. */
    @Operation(blocking = true)
    fun read(): Int {
        lock.lock()
        condition.awaitNanos(2_000)
        check(lock.isHeldByCurrentThread) { "it does not hold the lock" }
        return value.also { lock.unlock() }
    }

    @Operation(blocking = true)
    fun readInTime() {
        lock.lock()
        condition.await(1, MICROSECONDS)
        lock.unlock()
    }

    @Validate
    fun isFree() = check(!lock.isLocked && !lock.hasQueuedThreads()) { "the lock is lost" }
}

/** The specification: one queue for the signal and one for the mutex. */
class TwoQueues {
    private val forSignal = ArrayList<Int>()
    private val forMutex = ArrayList<Int>()
    private var begun = 0

    fun beginRequest(): String {
        forSignal += begun
        return "${begun++} asks, then " + unlock()
    }

    fun leave(number: Int) = forSignal.remove(number as Any)

    fun signal() {
        if (forSignal.isNotEmpty()) forMutex += forSignal.removeAt(0)
    }

    fun unlock() = if (forMutex.isEmpty()) NOBODY else forMutex.removeAt(0)

    override fun equals(other: Any?) = other is TwoQueues && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(forSignal, forMutex, begun)
}
