tasks.register("demo") {
    group = "application"
    description = "Runs the demo; -q --console=plain keeps Gradle itself quiet."
    dependsOn(":examples:run")
}
