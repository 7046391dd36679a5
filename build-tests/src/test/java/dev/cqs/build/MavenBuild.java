package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The settings of the Maven build, without those of profiles for single commands. */
final class MavenBuild {

    private static final Pattern MODULE = Pattern.compile("(?m)^(?:open )?module ([\\w.]+)");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]+)}");

    private final Path root;
    private final Element parent;

    MavenBuild(Path root) {
        this.root = root;
        parent = xml(root.resolve("pom.xml"));
    }

    Element parent() {
        return parent;
    }

    Element module(String folder) {
        return xml(root.resolve(folder).resolve("pom.xml"));
    }

    /** The folders of the modules, of all profiles. */
    Set<String> folders() {
        Set<String> folders = new TreeSet<>();
        descendants(parent, "module")
                .forEach(module -> folders.add(module.getTextContent().trim()));
        return folders;
    }

    String artifact(String folder) {
        return childText(module(folder), "artifactId");
    }

    /** A module with this file has the profile "library" of the parent. */
    boolean isLibrary(String folder) {
        return Files.exists(root.resolve(folder).resolve("bnd.bnd"));
    }

    /** The source of the descriptor of a library's module. */
    String moduleDescriptor(String folder) {
        Path file = root.resolve(folder).resolve("src/main/java/module-info.java");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return fail("Cannot read " + file, e);
        }
    }

    String moduleName(String folder) {
        Matcher declaration = MODULE.matcher(moduleDescriptor(folder));
        return declaration.find() ? declaration.group(1) : fail("No module is declared in " + folder);
    }

    /** The dependencies of one scope, as group and artifact. */
    Set<String> dependencies(String folder, String scope) {
        Set<String> dependencies = new TreeSet<>();
        for (Element dependency : grandchildren(module(folder), "dependencies")) {
            String itsScope = childText(dependency, "scope");
            if (scope.equals(itsScope == null ? "compile" : itsScope)) {
                dependencies.add(childText(dependency, "groupId") + ":" + childText(dependency, "artifactId"));
            }
        }
        return dependencies;
    }

    /** The flags of javac for the main code: those of the module or, if it has none, those of a library. */
    List<String> compilerFlags(String folder) {
        Element own = plugin(module(folder), "maven-compiler-plugin");
        List<Element> lists = executions(own, "compilerArgs");
        if (lists.isEmpty() && isLibrary(folder)) {
            lists = executions(plugin(profile("library"), "maven-compiler-plugin"), "compilerArgs");
        }
        return arguments(folder, lists);
    }

    /** The flags of the compiler of Kotlin for the main code; empty if there is none. */
    Set<String> kotlinFlags(String folder) {
        Element plugin = plugin(module(folder), "kotlin-maven-plugin");
        Set<String> flags = new TreeSet<>();
        if (plugin != null) {
            Element configuration = child(plugin, "configuration");
            flags.add("-jvm-target=" + resolve(folder, childText(configuration, "jvmTarget")));
            String name = childText(configuration, "moduleName");
            if (name != null) {
                flags.add("-module-name=" + name);
            }
            flags.addAll(arguments(folder, executions(plugin, "args")));
        }
        return flags;
    }

    /** The flags of the JVM in which the tests run, with their system properties. */
    Set<String> testFlags(String folder) {
        Set<String> flags = new TreeSet<>(words(resolve(folder, "${jvm.flags} ${test.flags}")));
        Element configuration = surefire(folder);
        for (Element property : grandchildren(configuration, "systemPropertyVariables")) {
            flags.add("-D" + property.getTagName() + "="
                    + property.getTextContent().trim());
        }
        return flags;
    }

    /** The number of JVMs in which the tests run concurrently. */
    int testForks(String folder) {
        String forks = childText(surefire(folder), "forkCount");
        return forks == null ? 1 : Integer.parseInt(forks);
    }

    private Element surefire(String folder) {
        Element plugin = plugin(module(folder), "maven-surefire-plugin");
        return plugin == null ? null : child(plugin, "configuration");
    }

    /** A property of the parent, with references resolved. */
    String property(String name) {
        return resolve(null, "${" + name + "}");
    }

    /** A property of a profile of the parent. */
    String property(String profile, String name) {
        return propertyOf(profile(profile), name);
    }

    /** The versions of the pom. The keys are the names of the properties without ".version". */
    static Map<String, String> versions(Element project) {
        Map<String, String> versions = new TreeMap<>();
        for (Element property : grandchildren(project, "properties")) {
            String name = property.getTagName();
            if (name.endsWith(".version")) {
                versions.put(
                        name.substring(0, name.length() - ".version".length()),
                        property.getTextContent().trim());
            }
        }
        return versions;
    }

    private String resolve(String folder, String text) {
        String resolved = text;
        for (Matcher reference = REFERENCE.matcher(resolved);
                reference.find();
                reference = REFERENCE.matcher(resolved)) {
            String name = reference.group(1);
            String value = folder == null ? null : propertyOf(module(folder), name);
            value = value == null ? propertyOf(parent, name) : value;
            if (value == null) {
                value = name.equals("project.build.outputDirectory") ? "CLASSES" : fail("No property " + name);
            }
            resolved = resolved.substring(0, reference.start()) + value + resolved.substring(reference.end());
        }
        return resolved;
    }

    private static String propertyOf(Element project, String name) {
        return childText(child(project, "properties"), name);
    }

    private List<String> arguments(String folder, List<Element> lists) {
        List<String> arguments = new ArrayList<>();
        for (Element list : lists) {
            children(list)
                    .forEach(arg -> arguments.add(String.join(" ", words(resolve(folder, arg.getTextContent())))));
        }
        return arguments;
    }

    /** The elements of this name in the configurations of the plugin's executions. */
    private static List<Element> executions(Element plugin, String name) {
        return grandchildren(plugin, "executions").stream()
                .map(execution -> child(child(execution, "configuration"), name))
                .filter(found -> found != null)
                .toList();
    }

    private Element profile(String id) {
        return grandchildren(parent, "profiles").stream()
                .filter(profile -> id.equals(childText(profile, "id")))
                .findFirst()
                .orElseGet(() -> fail("pom.xml has no profile " + id));
    }

    private static Element plugin(Element project, String artifact) {
        return grandchildren(child(project, "build"), "plugins").stream()
                .filter(plugin -> artifact.equals(childText(plugin, "artifactId")))
                .findFirst()
                .orElse(null);
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.trim().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    static Element xml(Path file) {
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
            return document.getDocumentElement();
        } catch (Exception e) {
            return fail("Cannot read " + file, e);
        }
    }

    static List<Element> descendants(Element element, String name) {
        NodeList found = element.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    static Element child(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    static String childText(Element element, String name) {
        Element child = child(element, name);
        return child == null ? null : child.getTextContent().trim();
    }

    private static List<Element> grandchildren(Element element, String name) {
        return children(child(element, name));
    }

    private static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        Node first = element == null ? null : element.getFirstChild();
        for (Node node = first; node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }

    /** The pom of the root and those of the folders two levels down, also of folders that no pom lists. */
    List<Path> poms() {
        try (Stream<Path> files = Files.find(root, 3, (file, attributes) -> file.endsWith("pom.xml"))) {
            return files.filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return fail("Cannot list " + root, e);
        }
    }
}
