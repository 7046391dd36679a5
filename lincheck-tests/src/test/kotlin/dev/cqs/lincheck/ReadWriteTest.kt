package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.sync.ReadWriteMutex
import dev.cqs.threads.ReentrantReadWriteLock
import java.util.concurrent.TimeUnit.NANOSECONDS
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The read-write lock of the library, as the adapters use it. Its specification has the turns and their order in it. */
@Tag("slow")
class ReadWriteTest {
    @ParameterizedTest
    @EnumSource
    fun lockWhoseRequestsAreGivenUp(strategy: Strategy) =
        strategy.verify(LibraryReadWriteLock::class, PhaseFairTurns::class, scenarios = 5) { readWriteCollisions() }

    @ParameterizedTest
    @EnumSource
    fun lockForTwoWritersAndTwoReaders(strategy: Strategy) =
        strategy.verify(LibraryReadWriteLock::class, PhaseFairTurns::class, scenarios = 0) { twoWritersAndTwoReaders() }

    @ParameterizedTest
    @EnumSource
    fun lockForCoroutines(strategy: Strategy) =
        strategy.verify(SuspendingLock::class, SuspendingTurns::class, scenarios = 4)

    @ParameterizedTest
    @EnumSource
    fun lockForCoroutinesThatAreCancelled(strategy: Strategy) =
        strategy.verify(CancellableLock::class, SuspendingTurns::class, scenarios = 4) { actorsPerThread(2) }

    @ParameterizedTest
    @EnumSource
    fun lockForThreads(strategy: Strategy) =
        strategy.verify(GuardedByReadWriteLock::class, Counter::class, scenarios = 4) { actorsPerThread(2) }
}

/**
 * Each thread has one request at a time. [end] gives it up, or if it has been granted, leaves the lock; so its result says
 * whether it has. That a waiter has been told of its grant is no result, because that comes a moment later.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
abstract class ReadWriteOperations {
    private enum class Has { NOTHING, READ, WRITE, REQUEST_TO_READ, REQUEST_TO_WRITE }

    private val states = Array(MOST_THREADS) { Has.NOTHING }

    /** Has the request join its list, or enter. */
    protected abstract fun ask(thread: Int, reads: Boolean)

    /** Has the last request of the thread leave its list, if it still waits. */
    protected abstract fun leave(thread: Int): Boolean

    protected abstract fun tryRead(): Boolean

    protected abstract fun bargeToRead(): Boolean

    protected abstract fun tryWrite(): Boolean

    protected abstract fun unlockRead()

    protected abstract fun unlockWrite()

    protected abstract fun turnIntoReader()

    @Operation
    fun read(@Param(name = "thread") thread: Int): Boolean = request(thread, Has.REQUEST_TO_READ)

    @Operation
    fun write(@Param(name = "thread") thread: Int): Boolean = request(thread, Has.REQUEST_TO_WRITE)

    private fun request(thread: Int, has: Has): Boolean {
        if (states[thread] != Has.NOTHING) return false
        states[thread] = has
        ask(thread, has == Has.REQUEST_TO_READ)
        return true
    }

    @Operation
    fun tryRead(@Param(name = "thread") thread: Int): Boolean =
        states[thread] == Has.NOTHING && tryRead().also { if (it) states[thread] = Has.READ }

    @Operation
    fun bargeToRead(@Param(name = "thread") thread: Int): Boolean =
        states[thread] == Has.NOTHING && bargeToRead().also { if (it) states[thread] = Has.READ }

    @Operation
    fun tryWrite(@Param(name = "thread") thread: Int): Boolean =
        states[thread] == Has.NOTHING && tryWrite().also { if (it) states[thread] = Has.WRITE }

    /** Whether the thread had the lock. */
    @Operation
    fun end(@Param(name = "thread") thread: Int): Boolean {
        val had = settle(thread)
        states[thread] = Has.NOTHING
        when (had) {
            Has.READ -> unlockRead()
            Has.WRITE -> unlockWrite()
            else -> return false
        }
        return true
    }

    /** Whether the thread had the write lock. */
    @Operation
    fun downgrade(@Param(name = "thread") thread: Int): Boolean {
        states[thread] = settle(thread)
        if (states[thread] != Has.WRITE) return false
        states[thread] = Has.READ
        turnIntoReader()
        return true
    }

    /** What the thread has, after its request has been given up if that has not been granted. */
    private fun settle(thread: Int): Has = when (val has = states[thread]) {
        Has.REQUEST_TO_READ -> if (leave(thread)) Has.NOTHING else Has.READ
        Has.REQUEST_TO_WRITE -> if (leave(thread)) Has.NOTHING else Has.WRITE
        else -> has
    }

    override fun equals(other: Any?) = other is ReadWriteOperations && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    protected open fun parts(): List<Any> = states.toList()
}

