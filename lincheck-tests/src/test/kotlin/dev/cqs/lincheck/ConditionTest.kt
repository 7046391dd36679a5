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
 * Timed waits are not model checked: there `System.nanoTime()` always answers the same, so that every loop around
 * `parkNanos` that ends by its deadline is reported as a livelock, the JDK's own `awaitNanos` and five lines without any
 * lock included. Under stress the clock is the real one.
 */
@Tag("slow")
class ConditionTest {
    @ParameterizedTest
    @EnumSource
    fun conditionWhoseWaitersLeave(strategy: Strategy) =
        strategy.verify(OfTheLibrary::class, TwoLines::class, scenarios = 3) {
            actorsPerThread(2)
            signalsAndLeaves()
        }

    @ParameterizedTest
    @EnumSource
    fun closingOfTheMutexWhileOthersAreSignalledAndLeave(strategy: Strategy) =
        strategy.verify(ClosedByAnother::class, Ends::class, scenarios = 0) {
            closings()
        }

    @Test
    fun threadsWhoseWaitsAreTimed() = Strategy.STRESS.verify(Turns::class, Counter::class, scenarios = 4)

    @Test
    fun signalThatStopsAtTheOneThatLeaves() = assertFound(StopsAtTheFirst::class, TwoLines::class, scenarios = 0) {
        signalsAndLeaves()
    }

    @Test
    fun leavingThatTakesTheMovedOneOutOfTheQueueOfTheMutex() =
        assertFound(LeavesAnyQueue::class, TwoLines::class, scenarios = 0) {
            signalsAndLeaves()
        }
}

