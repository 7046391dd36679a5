plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "The core of the library, without dependencies at run time"

dependencies {
    api(libs.jspecify)
}
