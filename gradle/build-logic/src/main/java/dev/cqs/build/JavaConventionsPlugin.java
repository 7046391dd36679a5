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

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(JavaPlugin.class);
        if (project.getProviders().gradleProperty("lint").isPresent()) {
            project.getPluginManager().apply(LintConventionsPlugin.class);
        }

        project.getTasks().withType(JavaCompile.class).configureEach(task -> {
            task.getOptions().getRelease().set(17);
            task.getOptions().setEncoding("UTF-8");
        });

        project.getTasks().withType(JavaExec.class).configureEach(task -> task.jvmArgs(flags(project, "jvm.flags")));

        // Without times, user masks and file system order, two builds of one commit are equal byte for byte.
        project.getTasks().withType(Jar.class).configureEach(task -> {
            task.setPreserveFileTimestamps(false);
            task.setReproducibleFileOrder(true);
            task.dirPermissions(permissions -> permissions.unix("755"));
            task.filePermissions(permissions -> permissions.unix("644"));
        });
    }

    /** The flags that gradle.properties has under the name. */
    static List<String> flags(Project project, String name) {
        return List.of(project.getProviders().gradleProperty(name).get().split(" "));
    }
}
