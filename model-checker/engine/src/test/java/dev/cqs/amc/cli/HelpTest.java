package dev.cqs.amc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.tree.ClassNode;

/** The help and the guide document all options and exit codes, and a real process ends with these exit codes. */
class HelpTest {

    private final String help = Run.of("--help").out();
    private final String guide = guide();

    @ParameterizedTest
    @EnumSource(Option.class)
    void optionIsInHelpAndGuide(Option option) {
        String words = option.argument() == null ? option.word() : option.word() + " " + option.argument();
        assertTrue(help.contains("\n  " + words + " "), help);
        assertTrue(guide.contains("| `" + words + "` |"), () -> "docs/model-checker.md has no row for " + words);
    }

    @ParameterizedTest
    @EnumSource(ExitCode.class)
    void exitCodeIsInHelpAndGuide(ExitCode code) {
        assertTrue(help.matches("(?s).*\n  " + code.code() + " +" + code.meaning() + "\n.*"), help);
        assertTrue(
                guide.contains("| " + code.code() + " | " + code.meaning() + " |"),
                () -> "docs/model-checker.md has no row for " + code.code() + ": " + code.meaning());
    }

    /** In blocks and in running text; what belongs to Gradle is the one exception. */
    @Test
    void guideNamesNoOtherOptions() {
        Set<String> named = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*")
                .matcher(guide)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        named.removeIf(word -> help.contains("\n  " + word + " "));
        assertEquals(Set.of("--args"), named, "docs/model-checker.md names options that are not in the help");
    }

    @Test
    void helpAndVersionNeedNoClass() {
        assertEquals(0, Run.of("--help").code());
        Run version = Run.of("--version");
        assertEquals(0, version.code());
        assertTrue(
                version.out().startsWith("cqs-model-checker ")
                        && version.out().contains("Java " + System.getProperty("java.version")),
                version::out);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void processEndsWithTheExitCode() throws IOException, InterruptedException {
        assertEquals(0, process("dev.cqs.amc.cli.Scenes$HandsOver"));
        assertEquals(1, process("dev.cqs.amc.cli.Scenes$Races"));
        assertEquals(64, process());
    }

    /** Runs java without any flag. */
    private static int process(String... args) throws IOException, InterruptedException {
        String classPath = Stream.of(
                        Verify.class, Scenes.class, ClassReader.class, ClassNode.class, ClassRemapper.class)
                .map(HelpTest::place)
                .distinct()
                .collect(Collectors.joining(java.io.File.pathSeparator));
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-cp",
                                        classPath,
                                        Verify.class.getName()),
                                Stream.of(args))
                        .toList())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor();
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (java.net.URISyntaxException thrown) {
            throw new AssertionError(thrown);
        }
    }

    /** The working directory of the tests is the folder of the module or of the project. */
    private static String guide() {
        for (Path file : List.of(Path.of("docs/model-checker.md"), Path.of("../../docs/model-checker.md"))) {
            if (Files.exists(file)) {
                try {
                    return Files.readString(file);
                } catch (IOException thrown) {
                    throw new AssertionError(thrown);
                }
            }
        }
        throw new AssertionError("docs/model-checker.md is not there");
    }
}
