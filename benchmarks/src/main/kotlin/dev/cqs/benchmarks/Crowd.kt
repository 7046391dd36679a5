package dev.cqs.benchmarks

import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import org.openjdk.jmh.infra.Blackhole

/** Coroutines that take turns on something, with a little work in each turn. */
abstract class Crowd(private val coroutines: Int, private val turns: Int) {
    private val scope = CoroutineScope(Dispatchers.Default)
    private var done = CountDownLatch(0)

    /** Takes what there is, and has all coroutines wait for it. They are in the queue when this returns. */
    fun gather() {
        takeAll()
        done = CountDownLatch(coroutines)
        repeat(coroutines) {
            scope.launch(start = CoroutineStart.UNDISPATCHED) {
                // until it suspends it runs here
                repeat(turns) {
                    turn()
                    Blackhole.consumeCPU(WORK)
                }
                done.countDown()
            }
        }
    }

    /** Lets them go, and waits until all are done. */
    fun run() {
        giveAll()
        done.await()
    }

    protected abstract fun takeAll()

    protected abstract fun giveAll()

    protected abstract suspend fun turn()

    companion object {
        /** A few hundred nanoseconds, inside and outside. */
        const val WORK: Long = 100
    }
}

class MutexCrowd(private val mutex: Mutex, coroutines: Int, turns: Int) : Crowd(coroutines, turns) {
    override fun takeAll() = check(mutex.tryLock())

    override fun giveAll() = mutex.unlock()

    override suspend fun turn() {
        mutex.lock()
        Blackhole.consumeCPU(WORK)
        mutex.unlock()
    }
}

class SemaphoreCrowd(private val semaphore: Semaphore, private val permits: Int, coroutines: Int, turns: Int) :
    Crowd(coroutines, turns) {
    override fun takeAll() = repeat(permits) { check(semaphore.tryAcquire()) }

    override fun giveAll() = repeat(permits) { semaphore.release() }

    override suspend fun turn() {
        semaphore.acquire()
        Blackhole.consumeCPU(WORK)
        semaphore.release()
    }
}
