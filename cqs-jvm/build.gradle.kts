plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "The core of the library, without dependencies"

tasks.test {
    // BuildAgreementTest reads these files, so a change of one of them makes the tests run again.
    inputs.files(rootProject.allprojects.map { it.file("pom.xml") })
    inputs.files(
        rootProject.file("settings.gradle.kts"),
        rootProject.file("bom/build.gradle.kts"),
        rootProject.file("gradle.properties"),
        rootProject.file("gradle/libs.versions.toml"),
    )
}
