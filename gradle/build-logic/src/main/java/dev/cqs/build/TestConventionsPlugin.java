package dev.cqs.build;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.artifacts.VersionCatalog;
import org.gradle.api.artifacts.VersionCatalogsExtension;
import org.gradle.api.artifacts.dsl.DependencyHandler;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.tasks.testing.Test;

/**
 * JUnit tests with the same JVM flags as in the Maven build. -Pfast leaves out those of the tag "slow"; -Pstress.seed=N runs
 * only the tests of races, under a compiler that chooses at random, as Maven does with -Dstress.seed=N.
 */
public class TestConventionsPlugin implements Plugin<Project> {

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaConventionsPlugin.class);

        VersionCatalog libs = project.getExtensions()
                .getByType(VersionCatalogsExtension.class)
                .named("libs");
        DependencyHandler dependencies = project.getDependencies();
        dependencies.add(
                JavaPlugin.TEST_IMPLEMENTATION_CONFIGURATION_NAME,
                dependencies.platform(libs.findLibrary("junit-bom").orElseThrow()));
        dependencies.add(
                JavaPlugin.TEST_IMPLEMENTATION_CONFIGURATION_NAME,
                libs.findLibrary("junit-jupiter").orElseThrow());
        dependencies.add(
                JavaPlugin.TEST_RUNTIME_ONLY_CONFIGURATION_NAME,
                libs.findLibrary("junit-platform-launcher").orElseThrow());

        boolean fast = project.getProviders().gradleProperty("fast").isPresent();
        String seed = project.getProviders().gradleProperty("stress.seed").getOrNull();
        project.getTasks().withType(Test.class).configureEach(task -> {
            task.useJUnitPlatform(options -> {
                if (fast) {
                    options.excludeTags("slow");
                }
            });
            task.setMaxHeapSize("1g");
            task.jvmArgs(JavaConventionsPlugin.flags(project, "jvm.flags"));
            if (seed != null) {
                task.jvmArgs(JavaConventionsPlugin.flags(project, "stress.flags"));
                task.jvmArgs("-XX:StressSeed=" + seed);
                task.filter(filter -> {
                    filter.setIncludePatterns(project.getProviders()
                            .gradleProperty("stress.tests")
                            .get()
                            .split(","));
                    filter.setFailOnNoMatchingTests(false);
                });
            }
        });
    }
}
