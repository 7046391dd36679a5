package dev.cqs.coroutines

import dev.cqs.threads.ReentrantReadWriteLock
import java.util.concurrent.TimeUnit
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource

/** Readers and writers. What writers have in common with all exclusive holders is in [WaitingContractTest]. */
@OptIn(ExperimentalCoroutinesApi::class)
@ExtendWith(NoUncaughtExceptions::class)
@Timeout(4 * PATIENCE)
class ReadWriteMutexTest {
    private val manualDispatcher = ManualDispatcher()
    private val lock = ReadWriteMutex()
    private val order = ArrayList<String>()

    /** A coroutine that locks, waits until the test calls [leaves], and unlocks. */
    private inner class AcquiringCoroutine(
        val name: String,
        context: CoroutineContext = manualDispatcher,
        private val way: LockFunction = if (name.startsWith("r")) LockFunction.READ_LOCK else LockFunction.WRITE_LOCK,
        private val timeout: Duration = 1.days,
    ) {
        private val inside = Job()
        var result: Result<Boolean>? = null
            private set
        var entered = false
            private set
        val job: Job = CoroutineScope(context).launch(start = UNDISPATCHED) {
            result = runCatching {
                way.visit(lock, timeout) {
                    entered = true
                    order += name
                    assertEquals(!way.reads, lock.isWriteLocked)
                    assertEquals(way.reads, lock.readLockCount > 0)
                    inside.join()
                }
            }
        }

        fun leaves() {
            isInside()
            inside.complete()
            manualDispatcher.run()
            assertEquals(Result.success(true), result)
        }

        fun waits() = assertTrue(!entered && result == null) { "$name should wait: $entered $result" }

        fun isInside() = assertTrue(entered && result == null) { "$name should be inside: $entered $result" }

        fun isCancelled() {
            assertFalse(entered)
            assertInstanceOf(CancellationException::class.java, result?.exceptionOrNull())
        }

        fun isRefused() {
            assertFalse(entered)
            assertEquals(Result.success(false), result)
        }
    }

    /** The functions that take the lock and may suspend. */
    enum class LockFunction(
        val reads: Boolean,
        private val body: suspend ReadWriteMutex.(Duration, suspend () -> Unit) -> Boolean,
    ) {
        READ_LOCK(true, { _, inside ->
            readLock()
            leaving({ readUnlock() }, inside)
        }),
        READ(true, { _, inside -> read { inside().let { true } } }),
        TRY_READ_LOCK_TIMED(true, { time, inside -> tryReadLock(time) && leaving({ readUnlock() }, inside) }),
        WRITE_LOCK(false, { _, inside ->
            writeLock()
            leaving({ writeUnlock() }, inside)
        }),
        WRITE(false, { _, inside -> write { inside().let { true } } }),
        TRY_WRITE_LOCK_TIMED(false, { time, inside -> tryWriteLock(time) && leaving({ writeUnlock() }, inside) }),
        ;

        val timed get() = this == TRY_READ_LOCK_TIMED || this == TRY_WRITE_LOCK_TIMED

        suspend fun visit(lock: ReadWriteMutex, timeout: Duration, inside: suspend () -> Unit) =
            lock.body(timeout, inside)
    }

    private fun has(readers: Int = 0, writers: Int = 0, held: String) {
        assertEquals(
            listOf(readers, writers),
            listOf(lock.waitingReaders, lock.waitingWriters),
            "waiting readers and writers",
        )
        assertEquals(
            held,
            if (lock.isWriteLocked) {
                "written"
            } else if (lock.readLockCount > 0) {
                "read"
            } else {
                "free"
            },
        )
    }

    private fun assertIdle() {
        assertEquals(0, manualDispatcher.size)
        has(held = "free")
        assertTrue(lock.tryWriteLock())
        lock.writeUnlock()
        assertTrue(lock.tryReadLock())
        lock.readUnlock()
    }

    // Order

