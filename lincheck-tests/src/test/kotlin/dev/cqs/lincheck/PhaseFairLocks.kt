package dev.cqs.lincheck

// The specification of the read-write lock, and implementations with defects that Lincheck must find.

/** The lock by two lists, as specification and to put defects into. */
abstract class PhaseFairQueues : ReadWriteOperations() {
    protected var writing = false
    protected var reading = 0
    protected val readers = ArrayList<Int>()
    protected val writers = ArrayList<Int>()

    override fun beginRequest(thread: Int, reads: Boolean) {
        if (reads) beginRead(thread) else beginWrite(thread)
    }

    private fun beginRead(thread: Int) {
        if (!tryRead()) readers += thread
    }

    protected open fun beginWrite(thread: Int) {
        if (!tryWrite()) writers += thread
    }

    override fun leave(thread: Int): Boolean {
        val head = writers.firstOrNull() == thread
        val wrote = writers.remove(thread as Any)
        if (wrote && !writing) writerHasLeft(head)
        return wrote || readerLeaves(thread)
    }

    protected open fun readerLeaves(thread: Int) = readers.remove(thread as Any)

    /** A writer was cancelled while readers hold the lock. */
    protected open fun writerHasLeft(wasHead: Boolean) {
        if (wasHead || writers.isEmpty()) enterReaders()
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
        enterWriter()
    }

    override fun unlockWrite() {
        writing = false
        enterReaders()
        enterWriter()
    }

    override fun downgradeHeld() {
        writing = false
        reading++
        enterReaders()
    }

    protected open fun enterReaders() {
        reading += readers.size
        readers.clear()
    }

    private fun enterWriter() {
        if (reading == 0 && writers.isNotEmpty()) {
            writing = true
            writers.removeAt(0)
        }
    }

    override fun parts() = super.parts() + listOf(writing, reading, readers, writers)
}

/** The specification. */
class PhaseFairTurns : PhaseFairQueues()

/** The lock by two lists, for several threads. */
abstract class GuardedReadWriteLock : PhaseFairQueues() {
    override fun beginRequest(thread: Int, reads: Boolean) = synchronized(this) { super.beginRequest(thread, reads) }

    override fun leave(thread: Int) = synchronized(this) { super.leave(thread) }

    override fun tryRead() = synchronized(this) { super.tryRead() }

    override fun bargeToRead() = synchronized(this) { super.bargeToRead() }

    override fun tryWrite() = synchronized(this) { super.tryWrite() }

    override fun unlockRead() = synchronized(this) { super.unlockRead() }

    override fun unlockWrite() = synchronized(this) { super.unlockWrite() }

    override fun downgradeHeld() = synchronized(this) { super.downgradeHeld() }
}

class PlainReadWriteLock : GuardedReadWriteLock()

class ForgetsTheReaders : GuardedReadWriteLock() {
    override fun writerHasLeft(wasHead: Boolean) {}
}

class RemembersAtTheLast : GuardedReadWriteLock() {
    override fun writerHasLeft(wasHead: Boolean) {
        if (writers.isEmpty()) enterReaders()
    }
}

class TriesPastWriters : GuardedReadWriteLock() {
    override fun tryRead() = synchronized(this) {
        if (!writing) reading++
        !writing
    }
}

/** A barging reader checks for a writer and enters in a second step. */
class BargesInOnAWriter : GuardedReadWriteLock() {
    override fun bargeToRead(): Boolean {
        if (synchronized(this) { writing }) return false
        synchronized(this) { reading++ }
        return true
    }
}

/** A turn is a number of read locks, which the first threads take that come, in whatever order. */
class ReaderTakesPlaceOfCancelled : GuardedReadWriteLock() {
    private var toBeFetched = 0

    override fun enterReaders() {
        reading += readers.size
        toBeFetched += readers.size
    }

    override fun readerLeaves(thread: Int): Boolean {
        val inLine = readers.remove(thread as Any)
        if (inLine && readers.size >= toBeFetched) return true // there is a read lock for each of the others
        if (inLine) toBeFetched--
        return false
    }
}

/** A writer stops readers at once, and is enqueued in a second step. */
class WriterCountsBeforeItIsQueued : GuardedReadWriteLock() {
    private var counted = 0

    override fun beginRequest(thread: Int, reads: Boolean) {
        if (!reads) synchronized(this) { counted++ }
        synchronized(this) {
            if (!reads) counted--
            super.beginRequest(thread, reads)
        }
    }

    override fun tryRead() = synchronized(this) { counted == 0 && super.tryRead() }
}
