plugins {
    id("cqs.test-conventions")
}

description = "What proves the await model checker"

dependencies {
    testImplementation(project(":cqs-model-checker"))
    testImplementation(project(":cqs-spin-locks"))
}

tasks.test {
    // What waiting threads do depends on the number of processors; this makes executions the same everywhere.
    jvmArgs("-XX:ActiveProcessorCount=2")
    // A test compares the page with what the command prints.
    inputs.files(rootProject.file("docs/model-checker.md"))
}

tasks.register<JavaExec>("verify") {
    group = "verification"
    description = "Checks scenarios; --args=\"...\" passes the options and the names of the classes."
    classpath = sourceSets.test.get().runtimeClasspath
    mainClass.set("dev.cqs.amc.cli.Verify")
    // As for the tests, so that a scenario has the same executions.
    jvmArgs("-XX:ActiveProcessorCount=2")
}
