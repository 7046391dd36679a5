plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "An await model checker for the JVM, with ASM to read and write bytecode"

dependencies {
    implementation(libs.asm.commons)
    api(libs.jspecify)
}

tasks.test {
    // A test compares the page with what the command says of itself.
    inputs.files(rootProject.file("docs/model-checker.md"))
}

tasks.jar {
    // With the jars of ASM beside it, java -jar runs the command.
    val libraries = configurations.runtimeClasspath.map { classpath -> classpath.joinToString(" ") { it.name } }
    manifest {
        attributes(
            "Main-Class" to "dev.cqs.amc.cli.Verify",
            "Class-Path" to libraries,
            "Implementation-Version" to archiveVersion,
        )
    }
}
