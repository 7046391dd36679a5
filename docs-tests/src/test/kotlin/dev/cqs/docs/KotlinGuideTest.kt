package dev.cqs.docs

import dev.cqs.coroutines.CountDownLatch
import dev.cqs.coroutines.CyclicBarrier
import dev.cqs.coroutines.Mutex
import dev.cqs.coroutines.ReadWriteMutex
import dev.cqs.coroutines.ResourcePool
import dev.cqs.coroutines.Semaphore
import dev.cqs.coroutines.SynchronousQueue
import dev.cqs.coroutines.asMutex
import dev.cqs.coroutines.asSemaphore
import dev.cqs.coroutines.newCondition
import dev.cqs.coroutines.read
import dev.cqs.coroutines.use
import dev.cqs.coroutines.withPermits
import dev.cqs.coroutines.write
import kotlin.concurrent.withLock
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** The Kotlin code of the README and the guide. CodeInDocumentationTest compares the two. */
@Timeout(60)
class KotlinGuideTest {
    private class Shared {
        val core = dev.cqs.sync.Mutex()
        val forCoroutines = core.asMutex() // a kotlinx.coroutines.sync.Mutex
        val forThreads = dev.cqs.threads.ReentrantLock.viewOf(core) // a java.util.concurrent.locks.Lock

        suspend fun update() = forCoroutines.withLock { write() } // a coroutine suspends
        fun updateAndBlock() = forThreads.withLock { write() } // a thread parks, in the same queue

        var written = 0

        private fun write() = written++
    }

    @Test
    fun twoViewsAreOneLock() = runBlocking<Unit> {
        val shared = Shared()
        assertTrue(shared.forThreads.tryLock())
        val suspended = launch { shared.update() }
        while (shared.core.queueLength() == 0) yield()
        assertEquals(0, shared.written, "the coroutine waits for the thread")
        shared.forThreads.unlock()
        suspended.join()
        shared.updateAndBlock()
        assertEquals(2, shared.written)
    }

    @Test
    fun twoViewsAreOneSemaphore() {
        val core = dev.cqs.sync.Semaphore(10)

        val forCoroutines = core.asSemaphore()
        val forThreads = dev.cqs.threads.Semaphore.viewOf(core)

        forThreads.acquire()
        assertEquals(9, forCoroutines.availablePermits)
    }

    private class Page(val id: Int)

    private class Pages {
        val connections = Semaphore(permits = 10)

        private fun query(id: Int) = Page(id)

        suspend fun page(id: Int) = connections.withPermit { query(id) }

        suspend fun pageOrNothing(id: Int): Page? {
            if (!connections.tryAcquire(50.milliseconds)) return null // withTimeout { acquire() } can lose a permit
            try {
                return query(id)
            } finally {
                connections.release()
            }
        }
    }

    @Test
    fun aPageIsLoadedOrNot() = runBlocking {
        val pages = Pages()
        assertEquals(3, pages.page(3).id)
        assertEquals(4, pages.pageOrNothing(4)?.id)
        pages.connections.acquire(10)
        assertEquals(null, pages.pageOrNothing(5))
    }

    private class Account {
        var balance = 0

        val mutex = Mutex()

        suspend fun deposit(amount: Int) = mutex.withLock { balance += amount }
    }

    @Test
    fun aMutexGuardsABalance() = runBlocking {
        val account = Account()
        coroutineScope { repeat(100) { launch(Dispatchers.Default) { account.deposit(1) } } }
        assertEquals(100, account.balance)
    }

    private class Mailbox {
        val mutex = Mutex()
        val filled = mutex.newCondition()
        val mail = ArrayDeque<String>()

        suspend fun receive(): String = mutex.withLock {
            while (mail.isEmpty()) filled.await() // holds the mutex again, even if it is cancelled
            mail.removeFirst()
        }

        suspend fun send(letter: String) = mutex.withLock {
            mail += letter
            filled.signal()
        }
    }

    @Test
    fun aConditionWaitsForMail() = runBlocking {
        val box = Mailbox()
        val received = async { box.receive() }
        box.send("letter")
        assertEquals("letter", received.await())
    }

    private class Queries {
        var queries = 0

        private fun query() = ++queries

        val connections = Semaphore(permits = 10)

        suspend fun large() = connections.withPermits(3) { query() }
    }

    @Test
    fun severalPermitsAreTakenAtOnce() = runBlocking {
        assertEquals(1, Queries().large())
    }

    private class Table {
        val table = HashMap<String, Int>()

        val lock = ReadWriteMutex()

        suspend fun find(key: String) = lock.read { table[key] }

        suspend fun store(key: String, value: Int) = lock.write { table[key] = value }
    }

    @Test
    fun readersFindWhatAWriterHasStored() = runBlocking {
        val table = Table()
        table.store("one", 1)
        assertEquals(1, table.find("one"))
    }

    private class Service {
        @Volatile
        var started = false

        fun start() {
            started = true
        }
    }

    @Test
    fun aLatchOpensWhenAllServicesHaveStarted() = runBlocking {
        val services = List(3) { Service() }
        val ready = CountDownLatch(services.size)

        services.forEach { service ->
            launch {
                service.start()
                ready.countDown()
            }
        }
        ready.await()
        assertTrue(services.all { it.started })
    }

    private class Computation {
        var rounds = 0

        private fun merge() {
            rounds++
        }

        private fun finished() = rounds == 3

        private fun compute(part: Int) {
            require(part >= 0)
        }

        val barrier = CyclicBarrier(parties = 4) { merge() }

        suspend fun work(part: Int) {
            while (!finished()) {
                compute(part)
                barrier.await()
            }
        }
    }

    @Test
    fun aBarrierHoldsTheWorkersOfARoundTogether() = runBlocking {
        val computation = Computation()
        coroutineScope { repeat(4) { part -> launch { computation.work(part) } } }
        assertEquals(3, computation.rounds)
    }

    private class Connection {
        var closed = false

        fun close() {
            closed = true
        }

        fun query(id: Int) = "row $id"
    }

    private class Server {
        val kept = ArrayList<Connection>()
        val served = ArrayList<Connection>()

        private fun keep(connection: Connection) = kept.add(connection)

        private fun serve(connection: Connection) = served.add(connection)

        val connections = SynchronousQueue.fair<Connection>(onUndelivered = { it.close() }) // nobody got it

        suspend fun offer(connection: Connection) {
            if (!connections.trySend(connection, 50.milliseconds)) keep(connection) // nobody came in time
        }

        suspend fun serveAll() {
            for (connection in connections) serve(connection) // until it is closed
        }
    }

    @Test
    fun aConnectionIsKeptOrServed() = runBlocking {
        val server = Server()
        server.offer(Connection())
        val serving = launch { server.serveAll() }
        server.connections.send(Connection())
        server.connections.close()
        serving.join()
        assertEquals(listOf(1, 1), listOf(server.kept.size, server.served.size))
    }

    private class Rows {
        private fun connect() = Connection()

        val pool = ResourcePool(maximum = 10) { connect() }

        suspend fun row(id: Int) = pool.use { it.query(id) }
    }

    @Test
    fun aPoolLendsConnections() = runBlocking {
        assertEquals("row 5", Rows().row(5))
    }
}
