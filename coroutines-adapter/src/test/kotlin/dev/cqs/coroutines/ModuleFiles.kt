package dev.cqs.coroutines

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.toPath

/** The folder of this module. A build starts the tests in it or in the folder of the project. */
internal fun moduleFolder(): Path {
    val start = Path.of("").toAbsolutePath()
    val root = generateSequence(start) { it.parent }.find { Files.isRegularFile(it.resolve("settings.gradle.kts")) }
    checkNotNull(root) { "No folder from $start upward holds settings.gradle.kts" }
    return root.resolve("coroutines-adapter")
}

/** The folder or archive from which a class was loaded. */
internal fun whereIs(type: Class<*>): Path = type.protectionDomain.codeSource.location.toURI().toPath()