private const val MOST_THREADS = 5

/** What is hard: requests that are given up while their turn comes, with others behind them. */
internal fun Options<*, *>.readWriteCollisions() {
    headWriterGivesUp()
    readerGivesUp()
    writerStopsReader()
    readerBarges()
}

/** The head writer gives up, a reader and sometimes another writer behind it, while the reader before it leaves. */
internal fun Options<*, *>.headWriterGivesUp() {
    for (another in listOf(ReadWriteOperations::write, ReadWriteOperations::tryRead)) {
        addCustomScenario {
            initial {
                actor(ReadWriteOperations::tryRead, 1)
                actor(ReadWriteOperations::write, 2)
                actor(ReadWriteOperations::read, 3)
                actor(another, 4)
            }
            parallel {
                thread { actor(ReadWriteOperations::end, 1) }
                thread {
                    actor(ReadWriteOperations::end, 2)
                    actor(ReadWriteOperations::end, 3)
                }
                thread { actor(ReadWriteOperations::end, 4) }
            }
        }
    }
}

/** A reader gives up as the writer before it leaves, while another comes, and a writer that waits gives up, too. */
internal fun Options<*, *>.readerGivesUp() {
    addCustomScenario {
        initial {
            actor(ReadWriteOperations::tryWrite, 1)
            actor(ReadWriteOperations::read, 2)
            actor(ReadWriteOperations::write, 3)
        }
        parallel {
            thread {
                actor(ReadWriteOperations::end, 1)
                actor(ReadWriteOperations::end, 3)
            }
            thread {
                actor(ReadWriteOperations::end, 2)
                actor(ReadWriteOperations::tryRead, 2)
            }
            thread {
                actor(ReadWriteOperations::read, 4)
                actor(ReadWriteOperations::end, 4)
            }
        }
    }
}

/** A writer stops a thread that tries to read and then wants to write. */
internal fun Options<*, *>.writerStopsReader() {
    addCustomScenario {
        initial { actor(ReadWriteOperations::tryRead, 1) }
        parallel {
            thread { actor(ReadWriteOperations::end, 1) }
            thread {
                actor(ReadWriteOperations::write, 2)
                actor(ReadWriteOperations::end, 2)
            }
            thread {
                actor(ReadWriteOperations::tryRead, 3)
                actor(ReadWriteOperations::write, 3)
                actor(ReadWriteOperations::end, 3)
            }
        }
    }
}

/** A reader barges past a writer that waits, and leaves, while the reader before it leaves; or while the writer gives up. */
internal fun Options<*, *>.readerBarges() {
    for (leaving in listOf(1, 2)) {
        addCustomScenario {
            initial {
                actor(ReadWriteOperations::tryRead, 1)
                actor(ReadWriteOperations::write, 2)
                actor(ReadWriteOperations::read, 3)
            }
            parallel {
                thread { actor(ReadWriteOperations::end, leaving) }
                thread {
                    actor(ReadWriteOperations::bargeToRead, 4)
                    actor(ReadWriteOperations::end, 4)
                }
                thread {
                    actor(ReadWriteOperations::end, 3)
                    actor(ReadWriteOperations::bargeToRead, 3)
                }
            }
        }
    }
}