    @Test
    fun readersShareItAndWritersExcludeAllOthers() {
        val readers = List(3) { AcquiringCoroutine("r$it") }
        readers.forEach { it.isInside() }
        assertEquals(3, lock.readLockCount)
        val writer = AcquiringCoroutine("w")
        writer.waits()
        readers.forEach { it.leaves() }
        writer.isInside()
        val others = listOf(AcquiringCoroutine("w"), AcquiringCoroutine("r"))
        others.forEach { it.waits() }
        writer.leaves()
        others[0].waits()
        others[1].leaves()
        others[0].leaves()
        assertIdle()
    }

    @Test
    fun readersAndWritersAlternateWhateverTheirOrderOfArrival() {
        val first = AcquiringCoroutine("w0")
        val all = listOf("w1", "w2", "r1", "w3", "r2").associateWith { AcquiringCoroutine(it) }
        has(readers = 2, writers = 3, held = "written")
        first.leaves()
        assertEquals(listOf("w0", "r1", "r2"), order)
        val late = AcquiringCoroutine("r3")
        late.waits() // it waits behind one writer
        all["r1"]!!.leaves()
        all["w1"]!!.waits()
        all["r2"]!!.leaves()
        all["w1"]!!.leaves()
        all["w2"]!!.waits()
        late.leaves() // it has waited for one writer only
        all["w2"]!!.leaves()
        all["w3"]!!.leaves()
        assertEquals(listOf("w0", "r1", "r2", "w1", "r3", "w2", "w3"), order)
        assertIdle()
    }

    @Test
    fun tryFunctionsDoNotBarge() {
        val reader = AcquiringCoroutine("r")
        assertTrue(lock.tryReadLock())
        lock.readUnlock()
        assertFalse(lock.tryWriteLock())
        val writer = AcquiringCoroutine("w")
        assertFalse(lock.tryReadLock() || lock.tryWriteLock())
        reader.leaves()
        assertFalse(lock.tryReadLock() || lock.tryWriteLock())
        writer.leaves()
        assertIdle()
    }

    @Test
    fun aHandedOverLockIsHeldBeforeItsHolderRuns() {
        val writer = AcquiringCoroutine("w")
        val reader = AcquiringCoroutine("r")
        lock.writeUnlock() // in the name of the holder
        assertEquals(1, lock.readLockCount)
        assertFalse(lock.tryWriteLock())
        reader.waits() // it is dispatched and has not run
        manualDispatcher.run()
        assertTrue(lock.tryReadLock())
        lock.readUnlock()
        reader.leaves()
        assertTrue(lock.tryWriteLock())
        writer.leaves()
        assertIdle()
    }

    // Cancellation

    @ParameterizedTest
    @EnumSource
    fun aCancelledWaiterDoesNotChangeTheTurnsOfTheOthers(way: LockFunction) {
        for (position in 0..2) {
            order.clear()
            val holder = AcquiringCoroutine("w0")
            val others = ArrayList<AcquiringCoroutine>()
            var cancelled: AcquiringCoroutine? = null
            for (i in 0..2) {
                if (i == position) cancelled = AcquiringCoroutine("cancelled", way = way)
                others += AcquiringCoroutine("w$i")
                others += AcquiringCoroutine("r$i")
            }
            cancelled!!.job.cancel()
            manualDispatcher.run()
            cancelled.isCancelled()
            has(readers = 3, writers = 3, held = "written")
            holder.leaves()
            for (visit in others.filter { it.name.startsWith("r") }) visit.leaves()
            for (visit in others.filter { it.name.startsWith("w") }) visit.leaves()
            assertEquals(listOf("w0", "r0", "r1", "r2", "w0", "w1", "w2"), order)
            assertIdle()
        }
    }

