package dev.cqs.build;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.tasks.bundling.Jar;

/**
 * Has the tool jar note the packages, and the main class if there is one, in the descriptor of the module. Maven's jar plugin
 * does that, too. Without the packages a program starts more slowly, since the JDK looks for them in the archive.
 */
class CompleteModule implements Action<Task> {

    @Override
    public void execute(Task task) {
        Jar jar = (Jar) task;
        File archive = jar.getArchiveFile().get().getAsFile();
        List<String> arguments = new ArrayList<>(List.of(
                "--update",
                "--file",
                archive.getPath(),
                // The time that Gradle gives the other entries.
                "--date",
                "1980-02-01T00:00:00Z"));
        Object mainClass =
                jar.getManifest().getEffectiveManifest().getAttributes().get("Main-Class");
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
        int code = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new GradleException("The tool jar ended with " + code + " on " + archive);
        }
    }
}
