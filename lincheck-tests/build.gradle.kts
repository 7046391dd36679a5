import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.kotlin.jvm)
    id("cqs.test-conventions")
}

description = "Lincheck tests of the library"

kotlin {
    compilerOptions {
        jvmTarget.set(JvmTarget.JVM_17)
    }
}

dependencies {
    testImplementation(project(":cqs-core"))
    testImplementation(project(":cqs-threads"))
    testImplementation(project(":cqs-coroutines"))
    // Lincheck asks for an older Kotlin than this.
    testImplementation(platform(libs.kotlin.bom))
    testImplementation(libs.kotlinx.coroutines.core)
    testImplementation(libs.lincheck)
}

tasks.test {
    maxHeapSize = "4g"
    // The model checker runs one thread at a time, so two classes can be tested side by side.
    maxParallelForks = 2
    // Lincheck transforms classes of the JDK, which are not shared then.
    jvmArgs("-Xshare:off")
    // A count is divided if there are several processors; this makes tests the same everywhere.
    jvmArgs("-XX:ActiveProcessorCount=2")
    // Small values let short scenarios cross segments, leave the spinning phase, sweep stacks, and divide counts.
    systemProperty("dev.cqs.segmentSize", "2")
    systemProperty("dev.cqs.spinBound", "4")
    systemProperty("dev.cqs.stackSweepThreshold", "1")
    systemProperty("dev.cqs.minStripeSize", "2")
    // What makes sure of the stack would only add steps.
    systemProperty("dev.cqs.stackFrames", "1")
}
