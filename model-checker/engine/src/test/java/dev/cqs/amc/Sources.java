package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles classes while a test runs, for classes in other packages or without a package. */
public final class Sources {

    private Sources() {}

    /** Compiles a source file, and writes the classes to where a loader for the folder finds them. */
    public static void compile(Path folder, String file, String source) throws IOException {
        Path path = folder.resolve("source").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, source);
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        folder + java.io.File.pathSeparator + System.getProperty("java.class.path"),
                        path.toString());
        assertEquals(0, code, source);
    }
}
