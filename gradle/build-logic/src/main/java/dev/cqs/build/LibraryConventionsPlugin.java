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

    /**
     * All that JDK 17 can warn about, by name: with "all", a newer JDK would fail on warnings that JDK 17 does not know,
     * and JDK 17 does not let them be switched off. Left out are the annotation processors and the options, and what
     * javac says about the coroutines module: the core exports its internals to it, but this build does not see it.
     */
    private static final String LINT_FLAGS = "-Xlint:"
            + "auxiliaryclass,cast,classfile,dep-ann,deprecation,divzero,empty,fallthrough,finally,missing-explicit-ctor,opens,"
            + "overloads,overrides,path,preview,rawtypes,removal,requires-automatic,requires-transitive-automatic,serial,"
            + "static,strictfp,synchronization,text-blocks,try,unchecked,varargs,"
            + "-module,-exports";

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaConventionsPlugin.class);
        project.getPluginManager().apply(JavaLibraryPlugin.class);
        project.getPluginManager().apply(MavenPublishPlugin.class);

        project.getTasks().named(JavaPlugin.COMPILE_JAVA_TASK_NAME, JavaCompile.class, task ->
                task.getOptions().getCompilerArgs().addAll(List.of(LINT_FLAGS, "-Werror")));

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