private fun Options<*, *>.twoWritersAndTwoReaders() {
    for (holds in listOf(ReadWriteOperations::tryRead, ReadWriteOperations::tryWrite)) {
        addCustomScenario {
            initial { actor(holds, 1) }
            parallel {
                thread {
                    actor(ReadWriteOperations::downgrade, 1)
                    actor(ReadWriteOperations::end, 1)
                }
                thread {
                    actor(ReadWriteOperations::write, 2)
                    actor(ReadWriteOperations::end, 2)
                }
                thread {
                    actor(ReadWriteOperations::read, 3)
                    actor(ReadWriteOperations::end, 3)
                }
                thread {
                    actor(ReadWriteOperations::read, 4)
                    actor(ReadWriteOperations::end, 4)
                }
            }
        }
    }
    addCustomScenario {
        parallel {
            for ((thread, ask) in listOf(
                ReadWriteOperations::write,
                ReadWriteOperations::write,
                ReadWriteOperations::read,
                ReadWriteOperations::read,
            ).withIndex()) {
                thread {
                    actor(ask, thread + 1)
                    actor(ReadWriteOperations::end, thread + 1)
                }
            }
        }
    }
}

class LibraryReadWriteLock : ReadWriteOperations() {
    private class Request : Waiter() {
        override fun tryResume(value: Any) = true

        fun giveUp() = cancel()
    }

    private val lock = ReadWriteMutex()
    private val requests = arrayOfNulls<Request>(MOST_THREADS)

    override fun ask(thread: Int, reads: Boolean) {
        val request = Request()
        requests[thread] = request
        if (reads) lock.readLock(request) { _, same -> same } else lock.writeLock(request) { _, same -> same }
    }

    override fun leave(thread: Int) = requests[thread]!!.giveUp()

    override fun tryRead() = lock.tryReadLock()

    override fun bargeToRead() = lock.tryReadLockBarging()

    override fun tryWrite() = lock.tryWriteLock()

    override fun unlockRead() = lock.unlockRead()

    override fun unlockWrite() = lock.unlockWrite()

    override fun turnIntoReader() = lock.downgrade()

    /** All leave, and nothing is left. */
    @Validate
    fun endsFree() {
        for (thread in 1 until MOST_THREADS) end(thread)
        check(lock.tryWriteLock()) { "not free: $lock" }
        lock.unlockWrite()
    }
}

/** The same once more, by lists, to put defects into. */
abstract class PhaseFairLines : ReadWriteOperations() {
    protected var writing = false
    protected var reading = 0
    protected val readers = ArrayList<Int>()
    protected val writers = ArrayList<Int>()

    override fun ask(thread: Int, reads: Boolean) {
        if (reads) askToRead(thread) else askToWrite(thread)
    }

    private fun askToRead(thread: Int) {
        if (!tryRead()) readers += thread
    }

    protected open fun askToWrite(thread: Int) {
        if (!tryWrite()) writers += thread
    }

    override fun leave(thread: Int): Boolean {
        val head = writers.firstOrNull() == thread
        val wrote = writers.remove(thread as Any)
        if (wrote && !writing) writerHasLeft(head)
        return wrote || readerLeaves(thread)
    }

    protected open fun readerLeaves(thread: Int) = readers.remove(thread as Any)

    /** From its list, while readers hold the lock. */
    protected open fun writerHasLeft(wasHead: Boolean) {
        if (wasHead || writers.isEmpty()) letReadersIn()
    }

    override fun tryRead(): Boolean {
        if (writing || writers.isNotEmpty()) return false
        reading++
        return true
    }

    override fun bargeToRead(): Boolean {
        if (writing) return false
        reading++
        return true
    }

    override fun tryWrite(): Boolean {
        if (writing || reading > 0 || writers.isNotEmpty()) return false
        writing = true
        return true
    }

    override fun unlockRead() {
        reading--
        letWriterIn()
    }

    override fun unlockWrite() {
        writing = false
        letReadersIn()
        letWriterIn()
    }

    override fun turnIntoReader() {
        writing = false
        reading++
        letReadersIn()
    }

    protected open fun letReadersIn() {
        reading += readers.size
        readers.clear()
    }

    private fun letWriterIn() {
        if (reading == 0 && writers.isNotEmpty()) {
            writing = true
            writers.removeAt(0)
        }
    }

    override fun parts() = super.parts() + listOf(writing, reading, readers, writers)
}

