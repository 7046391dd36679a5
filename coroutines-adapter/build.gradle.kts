import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.kotlin.jvm)
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
    api(project(":cqs-jvm"))
    api(libs.kotlinx.coroutines.core)
    // The tests share one object between both adapters; the adapters do not know each other.
    testImplementation(project(":threads-adapter"))
    testImplementation(libs.kotlinx.coroutines.test)
}

tasks.compileJava {
    // The package that module-info.java exports is in the output of the Kotlin compiler.
    val classes = sourceSets.main.get().output
    options.compilerArgumentProviders.add(CommandLineArgumentProvider {
        listOf("--patch-module", "dev.cqs.coroutines=${classes.asPath}")
    })
}
