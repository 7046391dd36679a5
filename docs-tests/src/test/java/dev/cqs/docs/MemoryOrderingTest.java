package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cqs.Waiter;
import dev.cqs.coroutines.CountDownLatch;
import dev.cqs.threads.Grant;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/memory-ordering.md has a row for each shared mutable field, and no row for a field that does not exist.
 *
 * <p>Such a field is an instance field that is not final, or a final one whose content changes: an array in a class with
 * {@code VarHandle}s, or an object of {@code java.util.concurrent.atomic}.
 */
class MemoryOrderingTest {
    private static final String PAGE = "docs/memory-ordering.md";

    /** One class of each module of the library. */
    private static final List<Class<?>> MODULES = List.of(Waiter.class, Grant.class, CountDownLatch.class);

    private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");

    private final Map<String, Class<?>> classes = classes();
    private final Map<Class<?>, Set<String>> rows = new HashMap<>();
    private final Map<Class<?>, Set<String>> rowsInTheCode = new HashMap<>();

    MemoryOrderingTest() throws IOException {
        read(Files.readAllLines(Documentation.ROOT.resolve(PAGE)));
    }

    @Test
    void eachFieldThatChangesHasARow() {
        Map<String, Set<String>> missing = new TreeMap<>();
        int fields = 0;
        for (Class<?> each : classes.values()) {
            Set<String> ofClass = fieldsThatChange(each);
            fields += ofClass.size();
            ofClass.removeAll(rows.getOrDefault(each, Set.of()));
            if (!ofClass.isEmpty()) {
                missing.put(each.getName(), ofClass);
            }
        }
        assertTrue(fields > 100, "the classes are found");
        assertEquals(Map.of(), missing, PAGE + " has no row for these fields");
    }

    @Test
    void eachFieldOfTheClassesIsChecked() {
        assertTrue(classes.containsKey("Segment"));
        assertTrue(fieldsThatChange(classes.get("Segment")).containsAll(List.of("cells", "next", "counts")));
        assertTrue(fieldsThatChange(classes.get("SignalWaiter")).containsAll(List.of("slot", "left")));
    }

    /** So that a change of an access, beside which the overview stands, is not made without the page. */
    @Test
    void overviewsLeadToThePage() throws IOException {
        List<Path> sources =
                Documentation.sources("cqs-jvm/src/main", "threads-adapter/src/main", "coroutines-adapter/src/main");
        List<String> without = new ArrayList<>();
        for (Class<?> each : rows.keySet()) {
            Class<?> outermost = outermost(each);
            for (Path source : sources) {
                String text = Files.readString(source);
                if (declares(text, outermost)
                        && text.matches("(?s).*\n *\\* Overview[.:].*")
                        && !text.contains("Access modes of each field: " + PAGE)
                        && !rowsInTheCode.containsKey(each)
                        && !isPadding(each)) {
                    without.add(source.getFileName().toString());
                }
            }
        }
        assertEquals(List.of(), without, "these overview comments do not name " + PAGE);
    }

    /** The page leaves the tables of some classes to the code, which therefore has to have them. */
    @Test
    void tablesInTheCodeNameTheirFields() throws IOException {
        assertTrue(rowsInTheCode.size() > 5, "they are found");
        List<Path> sources = Documentation.sources("cqs-jvm/src/main");
        for (Map.Entry<Class<?>, Set<String>> table : rowsInTheCode.entrySet()) {
            for (String field : table.getValue()) {
                Pattern row = Pattern.compile("(?m)^ *\\* +(?:a )?(?:\\w+\\.)?" + field + ",? +\\S");
                boolean there = false;
                for (Path source : sources) {
                    String text = Files.readString(source);
                    there |= declares(text, outermost(table.getKey()))
                            && row.matcher(text).find();
                }
                assertTrue(there, () -> "the table of " + table.getKey() + " has no row for " + field);
            }
        }
    }

    // The page

    private void read(List<String> lines) {
        List<Class<?>> ofSection = List.of();
        String header = null;
        for (String line : lines) {
            if (line.startsWith("#")) {
                ofSection = line.startsWith("### ") ? classesIn(line) : List.of();
            }
            if (!line.startsWith("|")) {
                header = null;
                continue;
            }
            String[] cells = line.substring(1).split("\\|");
            if (header == null) {
                header = line;
            } else if (header.startsWith("| field |")) {
                add(rows, ofSection, names(cells[0]));
            } else if (header.startsWith("| class | fields |") && cells[0].contains("`")) {
                add(rows, classesIn(cells[0]), names(cells[1]));
                if (header.contains("| table in |")) {
                    add(rowsInTheCode, classesIn(cells[0]), names(cells[1]));
                }
            }
        }
    }

