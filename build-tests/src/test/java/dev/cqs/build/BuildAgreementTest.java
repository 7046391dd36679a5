package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** The Maven build and the Gradle build of this project agree. */
class BuildAgreementTest {

    private static final Path ROOT = root();

    private final MavenBuild maven = new MavenBuild(ROOT);
    private final GradleBuild gradle = new GradleBuild(ROOT);

    static Set<String> modules() {
        Set<String> folders = new MavenBuild(ROOT).folders();
        folders.remove("bom");
        return folders;
    }

    @Test
    void versionsAreTheSame() {
        Map<String, String> inPoms = MavenBuild.versions(maven.parent());
        Map<String, String> inCatalog = new TreeMap<>(gradle.versions());
        MavenBuild.versions(maven.module("bom"))
                .forEach((name, version) -> assertEquals(
                        inPoms.get(name), version, () -> "pom.xml and bom/pom.xml name different versions of " + name));
        assertTrue(!inPoms.isEmpty(), "pom.xml has no property that ends with .version");
        inCatalog.keySet().removeIf(name -> name.endsWith("-gradle-plugin"));
        assertEquals(lines(inPoms), lines(inCatalog), "pom.xml and gradle/libs.versions.toml name different versions");
    }

    @Test
    void pomsHaveNoLiteralVersions() {
        List<String> literals = new ArrayList<>();
        for (Path pom : maven.poms()) {
            Element project = MavenBuild.xml(pom);
            for (Element version : MavenBuild.descendants(project, "version")) {
                boolean ofTheProject = version.getParentNode() == project
                        || version.getParentNode() == MavenBuild.child(project, "parent");
                String text = version.getTextContent().trim();
                if (!ofTheProject && !text.matches("\\$\\{[^}]+}")) {
                    literals.add(text + " in " + ROOT.relativize(pom));
                }
            }
        }
        assertTrue(
                literals.isEmpty(),
                () -> "A pom takes each version from a property of the parent, but there is "
                        + String.join(", ", literals));
    }

    @Test
    void catalogLibrariesHaveNoLiteralVersions() {
        List<String> literals = new ArrayList<>();
        String section = "";
        for (String line : gradle.catalogLines()) {
            if (line.startsWith("[")) {
                section = line;
            } else if (!section.equals("[versions]") && line.matches(".*\\bversion\\s*=.*")) {
                literals.add(line);
            }
        }
        assertTrue(
                literals.isEmpty(),
                () -> "gradle/libs.versions.toml names versions under [versions] only, but has "
                        + String.join(", ", literals));
    }

    @Test
    void modulesAreTheSame() {
        Map<String, String> inPoms = new TreeMap<>();
        maven.folders().forEach(folder -> inPoms.put(folder, maven.artifact(folder)));
        assertEquals(
                inPoms,
                gradle.artifacts(),
                "pom.xml (with its profiles) and settings.gradle.kts name different folders and artifacts");
    }

