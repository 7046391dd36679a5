package dev.cqs.amc.bytecode.rewrite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.search.Explorer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.util.ReflectionUtils;

/** The bytecode verifier accepts all instrumented classes. */
class VerificationTest {

    /** Classes of several kinds, each with all other classes of its folder. */
    static Stream<Class<?>> samples() {
        return Stream.of(
                Explorer.class, VerificationTest.class, Test.class, ParameterizedTest.class, ReflectionUtils.class);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void instrumentedClassesAreVerified(Class<?> sample) throws Exception {
        List<String> names = namesBeside(sample);
        CheckedLoader loader = new CheckedLoader(sample.getClassLoader(), List.of(), names);
        int verified = 0;
        for (String name : names) {
            Class<?> type = Class.forName(name, false, loader);
            if (type.getClassLoader() == loader) {
                // Listing the methods of a class links it, and so verifies it.
                type.getDeclaredMethods();
                verified++;
            }
        }
        assertTrue(verified > 10, "there are classes to verify");
    }

    private static List<String> namesBeside(Class<?> sample) throws IOException, URISyntaxException {
        Path place = Path.of(
                sample.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            return namesIn(place);
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
            return namesIn(jar.getPath("/"));
        }
    }

    private static List<String> namesIn(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".class")
                            && !name.contains("META-INF")
                            && !name.endsWith("module-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(VerificationTest::canBeLoaded)
                    .collect(Collectors.toList());
        }
    }

    /**
     * Some classes need missing classes, some need classes of their own loader, as tests of a package do, and some are
     * refused: those of old compilers, and those with finalizers.
     */
    private static boolean canBeLoaded(String name) {
        try {
            Class.forName(name, false, VerificationTest.class.getClassLoader()).getDeclaredMethods();
            return !name.contains(".shadow.") && !name.startsWith("dev.cqs.amc.cli.") && !name.contains("Finalized");
        } catch (ClassNotFoundException | NoClassDefFoundError missing) {
            return false;
        }
    }
}
