plugins {
    id("cqs.test-conventions")
}

description = "What the await model checker proves of the library"

dependencies {
    testImplementation(project(":cqs-model-checker"))
    testImplementation(project(":cqs-core"))
    testImplementation(project(":cqs-threads"))
}

val smallSizes = listOf(
    // What waiting threads do depends on the number of processors; this makes executions the same everywhere.
    "-XX:ActiveProcessorCount=2",
    // Few operations reach the edges between segments, a sweep of a stack, parts of a count, and the end of the spinning phases.
    "-Ddev.cqs.segmentSize=1",
    "-Ddev.cqs.stackSweepThreshold=1",
    "-Ddev.cqs.minStripeSize=2",
    "-Ddev.cqs.spinBound=1",
    "-Ddev.cqs.spinsBeforePark=1",
    // Under the checker a stack has no end.
    "-Ddev.cqs.stackFrames=1",
)

tasks.test {
    jvmArgs(smallSizes)
}

tasks.register<JavaExec>("verify") {
    group = "verification"
    description = "Checks scenarios; --args=\"...\" passes the options and the names of the classes."
    classpath = sourceSets.test.get().runtimeClasspath
    mainClass.set("dev.cqs.amc.cli.Verify")
    // As for the tests, so that a scenario has the same executions.
    jvmArgs(smallSizes)
}
