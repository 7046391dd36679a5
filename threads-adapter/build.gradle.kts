plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "The synchronization primitives for threads"

dependencies {
    api(project(":cqs-core"))
    api(libs.jspecify)
}
