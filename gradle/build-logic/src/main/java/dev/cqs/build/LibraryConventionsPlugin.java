package dev.cqs.build;

import java.util.List;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaLibraryPlugin;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.publish.PublishingExtension;
import org.gradle.api.publish.maven.MavenPublication;
import org.gradle.api.publish.maven.plugins.MavenPublishPlugin;
import org.gradle.api.tasks.compile.JavaCompile;

/** A library: strict about its main code, and ready to be published. */
public class LibraryConventionsPlugin implements Plugin<Project> {

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaConventionsPlugin.class);
        project.getPluginManager().apply(JavaLibraryPlugin.class);
        project.getPluginManager().apply(MavenPublishPlugin.class);

        // The core exports its internals to a coroutines module that this build does not see: javac would warn of it.
        project.getTasks().named(JavaPlugin.COMPILE_JAVA_TASK_NAME, JavaCompile.class, task ->
                task.getOptions().getCompilerArgs().addAll(
                        List.of("-Xlint:all,-module,-exports,-processing,-options", "-Werror")));

        PublishingExtension publishing = project.getExtensions().getByType(PublishingExtension.class);
        publishing.getPublications().register("library", MavenPublication.class, publication -> {
            publication.from(project.getComponents().getByName("java"));
            publication.pom(pom -> {
                pom.getName().set(project.getName());
                // The build script of the module sets the description after this plugin is applied.
                pom.getDescription().set(project.provider(project::getDescription));
                pom.licenses(licenses -> licenses.license(license -> {
                    license.getName().set("Apache-2.0");
                    license.getUrl().set("https://www.apache.org/licenses/LICENSE-2.0.txt");
                }));
            });
        });
    }
}
