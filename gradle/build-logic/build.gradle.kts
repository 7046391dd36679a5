// The plugins are written in Java, because the Kotlin DSL plugin is not on Maven Central.
plugins {
    `java-gradle-plugin`
}

dependencies {
    implementation(libs.bnd.gradle.plugin)
    implementation(libs.error.prone.gradle.plugin)
    implementation(libs.spotless.gradle.plugin)
}

tasks.withType<JavaCompile>().configureEach {
    options.encoding = "UTF-8"
    options.release.set(17)
}

gradlePlugin {
    plugins {
        register("format-conventions") {
            id = "cqs.format-conventions"
            implementationClass = "dev.cqs.build.FormatConventionsPlugin"
        }
        register("java-conventions") {
            id = "cqs.java-conventions"
            implementationClass = "dev.cqs.build.JavaConventionsPlugin"
        }
        register("library-conventions") {
            id = "cqs.library-conventions"
            implementationClass = "dev.cqs.build.LibraryConventionsPlugin"
        }
        register("publishing-conventions") {
            id = "cqs.publishing-conventions"
            implementationClass = "dev.cqs.build.PublishingConventionsPlugin"
        }
        register("test-conventions") {
            id = "cqs.test-conventions"
            implementationClass = "dev.cqs.build.TestConventionsPlugin"
        }
    }
}
