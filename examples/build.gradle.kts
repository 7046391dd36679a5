plugins {
    id("cqs.java-conventions")
    id("cqs.test-conventions")
    application
}

description = "A demo for the terminal, and programs to copy"

dependencies {
    implementation(project(":cqs-threads"))
    implementation(libs.reactor.core)
    testImplementation(libs.reactor.test)
}

application {
    mainClass.set("dev.cqs.examples.Demo")
}
