plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "The classic locks, as plain Java"

dependencies {
    api(libs.jspecify)
}
