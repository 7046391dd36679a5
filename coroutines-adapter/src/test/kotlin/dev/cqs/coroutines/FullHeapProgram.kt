package dev.cqs.coroutines

import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.createCoroutine
import kotlin.coroutines.resume
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * A program whose heap is full while a coroutine is served, is cancelled or begins to wait. [FullHeapCoroutinesTest]
 * starts it. The code of kotlinx.coroutines was executed before, ours was not.
 */
internal object FullHeapProgram {
    /**
     * The [hit] runs with a full heap in a thread of its own, which may need memory to end. Afterwards [check] runs.
     */
    private class Case(val hit: () -> Unit, val check: (Throwable?) -> Unit)

    private class Node(@Suppress("unused") val below: Any?)

    private val cases: Map<String, () -> Case> = mapOf(
        "unlock without a dispatcher" to { unlock(null) },
        "unlock of a coroutine that is unconfined" to { unlock(Dispatchers.Unconfined) },
        "lock that must wait" to ::lockThatMustWait,
        "cancellation of a lock" to ::cancelledLock,
        "cancellation of an acquire of several" to ::cancelledAcquire,
        "cancellation of a wait for a signal" to ::cancelledAwait,
        "put of an element" to ::put,
        "close of a semaphore" to ::close,
        "unlock that resumes a signalled coroutine" to ::unlockForSignalled,
        "unlock that resumes a signalled coroutine with a token" to ::unlockForSignalledWithToken,
        "unlock for writing that resumes a signalled coroutine" to ::unlockForSignalledWriter,
        "arrival of the last party" to ::lastArrival,
        "reset of a barrier" to ::reset,
    )

    val names get() = cases.keys

    @Volatile
    private var filling: Any? = null

    @Volatile
    private var thrown: Throwable? = null

    @JvmStatic
    fun main(args: Array<String>) {
        warmUp()
        val case = cases.getValue(args[0])()
        val hit = case.hit
        val thread = Thread {
            warmUp() // creates the event loop of unconfined coroutines, one for each thread
            LockSupport.park()
            try {
                hit()
            } catch (e: Throwable) {
                thrown = e
            }
        }
        thread.start()
        await { thread.state == Thread.State.WAITING }
        thread.setUncaughtExceptionHandler { _, e -> thrown = e }
        fill()
        LockSupport.unpark(thread)
        val begin = System.nanoTime()
        while (thread.isAlive && System.nanoTime() - begin < 300_000_000) LockSupport.parkNanos(1_000_000)
        filling = null
        thread.join()
        case.check(thrown)
        println("passed " + args[0])
        System.exit(0)
    }

    private fun fill() {
        var size = 1 shl 18
        while (size > 0) {
            try {
                while (true) {
                    val block = arrayOfNulls<Any>(size)
                    block[0] = filling
                    filling = block
                }
            } catch (_: OutOfMemoryError) {
                size /= 8
            }
        }
        repeat(4) {
            try {
                while (true) filling = Node(filling)
            } catch (_: OutOfMemoryError) {
                // the heap is full
            }
        }
    }

    private fun await(condition: () -> Boolean) {
        while (!condition()) LockSupport.parkNanos(100_000)
    }

    /** Executes code of kotlinx.coroutines only. */
    private fun warmUp() {
        repeat(3) {
            lateinit var waiting: kotlinx.coroutines.CancellableContinuation<Unit>
            val wait = suspend {
                suspendCancellableCoroutine<Unit> { cont ->
                    cont.invokeOnCancellation { }
                    waiting =
                        cont
                }
            }
            start(null, wait)
            waiting.resume(Unit) { _, _, _ -> }
            start(Dispatchers.Unconfined, wait)
            waiting.resume(Unit) { _, _, _ -> }
            start(Dispatchers.Unconfined, wait).cancel()
            waiting.resume(Unit) { _, _, _ -> }
        }
    }

    /** Starts a coroutine, which runs until it suspends. */
    private fun start(dispatcher: kotlinx.coroutines.CoroutineDispatcher?, block: suspend () -> Unit): Job =
        if (dispatcher != null) {
            CoroutineScope(dispatcher).launch(start = CoroutineStart.UNDISPATCHED) { block() }
        } else {
            val job = Job()
            block.createCoroutine(Continuation(EmptyCoroutineContext) { job.complete() }).resume(Unit)
            job
        }

    private fun unlock(dispatcher: kotlinx.coroutines.CoroutineDispatcher?): Case {
        val mutex = Mutex(locked = true)
        var had = false
        start(dispatcher) {
            mutex.lock()
            had = true
        }
        return Case({ mutex.unlock() }) { thrown ->
            check(thrown == null) { "unlock has thrown $thrown" }
            check(had && mutex.isLocked) { "the coroutine has the mutex: $mutex" }
            mutex.unlock()
            assertWorks(mutex)
        }
    }

    private fun lockThatMustWait(): Case {
        val mutex = Mutex(locked = true)
        var had = false
        val block = suspend {
            mutex.lock()
            had = true
        }
        val begin = block.createCoroutine(Continuation(EmptyCoroutineContext) { })
        return Case({ begin.resume(Unit) }) {
            mutex.unlock()
            if (had) mutex.unlock()
            assertWorks(mutex)
        }
    }

    private fun cancelledLock(): Case {
        val mutex = Mutex(locked = true)
        val job = start(Dispatchers.Unconfined) { mutex.lock() }
        return Case({ job.cancel() }) {
            job.cancel() // repeats the cancellation, if there was no memory for it
            check(mutex.queueLength == 0) { "no coroutine waits: $mutex" }
            mutex.unlock()
            assertWorks(mutex)
        }
    }

