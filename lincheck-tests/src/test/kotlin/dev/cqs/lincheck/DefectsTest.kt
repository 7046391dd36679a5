package dev.cqs.lincheck

import dev.cqs.CancellationMode.SIMPLE
import dev.cqs.CancellationMode.SMART
import dev.cqs.ResumeMode
import dev.cqs.ResumeMode.ASYNC
import dev.cqs.ResumeMode.SYNC
import dev.cqs.Waiter
import org.jetbrains.lincheck.datastructures.Options
import org.junit.jupiter.api.Test

/**
 * Semaphores and read-write locks with known defects, which Lincheck must find with the scenarios of the other tests.
 */
class DefectsTest {
    /**
     * A release leaves the permit in the cell of an acquire that has not suspended yet, where tryAcquire cannot see it.
     */
    @Test
    fun tryAcquireWithAsynchronousResumptionAndSimpleCancellation() =
        assertFound(AsyncSimpleTryAcquire::class, OnePermit::class, scenarios = 0) {
            slides()
        }

    @Test
    fun tryAcquireWithAsynchronousResumptionAndSmartCancellation() =
        assertFound(AsyncSmartTryAcquire::class, OnePermit::class, scenarios = 0) {
            slides()
        }

    @Test
    fun tryAcquireWithSynchronousResumptionIsCorrect() =
        Strategy.MODEL_CHECKING.verify(SyncSmartTryAcquire::class, OnePermit::class) {
            slides()
        }

    @Test
    fun cancellationThatAlwaysSkips() = assertFound(SkipsAlways::class, OnePermit::class)

    @Test
    fun cancellationAfterTheResumeThatKeepsThePermit() = assertFound(KeepsPermit::class, OnePermit::class)

    @Test
    fun cancelledWaiterThatSwallowsARelease() = assertFound(ForgetsCancelled::class, OnePermit::class)

    @Test
    fun brokenCellThatSwallowsARelease() = assertFound(ForgetsBroken::class, OnePermit::class)

    // Read-write locks

    @Test
    fun readWriteLockWithoutADefectIsCorrect() =
        Strategy.MODEL_CHECKING.verify(PlainReadWriteLock::class, PhaseFairTurns::class, scenarios = 0) {
            readWriteCollisions()
        }

    /** The readers that the writer has stopped stay in their list. */
    @Test
    fun cancelledWriterThatForgetsTheReadersBehindIt() =
        assertFound(ForgetsTheReaders::class, PhaseFairTurns::class, scenarios = 0) { cancelledHeadWriter() }

    /** The readers enter if it was the last writer, but not if it was the first of several. */
    @Test
    fun cancelledHeadWriterThatRemembersThemOnlyIfItIsTheLast() =
        assertFound(RemembersAtTheLast::class, PhaseFairTurns::class, scenarios = 0) { cancelledHeadWriter() }

    /** A reader of the next turn takes the place of a cancelled one, and so overtakes a writer. */
    @Test
    fun readerInThePlaceOfOneThatGivesUp() =
        assertFound(ReaderTakesPlaceOfCancelled::class, PhaseFairTurns::class, scenarios = 0) { cancelledReader() }

    /** A writer that has stopped a reader is overtaken by a later reader. */
    @Test
    fun writerThatIsCountedBeforeItIsInLine() =
        assertFound(WriterCountsBeforeItIsQueued::class, PhaseFairTurns::class, scenarios = 0) { writerStopsReader() }

    @Test
    fun tryToReadThatPassesAWriterThatWaits() =
        assertFound(TriesPastWriters::class, PhaseFairTurns::class, scenarios = 0) { writerStopsReader() }

    @Test
    fun readerThatBargesInOnAWriter() =
        assertFound(BargesInOnAWriter::class, PhaseFairTurns::class, scenarios = 0) { readerBarges() }
}

/**
 * The scenario of "Is this tryAcquire correct?" in Koval and Elizarov's slides of 2020. The permit is taken at the
 * start.
 */
private fun Options<*, *>.slides() {
    addCustomScenario {
        initial {
            actor(SyncSemaphoreOperations::tryAcquire)
        }
        parallel {
            thread {
                actor(AsyncSemaphoreOperations::release)
                actor(SyncSemaphoreOperations::tryAcquire)
                actor(AsyncSemaphoreOperations::acquire)
            }
            thread {
                actor(AsyncSemaphoreOperations::acquire)
            }
        }
    }
}

class AsyncSimpleTryAcquire : SyncSemaphoreOperations(TestSemaphore(1, ASYNC, SIMPLE))

class AsyncSmartTryAcquire : SyncSemaphoreOperations(TestSemaphore(1, ASYNC, SMART))

class SyncSmartTryAcquire : SyncSemaphoreOperations(TestSemaphore(1, SYNC, SMART))

/** Figure 3 of the CQS paper (PLDI 2023): no check whether a resume for the cancelled request was counted already. */
class SkipsAlways :
    AsyncSemaphoreOperations(object : TestSemaphore(1, ASYNC, SMART) {
        override fun onCancellation(waiter: Waiter?): Boolean {
            free.getAndIncrement()
            return true
        }
    })

/** The coroutine is cancelled after it was resumed and before it runs: prompt cancellation. */
class KeepsPermit :
    AsyncSemaphoreOperations(object : TestSemaphore(1, ASYNC, SMART) {
        override fun giveBack() {}
    })

class ForgetsCancelled : AsyncSemaphoreOperations(ForgetfulSemaphore(ASYNC))

class ForgetsBroken : AsyncSemaphoreOperations(ForgetfulSemaphore(SYNC))

private class ForgetfulSemaphore(resume: ResumeMode) : TestSemaphore(1, resume, SIMPLE) {
    override fun release() {
        if (free.getAndIncrement() < 0) resume(PERMIT)
    }
}
