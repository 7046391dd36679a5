package dev.cqs.amc.tests.queue;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A class of the queue with a defect: its source with one piece replaced.
 *
 * @param sentence what is wrong
 * @param type the class
 * @param sound the piece, which stands in the source once
 * @param broken what stands there instead
 */
record Mutant(String sentence, Class<?> type, String sound, String broken) {

    /** Compiles the class into {@code folder}. */
    void compileInto(Path folder) {
        String source = source();
        int place = source.indexOf(sound);
        if (place < 0 || source.indexOf(sound, place + 1) >= 0) {
            throw new IllegalStateException(type + " has to have this once: " + sound);
        }
        try {
            Path file = folder.resolve(type.getSimpleName() + ".java");
            Files.writeString(file, source.substring(0, place) + broken + source.substring(place + sound.length()));
            compile(file, folder);
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    private void compile(Path file, Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        List<String> options = List.of("-d", folder.toString(), "-cp", classes().toString(), "-proc:none", "-Xlint:none", "--release", "17");
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(file)).call()) {
                throw new IllegalStateException(this + " does not compile: " + complaints);
            }
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** Where the class and its neighbours are. */
    private Path classes() {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    /** Both builds run tests in the folder of their module. */
    private String source() {
        try {
            return Files.readString(Path.of("..", "cqs-jvm", "src", "main", "java").resolve(type.getName().replace('.', '/') + ".java"));
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    @Override
    public String toString() {
        return sentence;
    }
}