    private fun cancelledAcquire(): Case {
        val semaphore = Semaphore(3, 2)
        val job = start(Dispatchers.Unconfined) { semaphore.acquire(3) }
        return Case({ job.cancel() }) {
            job.cancel()
            check(semaphore.queueLength == 0 && semaphore.availablePermits == 1) { "no coroutine waits: $semaphore" }
            semaphore.release(2)
            check(semaphore.tryAcquire(3)) { "all are free: $semaphore" }
        }
    }

    private fun cancelledAwait(): Case {
        val mutex = Mutex()
        val condition = mutex.newCondition()
        var held = false
        val job = start(Dispatchers.Unconfined) {
            mutex.lock()
            try {
                condition.await()
            } finally {
                held = mutex.isLocked
                mutex.unlock()
            }
        }
        return Case({ job.cancel() }) {
            job.cancel()
            check(held && condition.queueLength == 0) { "it has reacquired the mutex: $mutex" }
            assertWorks(mutex)
        }
    }

    private fun put(): Case {
        val pool = Pool.queue<String>()
        var taken: String? = null
        start(null) { taken = pool.take() }
        return Case({ pool.put("element") }) { thrown ->
            check(thrown == null) { "put has thrown $thrown" }
            check(taken == "element" && pool.core.size() == 0) { "it was taken: $pool" }
        }
    }

    private fun close(): Case {
        val semaphore = Semaphore(1, 1)
        var failure: Throwable? = null
        start(null) {
            try {
                semaphore.acquire()
            } catch (e: Throwable) {
                failure = e
            }
        }
        return Case({ semaphore.close() }) { thrown ->
            if (thrown != null) semaphore.close()
            check(failure is dev.cqs.sync.ClosedException) { "the wait has failed: $failure" }
        }
    }

    private fun unlockForSignalled(): Case {
        val mutex = Mutex()
        val condition = mutex.newCondition()
        var held = false
        start(null) {
            mutex.lock()
            condition.await()
            held = mutex.isLocked
            mutex.unlock()
        }
        check(mutex.tryLock()) { "await has released the mutex: $mutex" }
        condition.signal()
        return Case({ mutex.unlock() }) { thrown ->
            check(thrown == null) { "unlock has thrown $thrown" }
            check(held) { "it has reacquired the mutex: $mutex" }
            assertWorks(mutex)
        }
    }

    private fun unlockForSignalledWithToken(): Case {
        val mutex = Mutex()
        val condition = mutex.newCondition()
        val token = "token"
        var held = false
        start(null) {
            mutex.lock(token)
            condition.await()
            held = mutex.holdsLock(token)
            mutex.unlock(token)
        }
        check(mutex.tryLock()) { "await has released the mutex: $mutex" }
        condition.signal()
        return Case({ mutex.unlock() }) { thrown ->
            check(thrown == null) { "unlock has thrown $thrown" }
            check(held) { "it has reacquired the mutex with its token: $mutex" }
            assertWorks(mutex)
        }
    }

    private fun unlockForSignalledWriter(): Case {
        val lock = ReadWriteMutex()
        val condition = lock.newCondition()
        var held = false
        start(null) {
            lock.writeLock()
            condition.await()
            held = lock.isWriteLocked
            lock.writeUnlock()
        }
        check(lock.tryWriteLock()) { "await has released the lock: $lock" }
        condition.signal()
        return Case({ lock.writeUnlock() }) { thrown ->
            check(thrown == null) { "writeUnlock has thrown $thrown" }
            check(held) { "it has reacquired the write lock: $lock" }
            check(lock.tryWriteLock()) { "it is free: $lock" }
        }
    }

    private fun lastArrival(): Case {
        val barrier = CyclicBarrier(2)
        var passed = false
        start(null) {
            barrier.await()
            passed = true
        }
        return Case({ barrier.core.tryArrive() }) { thrown ->
            check(thrown == null) { "the arrival has thrown $thrown" }
            check(passed && barrier.waiting == 0) { "the other party has passed: $barrier" }
        }
    }

    /** The party continues when there is memory again: Kotlin needs memory to throw in a coroutine. */
    private fun reset(): Case {
        val barrier = CyclicBarrier(2)
        val later = KeepingDispatcher()
        var failure: Throwable? = null
        start(later) {
            try {
                barrier.await()
            } catch (e: Throwable) {
                failure = e
            }
        }
        return Case({ barrier.reset() }) { thrown ->
            check(thrown == null) { "reset has thrown $thrown" }
            later.task?.run()
            check(failure is java.util.concurrent.BrokenBarrierException) { "the wait has failed: $failure" }
            check(!barrier.isBroken && barrier.waiting == 0) { "a new round: $barrier" }
        }
    }

    /** A dispatcher that keeps the dispatched task without allocating. */
    private class KeepingDispatcher : kotlinx.coroutines.CoroutineDispatcher() {
        @Volatile
        var task: Runnable? = null

        override fun dispatch(context: kotlin.coroutines.CoroutineContext, block: Runnable) {
            task = block
        }
    }

    private fun assertWorks(mutex: Mutex) {
        check(!mutex.isLocked && mutex.queueLength == 0) { "it is free: $mutex" }
        check(mutex.tryLock()) { "it can be locked: $mutex" }
        var served = false
        start(null) {
            mutex.lock()
            served = true
            mutex.unlock()
        }
        mutex.unlock()
        check(served && !mutex.isLocked) { "it is handed over: $mutex" }
    }
}
