package dev.cqs.lincheck

import dev.cqs.Waiter
import dev.cqs.sync.ReadWriteMutex
import dev.cqs.threads.ReentrantReadWriteLock
import java.util.concurrent.TimeUnit.NANOSECONDS
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** The read-write lock of the core. Its specification includes the turns and their order. */
@Tag("slow")
class ReadWriteTest {
    @ParameterizedTest
    @EnumSource
    fun lockWithCancelledRequests(strategy: Strategy) =
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
 * Each thread has one request at a time. [end] cancels it or, if it was granted, unlocks. So its result says whether it
 * was granted. Whether the waiter was resumed is not a result, because the resume comes after the grant.
 */
@Param(name = "thread", gen = ThreadIdGen::class)
abstract class ReadWriteOperations {
    private enum class Has { NOTHING, READ, WRITE, REQUEST_TO_READ, REQUEST_TO_WRITE }

    private val states = Array(MOST_THREADS) { Has.NOTHING }

    /** Enqueues the request, or enters. */
    protected abstract fun beginRequest(thread: Int, reads: Boolean)

    /** Cancels the last request of the thread, if it still waits. */
    protected abstract fun leave(thread: Int): Boolean

    protected abstract fun tryRead(): Boolean

    protected abstract fun bargeToRead(): Boolean

    protected abstract fun tryWrite(): Boolean

    protected abstract fun unlockRead()

    protected abstract fun unlockWrite()

    protected abstract fun downgradeHeld()

    @Operation
    fun read(@Param(name = "thread") thread: Int): Boolean = request(thread, Has.REQUEST_TO_READ)

    @Operation
    fun write(@Param(name = "thread") thread: Int): Boolean = request(thread, Has.REQUEST_TO_WRITE)

    private fun request(thread: Int, has: Has): Boolean {
        if (states[thread] != Has.NOTHING) return false
        states[thread] = has
        beginRequest(thread, has == Has.REQUEST_TO_READ)
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

    /** Returns whether the thread held the lock. */
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

    /** Returns whether the thread held the write lock. */
    @Operation
    fun downgrade(@Param(name = "thread") thread: Int): Boolean {
        states[thread] = settle(thread)
        if (states[thread] != Has.WRITE) return false
        states[thread] = Has.READ
        downgradeHeld()
        return true
    }

    /** Cancels the request of the thread, unless it was granted, and returns what the thread holds. */
    private fun settle(thread: Int): Has = when (val has = states[thread]) {
        Has.REQUEST_TO_READ -> if (leave(thread)) Has.NOTHING else Has.READ
        Has.REQUEST_TO_WRITE -> if (leave(thread)) Has.NOTHING else Has.WRITE
        else -> has
    }

    override fun equals(other: Any?) = other is ReadWriteOperations && parts() == other.parts()

    override fun hashCode() = parts().hashCode()

    protected open fun parts(): List<Any> = states.toList()
}

internal const val MOST_THREADS = 5

/** The difficult scenarios: requests that are cancelled as their turn comes, with others behind them. */
internal fun Options<*, *>.readWriteCollisions() {
    cancelledHeadWriter()
    cancelledReader()
    writerStopsReader()
    readerBarges()
}

/**
 * The head writer is cancelled while the reader before it unlocks. A reader, and sometimes a writer, wait behind it.
 */
internal fun Options<*, *>.cancelledHeadWriter() {
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

/**
 * A reader is cancelled as the writer before it unlocks, while another arrives, and a waiting writer is cancelled, too.
 */
internal fun Options<*, *>.cancelledReader() {
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

/**
 * A reader barges past a waiting writer and unlocks, while the reader before it unlocks, or while the writer is
 * cancelled.
 */
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
            for ((thread, beginRequest) in listOf(
                ReadWriteOperations::write,
                ReadWriteOperations::write,
                ReadWriteOperations::read,
                ReadWriteOperations::read,
            ).withIndex()) {
                thread {
                    actor(beginRequest, thread + 1)
                    actor(ReadWriteOperations::end, thread + 1)
                }
            }
        }
    }
}

class LibraryReadWriteLock : ReadWriteOperations() {
    private class Request : Waiter() {
        override fun tryResume(value: Any) = true

        fun cancelRequest() = cancel()
    }

    private val lock = ReadWriteMutex()
    private val requests = arrayOfNulls<Request>(MOST_THREADS)

    override fun beginRequest(thread: Int, reads: Boolean) {
        val request = Request()
        requests[thread] = request
        if (reads) lock.readLock(request) { _, same -> same } else lock.writeLock(request) { _, same -> same }
    }

    override fun leave(thread: Int) = requests[thread]!!.cancelRequest()

    override fun tryRead() = lock.tryReadLock()

    override fun bargeToRead() = lock.tryReadLockBarging()

    override fun tryWrite() = lock.tryWriteLock()

    override fun unlockRead() = lock.unlockRead()

    override fun unlockWrite() = lock.unlockWrite()

    override fun downgradeHeld() = lock.downgrade()

    /** All holders unlock, and the lock is free. */
    @Validate
    fun endsFree() {
        for (thread in 1 until MOST_THREADS) end(thread)
        check(lock.tryWriteLock()) { "the lock is not free: $lock" }
        lock.unlockWrite()
    }
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

    /** Whether it gets the lock in time is not specified. */
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
