package dev.cqs.build;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

import aQute.bnd.gradle.BndBuilderPlugin;
import aQute.bnd.gradle.BundleTaskExtension;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
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
        project.getPluginManager().apply(PublishingConventionsPlugin.class);
        // Takes the OSGi headers from the file bnd.bnd of the module, as Maven does.
        project.getPluginManager().apply(BndBuilderPlugin.class);

        // Maven records the version in the module's descriptor without being asked.
        List<String> flags = List.of(LINT_FLAGS, "-Werror", "--module-version", project.getVersion().toString());
        project.getTasks().named(JavaPlugin.COMPILE_JAVA_TASK_NAME, JavaCompile.class, task ->
                task.getOptions().getCompilerArgs().addAll(flags));

        JavaPluginExtension java = project.getExtensions().getByType(JavaPluginExtension.class);
        java.withSourcesJar();
        java.withJavadocJar();
        project.getTasks().withType(Javadoc.class).configureEach(task -> task.getOptions().setEncoding("UTF-8"));

        project.getTasks().named(JavaPlugin.JAR_TASK_NAME, Jar.class, task -> {
            // Without this, bnd asks the project for properties, which the configuration cache does not allow.
            task.getExtensions().getByType(BundleTaskExtension.class).getProperties().empty();
            // After the action of bnd, which writes the archive again.
            task.doLast("completeModule", LibraryConventionsPlugin::completeModule);
        });

        project.getExtensions().getByType(PublishingExtension.class).getPublications().register(
                "library", MavenPublication.class,
                publication -> publication.from(project.getComponents().getByName("java")));
    }

    /**
     * Has the tool jar note the packages, and the main class if there is one, in the module's descriptor. Maven's jar plugin
     * does that, too. Without the packages a program starts more slowly, since the JDK looks for them in the archive.
     */
    private static void completeModule(Task task) {
        Jar jar = (Jar) task;
        File archive = jar.getArchiveFile().get().getAsFile();
        List<String> arguments = new ArrayList<>(List.of("--update", "--file", archive.getPath(),
                // The time that Gradle gives the other entries.
                "--date", "1980-02-01T00:00:00Z"));
        Object mainClass = jar.getManifest().getEffectiveManifest().getAttributes().get("Main-Class");
        if (mainClass != null) {
            arguments.addAll(List.of("--main-class", mainClass.toString()));
        }
        // The tool wants something to add.
        Path nothing = task.getTemporaryDir().toPath().resolve("nothing");
        try {
            Files.createDirectories(nothing);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        arguments.addAll(List.of("-C", nothing.toString(), "."));
        int code = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new GradleException("The tool jar ended with " + code + " on " + archive);
        }
    }
}