    @ParameterizedTest
    @EnumSource(names = ["WRITE_LOCK", "WRITE", "TRY_WRITE_LOCK_TIMED"])
    fun aCancelledHeadWriterLetsTheReadersItHasStoppedEnter(way: LockFunction) {
        val reader = AcquiringCoroutine("r0")
        val cancelled = AcquiringCoroutine("cancelled", way = way)
        val next = AcquiringCoroutine("w")
        val stopped = List(40) { AcquiringCoroutine("r") }
        cancelled.job.cancel()
        assertEquals(41, lock.readLockCount) // at once, though another writer waits
        manualDispatcher.run()
        cancelled.isCancelled()
        (stopped + reader).forEach { it.leaves() }
        next.leaves()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource(names = ["WRITE_LOCK", "WRITE", "TRY_WRITE_LOCK_TIMED"])
    fun aWriterCancelledAfterItsGrantLetsTheReadersEnter(way: LockFunction) {
        val reader = AcquiringCoroutine("r0")
        val granted = AcquiringCoroutine("granted", way = way)
        val next = AcquiringCoroutine("w")
        val stopped = List(40) { AcquiringCoroutine("r") }
        lock.readUnlock() // in the name of the holder
        has(readers = 40, writers = 1, held = "written")
        granted.job.cancel()
        manualDispatcher.run()
        granted.isCancelled()
        assertEquals(40, lock.readLockCount)
        assertTrue(lock.tryReadLock().not(), "a writer waits, so no reader enters")
        stopped.forEach { it.leaves() }
        next.isInside()
        next.leaves()
        assertEquals(0, lock.readLockCount)
        assertTrue(lock.tryReadLock()) // what the reader releases below
        reader.leaves()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource(names = ["READ_LOCK", "READ", "TRY_READ_LOCK_TIMED"])
    fun readersCancelledAfterTheirGrantLetTheWriterEnter(way: LockFunction) {
        val holder = AcquiringCoroutine("w0")
        val granted = List(3) { AcquiringCoroutine("granted", way = way) }
        val writer = AcquiringCoroutine("w")
        lock.writeUnlock() // in the name of the holder
        assertEquals(3, lock.readLockCount)
        granted[0].job.cancel()
        granted[2].job.cancel()
        manualDispatcher.run()
        assertEquals(1, lock.readLockCount)
        granted[0].isCancelled()
        granted[2].isCancelled()
        writer.waits()
        granted[1].leaves()
        writer.leaves()
        assertTrue(lock.tryWriteLock()) // what the holder releases below
        holder.leaves()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource
    fun aGrantToACancelledCoroutineLeavesItFreeIfNoOtherWaits(way: LockFunction) {
        assertTrue(lock.tryWriteLock())
        val granted = AcquiringCoroutine("granted", way = way)
        lock.writeUnlock()
        has(held = if (way.reads) "read" else "written")
        granted.job.cancel()
        manualDispatcher.run()
        granted.isCancelled()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource
    fun aCancelledCoroutineEntersAFreeLockAndFailsAtOnceIfItMustWait(way: LockFunction) {
        val cancelled = Job().apply { cancel() }
        val visit = AcquiringCoroutine("visit", manualDispatcher + cancelled, way)
        assertTrue(visit.entered) // and then it suspended inside
        assertInstanceOf(CancellationException::class.java, visit.result!!.exceptionOrNull())
        has(held = "free")
        assertTrue(lock.tryWriteLock())
        val other = AcquiringCoroutine("other", manualDispatcher + cancelled, way)
        manualDispatcher.run()
        other.isCancelled()
        has(held = "written")
        lock.writeUnlock()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource
    fun anExceptionInsideIsThrownAndTheNextEnters(way: LockFunction) {
        val failing = AcquiringCoroutine("failing", way = way)
        val next = listOf(AcquiringCoroutine("w"), AcquiringCoroutine("r"))
        failing.isInside()
        failing.job.cancel()
        manualDispatcher.run()
        assertInstanceOf(CancellationException::class.java, failing.result!!.exceptionOrNull())
        next.sortedBy { if (it.entered) 0 else 1 }.forEach { it.leaves() }
        assertIdle()
    }

    // Timeouts

    @ParameterizedTest
    @EnumSource(names = ["TRY_READ_LOCK_TIMED", "TRY_WRITE_LOCK_TIMED"])
    fun timeoutsOfZeroAndLessDoNotSuspend(way: LockFunction) {
        for (timeout in listOf(Duration.ZERO, (-1).nanoseconds, -Duration.INFINITE)) {
            AcquiringCoroutine("visit", way = way, timeout = timeout).leaves()
            val reader = AcquiringCoroutine("r")
            val writer = AcquiringCoroutine("w")
            AcquiringCoroutine("visit", way = way, timeout = timeout).isRefused()
            reader.leaves()
            AcquiringCoroutine("visit", way = way, timeout = timeout).isRefused()
            writer.leaves()
            assertIdle()
        }
    }

    @ParameterizedTest
    @EnumSource(names = ["TRY_READ_LOCK_TIMED", "TRY_WRITE_LOCK_TIMED"])
    fun aTimedOutWaiterLeavesTheQueue(way: LockFunction) {
        val scheduler = TestCoroutineScheduler()
        assertTrue(lock.tryWriteLock())
        val visit = AcquiringCoroutine("visit", StandardTestDispatcher(scheduler), way, 1.seconds)
        scheduler.advanceTimeBy(1.seconds)
        visit.waits() // the next task is the timeout
        scheduler.runCurrent()
        visit.isRefused()
        lock.writeUnlock()
        assertIdle()
    }

    /** The timeout passes between the grant and the dispatch. */
    @ParameterizedTest
    @EnumSource(names = ["TRY_READ_LOCK_TIMED", "TRY_WRITE_LOCK_TIMED"])
    fun aTimeoutAfterTheGrantGivesTheLockBack(way: LockFunction) {
        val scheduler = TestCoroutineScheduler()
        assertTrue(lock.tryWriteLock())
        val visit = AcquiringCoroutine("visit", StandardTestDispatcher(scheduler), way, 1.seconds)
        scheduler.advanceTimeBy(1.seconds)
        lock.writeUnlock()
        has(held = if (way.reads) "read" else "written")
        scheduler.runCurrent() // the timeout comes before the resumption
        visit.isRefused()
        assertIdle()
    }

    @Test
    fun aTimedOutWriterLetsTheReadersItHasStoppedEnter() {
        val scheduler = TestCoroutineScheduler()
        val reader = AcquiringCoroutine("r0")
        val writer =
            AcquiringCoroutine("visit", StandardTestDispatcher(scheduler), LockFunction.TRY_WRITE_LOCK_TIMED, 1.seconds)
        val next = AcquiringCoroutine("w")
        val stopped = AcquiringCoroutine("r1")
        scheduler.advanceUntilIdle()
        writer.isRefused()
        manualDispatcher.run()
        stopped.leaves()
        reader.leaves()
        next.leaves()
        assertIdle()
    }

    @ParameterizedTest
    @EnumSource(names = ["TRY_READ_LOCK_TIMED", "TRY_WRITE_LOCK_TIMED"])
    fun aCancellationAfterTheDispatchAndBeforeTheReturnGivesTheLockBack(way: LockFunction) {
        val interceptor = Interceptor(keeps = true)
        assertTrue(lock.tryWriteLock())
        val visit = AcquiringCoroutine("visit", interceptor, way)
        lock.writeUnlock()
        val resumption = interceptor.kept.remove()
        visit.job.cancel()
        resumption.resume()
        visit.isCancelled()
        assertIdle()
    }

    // Unlocking

    @Test
    fun unlockOfAFreeLockFailsAndChangesNothing() {
        fun fails(operation: () -> Unit) {
            val before = lock.toString()
            assertThrows(IllegalStateException::class.java) { operation() }
            assertEquals(before, lock.toString())
        }
        for (step in 0..2) {
            if (step == 1) assertTrue(lock.tryReadLock())
            if (step == 2) assertTrue(lock.tryWriteLock())
            if (step != 1) fails { lock.readUnlock() }
            if (step != 2) fails { lock.writeUnlock() }
            if (step != 2) fails { lock.downgrade() }
            if (step == 1) lock.readUnlock()
            if (step == 2) lock.writeUnlock()
            assertIdle()
        }
    }

    @Test
    fun anyCoroutineMayUnlock() {
        assertTrue(lock.tryWriteLock())
        CoroutineScope(Dispatchers.Unconfined).launch { lock.writeUnlock() }
        assertIdle()
    }

    // Downgrade

    @Test
    fun aDowngradeLetsReadersEnterAndNoWriter() {
        assertTrue(lock.tryWriteLock())
        val writer = AcquiringCoroutine("w")
        val reader = AcquiringCoroutine("r")
        lock.downgrade()
        manualDispatcher.run()
        assertEquals(2, lock.readLockCount)
        reader.isInside()
        assertFalse(lock.tryReadLock(), "a writer waits, so no reader enters")
        lock.readUnlock()
        writer.waits()
        reader.leaves()
        writer.leaves()
        assertIdle()
    }

    @Test
    fun aDowngradeWithoutWaitersLeavesAReadLock() {
        assertTrue(lock.tryWriteLock())
        lock.downgrade()
        has(held = "read")
        assertTrue(lock.tryReadLock())
        lock.readUnlock()
        lock.readUnlock()
        assertIdle()
    }

    // Threads

    private val forThreads = ReentrantReadWriteLock.viewOf(lock.core)

    @Test
    fun aCoroutineDoesNotInheritTheWriteLockOfItsThread() {
        forThreads.writeLock().lock()
        assertFalse(lock.tryReadLock() || lock.tryWriteLock())
        val visits =
            listOf(AcquiringCoroutine("r", Dispatchers.Unconfined), AcquiringCoroutine("w", Dispatchers.Unconfined))
        visits.forEach { it.waits() }
        has(readers = 1, writers = 1, held = "written")
        for (operation in listOf<() -> Unit>({ lock.writeUnlock() }, { lock.downgrade() })) {
            val thrown = assertThrows(IllegalStateException::class.java) { operation() }
            assertTrue(Thread.currentThread().name in thrown.message!!, thrown.message)
        }
        assertEquals(1, forThreads.writeHoldCount)
        forThreads.writeLock().unlock()
        visits.forEach { it.leaves() }
        assertIdle()
    }

    @Test
    fun aCoroutineDoesNotInheritTheReadLockOfItsThread() {
        forThreads.readLock().lock()
        val writer = AcquiringCoroutine("w", Dispatchers.Unconfined)
        assertTrue(forThreads.readLock().tryLock(0, TimeUnit.NANOSECONDS), "the thread may reenter")
        assertFalse(lock.tryReadLock())
        val reader = AcquiringCoroutine("r", Dispatchers.Unconfined)
        reader.waits()
        repeat(2) { forThreads.readLock().unlock() }
        writer.leaves()
        reader.leaves()
        assertIdle()
    }

    @Test
    fun aThreadDoesNotInheritTheLocksOfTheCoroutineThatItRuns() {
        assertTrue(lock.tryWriteLock())
        assertFalse(forThreads.writeLock().tryLock() || forThreads.readLock().tryLock())
        assertFalse(forThreads.isWriteLockedByCurrentThread)
        assertThrows(IllegalMonitorStateException::class.java) { forThreads.writeLock().unlock() }
        lock.downgrade()
        assertEquals(0, forThreads.readHoldCount)
        assertThrows(IllegalMonitorStateException::class.java) { forThreads.readLock().unlock() }
        assertEquals(1, lock.readLockCount)
        lock.readUnlock()
        assertIdle()
    }

    @Test
    fun aLockThatAThreadHandsToACoroutineOnItselfIsHeldByTheCoroutine() {
        forThreads.writeLock().lock()
        val writer = AcquiringCoroutine("w", Dispatchers.Unconfined)
        forThreads.writeLock().unlock()
        writer.isInside()
        assertFalse(forThreads.isWriteLockedByCurrentThread)
        writer.leaves()
        assertIdle()
    }

    /** A writer of one kind is the head, and readers of all kinds wait behind it. */
    @Test
    fun aCancelledWriterOfAnyKindLetsReadersOfAllKindsEnter() {
        val kinds = SharedKind.of(SharedTarget.WRITE)
        for (writer in kinds) {
            val core = dev.cqs.sync.ReadWriteMutex()
            val (reads, writes) = listOf(true, false).map { SharedReadWrite(core, it) }
            assertTrue(core.tryReadLock())
            val cancelled = SharedRequest.queued(writes, writer, 1)
            val next = SharedRequest.queued(writes, writer, 1)
            val readers = kinds.map { SharedRequest.queued(reads, it, 1) }
            cancelled.cancel()
            cancelled.endsWith(SharedEnd.CANCELLED)
            readers.forEach { it.endsWith(SharedEnd.GRANTED) }
            core.unlockRead()
            next.stillWaits()
            readers.forEach { it.leaves() }
            next.leaves()
            writes.assertIdle()
        }
    }

    @Test
    fun readersAndWritersOfAllKindsAlternate() {
        val kinds = SharedKind.of(SharedTarget.WRITE)
        val core = dev.cqs.sync.ReadWriteMutex()
        val (reads, writes) = listOf(true, false).map { SharedReadWrite(core, it) }
        assertTrue(core.tryWriteLock())
        val writers = kinds.map { SharedRequest.queued(writes, it, 1) }
        val readers = kinds.map { SharedRequest.queued(reads, it, 1) }
        core.unlockWrite()
        readers.forEach { it.endsWith(SharedEnd.GRANTED) }
        assertEquals(kinds.size, core.readLockCount())
        readers.forEach { it.leaves() }
        writers.forEachIndexed { i, writer ->
            writer.endsWith(SharedEnd.GRANTED)
            writers.drop(i + 1).forEach { it.stillWaits() }
            writer.leaves()
        }
        writes.assertIdle()
    }

    // Views

    @Test
    fun viewsOfOneLockAgree() {
        val other = lock.core.asReadWriteMutex()
        assertSame(lock.core, other.core)
        assertTrue(lock.tryWriteLock())
        assertTrue(other.isWriteLocked)
        AcquiringCoroutine("r")
        AcquiringCoroutine("w")
        assertEquals(listOf(1, 1), listOf(other.waitingReaders, other.waitingWriters))
        assertEquals(lock.toString(), other.toString())
        assertTrue("write locked, 0 read locks, 1 writers and 1 readers waiting" in lock.toString(), lock.toString())
        other.downgrade()
        assertEquals(2, lock.readLockCount)
    }

    // Stacks

    @ParameterizedTest
    @ValueSource(booleans = [true, false])
    fun manyReadersAndWritersOnOneThreadDoNotGrowTheStack(unconfined: Boolean) {
        fun start(body: suspend () -> Unit) {
            if (unconfined) CoroutineScope(Dispatchers.Unconfined).launch { body() } else startInPlace(body)
        }
        val many = 20_000
        var visits = 0
        assertTrue(lock.tryWriteLock())
        repeat(many) {
            start { lock.write { visits++ } }
            start { lock.read { visits++ } }
        }
        lock.writeUnlock()
        assertEquals(2 * many, visits)
        assertIdle()
    }
}

private suspend fun leaving(leave: () -> Unit, inside: suspend () -> Unit): Boolean {
    try {
        inside()
    } finally {
        leave()
    }
    return true
}