/** Three wait; two of them leave while two are signalled. */
private fun Options<*, *>.signalsAndLeaves() {
    addCustomScenario {
        initial {
            repeat(3) { actor(ConditionOperations::ask) }
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

/** Two wait; the mutex is closed while the first leaves and one is signalled, or comes. */
private fun Options<*, *>.closings() {
    fun scenario(holder: DSLThreadScenario.() -> Unit) = addCustomScenario {
        initial {
            repeat(2) { actor(ClosedByAnother::ask) }
        }
        parallel {
            thread { holder() }
            thread { actor(ClosedByAnother::leave, 0) }
            thread { actor(ClosedByAnother::close) }
        }
        post {
            actor(ClosedByAnother::ends)
        }
    }
    scenario {
        actor(ClosedByAnother::signal)
        actor(ClosedByAnother::unlock)
    }
    scenario {
        actor(ClosedByAnother::ask)
        actor(ClosedByAnother::signal)
    }
}

/**
 * One thread acts in the name of whoever holds the mutex; the others take waiters back. The results say who has had the
 * mutex, in which order, and who has left. A signal for all is one for each, between which others may leave, so it is no
 * operation here.
 */
@Param(name = "number", gen = IntGen::class, conf = "0:3")
abstract class ConditionOperations {
    /** As a thread or a coroutine waits: for the signal and then for the mutex. */
    protected open class Request(val number: Int, private val granted: (Int) -> Unit) : Waiter() {
        override fun tryResume(value: Any): Boolean {
            granted(number)
            return true
        }

        /** Leaves the queue in which it is. */
        fun leaveAnyQueue() = cancel()
    }

    protected val mutex = Mutex().apply { tryLock() }
    private val requests = AtomicReferenceArray<Request>(10)
    private var asked = 0
    private var holder = NOBODY

    protected abstract fun request(number: Int, granted: (Int) -> Unit): Request

    /** Has it wait for a signal, and gives the mutex up. */
    protected abstract fun await(request: Request)

    protected abstract fun leave(request: Request): Boolean

    @Operation(nonParallelGroup = "holder")
    abstract fun signal()

    /** The number of the request, and who has the mutex next. */
    @Operation(nonParallelGroup = "holder")
    fun ask(): String {
        val request = request(asked++) { holder = it }
        val next = nextHolder { await(request) }
        requests[request.number] = request // from now on it may leave
        return "${request.number} asks, then $next"
    }

    /** Who has the mutex next. */
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

class OfTheLibrary : ConditionOperations() {
    private class OnCondition(number: Int, granted: (Int) -> Unit) :
        Request(number, granted),
        ConditionWaiter {
        override fun fail(closing: Closed) = error("nobody closes this one")
    }

    private val condition = mutex.newCondition()

    override fun request(number: Int, granted: (Int) -> Unit): Request = OnCondition(number, granted)

    override fun await(request: Request) = condition.await(request as OnCondition)

    override fun leave(request: Request) = request.leaveAnyQueue() // which takes it out of that of the condition only

    override fun signal() = condition.signal()
}

/** The same once more, to put defects into. */
abstract class OfTheTest : ConditionOperations() {
    private val queue = object : CancellableQueueSynchronizer<Any>(ASYNC, SIMPLE) {}

    override fun request(number: Int, granted: (Int) -> Unit) = Request(number, granted)

    override fun await(request: Request) {
        queue.suspend(request)
        mutex.unlock()
    }

    override fun leave(request: Request) = queue.cancel(request)

    override fun signal() {
        while (!move(queue.firstWaiter() ?: return)) {
            // it has left: the next one
        }
    }

    protected fun moveFirst() = move(queue.firstWaiter())

    private fun move(waiter: Waiter?): Boolean {
        if (waiter == null || !queue.claim(waiter)) return false
        check(mutex.lock(waiter) { _, same -> same } != null) { "the mutex is held" }
        return true
    }
}

class StopsAtTheFirst : OfTheTest() {
    override fun signal() {
        moveFirst()
    }
}

class LeavesAnyQueue : OfTheTest() {
    override fun leave(request: Request) = request.leaveAnyQueue()
}

/**
 * How everybody's wait ends if the mutex is closed meanwhile. Whoever is signalled, and whoever fails, gets the mutex, once;
 * in which order they do if a signal and the closing overlap is open, so that of the signalled alone counts.
 */
class ClosedByAnother {
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
    private var asked = 0
    private var holders = 1

    @Operation
    fun ask(): Int {
        val request = Request(asked++)
        requests[request.number] = request
        holders = 0
        try {
            condition.await(request)
        } catch (e: ClosedException) {
            holders = 1 // it keeps the mutex
            requests[request.number] = null
            return NOBODY
        }
        try {
            if (mutex.tryLock()) check(++holders == 1) { "not alone" }
        } catch (e: ClosedException) {
            // nobody takes it any more but those that come back
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

    /** If nobody holds the mutex, it is closed, and a signal is for nobody. */
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

    /** All unlock, one after the other. */
    @Operation
    fun ends(): String {
        while (mutex.isLocked) unlock()
        val ends = (0 until asked).mapNotNull { requests[it] }
        for (request in ends) {
            val comesBack = request.end() == "failed" || request.end() == "signalled"
            check(request.grants == if (comesBack) 1 else 0) {
                "${request.number} has had the mutex ${request.grants} times"
            }
        }
        return ends.map { it.end() }.toString() + signalled
    }
}

/** The same, one at a time. */
class Ends {
    private val forSignal = ArrayList<Int>()
    private val signalled = ArrayList<Int>()
    private val ends = ArrayList<String>()
    private var closed = false

    fun ask(): Int {
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

    override fun equals(other: Any?) = other is Ends && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(forSignal, signalled, ends, closed)
}

/** A counter whose readers wait a moment for a signal of those who count. */
class Turns {
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

    /** The signal, the time, or both at once; in any case it holds the lock. */
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

/** What they do one at a time: a line for a signal, and one for the mutex. */
class TwoLines {
    private val forSignal = ArrayList<Int>()
    private val forMutex = ArrayList<Int>()
    private var asked = 0

    fun ask(): String {
        forSignal += asked
        return "${asked++} asks, then " + unlock()
    }

    fun leave(number: Int) = forSignal.remove(number as Any)

    fun signal() {
        if (forSignal.isNotEmpty()) forMutex += forSignal.removeAt(0)
    }

    fun unlock() = if (forMutex.isEmpty()) NOBODY else forMutex.removeAt(0)

    override fun equals(other: Any?) = other is TwoLines && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(forSignal, forMutex, asked)
}
