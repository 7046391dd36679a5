package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;

/** The stages of the checker, a package each, have no cyclic dependencies. */
class StagesTest {

    private static final String PUBLIC = "dev.cqs.amc";
    /**
     * The public package, whose types all stages use and whose entry points use the stages, and the package that
     * renders its counter-examples.
     */
    private static final Set<String> ASIDE = Set.of(PUBLIC, PUBLIC + ".report");

    private static final int MOST_CLASSES = 25;

    /** Per package, its top-level classes. */
    private static final Map<String, Set<String>> CLASSES = new TreeMap<>();
    /** Per package, the other packages that it uses. */
    private static final Map<String, Set<String>> USES = new TreeMap<>();

    @BeforeAll
    static void readClasses() throws IOException, URISyntaxException {
        Path place = Path.of(AwaitModelChecker.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isDirectory(place)) {
            readClassesIn(place);
            return;
        }
        try (FileSystem archive = FileSystems.newFileSystem(place)) {
            readClassesIn(archive.getPath("/"));
        }
    }

    private static void readClassesIn(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                read(Files.readAllBytes(file));
            }
        }
    }

    private static void read(byte[] code) {
        ClassReader reader = new ClassReader(code);
        String name = reader.getClassName();
        if (name.equals("module-info")) {
            return;
        }
        String from = packageOf(name);
        Set<String> uses = USES.computeIfAbsent(from, key -> new TreeSet<>());
        if (name.endsWith("/package-info")) {
            return;
        }
        if (!name.contains("$")) {
            CLASSES.computeIfAbsent(from, key -> new TreeSet<>()).add(name);
        }
        // Without a writer behind the remapper, the code of methods would not be visited.
        reader.accept(
                new ClassRemapper(new ClassNode(), new Remapper(Opcodes.ASM9) {

                    @Override
                    public String map(String internalName) {
                        String to = packageOf(internalName);
                        if (to.startsWith(PUBLIC) && !to.equals(from)) {
                            uses.add(to);
                        }
                        return internalName;
                    }
                }),
                0);
    }

    private static String packageOf(String internalName) {
        return internalName
                .substring(0, Math.max(0, internalName.lastIndexOf('/')))
                .replace('/', '.');
    }

    @Test
    void noStageUsesOneThatUsesIt() {
        Set<String> left = new TreeSet<>(USES.keySet());
        left.removeAll(ASIDE);
        assertTrue(left.size() > 10, left::toString);
        List<String> order = new ArrayList<>();
        boolean isAnyNew = true;
        while (isAnyNew) {
            Set<String> before = new HashSet<>(left);
            isAnyNew = left.removeIf(
                    stage -> USES.get(stage).stream().noneMatch(used -> before.contains(used)) && order.add(stage));
        }
        assertEquals(Set.of(), left, () -> "These use each other; in order are " + order);
    }

    @Test
    void noStageHasManyClasses() {
        CLASSES.forEach((name, classes) ->
                assertTrue(classes.size() < MOST_CLASSES, () -> name + " has " + classes.size() + " classes"));
    }

    @Test
    void modelsKnowGraphsAlone() {
        assertFalse(
                USES.get(PUBLIC + ".graph").stream().anyMatch(used -> !used.equals(PUBLIC)), "a graph knows no stage");
        assertFalse(
                USES.get(PUBLIC + ".models").stream()
                        .anyMatch(used -> !Set.of(PUBLIC, PUBLIC + ".graph").contains(used)),
                "a memory model knows graphs alone");
    }
}
