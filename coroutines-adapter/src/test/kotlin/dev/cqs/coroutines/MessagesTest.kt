package dev.cqs.coroutines

import dev.cqs.sync.ClosedException
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex as KotlinxMutex
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.ExtendWith

/** Messages of exceptions use the words of the caller: the names of the called class and of its parameters. */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(PATIENCE)
class MessagesTest {
    private inline fun <reified X : Exception> assertSays(message: String, crossinline call: suspend () -> Any?) {
        assertEquals(message, assertThrows<X> { runBlocking { call() } }.message)
    }

    @Test
    fun messagesOfTheNumberOfPermits() {
        for (permits in listOf(0, -1)) {
            val says = "A semaphore has at least one permit, but permits is $permits"
            assertSays<IllegalArgumentException>(says) { Semaphore(permits) }
            assertSays<IllegalArgumentException>(says) { Semaphore(permits, 0) }
            val semaphore = Semaphore(2)
            assertSays<IllegalArgumentException>(says) { semaphore.resize(permits) }
            assertEquals(2, semaphore.availablePermits)
        }
        for (acquired in listOf(3, -1)) {
            assertSays<IllegalArgumentException>(
                "acquiredPermits must be between 0 and 2, the number of permits, but is $acquired",
            ) { Semaphore(2, acquired) }
        }
    }

    @Test
    fun messagesOfRequestsAndReleases() {
        val semaphore = Semaphore(2)
        val tooMany = "3 permits were asked for, but the semaphore has no more than 2"
        assertSays<IllegalArgumentException>(tooMany) { semaphore.acquire(3) }
        assertSays<IllegalArgumentException>(tooMany) { semaphore.tryAcquire(3) }
        assertSays<IllegalArgumentException>("the number of permits must not be negative, but is -1") {
            semaphore.acquire(-1)
        }
        val excess = "the semaphore has no more than 2 permits, which the release would exceed"
        assertSays<IllegalStateException>(excess) { semaphore.release() }
        assertSays<IllegalStateException>(excess) { semaphore.release(1) }
        semaphore.resize(2) // upgrades the semaphore
        assertSays<IllegalArgumentException>(tooMany) { semaphore.acquire(3) }
        assertSays<IllegalStateException>(excess) { semaphore.release() }
        assertSays<IllegalStateException>(excess) { semaphore.release(1) }
        assertEquals(2, semaphore.availablePermits)
    }

    /** The same message with and without a token, which is that of kotlinx.coroutines. */
    @Test
    fun messagesOfAFreeMutex() {
        for (mutex in listOf(Mutex(), KotlinxMutex())) {
            assertSays<IllegalStateException>("This mutex is not locked") { mutex.unlock() }
            assertSays<IllegalStateException>("This mutex is not locked") { mutex.unlock(Any()) }
        }
        assertSays<IllegalStateException>("This mutex is not locked") { dev.cqs.sync.Mutex().unlock() }
    }

    @Test
    fun messagesOfAFreeReadWriteMutex() {
        val mutex = ReadWriteMutex()
        assertSays<IllegalStateException>("This mutex is not locked for reading") { mutex.readUnlock() }
        assertSays<IllegalStateException>("This mutex is not locked for writing") { mutex.writeUnlock() }
        assertSays<IllegalStateException>("This mutex is not locked for writing") { mutex.downgrade() }
        runBlocking { mutex.readLock() }
        assertSays<IllegalStateException>("This mutex is not locked for writing") { mutex.writeUnlock() }
        assertSays<IllegalStateException>("This mutex is not locked for writing") { mutex.downgrade() }
        assertEquals(1, mutex.core.readLockCount())
    }

    @Test
    fun messagesOfConditionsOfAFreeMutex() {
        val condition = Mutex().newCondition()
        assertSays<IllegalStateException>("The mutex of this condition is not locked") { condition.await() }
        assertSays<IllegalStateException>("The mutex of this condition is not locked") { condition.signal() }
        val ofWriter = ReadWriteMutex().newCondition()
        assertSays<IllegalStateException>("The write lock of this condition is not locked") { ofWriter.await() }
    }

    @Test
    fun messagesOfPoolsLatchesAndBarriers() {
        assertSays<IllegalArgumentException>("maximum must be positive, but is 0") { ResourcePool(0) { "" } }
        assertSays<IllegalArgumentException>("the count must not be negative, but is -1") { CountDownLatch(-1) }
        assertSays<IllegalArgumentException>("the number of parties must be positive, but is 0") { CyclicBarrier(0) }
        val pool = dev.cqs.pool.ResourcePool.builder<String>(1).build().asResourcePool()
        assertSays<IllegalStateException>("the pool was built without a factory, and cannot make an element") {
            pool.take()
        }
    }

    @Test
    fun messagesOfClosedObjects() {
        val semaphore = Semaphore(1).apply { close() }
        assertSays<ClosedException>("the semaphore is closed") { semaphore.acquire() }
        val mutex = Mutex().apply { close() }
        assertSays<ClosedException>("the mutex is closed") { mutex.lock() }
        val pool = Pool.queue<String>().apply { close() }
        assertSays<ClosedException>("the pool is closed") { pool.take() }
        val queue = SynchronousQueue.fair<String>().apply { close() }
        assertSays<ClosedException>("the synchronous queue is closed") { queue.receive() }
    }
}
