plugins {
    id("cqs.test-conventions")
}

description = "That both builds say the same, and what they publish stays compatible"

dependencies {
    testImplementation(project(":cqs-core"))
    testImplementation(project(":cqs-threads"))
    testImplementation(project(":cqs-coroutines"))
    testImplementation(project(":cqs-model-checker"))
    testImplementation(project(":cqs-spin-locks"))
    // Writes down the binary interface of a module.
    testImplementation(libs.abi.tools)
    testImplementation(libs.asm.commons)
}

tasks.test {
    // The tests read these files, so a change of one of them makes the tests run again.
    inputs.files(fileTree(rootDir) {
        include("**/pom.xml", "**/*.gradle.kts", "**/bnd.bnd", "**/module-info.java", "**/package-info.java", "**/api/*.api")
        include("gradle.properties", "gradle/libs.versions.toml", "gradle/build-logic/src/**")
        exclude("**/build/**", "**/target/**", ".*/**")
    }).withPropertyName("builds").withPathSensitivity(PathSensitivity.RELATIVE)
    providers.systemProperty("dev.cqs.api.write").orNull?.let { systemProperty("dev.cqs.api.write", it) }
}
