plugins {
    id("cqs.test-conventions")
}

description = "That both builds of the project say the same"

tasks.test {
    // The tests read these files, so a change of one of them makes the tests run again.
    inputs.files(fileTree(rootDir) {
        include("**/pom.xml", "**/*.gradle.kts", "**/bnd.bnd", "**/module-info.java", "**/package-info.java", "gradle.properties")
        include("gradle/libs.versions.toml", "gradle/build-logic/src/**")
        exclude("**/build/**", "**/target/**", ".*/**")
    }).withPropertyName("builds").withPathSensitivity(PathSensitivity.RELATIVE)
}
