package dev.cqs.benchmarks

import dev.cqs.coroutines.SynchronousQueue
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine

/** Pairs of coroutines that hand over [transfers] elements in total. */
abstract class Exchanges(private val pairs: Int, private val transfers: Int) {
    private val scope = CoroutineScope(Dispatchers.Default)

    /** Starts the coroutines, and waits until all are done. */
    fun run() {
        val done = CountDownLatch(2 * pairs)
        val each = transfers / pairs
        repeat(pairs) {
            scope.launch {
                repeat(each) { send(this@Exchanges) }
                done.countDown()
            }
            scope.launch {
                repeat(each) { check(receive() === this@Exchanges) }
                done.countDown()
            }
        }
        done.await()
    }

    companion object {
        /** Suspends coroutines that are resumed at once, and by a timer. */
        @JvmStatic
        fun waitInOtherWays() = runBlocking {
            repeat(100_000) { suspendCancellableCoroutine { it.resume(Unit) { _, _, _ -> } } }
            repeat(200) { delay(1) }
        }
    }

    protected abstract suspend fun send(element: Any)

    protected abstract suspend fun receive(): Any
}

class QueueExchanges(fair: Boolean, pairs: Int, transfers: Int) : Exchanges(pairs, transfers) {
    private val queue = SynchronousQueue<Any>(Peers.core(fair))

    override suspend fun send(element: Any) = queue.send(element)

    override suspend fun receive(): Any = queue.receive()
}

class ChannelExchanges(pairs: Int, transfers: Int) : Exchanges(pairs, transfers) {
    private val channel = Channel<Any>(Channel.RENDEZVOUS)

    override suspend fun send(element: Any) = channel.send(element)

    override suspend fun receive(): Any = channel.receive()
}
