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
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The Maven build and the Gradle build of this project say the same. */
class BuildAgreementTest {

    private static final String VERSION_SUFFIX = ".version";
    private static final Pattern CATALOG_VERSION = Pattern.compile("([A-Za-z][\\w-]*)\\s*=\\s*\"([^\"]*)\"");
    private static final Pattern ARTIFACT_AND_FOLDER = Pattern.compile("(?m)^\\s*\"([^\"]*)\" to \"([^\"]*)\",$");

    private final Path root = root();
    private final Document parent = xml(root.resolve("pom.xml"));

    @Test
    void versionsAreTheSame() {
        Map<String, String> maven = versions(parent);
        Map<String, String> catalog = catalogVersions();
        versions(xml(root.resolve("bom/pom.xml"))).forEach((name, version) -> assertEquals(maven.get(name), version,
                () -> "pom.xml and bom/pom.xml name different versions of " + name));
        assertTrue(!maven.isEmpty(), "pom.xml has no property that ends with " + VERSION_SUFFIX);
        Set<String> names = new TreeSet<>(maven.keySet());
        names.addAll(catalog.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            String inPom = maven.get(name);
            String inCatalog = catalog.get(name);
            if (inPom == null) {
                differences.add(name + " is in gradle/libs.versions.toml, but pom.xml has no " + name + VERSION_SUFFIX);
            } else if (inCatalog == null) {
                differences.add(name + VERSION_SUFFIX + " is in pom.xml, but gradle/libs.versions.toml has no " + name);
            } else if (!inPom.equals(inCatalog)) {
                differences.add(name + " is " + inPom + " in pom.xml and " + inCatalog
                        + " in gradle/libs.versions.toml");
            }
        }
        assertTrue(differences.isEmpty(), () -> "The builds disagree on versions: " + String.join("; ", differences));
    }

    @Test
    void pomsHaveNoLiteralVersions() {
        List<String> literals = new ArrayList<>();
        for (Path pom : poms()) {
            Element project = xml(pom).getDocumentElement();
            NodeList versions = project.getElementsByTagName("version");
            for (int i = 0; i < versions.getLength(); i++) {
                Element version = (Element) versions.item(i);
                Node owner = version.getParentNode();
                boolean ofTheProject = owner == project
                        || owner == child(project, "parent");
                String text = version.getTextContent().trim();
                if (!ofTheProject && !text.matches("\\$\\{[^}]+}")) {
                    literals.add(text + " in " + root.relativize(pom));
                }
            }
        }
        assertTrue(literals.isEmpty(), () -> "A pom takes each version from a property of the parent, but there is "
                + String.join(", ", literals));
    }

    @Test
    void catalogLibrariesHaveNoLiteralVersions() {
        List<String> literals = new ArrayList<>();
        String section = "";
        for (String line : lines(catalog())) {
            if (line.startsWith("[")) {
                section = line;
            } else if (!section.equals("[versions]") && line.matches(".*\\bversion\\s*=.*")) {
                literals.add(line);
            }
        }
        assertTrue(literals.isEmpty(), () -> "gradle/libs.versions.toml names versions under [versions] only, but has "
                + String.join(", ", literals));
    }

    @Test
    void modulesAreTheSame() {
        Map<String, String> gradle = new TreeMap<>();
        Matcher entry = ARTIFACT_AND_FOLDER.matcher(text(root.resolve("settings.gradle.kts")));
        while (entry.find()) {
            gradle.put(entry.group(2), entry.group(1));
        }
        Map<String, String> maven = new TreeMap<>();
        for (String folder : folders()) {
            maven.put(folder, childText(xml(root.resolve(folder).resolve("pom.xml")).getDocumentElement(), "artifactId"));
        }
        assertEquals(maven, gradle, "pom.xml (with its profiles) and settings.gradle.kts name different folders and artifacts");
    }

    @Test
    void bomsManageTheSame() {
        Set<String> maven = new TreeSet<>();
        NodeList managed = xml(root.resolve("bom/pom.xml")).getElementsByTagName("dependency");
        for (int i = 0; i < managed.getLength(); i++) {
            maven.add(childText((Element) managed.item(i), "artifactId"));
        }
        Set<String> gradle = new TreeSet<>();
        Matcher constraint = Pattern.compile("api\\(project\\(\":([^\"]*)\"\\)\\)").matcher(text(root.resolve("bom/build.gradle.kts")));
        while (constraint.find()) {
            gradle.add(constraint.group(1));
        }
        assertTrue(!maven.isEmpty(), "bom/pom.xml manages nothing");
        assertEquals(maven, gradle, "bom/pom.xml and bom/build.gradle.kts manage different artifacts");
    }

