package dev.cqs.coroutines

import kotlinx.coroutines.sync.Mutex as KotlinxMutex
import kotlinx.coroutines.sync.Semaphore as KotlinxSemaphore

/** The library that makes the object under test: ours or kotlinx.coroutines. A contract test must hold for both. */
enum class Factory {
    CQS {
        override fun mutex() = Mutex()
        override fun mutex(locked: Boolean) = Mutex(locked)
        override fun semaphore(permits: Int) = Semaphore(permits)
        override fun semaphore(permits: Int, acquired: Int) = Semaphore(permits, acquired)
    },
    KOTLINX {
        override fun mutex() = KotlinxMutex()
        override fun mutex(locked: Boolean) = KotlinxMutex(locked)
        override fun semaphore(permits: Int) = KotlinxSemaphore(permits)
        override fun semaphore(permits: Int, acquired: Int) = KotlinxSemaphore(permits, acquired)
    }, ;

    abstract fun mutex(): KotlinxMutex
    abstract fun mutex(locked: Boolean): KotlinxMutex
    abstract fun semaphore(permits: Int): KotlinxSemaphore
    abstract fun semaphore(permits: Int, acquired: Int): KotlinxSemaphore
}
