import org.jetbrains.kotlin.gradle.dsl.JvmDefaultMode
import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.dokka)
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "Fair locks and semaphores for Kotlin coroutines"

kotlin {
    explicitApi()
    compilerOptions {
        jvmTarget.set(JvmTarget.JVM_17)
    }
}

dependencies {
    api(project(":cqs-core"))
    api(libs.kotlinx.coroutines.core)
    // The tests share one object between both adapters; the adapters do not know each other.
    testImplementation(project(":cqs-threads"))
    // Compiles what must not compile.
    testImplementation(libs.kotlin.compiler.embeddable)
    // Virtual time.
    testImplementation(libs.kotlinx.coroutines.test)
}

tasks.compileKotlin {
    compilerOptions {
        // Only what JDK 17 has, whichever JDK builds; jvmTarget alone does not see to that.
        freeCompilerArgs.add("-Xjdk-release=17")
        // Nothing to link or to make where it is first executed, when the heap may be full. A check of a parameter makes a
        // string of its name. Kotlin does not need the checks, since it does not compile a null there; a null of a Java
        // caller fails where it is first used.
        freeCompilerArgs.addAll("-Xno-param-assertions", "-Xno-call-assertions", "-Xlambdas=class")
        // The same as in the Maven build: it is part of the names of files and of internal functions.
        moduleName.set("cqs-coroutines")
        jvmDefault.set(JvmDefaultMode.NO_COMPATIBILITY)
        allWarningsAsErrors.set(true)
    }
}

tasks.compileJava {
    // The package that module-info.java exports is in the output of the Kotlin compiler. Only in that: the output of
    // the source set has the output of this task in it, and the task cannot depend on itself.
    val kotlinClasses = tasks.compileKotlin.flatMap { it.destinationDirectory }
    inputs.dir(kotlinClasses).withPropertyName("kotlinClasses").withPathSensitivity(PathSensitivity.RELATIVE)
    options.compilerArgumentProviders.add(CommandLineArgumentProvider {
        listOf("--patch-module", "dev.cqs.coroutines=${kotlinClasses.get().asFile}")
    })
}

tasks.javadoc {
    // It knows only Java, of which there is nothing here but the descriptor of the module. Dokka knows Kotlin.
    enabled = false
}

tasks.named<Jar>("javadocJar") {
    from(tasks.dokkaGeneratePublicationHtml.flatMap { it.outputDirectory })
}

tasks.test {
    // SamplesTest reads these files, so a change of one of them makes the tests run again.
    inputs.dir("src/main/kotlin").withPropertyName("sources").withPathSensitivity(PathSensitivity.RELATIVE)
}