/** The specification: what they do one at a time. */
class PhaseFairTurns : PhaseFairLines()

/** Several threads at a time. */
abstract class GuardedReadWriteLock : PhaseFairLines() {
    override fun ask(thread: Int, reads: Boolean) = synchronized(this) { super.ask(thread, reads) }

    override fun leave(thread: Int) = synchronized(this) { super.leave(thread) }

    override fun tryRead() = synchronized(this) { super.tryRead() }

    override fun bargeToRead() = synchronized(this) { super.bargeToRead() }

    override fun tryWrite() = synchronized(this) { super.tryWrite() }

    override fun unlockRead() = synchronized(this) { super.unlockRead() }

    override fun unlockWrite() = synchronized(this) { super.unlockWrite() }

    override fun turnIntoReader() = synchronized(this) { super.turnIntoReader() }
}

class PlainReadWriteLock : GuardedReadWriteLock()

class ForgetsTheReaders : GuardedReadWriteLock() {
    override fun writerHasLeft(wasHead: Boolean) {}
}

class RemembersAtTheLast : GuardedReadWriteLock() {
    override fun writerHasLeft(wasHead: Boolean) {
        if (writers.isEmpty()) letReadersIn()
    }
}

class TriesPastWriters : GuardedReadWriteLock() {
    override fun tryRead() = synchronized(this) {
        if (!writing) reading++
        !writing
    }
}

/** A reader that barges in looks whether anybody writes, and enters a moment later. */
class BargesInOnAWriter : GuardedReadWriteLock() {
    override fun bargeToRead(): Boolean {
        if (synchronized(this) { writing }) return false
        synchronized(this) { reading++ }
        return true
    }
}

/** A turn is a number of read locks, taken by the threads that come to fetch them first. */
class SlipsIn : GuardedReadWriteLock() {
    private var toBeFetched = 0

    override fun letReadersIn() {
        reading += readers.size
        toBeFetched += readers.size
    }

    override fun readerLeaves(thread: Int): Boolean {
        val inLine = readers.remove(thread as Any)
        if (inLine && readers.size >= toBeFetched) return true // there is another one for each
        if (inLine) toBeFetched--
        return false
    }
}

/** It stops readers at once, and takes its place a moment later. */
class CountsFirst : GuardedReadWriteLock() {
    private var counted = 0

    override fun ask(thread: Int, reads: Boolean) {
        if (!reads) synchronized(this) { counted++ }
        synchronized(this) {
            if (!reads) counted--
            super.ask(thread, reads)
        }
    }

    override fun tryRead() = synchronized(this) { counted == 0 && super.tryRead() }
}

// Coroutines

/** Nobody is cancelled. */
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
 * All are cancelled, promptly too. A coroutine ends its cancelled request before a lock that it was granted in the same
 * moment is back, so nobody here asks whether the lock is free.
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
        letReadersIn()
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
        if (writers.remove(request) && !writing && (head || writers.isEmpty())) letReadersIn()
    }

    private fun leave(asReader: Boolean) {
        if (asReader) {
            reading--
        } else {
            writing = false
            letReadersIn()
        }
        if (reading == 0 && writers.isNotEmpty()) {
            writing = true
            grant(writers.removeAt(0))
        }
    }

    private fun letReadersIn() {
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

// Threads

class GuardedByReadWriteLock {
    private val lock = ReentrantReadWriteLock()
    private var value = 0

    @Operation(blocking = true)
    fun increment(): Int {
        lock.writeLock().lock()
        return (++value).also { lock.writeLock().unlock() }
    }

    @Operation(blocking = true)
    fun read(): Int {
        lock.readLock().lock()
        lock.readLock().lockInterruptibly()
        lock.readLock().unlock()
        return value.also { lock.readLock().unlock() }
    }

    /** Whether it comes to its turn in time is not specified. */
    @Operation(blocking = true)
    fun readInTime() {
        if (lock.writeLock().tryLock(1, NANOSECONDS)) {
            lock.downgrade()
            lock.readLock().unlock()
        }
    }

    @Validate
    fun isFree() = check(lock.readLockCount == 0 && !lock.isWriteLocked && !lock.hasQueuedThreads())
}
