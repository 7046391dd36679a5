package dev.cqs.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.extension.AfterEachCallback
import org.junit.jupiter.api.extension.BeforeEachCallback
import org.junit.jupiter.api.extension.ExtensionContext

/**
 * Fails a test with an uncaught exception, be it of a cancellation handler, a give-back, a root coroutine or a thread.
 * An extension for all tests with coroutines.
 */
class NoUncaughtExceptions :
    BeforeEachCallback,
    AfterEachCallback {
    private val seen = ConcurrentLinkedQueue<Throwable>()
    private var before: Thread.UncaughtExceptionHandler? = null

    override fun beforeEach(context: ExtensionContext) {
        before = Thread.getDefaultUncaughtExceptionHandler()
        seen.clear()
        Thread.setDefaultUncaughtExceptionHandler { _, thrown -> seen += thrown }
    }

    override fun afterEach(context: ExtensionContext) {
        Thread.setDefaultUncaughtExceptionHandler(before)
        assertEquals(listOf<String>(), seen.map { it.stackTraceToString() }, "uncaught")
    }
}
