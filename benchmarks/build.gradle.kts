import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.kotlin.jvm)
    id("cqs.java-conventions")
}

description = "JMH benchmarks and JOL footprints of the library"

kotlin {
    compilerOptions {
        jvmTarget.set(JvmTarget.JVM_17)
    }
}

tasks.compileKotlin {
    // The same as in the Maven build: it is part of the names of files and of internal functions.
    compilerOptions.moduleName.set("benchmarks")
}

dependencies {
    implementation(project(":cqs-core"))
    implementation(project(":cqs-threads"))
    implementation(project(":cqs-coroutines"))
    implementation(libs.kotlinx.coroutines.core)
    implementation(libs.commons.pool2)
    implementation(libs.hikari)
    implementation(libs.jmh.core)
    implementation(libs.jol.core)
    implementation(libs.stormpot)
    annotationProcessor(libs.jmh.generator.annprocess)
}

tasks.register<JavaExec>("figures") {
    group = "application"
    description = "Runs the benchmarks; --args=\"...\" passes arguments."
    classpath = sourceSets.main.get().runtimeClasspath
    mainClass.set("dev.cqs.benchmarks.Figures")
    // JOL attaches to its own JVM.
    jvmArgs("-Djdk.attach.allowAttachSelf=true")
}
