package dev.cqs.coroutines

import dev.cqs.threads.ReentrantLock
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.locks.Lock
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** The owner of a mutex that callers of all kinds share, and which callers may unlock it. */
class CrossRuntimeOwnershipTest {
    private val core = dev.cqs.sync.Mutex()
    private val lock = ReentrantLock.viewOf(core)
    private val plain = dev.cqs.threads.Mutex.viewOf(core)
    private val mutex = core.asMutex()
    private val token = Any()

    private fun inAnotherThread(action: () -> Unit) {
        val thrown = AtomicReference<Throwable>()
        val thread = SharedKind.PLATFORM.start {
            try {
                action()
            } catch (e: Throwable) {
                thrown.set(e)
            }
        }
        thread.join()
        thrown.get()?.let { throw AssertionError(it) }
    }

    /** Starts a coroutine that runs on the current thread until it suspends, and then on the thread that resumes it. */
    private fun coroutine(action: suspend () -> Unit): Job =
        CoroutineScope(Dispatchers.Unconfined).launch(start = UNDISPATCHED) { action() }

    @Test
    fun onlyTheOwningThreadUnlocksItsMutex() {
        for (view in listOf<Lock>(lock, plain)) {
            view.lock()
            for (owner in listOf(null, token)) {
                val e = assertThrows(IllegalStateException::class.java) { mutex.unlock(owner) }
                if (owner == null) assertTrue(Thread.currentThread().name in e.message!!, e.message)
            }
            runBlocking(Dispatchers.Default) {
                assertThrows(IllegalStateException::class.java) { mutex.unlock() }
            }
            inAnotherThread {
                assertThrows(IllegalMonitorStateException::class.java, lock::unlock)
                assertThrows(IllegalMonitorStateException::class.java, plain::unlock)
                assertThrows(IllegalStateException::class.java) { mutex.unlock() }
            }
            assertSame(Thread.currentThread(), core.owner())
            assertEquals(1, lock.holdCount)
            assertFalse(mutex.holdsLock(token))
            view.unlock()
            assertFalse(mutex.isLocked)
            assertThrows(IllegalStateException::class.java) { mutex.unlock() }
        }
    }

    @Test
    fun noThreadUnlocksAMutexThatACoroutineHolds(): Unit = runBlocking {
        for (owner in listOf(null, token)) {
            mutex.lock(owner)
            assertThreadsCannotUnlock()
            inAnotherThread { assertThreadsCannotUnlock() }
            assertSame(owner, core.ownerToken())
            assertNull(core.owner())
            if (owner != null) {
                assertTrue(mutex.holdsLock(owner))
                assertThrows(IllegalStateException::class.java) { mutex.unlock(Any()) }
            }
            assertTrue(mutex.isLocked)
            mutex.unlock(owner)
            assertNull(core.ownerToken())
            assertFalse(lock.isLocked)
        }
    }

    @Test
    fun noThreadUnlocksAMutexThatItHasHandedToACoroutine() {
        for (owner in listOf(null, token)) {
            lock.lock()
            val job = coroutine { mutex.lock(owner) }
            assertFalse(job.isCompleted)
            lock.unlock() // the coroutine has the mutex now, and has run on this thread
            assertTrue(job.isCompleted)
            assertThreadsCannotUnlock()
            inAnotherThread { assertThreadsCannotUnlock() }
            assertSame(owner, core.ownerToken())
            mutex.unlock(owner)
            assertFalse(core.isLocked)
        }
    }

    private fun assertThreadsCannotUnlock() {
        assertThrows(IllegalMonitorStateException::class.java, lock::unlock)
        assertThrows(IllegalMonitorStateException::class.java, plain::unlock)
        assertFalse(lock.tryLock())
        assertFalse(plain.tryLock())
        assertFalse(lock.isHeldByCurrentThread)
        assertEquals(0, lock.holdCount)
        assertTrue(lock.isLocked)
    }

    @Test
    fun aCoroutineDoesNotInheritTheLockOfTheThreadThatRunsIt() {
        lock.lock()
        assertFalse(mutex.tryLock(), "the thread holds it")
        val job = coroutine {
            assertTrue(lock.isHeldByCurrentThread, "the coroutine runs on the thread that holds it")
            assertFalse(mutex.tryLock(token))
            mutex.lock(token)
        }
        assertFalse(job.isCompleted, "it waits")
        assertEquals(1, mutex.queueLength)
        assertEquals(1, lock.holdCount)
        lock.lock()
        lock.unlock()
        assertFalse(job.isCompleted, "it waits until the last hold is released")
        lock.unlock()
        assertTrue(job.isCompleted)
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
    }

    @Test
    fun aThreadDoesNotInheritTheMutexOfTheCoroutineItRuns(): Unit = runBlocking {
        mutex.lock()
        assertFalse(lock.tryLock())
        inAnotherThread { assertFalse(lock.tryLock()) }
        mutex.unlock()
        assertTrue(lock.tryLock())
        lock.unlock()
    }

    @Test
    fun aGrantHoldsTheMutexWithoutAnOwner() {
        val first = plain.lockAsync().join()
        val second = plain.lockAsync()
        val job = coroutine { mutex.lock(token) }
        for (grant in listOf({ first }, { second.join() })) {
            val held = grant()
            assertThreadsCannotUnlock()
            assertNull(core.owner())
            assertNull(core.ownerToken())
            assertFalse(mutex.holdsLock(token))
            assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
            held.close()
        }
        assertTrue(job.isCompleted)
        assertTrue(mutex.holdsLock(token))
        first.close() // the second close does not affect the next holder
        assertTrue(mutex.holdsLock(token))
        mutex.unlock(token)
        assertFalse(core.isLocked)
    }

    @Test
    fun theOwnerPassesFromHolderToHolderAndIsAlwaysOne() {
        val kinds = SharedKind.of(SharedTarget.MUTEX)
        for (from in kinds) {
            for (to in kinds) {
                val core = SharedTarget.MUTEX.make()
                core.hold()
                // each request checks the owner when it enters and before it leaves
                val first = SharedRequest.queued(core, from, 1)
                val second = SharedRequest.queued(core, to, 1)
                core.release()
                first.leaves()
                second.leaves()
                core.assertIdle()
            }
        }
    }
}
