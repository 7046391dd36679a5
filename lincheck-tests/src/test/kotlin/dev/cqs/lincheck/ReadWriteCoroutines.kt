package dev.cqs.lincheck

import dev.cqs.sync.ReadWriteMutex
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen

// The operations of the read-write lock for coroutines, and their specification.

/** Without cancellation. */
@Param(name = "thread", gen = ThreadIdGen::class)
class SuspendingLock {
    private val lock = ReadWriteMutex()
    private val reads = IntArray(MOST_THREADS)
    private val writes = IntArray(MOST_THREADS)

    @Operation(cancellableOnSuspension = false)
    suspend fun read(@Param(name = "thread") thread: Int) {
        lock.awaitRead()
        reads[thread]++
    }

    @Operation(cancellableOnSuspension = false)
    suspend fun write(@Param(name = "thread") thread: Int) {
        lock.awaitWrite()
        writes[thread]++
    }

    @Operation
    fun tryRead(@Param(name = "thread") thread: Int) = lock.tryReadLock().also { if (it) reads[thread]++ }

    @Operation
    fun bargeToRead(@Param(name = "thread") thread: Int) = lock.tryReadLockBarging().also { if (it) reads[thread]++ }

    @Operation
    fun tryWrite(@Param(name = "thread") thread: Int) = lock.tryWriteLock().also { if (it) writes[thread]++ }

    @Operation
    fun unlockRead(@Param(name = "thread") thread: Int): Boolean {
        if (reads[thread] == 0) return false
        reads[thread]--
        lock.unlockRead()
        return true
    }

    @Operation
    fun unlockWrite(@Param(name = "thread") thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        lock.unlockWrite()
        return true
    }

    @Operation
    fun downgrade(@Param(name = "thread") thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        reads[thread]++
        lock.downgrade()
        return true
    }
}

/**
 * With cancellation, also prompt. A cancelled operation may end before the lock that was granted to it is back, so
 * there are no queries here.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
class CancellableLock {
    private val lock = ReadWriteMutex()
    private val reads = IntArray(MOST_THREADS)
    private val writes = IntArray(MOST_THREADS)

    @Operation(promptCancellation = true)
    suspend fun read(@Param(name = "thread") thread: Int) {
        lock.awaitRead()
        reads[thread]++
    }

    @Operation(promptCancellation = true)
    suspend fun write(@Param(name = "thread") thread: Int) {
        lock.awaitWrite()
        writes[thread]++
    }

    @Operation
    fun unlockRead(@Param(name = "thread") thread: Int): Boolean {
        if (reads[thread] == 0) return false
        reads[thread]--
        lock.unlockRead()
        return true
    }

    @Operation
    fun unlockWrite(@Param(name = "thread") thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        lock.unlockWrite()
        return true
    }
}

open class SuspendingTurns {
    private class Request(val reads: Boolean, val continuation: CancellableContinuation<Unit>) {
        var granted = false
    }

    private val reads = IntArray(MOST_THREADS)
    private val writes = IntArray(MOST_THREADS)
    private var reading = 0
    private var writing = false
    private val readers = ArrayList<Request>()
    private val writers = ArrayList<Request>()

    suspend fun read(thread: Int) {
        if (!mayRead()) await(true) else reading++
        reads[thread]++
    }

    suspend fun write(thread: Int) {
        if (!mayWrite()) await(false) else writing = true
        writes[thread]++
    }

    fun tryRead(thread: Int) = mayRead().also {
        if (it) {
            reading++
            reads[thread]++
        }
    }

    fun bargeToRead(thread: Int) = (!writing).also {
        if (it) {
            reading++
            reads[thread]++
        }
    }

    fun tryWrite(thread: Int) = mayWrite().also {
        if (it) {
            writing = true
            writes[thread]++
        }
    }

    fun unlockRead(thread: Int): Boolean {
        if (reads[thread] == 0) return false
        reads[thread]--
        leave(true)
        return true
    }

    fun unlockWrite(thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        leave(false)
        return true
    }

    fun downgrade(thread: Int): Boolean {
        if (writes[thread] == 0) return false
        writes[thread]--
        reads[thread]++
        writing = false
        reading++
        enterReaders()
        return true
    }

    private fun mayRead() = !writing && writers.isEmpty()

    private fun mayWrite() = !writing && reading == 0 && writers.isEmpty()

    private suspend fun await(reads: Boolean) = suspendCancellableCoroutine<Unit> { continuation ->
        val request = Request(reads, continuation)
        standInForDispatcher(continuation) { if (request.granted) leave(reads) }
        (if (reads) readers else writers) += request
        continuation.invokeOnCancellation { remove(request) }
    }

    private fun remove(request: Request) {
        val head = writers.firstOrNull() === request
        readers.remove(request)
        if (writers.remove(request) && !writing && (head || writers.isEmpty())) enterReaders()
    }

    private fun leave(asReader: Boolean) {
        if (asReader) {
            reading--
        } else {
            writing = false
            enterReaders()
        }
        if (reading == 0 && writers.isNotEmpty()) {
            writing = true
            grant(writers.removeAt(0))
        }
    }

    private fun enterReaders() {
        val turn = readers.toList()
        readers.clear()
        reading += turn.size
        turn.forEach(::grant)
    }

    private fun grant(request: Request) {
        request.granted = true
        request.continuation.resume(Unit) { _, _, _ -> leave(request.reads) }
    }

    override fun equals(other: Any?) = other is SuspendingTurns && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    private fun parts() = listOf(reads.toList(), writes.toList(), reading, writing, readers.size, writers.size)
}
