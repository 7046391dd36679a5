import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.kotlin.jvm)
    id("cqs.test-conventions")
}

description = "The code of the documentation, compiled and run"

kotlin {
    compilerOptions {
        jvmTarget.set(JvmTarget.JVM_17)
    }
}

dependencies {
    testImplementation(project(":cqs-threads"))
    testImplementation(project(":cqs-coroutines"))
    testImplementation(libs.kotlinx.coroutines.core)
}

tasks.test {
    // The tests read the pages, what they lead to, and the sources of the library and of the examples.
    inputs.files(rootProject.fileTree(rootDir) { include("*.md", "docs/**", "**/src/main/**", "**/examples/**/*.java") })
}
