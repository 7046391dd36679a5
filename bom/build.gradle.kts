plugins {
    `java-platform`
    `maven-publish`
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
        pom {
            name.set(project.name)
            description.set(project.description)
            licenses {
                license {
                    name.set("Apache-2.0")
                    url.set("https://www.apache.org/licenses/LICENSE-2.0.txt")
                }
            }
        }
    }
}
