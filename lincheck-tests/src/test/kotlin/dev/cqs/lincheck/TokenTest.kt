package dev.cqs.lincheck

import dev.cqs.coroutines.Mutex
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * The tokens of a mutex for coroutines. Threads unlock with any token or without one, whether they have locked or not.
 * `lock` is called without a token: with one, it checks for the token and then waits, in two steps.
 */
@Tag("slow")
class TokenTest {
    @ParameterizedTest
    @EnumSource
    fun tokens(strategy: Strategy) = strategy.verify(Tokens::class, OneToken::class, scenarios = 20)
}

private val TOKENS = listOf(null, "first", "second")

@Param(name = "owner", gen = IntGen::class, conf = "0:2")
class Tokens {
    private val mutex = Mutex()

    @Operation(promptCancellation = true)
    suspend fun lock() = dispatched { mutex.lock() }

    @Operation
    fun tryLock(@Param(name = "owner") owner: Int) = mutex.tryLock(TOKENS[owner])

    @Operation
    fun unlock(@Param(name = "owner") owner: Int) = mutex.unlock(TOKENS[owner])

    @Operation
    fun holdsLock(@Param(name = "owner") owner: Int) = TOKENS[owner]?.let { mutex.holdsLock(it) } ?: mutex.isLocked
}

class OneToken {
    private class Request(val continuation: CancellableContinuation<Unit>) {
        var granted = false
    }

    private val waiting = ArrayList<Request>()
    private var isLocked = false
    private var token = 0

    suspend fun lock() {
        if (tryLock(0)) return
        suspendCancellableCoroutine { continuation ->
            val request = Request(continuation)
            standInForDispatcher(continuation) { if (request.granted) unlock(0) }
            waiting += request
            continuation.invokeOnCancellation { waiting -= request }
        }
    }

    fun tryLock(owner: Int): Boolean {
        check(owner == 0 || owner != token) { "already locked" }
        if (isLocked) return false
        isLocked = true
        token = owner
        return true
    }

    fun unlock(owner: Int) {
        check(isLocked) { "not locked" }
        check(owner == 0 || owner == token) { "locked by another" }
        token = 0
        isLocked = waiting.isNotEmpty()
        waiting.removeFirstOrNull()?.let {
            it.granted = true
            it.continuation.resume(Unit) { _, _, _ -> unlock(0) }
        }
    }

    fun holdsLock(owner: Int) = if (owner == 0) isLocked else token == owner

    override fun equals(other: Any?) = other is OneToken && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(isLocked, token, waiting.size)
}
