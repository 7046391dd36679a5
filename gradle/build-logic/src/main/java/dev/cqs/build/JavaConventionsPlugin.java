package dev.cqs.build;

import java.util.List;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.compile.JavaCompile;
import org.gradle.jvm.tasks.Jar;

/** What all Java code of the project has in common. The JDK is the one that runs Gradle. */
public class JavaConventionsPlugin implements Plugin<Project> {

    /**
     * JDK 21 warns about agents that load at run time, and JDK 24 about sun.misc.Unsafe; Lincheck and JOL use both.
     * JDK 17 does not know these flags, so the first one tells it to skip them.
     */
    static final List<String> JVM_FLAGS = List.of(
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+EnableDynamicAgentLoading",
            "--sun-misc-unsafe-memory-access=allow");

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaPlugin.class);

        project.getTasks().withType(JavaCompile.class).configureEach(task -> {
            task.getOptions().getRelease().set(17);
            task.getOptions().setEncoding("UTF-8");
        });

        project.getTasks().withType(JavaExec.class).configureEach(task -> task.jvmArgs(JVM_FLAGS));

        // Without times, user masks and file system order, two builds of one commit are equal byte for byte.
        project.getTasks().withType(Jar.class).configureEach(task -> {
            task.setPreserveFileTimestamps(false);
            task.setReproducibleFileOrder(true);
            task.dirPermissions(permissions -> permissions.unix("755"));
            task.filePermissions(permissions -> permissions.unix("644"));
        });
    }
}
