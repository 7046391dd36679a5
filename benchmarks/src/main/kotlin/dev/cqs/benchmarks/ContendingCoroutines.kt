package dev.cqs.benchmarks

import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import org.openjdk.jmh.infra.Blackhole

/** Coroutines that contend for one primitive, with a little work in each turn. */
abstract class ContendingCoroutines(private val coroutines: Int, private val turns: Int) {
    private val scope = CoroutineScope(Dispatchers.Default)
    private var done = CountDownLatch(0)

    /** Takes all permits, and lets all coroutines wait. They are in the queue when this returns. */
    fun gather() {
        takeAll()
        done = CountDownLatch(coroutines)
        repeat(coroutines) {
            scope.launch(start = CoroutineStart.UNDISPATCHED) {
                // runs on this thread until it suspends
                repeat(turns) {
                    turn()
                    Blackhole.consumeCPU(WORK)
                }
                done.countDown()
            }
        }
    }

    /** Releases the permits, and waits until all coroutines are done. */
    fun run() {
        giveAll()
        done.await()
    }

    protected abstract fun takeAll()

    protected abstract fun giveAll()

    protected abstract suspend fun turn()

    companion object {
        /** Some hundred nanoseconds, inside and outside. */
        const val WORK: Long = 100
    }
}

class ContendingForMutex(private val mutex: Mutex, coroutines: Int, turns: Int) :
    ContendingCoroutines(coroutines, turns) {
    override fun takeAll() = check(mutex.tryLock())

    override fun giveAll() = mutex.unlock()

    override suspend fun turn() {
        mutex.lock()
        Blackhole.consumeCPU(WORK)
        mutex.unlock()
    }
}

class ContendingForSemaphore(private val semaphore: Semaphore, private val permits: Int, coroutines: Int, turns: Int) :
    ContendingCoroutines(coroutines, turns) {
    override fun takeAll() = repeat(permits) { check(semaphore.tryAcquire()) }

    override fun giveAll() = repeat(permits) { semaphore.release() }

    override suspend fun turn() {
        semaphore.acquire()
        Blackhole.consumeCPU(WORK)
        semaphore.release()
    }
}
