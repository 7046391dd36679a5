package dev.cqs.modelchecked.mutants;

import dev.cqs.Waiter;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A class of the library with a defect: its source with one piece replaced. To be compiled into a folder and loaded by a
 * {@link MutantLoader}.
 *
 * @param sentence the defect in words
 * @param type the class
 * @param sound the piece, which must occur in the source once
 * @param broken its replacement
 */
public record Mutant(String sentence, Class<?> type, String sound, String broken) {

    private static final List<String> MODULES = List.of("cqs-jvm", "threads-adapter");

    /** A class by its name, for classes that are not public. */
    public static Class<?> type(String name) {
        try {
            return Class.forName(name, false, Mutant.class.getClassLoader());
        } catch (ClassNotFoundException thrown) {
            throw new IllegalArgumentException(thrown);
        }
    }

    /** Compiles the class into {@code folder}. */
    public void compileInto(Path folder) {
        String source = sourceWithDefect();
        try {
            Path file = folder.resolve(type.getSimpleName() + ".java");
            Files.writeString(file, source);
            compile(file, folder);
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** The source with the piece replaced. Line breaks in the source do not matter. */
    public String sourceWithDefect() {
        String source = source();
        int[] places = IntStream.range(0, source.length())
                .filter(place -> !Character.isWhitespace(source.charAt(place)))
                .toArray();
        String squeezed = squeeze(source);
        String piece = squeeze(sound);
        int first = squeezed.indexOf(piece);
        if (first < 0 || squeezed.indexOf(piece, first + 1) >= 0) {
            throw new IllegalStateException(type + " must contain this once: " + sound);
        }
        int last = places[first + piece.length() - 1];
        return source.substring(0, places[first]) + broken + source.substring(last + 1);
    }

    private static String squeeze(String code) {
        return code.replaceAll("\\s", "");
    }

    private void compile(Path file, Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        List<String> options =
                List.of("-d", folder.toString(), "-cp", classes(), "-proc:none", "-Xlint:none", "--release", "17");
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(file))
                    .call()) {
                throw new IllegalStateException(this + " does not compile: " + complaints);
            }
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** The class path of the class. */
    private String classes() {
        return Stream.of(type, Waiter.class, Nullable.class)
                .map(each -> placeOf(each).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    /** The source of the class. Both builds run tests in the folder of their module. */
    private String source() {
        String file = type.getName().replace('.', '/') + ".java";
        try {
            for (String module : MODULES) {
                Path path = Path.of("..", module, "src", "main", "java").resolve(file);
                if (Files.exists(path)) {
                    return Files.readString(path);
                }
            }
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
        throw new IllegalStateException("There is no source of " + type + " in any of " + MODULES + ".");
    }

    @Override
    public String toString() {
        return sentence;
    }
}
