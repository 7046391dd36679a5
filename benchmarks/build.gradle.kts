plugins {
    id("cqs.java-conventions")
}

description = "JMH benchmarks and JOL footprints of the library"

dependencies {
    implementation(project(":cqs-jvm"))
    implementation(project(":threads-adapter"))
    implementation(libs.jmh.core)
    implementation(libs.jol.core)
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
