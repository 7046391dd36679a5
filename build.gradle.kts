plugins {
    id("cqs.format-conventions")
    // Loaded here, once for all modules: Kotlin's plugin must not be loaded several times.
    alias(libs.plugins.dokka) apply false
    alias(libs.plugins.kotlin.jvm) apply false
}

tasks.register("demo") {
    group = "application"
    description = "Runs the demo; -q --console=plain keeps Gradle itself quiet."
    dependsOn(":examples:run")
}
