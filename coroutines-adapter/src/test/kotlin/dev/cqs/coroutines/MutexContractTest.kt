package dev.cqs.coroutines

import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex as KotlinxMutex
import kotlinx.coroutines.sync.withLock
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The contract of `kotlinx.coroutines.sync.Mutex` without waiters. The contract of waiting is in [WaitingContractTest].
 */
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class MutexContractTest {
    /** Tokens that may be equal. A mutex compares tokens by identity. */
    private data class Token(val name: String)

    private val token = Token("a")
    private val equalToken = Token("a")

    // Locked and unlocked

    @ParameterizedTest
    @EnumSource
    fun isUnlockedAtFirst(factory: Factory) {
        assertFalse(factory.mutex().isLocked)
        assertFalse(factory.mutex(locked = false).isLocked)
        assertTrue(factory.mutex().tryLock())
    }

    @ParameterizedTest
    @EnumSource
    fun isLockedAtFirstIfRequested(factory: Factory) {
        val mutex = factory.mutex(locked = true)
        assertTrue(mutex.isLocked)
        assertFalse(mutex.tryLock())
        assertFalse(mutex.tryLock(token))
        assertFalse(mutex.holdsLock(token)) { "it is locked without an owner" }
        assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
        assertTrue(mutex.isLocked)
        mutex.unlock()
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun isLockedBetweenLockAndUnlock(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        for (owner in listOf(null, token)) {
            mutex.lock(owner)
            assertTrue(mutex.isLocked)
            mutex.unlock(owner)
            assertFalse(mutex.isLocked)
            assertTrue(mutex.tryLock(owner))
            assertTrue(mutex.isLocked)
            mutex.unlock(owner)
            assertFalse(mutex.isLocked)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun tryLockFailsWhileTheMutexIsLocked(factory: Factory) {
        val mutex = factory.mutex()
        assertTrue(mutex.tryLock())
        assertFalse(mutex.tryLock())
        assertFalse(mutex.tryLock(token))
        mutex.unlock()
        assertTrue(mutex.tryLock())
    }

    @ParameterizedTest
    @EnumSource
    fun anyCallerMayUnlockWithoutAnOwner(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        launch { mutex.lock() }.join()
        launch { mutex.unlock() }.join()
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun unlockOfAnUnlockedMutexFailsAndChangesNothing(factory: Factory) {
        val mutex = factory.mutex()
        repeat(3) {
            for (owner in listOf(null, token)) {
                val thrown = assertThrows(IllegalStateException::class.java) { mutex.unlock(owner) }
                assertTrue("not locked" in thrown.message!!, thrown.message)
                assertFalse(mutex.isLocked)
                assertFalse(mutex.holdsLock(token))
            }
        }
        assertTrue(mutex.tryLock())
        assertFalse(mutex.tryLock()) { "it can be locked once only" }
        mutex.unlock()
        assertFalse(mutex.isLocked)
    }

    // Tokens

    @ParameterizedTest
    @EnumSource
    fun holdsLockIsTrueForTheTokenOfTheLockOnly(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        assertFalse(mutex.holdsLock(token))
        for (lock in mutex.waysToLock()) {
            lock(token)
            assertTrue(mutex.holdsLock(token))
            assertFalse(mutex.holdsLock(equalToken)) { "an equal token is another token" }
            mutex.unlock(token)
            assertFalse(mutex.holdsLock(token))
            lock(null)
            assertFalse(mutex.holdsLock(token))
            mutex.unlock()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun aSecondLockWithTheSameTokenFails(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        assertTrue(mutex.tryLock(token))
        for (lock in mutex.waysToLock()) {
            val thrown = runCatching { lock(token) }.exceptionOrNull()!!
            assertEquals(IllegalStateException::class.java, thrown.javaClass)
            assertTrue("already locked" in thrown.message!! && token.toString() in thrown.message!!, thrown.message)
            assertTrue(mutex.holdsLock(token))
        }
        assertFalse(mutex.tryLock(equalToken))
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun unlockWithAnotherTokenFailsAndChangesNothing(factory: Factory) {
        val mutex = factory.mutex()
        assertTrue(mutex.tryLock(token))
        for (other in listOf(equalToken, "another")) {
            val thrown = assertThrows(IllegalStateException::class.java) { mutex.unlock(other) }
            assertTrue(
                "locked by $token" in thrown.message!! && "$other is expected" in thrown.message!!,
                thrown.message,
            )
            assertTrue(mutex.isLocked)
            assertTrue(mutex.holdsLock(token))
        }
        mutex.unlock(token)
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun unlockWithATokenFailsIfThereIsNoOwner(factory: Factory) {
        val mutex = factory.mutex()
        assertTrue(mutex.tryLock())
        assertThrows(IllegalStateException::class.java) { mutex.unlock(token) }
        assertTrue(mutex.isLocked)
        mutex.unlock()
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun unlockWithoutATokenUnlocksAnyMutex(factory: Factory) {
        val mutex = factory.mutex()
        assertTrue(mutex.tryLock(token))
        mutex.unlock()
        assertFalse(mutex.isLocked)
        assertFalse(mutex.holdsLock(token))
        assertTrue(mutex.tryLock(token)) { "the token can be used again" }
    }

    @ParameterizedTest
    @EnumSource
    fun aTokenMayBeUsedForSeveralMutexes(factory: Factory) {
        val mutexes = List(2) { factory.mutex() }
        mutexes.forEach { assertTrue(it.tryLock(token)) }
        mutexes[0].unlock(token)
        assertTrue(mutexes[1].holdsLock(token))
    }

    // withLock

    @ParameterizedTest
    @EnumSource
    fun withLockReturnsWhatTheActionReturns(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        for (owner in listOf(null, token)) {
            val result = mutex.withLock(owner) {
                assertTrue(mutex.isLocked)
                assertEquals(owner != null, mutex.holdsLock(token))
                token
            }
            assertSame(token, result)
            assertFalse(mutex.isLocked)
        }
        assertNull(mutex.withLock { null })
    }

    @ParameterizedTest
    @EnumSource
    fun withLockUnlocksAfterAnExceptionOrANonLocalReturn(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        val failure = Error()
        assertSame(failure, runCatching { mutex.withLock(token) { throw failure } }.exceptionOrNull())
        assertFalse(mutex.isLocked)
        for (turn in 1..2) {
            mutex.withLock { continue }
        }
        assertFalse(mutex.isLocked)
    }

    @ParameterizedTest
    @EnumSource
    fun withLockFailsIfTheActionHasUnlocked(factory: Factory) = runBlocking {
        val mutex = factory.mutex()
        val thrown = runCatching { mutex.withLock(token) { mutex.unlock() } }.exceptionOrNull()
        assertEquals(IllegalStateException::class.java, thrown?.javaClass)
        assertFalse(mutex.isLocked)
    }

    // Select

    @Test
    @Suppress("DEPRECATION")
    fun onLockThrowsAnExceptionThatSaysWhy() {
        val mutex: KotlinxMutex = Mutex()
        val thrown = assertThrows(UnsupportedOperationException::class.java) { mutex.onLock }
        assertTrue("select clauses cannot be implemented outside" in thrown.message!!, thrown.message)
        assertFalse(mutex.isLocked)
    }

    private fun KotlinxMutex.waysToLock(): List<suspend (Any?) -> Unit> =
        listOf({ lock(it) }, { assertTrue(tryLock(it)) })
}
