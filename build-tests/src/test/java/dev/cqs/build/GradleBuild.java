package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of the Gradle build. They are read by patterns, so its scripts must stay plain: a line that does not match a
 * pattern fails.
 */
final class GradleBuild {

    private static final String PLUGINS = "gradle/build-logic/src/main/java/dev/cqs/build/";
    private static final Pattern CATALOG_VERSION = Pattern.compile("([A-Za-z][\\w-]*)\\s*=\\s*\"([^\"]*)\"");
    private static final Pattern CATALOG_LIBRARY =
            Pattern.compile("([A-Za-z][\\w-]*)\\s*=\\s*\\{ module = \"([^\"]*)\".*}");
    private static final Pattern ARTIFACT_AND_FOLDER = Pattern.compile("(?m)^\\s*\"([^\"]*)\" to \"([^\"]*)\",$");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "(\\w+)\\((?:project\\(\":([\\w-]+)\"\\)|libs\\.([\\w.]+)|platform\\(libs\\.[\\w.]+\\))\\)");
    private static final Pattern LITERAL = Pattern.compile("\"([^\"]*)\"");

    private final Path root;
    private final Properties properties = new Properties();
    private final Map<String, String> libraries = new TreeMap<>();
    private final Map<String, String> versions = new TreeMap<>();

    GradleBuild(Path root) {
        this.root = root;
        try {
            properties.load(new StringReader(text("gradle.properties")));
        } catch (IOException e) {
            fail("Cannot read gradle.properties", e);
        }
        readCatalog();
    }

    private void readCatalog() {
        String section = "";
        for (String line : catalogLines()) {
            if (line.startsWith("[")) {
                section = line;
            } else if (section.equals("[versions]")) {
                MatchResult entry = match(CATALOG_VERSION, line);
                versions.put(entry.group(1), entry.group(2));
            } else if (section.equals("[libraries]")) {
                MatchResult entry = match(CATALOG_LIBRARY, line);
                libraries.put(entry.group(1).replace('-', '.'), entry.group(2));
            }
        }
        assertTrue(!versions.isEmpty(), "gradle/libs.versions.toml has no section [versions] with entries");
    }

    private static MatchResult match(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertTrue(matcher.matches(), () -> "This test cannot read the line: " + line);
        return matcher;
    }

    List<String> catalogLines() {
        return lines(text("gradle/libs.versions.toml"));
    }

    /** The section of the versions. This project uses only the form {@code name = "value"}. */
    Map<String, String> versions() {
        return versions;
    }

    String property(String name) {
        String value = properties.getProperty(name);
        return value == null ? fail("gradle.properties has no " + name) : value;
    }

    String rootProjectName() {
        return only("settings.gradle.kts", "rootProject\\.name\\s*=\\s*\"([^\"]*)\"");
    }

    /** Artifacts by the folders of the modules. */
    Map<String, String> artifacts() {
        Map<String, String> artifacts = new TreeMap<>();
        all(ARTIFACT_AND_FOLDER, text("settings.gradle.kts"))
                .forEach(entry -> artifacts.put(entry.group(2), entry.group(1)));
        return artifacts;
    }

    boolean isLibrary(String folder) {
        return script(folder).contains("id(\"cqs.library-conventions\")");
    }

    /** The dependencies of the configurations, as group and artifact. Platforms are left out. */
    Set<String> dependencies(String folder, String... configurations) {
        Set<String> dependencies = new TreeSet<>();
        for (String line : lines(block(script(folder), "\ndependencies"))) {
            MatchResult entry = match(DEPENDENCY, line);
            if (!Arrays.asList(configurations).contains(entry.group(1))) {
                assertTrue(
                        entry.group(1).matches("(test)?(api|[iI]mplementation|[cC]ompileOnly)|annotationProcessor"),
                        () -> "This test does not know the configuration of " + line);
            } else if (entry.group(2) != null) {
                dependencies.add(property("group") + ":" + entry.group(2));
            } else if (entry.group(3) != null) {
                String library = libraries.get(entry.group(3));
                dependencies.add(library == null ? fail("The catalog has no entry for " + line) : library);
            }
        }
        return dependencies;
    }

    /** The flags of javac for the main code. Those of libraries are in their plugin, in this order. */
    List<String> compilerFlags(String folder) {
        List<String> flags = new ArrayList<>();
        if (isLibrary(folder)) {
            String plugin = text(PLUGINS + "LibraryConventionsPlugin.java");
            for (MatchResult found : all(Pattern.compile("flags\\(project, \"([\\w.-]+)\"\\)|\"(-[^\"]*)\""), plugin)) {
                if (found.group(1) != null) {
                    flags.addAll(words(property(found.group(1))));
                } else {
                    flags.add(found.group(2));
                }
            }
            assertTrue(
                    flags.remove("--module-version"),
                    "Maven's plugin records the version of the module, so this build must, too");
        }
        String script = script(folder);
        if (script.contains("\"--patch-module\"")) {
            flags.add("--patch-module");
            flags.add(only(folder + "/build.gradle.kts", "\"([\\w.]+=)\\$\\{kotlinClasses") + "CLASSES");
        }
        return flags;
    }

    /** The flags of the compiler of Kotlin for the main code, as its command line has them; empty if there is none. */
    Set<String> kotlinFlags(String folder) {
        String script = script(folder);
        Set<String> flags = new TreeSet<>();
        if (!usesKotlin(folder)) {
            return flags;
        }
        flags.add("-jvm-target=" + only(folder + "/build.gradle.kts", "jvmTarget\\.set\\(JvmTarget\\.JVM_(\\d+)\\)"));
        if (script.contains("explicitApi()")) {
            flags.add("-Xexplicit-api=strict");
        }
        if (script.contains("allWarningsAsErrors.set(true)")) {
            flags.add("-Werror");
        }
        all(Pattern.compile("moduleName\\.set\\(\"([^\"]*)\"\\)"), script)
                .forEach(name -> flags.add("-module-name=" + name.group(1)));
        all(Pattern.compile("jvmDefault\\.set\\(JvmDefaultMode\\.(\\w+)\\)"), script)
                .forEach(mode -> flags.add(
                        "-jvm-default=" + mode.group(1).toLowerCase(Locale.ROOT).replace('_', '-')));
        all(Pattern.compile("freeCompilerArgs\\.add(?:All)?\\(([^)]*)\\)"), script)
                .forEach(call -> flags.addAll(literals(call.group(1))));
        return flags;
    }

    boolean usesKotlin(String folder) {
        return script(folder).contains("alias(libs.plugins.kotlin.jvm)");
    }

    /** The release of Java that the plugin for all Java code sets. */
    String release() {
        return only(PLUGINS + "JavaConventionsPlugin.java", "getRelease\\(\\)\\.set\\((\\d+)\\)");
    }

    /** The flags of the JVM in which the tests run, with their system properties. */
    Set<String> testFlags(String folder) {
        String script = script(folder);
        String task = block(script, "\ntasks.test");
        Set<String> flags = new TreeSet<>(words(property("jvm.flags")));
        List<MatchResult> heap = all(Pattern.compile("maxHeapSize = \"([^\"]*)\""), task);
        flags.add("-Xmx"
                + (heap.isEmpty()
                        ? only(PLUGINS + "TestConventionsPlugin.java", "setMaxHeapSize\\(\"([^\"]*)\"\\)")
                        : heap.get(0).group(1)));
        for (MatchResult call : all(Pattern.compile("jvmArgs\\(([^)]*)\\)"), task)) {
            boolean literal = call.group(1).contains("\"");
            flags.addAll(literals(
                    literal ? call.group(1) : block(script, "\nval " + call.group(1) + " = listOf", "(", ")")));
        }
        for (MatchResult set : all(Pattern.compile("systemProperty\\(\"([^\"]*)\", \"([^\"]*)\"\\)"), task)) {
            flags.add("-D" + set.group(1) + "=" + set.group(2));
        }
        return flags;
    }

    /** The number of JVMs in which the tests run concurrently. */
    int testForks(String folder) {
        List<MatchResult> forks = all(Pattern.compile("maxParallelForks = (\\d+)"), script(folder));
        return forks.isEmpty() ? 1 : Integer.parseInt(forks.get(0).group(1));
    }

    /** The artifacts that the BOM manages. */
    Set<String> managed() {
        Set<String> artifacts = new TreeSet<>();
        all(Pattern.compile("api\\(project\\(\":([^\"]*)\"\\)\\)"), script("bom"))
                .forEach(constraint -> artifacts.add(constraint.group(1)));
        return artifacts;
    }

    private String script(String folder) {
        return "\n" + text(folder + "/build.gradle.kts");
    }

    private String only(String file, String pattern) {
        List<MatchResult> found = all(Pattern.compile(pattern), text(file));
        return found.size() == 1 ? found.get(0).group(1) : fail(file + " has " + found.size() + " of " + pattern);
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static List<String> literals(String text) {
        return all(LITERAL, withoutComments(text)).stream()
                .map(literal -> literal.group(1))
                .toList();
    }

    private static List<String> words(String text) {
        return List.of(text.trim().split("\\s+"));
    }

    private static String block(String script, String head) {
        return block(script, head, "{", "}");
    }

    /** The text between the braces after {@code head}, or nothing if there is no such head. */
    private static String block(String script, String head, String open, String close) {
        int start = script.indexOf(head);
        if (start < 0) {
            return "";
        }
        int depth = 0;
        for (int at = script.indexOf(open, start); at < script.length(); at++) {
            if (script.startsWith(open, at)) {
                depth++;
            } else if (script.startsWith(close, at) && --depth == 0) {
                return script.substring(script.indexOf(open, start) + 1, at);
            }
        }
        return fail("The braces after " + head.strip() + " do not close");
    }

    private static List<String> lines(String text) {
        return withoutComments(text)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String withoutComments(String text) {
        return text.replaceAll("(?m)^\\s*(//|#).*$", "");
    }

    private String text(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            return fail("Cannot read " + file, e);
        }
    }
}
