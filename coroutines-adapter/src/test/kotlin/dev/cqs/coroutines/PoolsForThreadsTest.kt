package dev.cqs.coroutines

import dev.cqs.threads.BlockingPool
import java.io.IOException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Use of the pools for threads from Kotlin. Half of the test is that this compiles. */
@Timeout(PATIENCE)
class PoolsForThreadsTest {
    private val pool = BlockingPool.queue<String>().apply { put("one") }
    private val resources = dev.cqs.threads.ResourcePool.of(1) { "one" }

    @Test
    fun aLambdaUsesAnElement() {
        val length: Int = pool.withElement { it.length }
        assertEquals(3, length)
        val nothing: String? = pool.withElement { null }
        assertNull(nothing)
        var seen: String? = null
        pool.withElement {
            assertEquals(0, pool.size())
            seen = it
        }
        assertEquals("one", seen)
        assertEquals(6, pool.withElement(::twice))
        assertEquals(1, pool.size())
    }

    @Test
    fun aLambdaUsesAResource() {
        val length: Int = resources.withElement { it.length }
        assertEquals(3, length)
        var seen: String? = null
        resources.withElement {
            assertEquals(0, resources.idle())
            seen = it
        }
        assertEquals("one", seen)
        assertEquals(6, resources.withElement(::twice))
        assertEquals(1, resources.idle())
        resources.withElement(resources::invalidate)
        assertEquals(0, resources.size())
    }

    @Test
    fun whatALambdaThrowsPutsTheElementBack() {
        val thrown = IOException()
        assertSame(thrown, assertThrows(IOException::class.java) { pool.withElement { throw thrown } })
        assertEquals(1, pool.size())
        assertSame(thrown, assertThrows(IOException::class.java) { resources.withElement { throw thrown } })
        assertEquals(1, resources.idle())
    }

    /** As in Java. Kotlin needs the type of the exception as a type argument. */
    @Test
    fun useAndRunTakeTheTypeOfTheException() {
        assertEquals(3, pool.use<_, RuntimeException> { it.length })
        pool.run<RuntimeException> { assertEquals("one", it) }
        assertEquals(3, resources.use<_, IOException> { it.length })
        resources.run<IOException> { assertEquals("one", it) }
    }

    private fun twice(text: String) = 2 * text.length
}
