package dev.cqs.lincheck

import dev.cqs.CancellationMode.SIMPLE
import dev.cqs.CancellationMode.SMART
import dev.cqs.ResumeMode
import dev.cqs.ResumeMode.ASYNC
import dev.cqs.ResumeMode.SYNC
import dev.cqs.Waiter
import org.jetbrains.lincheck.datastructures.Options
import org.junit.jupiter.api.Test

/** Semaphores and read-write locks with known defects. As long as Lincheck finds these, its silence about the others means something. */
class DefectsTest {
    /** A release leaves the permit for an acquire that has not suspended yet, where tryAcquire cannot see it. */
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

    /** The readers that it has stopped stay where they are. */
    @Test
    fun cancelledWriterThatForgetsTheReadersBehindIt() =
        assertFound(ForgetsTheReaders::class, PhaseFairTurns::class, scenarios = 0) { headWriterGivesUp() }

    /** They are let in if it was the last writer, and not if it was the first of several. */
    @Test
    fun cancelledHeadWriterThatRemembersThemOnlyIfItIsTheLast() =
        assertFound(RemembersAtTheLast::class, PhaseFairTurns::class, scenarios = 0) { headWriterGivesUp() }

    /** A reader of the next turn slips in, past a writer. */
    @Test
    fun readerInThePlaceOfOneThatGivesUp() =
        assertFound(SlipsIn::class, PhaseFairTurns::class, scenarios = 0) { readerGivesUp() }

    /** A writer that has stopped a reader is overtaken by one that came after that. */
    @Test
    fun writerThatIsCountedBeforeItIsInLine() =
        assertFound(CountsFirst::class, PhaseFairTurns::class, scenarios = 0) { writerStopsReader() }

    @Test
    fun tryToReadThatPassesAWriterThatWaits() =
        assertFound(TriesPastWriters::class, PhaseFairTurns::class, scenarios = 0) { writerStopsReader() }

    @Test
    fun readerThatBargesInOnAWriter() =
        assertFound(BargesInOnAWriter::class, PhaseFairTurns::class, scenarios = 0) { readerBarges() }
}

/** The scenario of the slides, "Is this tryAcquire correct?"; the permit is taken at the start. */
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

/** Figure 3 of the paper: nobody looks whether a resume for the cancelled request is under way. */
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
