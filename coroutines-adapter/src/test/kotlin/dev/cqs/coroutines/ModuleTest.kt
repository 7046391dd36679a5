package dev.cqs.coroutines

import dev.cqs.Waiter
import java.io.File
import java.lang.module.ModuleDescriptor
import java.lang.module.ModuleDescriptor.Requires.Modifier.TRANSITIVE
import java.lang.module.ModuleFinder
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.copyToRecursively
import kotlin.io.path.exists
import kotlin.io.path.inputStream
import kotlin.io.path.isDirectory
import kotlinx.coroutines.Job
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

private const val NAME = "dev.cqs.coroutines"

/** This artifact works as a module of the JVM. All other tests run on the class path. */
@OptIn(ExperimentalPathApi::class)
class ModuleTest {
    @TempDir
    lateinit var folder: Path

    private lateinit var finder: ModuleFinder

    /** Copies all classes to one folder, as a module must be. Gradle has one for each language. */
    @BeforeEach
    fun gatherTheModule() {
        for (part in System.getProperty("java.class.path").split(File.pathSeparator).map(Path::of)) {
            if (part.isDirectory() && (part == whereIs(Mutex::class.java) || describes(part))) {
                part.copyToRecursively(folder, followLinks = false, overwrite = true)
            }
        }
        val needed = listOf(Waiter::class.java, Unit::class.java, Job::class.java).map(::whereIs)
        finder = ModuleFinder.of(folder, *needed.toTypedArray())
    }

    @Test
    fun requiresWhatItsInterfaceNeedsAndNothingElse() {
        val requires = descriptor().requires().filter { it.name() != "java.base" }
        assertEquals(setOf("dev.cqs", "kotlin.stdlib", "kotlinx.coroutines.core"), requires.map { it.name() }.toSet())
        for (required in requires) {
            assertEquals(setOf(TRANSITIVE), required.modifiers(), required.toString())
        }
    }

    @Test
    fun exportsItsPackageAndOpensNothing() {
        val descriptor = descriptor()
        assertEquals(listOf(NAME), descriptor.exports().map { it.toString() })
        assertFalse(descriptor.isOpen || descriptor.isAutomatic)
        assertTrue(descriptor.opens().isEmpty()) { descriptor.opens().toString() }
        assertEquals(setOf(NAME), descriptor.packages())
    }

    @Test
    fun resolvesAndRunsWithOnlyTheModulesThatItRequires() {
        val boot = ModuleLayer.boot()
        val configuration = boot.configuration().resolve(finder, ModuleFinder.of(), setOf(NAME))
        val names = configuration.modules().map { it.name() }.toSet()
        assertEquals(setOf(NAME, "dev.cqs", "kotlin.stdlib", "kotlinx.coroutines.core"), names)

        val layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader())
        val loader = layer.findLoader(NAME)
        val views = loader.loadClass("$NAME.MutexKt")
        assertSame(layer.findModule(NAME).get(), views.module)
        val mutex = views.getMethod("Mutex", Boolean::class.java).invoke(null, false)
        val peer = loader.loadClass("kotlinx.coroutines.sync.Mutex")
        assertTrue(peer.isInstance(mutex))
        // Tokens are in the core, so this call crosses the module boundary.
        val tryLock = peer.getMethod("tryLock", Any::class.java)
        val holdsLock = peer.getMethod("holdsLock", Any::class.java)
        assertEquals(true, tryLock.invoke(mutex, this))
        assertEquals(true, holdsLock.invoke(mutex, this))
        peer.getMethod("unlock", Any::class.java).invoke(mutex, this)
        assertEquals(false, holdsLock.invoke(mutex, this))

        val queues = loader.loadClass("$NAME.SynchronousQueue")
        val companion = queues.getField("Companion").get(null)
        val undelivered = ArrayList<Any>()
        val callback = layerFunction(loader) { undelivered += it }
        val queue = companion.javaClass.getMethod("fair", callback.javaClass.interfaces[0]).invoke(companion, callback)
        val trySend = queues.getMethod("trySend", Any::class.java)
        assertEquals(false, trySend.invoke(queue, "element"))
        queues.getMethod("close", Throwable::class.java).invoke(queue, null)
        assertThrows(InvocationTargetException::class.java) { trySend.invoke(queue, "another") }
        assertEquals(listOf<Any>("another"), undelivered)
    }

    /** A function object of the Kotlin library that this loader has loaded. */
    private fun layerFunction(loader: ClassLoader, body: (Any) -> Unit): Any =
        Proxy.newProxyInstance(loader, arrayOf(loader.loadClass("kotlin.jvm.functions.Function1"))) {
                _,
                method,
                arguments,
            ->
            if (method.name == "invoke") body(arguments[0])
            null
        }

    private fun descriptor(): ModuleDescriptor = finder.find(NAME).orElseThrow().descriptor()

    private fun describes(part: Path): Boolean {
        val info = part.resolve("module-info.class")
        return info.exists() && info.inputStream().use { ModuleDescriptor.read(it).name() } == NAME
    }
}
