package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Java callers and Kotlin callers learn from every library what may be null: each package that it exports says so by JSpecify's
 * annotations. A module whose packages are of Kotlin has no Java to say it of.
 */
class NullMarkedTest {
    private static final Path ROOT = BuildAgreementTest.root();

    static List<String> librariesOfJava() {
        MavenBuild maven = new MavenBuild(ROOT);
        return maven.folders().stream()
                .filter(maven::isLibrary)
                .filter(folder -> !folder.equals("coroutines-adapter"))
                .toList();
    }

    @Test
    void thereAreFourLibrariesOfJava() {
        assertEquals(
                Set.of("cqs-jvm", "threads-adapter", "model-checker/engine", "model-checker/spin-locks"),
                Set.copyOf(librariesOfJava()));
    }

    @ParameterizedTest
    @MethodSource("librariesOfJava")
    void everyExportedPackageIsNullMarked(String folder) throws IOException {
        Path sources = ROOT.resolve(folder).resolve("src/main/java");
        String module = Files.readString(sources.resolve("module-info.java"));
        List<String> exported = all("(?m)^\\s*exports\\s+([\\w.]+)", module);
        assertFalse(exported.isEmpty(), "the module exports nothing");
        for (String name : exported) {
            String info =
                    Files.readString(sources.resolve(name.replace('.', '/')).resolve("package-info.java"));
            assertTrue(
                    Pattern.compile("(?m)^@NullMarked\\Rpackage " + Pattern.quote(name) + ";")
                            .matcher(info)
                            .find(),
                    () -> name + " is not null-marked");
        }
    }

    /** Otherwise they could not compile against what the module exports, or could not run without the annotations. */
    @ParameterizedTest
    @MethodSource("librariesOfJava")
    void callersCompileWithTheAnnotationsAndRunWithoutThem(String folder) throws IOException {
        String module = Files.readString(ROOT.resolve(folder).resolve("src/main/java/module-info.java"));
        assertEquals(List.of("static transitive "), all("(?m)^\\s*requires (.*)org\\.jspecify;", module));
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
