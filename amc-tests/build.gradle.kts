plugins {
    id("cqs.test-conventions")
}

description = "What the await model checker proves"

dependencies {
    testImplementation(project(":amc-jvm"))
    testImplementation(project(":cqs-jvm"))
    testImplementation(project(":threads-adapter"))
    testImplementation(project(":spin-locks"))
}
