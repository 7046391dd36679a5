plugins {
    id("cqs.java-conventions")
    id("cqs.test-conventions")
    application
}

description = "A demo for the terminal"

dependencies {
    implementation(project(":cqs-threads"))
}

application {
    mainClass.set("dev.cqs.examples.Demo")
}