    @Test
    void groupAndVersionAreTheSame() throws IOException {
        Properties gradle = new Properties();
        try (var in = Files.newInputStream(root.resolve("gradle.properties"))) {
            gradle.load(in);
        }
        Element project = parent.getDocumentElement();
        String group = childText(project, "groupId");
        String version = childText(project, "version");
        assertEquals(group, gradle.getProperty("group"), "pom.xml and gradle.properties name different groups");
        assertEquals(version, gradle.getProperty("version"), "pom.xml and gradle.properties name different versions");
        assertEquals(childText(project, "artifactId"), rootProjectName(),
                "pom.xml and settings.gradle.kts name the whole project differently");
        for (Path pom : poms()) {
            Element ofModule = xml(pom).getDocumentElement();
            if (pom.getParent().equals(root)) {
                continue;
            }
            // The one of the artifacts' versions has no parent, and says both itself.
            Element itsParent = child(ofModule, "parent") == null ? ofModule : child(ofModule, "parent");
            assertEquals(group, childText(itsParent, "groupId"), root.relativize(pom) + " is of another group");
            assertEquals(version, childText(itsParent, "version"), root.relativize(pom) + " has another version");
        }
    }

    private String rootProjectName() {
        Matcher name = Pattern.compile("rootProject\\.name\\s*=\\s*\"([^\"]*)\"")
                .matcher(text(root.resolve("settings.gradle.kts")));
        return name.find() ? name.group(1) : fail("settings.gradle.kts does not set rootProject.name");
    }

    private Path catalog() {
        return root.resolve("gradle/libs.versions.toml");
    }

    /** Reads the section of the versions, of which this project uses only the form {@code name = "value"}. */
    private Map<String, String> catalogVersions() {
        Map<String, String> versions = new TreeMap<>();
        boolean inside = false;
        for (String line : lines(catalog())) {
            if (line.startsWith("[")) {
                inside = line.equals("[versions]");
            } else if (inside) {
                Matcher entry = CATALOG_VERSION.matcher(line);
                assertTrue(entry.matches(), () -> "This test cannot read the line in gradle/libs.versions.toml: " + line);
                versions.put(entry.group(1), entry.group(2));
            }
        }
        assertTrue(!versions.isEmpty(), "gradle/libs.versions.toml has no section [versions] with entries");
        return versions;
    }

    private static List<String> lines(Path file) {
        return text(file).lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    }

    /** The folders of the modules, of all profiles. */
    private Set<String> folders() {
        Set<String> folders = new TreeSet<>();
        NodeList modules = parent.getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            folders.add(modules.item(i).getTextContent().trim());
        }
        return folders;
    }

    /** The pom of the root and those of the folders two levels down, also of folders that no pom lists. */
    private List<Path> poms() {
        try (Stream<Path> files = Files.find(root, 3, (file, attributes) -> file.endsWith("pom.xml"))) {
            return files.filter(file -> !file.toString().contains("/target/")).sorted().toList();
        } catch (IOException e) {
            return fail("Cannot list " + root, e);
        }
    }

    private static Map<String, String> versions(Document pom) {
        Map<String, String> versions = new TreeMap<>();
        for (Element property : children(child(pom.getDocumentElement(), "properties"))) {
            String name = property.getTagName();
            if (name.endsWith(VERSION_SUFFIX)) {
                versions.put(name.substring(0, name.length() - VERSION_SUFFIX.length()), property.getTextContent().trim());
            }
        }
        return versions;
    }

    /** The build starts the tests in the folder of the module or of the project, so the root is that or above. */
    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("settings.gradle.kts"))) {
                return folder;
            }
        }
        return fail("No folder from " + start + " upward holds settings.gradle.kts");
    }

    private static Document xml(Path file) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        } catch (Exception e) {
            return fail("Cannot read " + file, e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return fail("Cannot read " + file, e);
        }
    }

    private static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }

    private static Element child(Element element, String name) {
        return children(element).stream().filter(child -> child.getTagName().equals(name)).findFirst().orElse(null);
    }

    private static String childText(Element element, String name) {
        Element child = element == null ? null : child(element, name);
        return child == null ? null : child.getTextContent().trim();
    }
}