    @Test
    void bomsManageTheSame() {
        Set<String> managed = MavenBuild.descendants(maven.module("bom"), "dependency").stream()
                .map(dependency -> MavenBuild.childText(dependency, "artifactId"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(!managed.isEmpty(), "bom/pom.xml manages nothing");
        assertEquals(managed, gradle.managed(), "bom/pom.xml and bom/build.gradle.kts manage different artifacts");
    }

    @Test
    void groupAndVersionAreTheSame() {
        String group = MavenBuild.childText(maven.parent(), "groupId");
        String version = MavenBuild.childText(maven.parent(), "version");
        assertEquals(group, gradle.property("group"), "pom.xml and gradle.properties name different groups");
        assertEquals(version, gradle.property("version"), "pom.xml and gradle.properties name different versions");
        assertEquals(
                MavenBuild.childText(maven.parent(), "artifactId"),
                gradle.rootProjectName(),
                "pom.xml and settings.gradle.kts name the whole project differently");
        for (Path pom : maven.poms()) {
            Element ofModule = MavenBuild.xml(pom);
            if (pom.getParent().equals(ROOT)) {
                continue;
            }
            // The BOM has no parent, and has both itself.
            Element itsParent = MavenBuild.child(ofModule, "parent");
            itsParent = itsParent == null ? ofModule : itsParent;
            assertEquals(
                    group, MavenBuild.childText(itsParent, "groupId"), ROOT.relativize(pom) + " has another group");
            assertEquals(
                    version, MavenBuild.childText(itsParent, "version"), ROOT.relativize(pom) + " has another version");
        }
    }

    /** Dependencies that one of the builds adds by itself are left out: JUnit, and the Kotlin library. */
    @ParameterizedTest
    @MethodSource("modules")
    void dependenciesAreTheSame(String folder) {
        assertEquals(
                named(maven.dependencies(folder, "compile")),
                named(gradle.dependencies(folder, "api", "implementation")),
                "of the main code");
        assertEquals(
                named(maven.dependencies(folder, "provided")),
                named(gradle.dependencies(folder, "compileOnly")),
                "to compile the main code");
        assertEquals(
                named(maven.dependencies(folder, "test")),
                named(gradle.dependencies(folder, "testImplementation")),
                "of the tests");
    }

    private static Set<String> named(Set<String> dependencies) {
        return dependencies.stream()
                // Gradle selects the artifact for the JVM by itself.
                .map(name -> name.startsWith("org.jetbrains.kotlinx:") ? name.replaceFirst("-jvm$", "") : name)
                .filter(name -> !name.equals("org.jetbrains.kotlin:kotlin-stdlib"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theReleaseOfJavaIsTheSame() {
        assertEquals(maven.property("maven.compiler.release"), gradle.release());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void compilerFlagsAreTheSame(String folder) {
        assertEquals(maven.compilerFlags(folder), gradle.compilerFlags(folder), "of javac");
        assertEquals(maven.kotlinFlags(folder), gradle.kotlinFlags(folder), "of the compiler of Kotlin");
    }

    @Test
    void errorProneChecksTheSame() {
        assertEquals(maven.property("lint.checks").trim(), gradle.property("lint.checks"));
        assertEquals(maven.property("lint22", "lint.generics"), gradle.property("lint.generics"), "on newer JDKs");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void testsRunWithTheSameFlagsAndProperties(String folder) {
        assertEquals(maven.testFlags(folder), gradle.testFlags(folder));
        assertEquals(maven.testForks(folder), gradle.testForks(folder), "JVMs at a time");
    }

    @Test
    void theJavadocOfAllExportedPackagesIsChecked() {
        Set<String> exported = new TreeSet<>();
        for (String folder : modules()) {
            if (maven.isLibrary(folder) && !gradle.usesKotlin(folder)) {
                all("(?m)^\\s*exports\\s+([\\w.]+)", maven.moduleDescriptor(folder))
                        .forEach(exported::add);
            }
        }
        assertEquals("-Xdoclint/package:" + String.join(",", exported), maven.property("doclint.flags"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stress.flags", "stress.tests"})
    void theTestsOfRacesRunUnderTheSameCompiler(String property) {
        assertEquals(maven.property(property), gradle.property(property));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aLibraryExportsTheSamePackagesAsModuleAndAsBundle(String folder) throws IOException {
        assertEquals(
                maven.isLibrary(folder),
                gradle.isLibrary(folder),
                "bnd.bnd exists exactly where the plugin is applied");
        if (maven.isLibrary(folder)) {
            String module = maven.moduleDescriptor(folder);
            String bundle = Files.readString(ROOT.resolve(folder).resolve("bnd.bnd"));
            Set<String> exports =
                    all("(?m)^\\s*exports\\s+([\\w.]+)", module).collect(Collectors.toCollection(TreeSet::new));
            String inBundle = all("(?m)^-exportcontents:(.*)$", bundle).collect(Collectors.joining(","));
            assertTrue(!exports.isEmpty(), "the module exports nothing");
            assertEquals(exports, new TreeSet<>(List.of(inBundle.trim().split("\\s*,\\s*"))));
        }
    }

    /** One line for each version, so that the difference is readable. */
    private static String lines(Map<String, String> versions) {
        return versions.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    private static Stream<String> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(result -> result.group(1));
    }

    /** The root of the project. A build starts the tests in the folder of the module or of the project. */
    static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("settings.gradle.kts"))) {
                return folder;
            }
        }
        return fail("No folder from " + start + " upward holds settings.gradle.kts");
    }
}
