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

// The poms list the same modules; BuildAgreementTest compares them.
include("cqs-jvm")
include("threads-adapter")
include("coroutines-adapter")
include("lincheck-tests")
include("amc-jvm")
include("spin-locks")
include("amc-tests")
include("benchmarks")
include("examples")
