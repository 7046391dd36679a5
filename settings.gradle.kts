pluginManagement {
    repositories {
        // Every plugin is on Maven Central; the portal is only the fallback.
        mavenCentral()
        gradlePluginPortal()
    }
    includeBuild("gradle/build-logic")
}

dependencyResolutionManagement {
    repositoriesMode.set(RepositoriesMode.FAIL_ON_PROJECT_REPOS)
    repositories {
        mavenCentral()
    }
}

rootProject.name = "cqs"

// Artifacts and their folders. The poms list the same; BuildAgreementTest compares them.
mapOf(
    "cqs-bom" to "bom",
    "cqs-core" to "cqs-jvm",
    "cqs-threads" to "threads-adapter",
    "cqs-coroutines" to "coroutines-adapter",
    "lincheck-tests" to "lincheck-tests",
    "cqs-model-checker" to "model-checker/engine",
    "cqs-spin-locks" to "model-checker/spin-locks",
    "model-checker-conformance" to "model-checker/conformance",
    "model-checked-tests" to "model-checked-tests",
    "benchmarks" to "benchmarks",
    "examples" to "examples",
    "docs-tests" to "docs-tests",
    "build-tests" to "build-tests",
).forEach { (artifact, folder) ->
    include(artifact)
    project(":$artifact").projectDir = file(folder)
}
