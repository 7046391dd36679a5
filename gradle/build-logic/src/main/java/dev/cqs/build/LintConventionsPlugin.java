package dev.cqs.build;

import net.ltgt.gradle.errorprone.ErrorProneOptions;
import net.ltgt.gradle.errorprone.ErrorPronePlugin;
import org.gradle.api.JavaVersion;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.artifacts.VersionCatalog;
import org.gradle.api.artifacts.VersionCatalogsExtension;
import org.gradle.api.plugins.ExtensionAware;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.tasks.compile.JavaCompile;

/** Error Prone and NullAway for the main code, whose findings are errors: -Plint, as in Maven, where the parent pom says why. */
public class LintConventionsPlugin implements Plugin<Project> {

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(ErrorPronePlugin.class);

        // Maven's profile "lint22".
        boolean readsTypeAnnotations = JavaVersion.current().isCompatibleWith(JavaVersion.VERSION_22);
        addCheck(project, readsTypeAnnotations ? "error-prone-core-jdk22" : "error-prone-core");
        addCheck(project, "nullaway");

        project.getTasks().withType(JavaCompile.class).configureEach(task -> {
            boolean isMain = task.getName().equals(JavaPlugin.COMPILE_JAVA_TASK_NAME);
            ErrorProneOptions checks =
                    ((ExtensionAware) task.getOptions()).getExtensions().getByType(ErrorProneOptions.class);
            checks.getEnabled().set(isMain);
            checks.getErrorproneArgs().addAll(JavaConventionsPlugin.flags(project, "lint.checks"));
            if (readsTypeAnnotations) {
                checks.getErrorproneArgs().addAll(JavaConventionsPlugin.flags(project, "lint.generics"));
            }
            if (isMain) {
                task.getOptions().getCompilerArgs().add("-Werror");
            }
        });
    }

    private static void addCheck(Project project, String library) {
        VersionCatalog libs = project.getExtensions()
                .getByType(VersionCatalogsExtension.class)
                .named("libs");
        project.getDependencies()
                .add(
                        ErrorPronePlugin.CONFIGURATION_NAME,
                        libs.findLibrary(library).orElseThrow());
    }
}
