package dev.cqs.build;

import aQute.bnd.gradle.BndBuilderPlugin;
import aQute.bnd.gradle.BundleTaskExtension;
import java.util.List;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaLibraryPlugin;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.publish.PublishingExtension;
import org.gradle.api.publish.maven.MavenPublication;
import org.gradle.api.tasks.bundling.Jar;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.api.tasks.javadoc.Javadoc;

/** A library: strict about its main code, a module and an OSGi bundle, and ready to be published. */
public class LibraryConventionsPlugin implements Plugin<Project> {

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaConventionsPlugin.class);
        project.getPluginManager().apply(JavaLibraryPlugin.class);
        project.getPluginManager().apply(PublishingConventionsPlugin.class);
        // Takes the OSGi headers from the file bnd.bnd of the module, as Maven does.
        project.getPluginManager().apply(BndBuilderPlugin.class);

        project.getTasks().named(JavaPlugin.COMPILE_JAVA_TASK_NAME, JavaCompile.class, task -> {
            List<String> arguments = task.getOptions().getCompilerArgs();
            arguments.addAll(JavaConventionsPlugin.flags(project, "lint.flags"));
            arguments.add("-Xdoclint:all/protected");
            arguments.addAll(JavaConventionsPlugin.flags(project, "doclint.flags"));
            arguments.add("-Werror");
            // Maven records the version in the module's descriptor without being asked.
            arguments.addAll(List.of("--module-version", project.getVersion().toString()));
        });

        JavaPluginExtension java = project.getExtensions().getByType(JavaPluginExtension.class);
        java.withSourcesJar();
        java.withJavadocJar();
        project.getTasks()
                .withType(Javadoc.class)
                .configureEach(task -> task.getOptions().setEncoding("UTF-8"));

        project.getTasks().named(JavaPlugin.JAR_TASK_NAME, Jar.class, task -> {
            // Without this, bnd asks the project for properties, which the configuration cache does not allow.
            task.getExtensions()
                    .getByType(BundleTaskExtension.class)
                    .getProperties()
                    .empty();
            // After the action of bnd, which writes the archive again.
            task.doLast("completeModule", new CompleteModule());
        });

        project.getExtensions()
                .getByType(PublishingExtension.class)
                .getPublications()
                .register(
                        "library",
                        MavenPublication.class,
                        publication -> publication.from(project.getComponents().getByName("java")));
    }
}
