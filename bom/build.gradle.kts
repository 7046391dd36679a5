plugins {
    `java-platform`
    id("cqs.publishing-conventions")
}

description = "One version for all artifacts of the library"

dependencies {
    constraints {
        api(project(":cqs-core"))
        api(project(":cqs-threads"))
        api(project(":cqs-coroutines"))
        api(project(":cqs-model-checker"))
    }
}

publishing {
    publications.register<MavenPublication>("platform") {
        from(components["javaPlatform"])
    }
}