    private static void add(Map<Class<?>, Set<String>> table, List<Class<?>> owners, List<String> fields) {
        for (String field : fields) {
            boolean there = false;
            for (Class<?> owner : owners) {
                if (has(owner, field)) {
                    table.computeIfAbsent(owner, key -> new LinkedHashSet<>()).add(field);
                    there = true;
                }
            }
            assertTrue(there, () -> PAGE + " has a row for " + field + ", which is no field of " + owners);
        }
    }

    private List<Class<?>> classesIn(String text) {
        return names(text).stream()
                .<Class<?>>map(name -> {
                    Class<?> found = classes.get(name);
                    return found != null
                            ? found
                            : fail(PAGE + " names " + name + ", which is no class, or one of several");
                })
                .toList();
    }

    private static List<String> names(String text) {
        return NAME.matcher(text).results().map(result -> result.group(1)).toList();
    }

    // The classes

    /** Declared in the class, or inherited from one of the JDK. */
    private static boolean has(Class<?> type, String field) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            boolean declares = each == type || each.getName().startsWith("java.");
            if (declares
                    && Arrays.stream(each.getDeclaredFields())
                            .anyMatch(one -> one.getName().equals(field))) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> fieldsThatChange(Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            boolean changes = !Modifier.isFinal(modifiers)
                    || field.getType().isArray() && usesVarHandles(type)
                    || field.getType().getName().startsWith("java.util.concurrent.atomic.");
            if (changes && !Modifier.isStatic(modifiers) && !field.isSynthetic()) {
                names.add(field.getName());
            }
        }
        return names;
    }

    private static boolean usesVarHandles(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).anyMatch(field -> field.getType() == VarHandle.class);
    }

    private static boolean isPadding(Class<?> type) {
        return fieldsThatChange(type).stream().allMatch(name -> name.matches("[pq]\\d|unused\\d|filler|gap"));
    }

    private static Class<?> outermost(Class<?> type) {
        return type.getEnclosingClass() == null ? type : outermost(type.getEnclosingClass());
    }

    private static boolean declares(String source, Class<?> type) {
        return source.contains("package " + type.getPackageName())
                && source.matches("(?s).*\\bclass " + type.getSimpleName() + "\\b.*");
    }

    /** By the name that the page has for them: that of the outermost class and those inside, without the package. */
    private static Map<String, Class<?>> classes() throws IOException {
        Map<String, Class<?>> named = new TreeMap<>();
        Set<String> ambiguous = new TreeSet<>();
        for (Class<?> module : MODULES) {
            for (Class<?> each : classesOf(module)) {
                if (!isStateOfACoroutine(each) && !fieldsThatChange(each).isEmpty()) {
                    String name = each.getName()
                            .substring(each.getPackageName().length() + 1)
                            .replace('$', '.');
                    if (named.put(name, each) != null) {
                        ambiguous.add(name);
                    }
                }
            }
        }
        assertEquals(Set.of(), ambiguous, "two classes of one name; the page needs their packages");
        return named;
    }

    /** Made by the compiler of Kotlin for a suspending function; one coroutine uses it. */
    private static boolean isStateOfACoroutine(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals("kotlin.coroutines.jvm.internal.BaseContinuationImpl")) {
                return true;
            }
        }
        return false;
    }

    /** All classes that come from the same folder or jar. */
    private static Collection<Class<?>> classesOf(Class<?> one) throws IOException {
        Path place;
        try {
            place = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException thrown) {
            throw new AssertionError(thrown);
        }
        if (Files.isDirectory(place)) {
            return classesBelow(place, one.getClassLoader());
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
            return classesBelow(jar.getPath("/"), one.getClassLoader());
        }
    }

    private static List<Class<?>> classesBelow(Path root, ClassLoader loader) throws IOException {
        List<String> names;
        try (Stream<Path> files = Files.walk(root)) {
            names = files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replaceAll("[/\\\\]", "."))
                    .collect(Collectors.toList());
        }
        List<Class<?>> found = new ArrayList<>();
        for (String name : names) {
            try {
                found.add(Class.forName(name, false, loader));
            } catch (ClassNotFoundException thrown) {
                throw new AssertionError(thrown);
            }
        }
        return found;
    }
}
