package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every block of Java and Kotlin in the documentation occurs in a source file that is compiled and that tests run.
 *
 * <p>A block may leave out text between its paragraphs. All its paragraphs must occur in one file, in the same order and with
 * the same relative indentation.
 */
class CodeInDocumentationTest {
    private static final List<String> PAGES = List.of(
            "README.md",
            "docs/guide.md",
            "docs/migration.md",
            "docs/build-your-own.md",
            "docs/design-decisions.md",
            "docs/guarantees.md",
            "docs/architecture.md",
            "docs/model-checker.md");

    private static final String[] SOURCES = {
        "docs-tests/src/test",
        "examples/src",
        "model-checker/conformance/src/test/java/dev/cqs/amc/conformance/examples"
    };

    @TestFactory
    Stream<DynamicTest> eachBlockIsCompiled() throws IOException {
        List<List<String>> java = sources(".java");
        List<List<String>> kotlin = sources(".kt");
        List<DynamicTest> tests = new ArrayList<>();
        for (String page : PAGES) {
            for (Block block : blocks(Documentation.ROOT.resolve(page))) {
                List<List<String>> sources = block.language.equals("java") ? java : kotlin;
                tests.add(DynamicTest.dynamicTest(
                        page + ":" + block.line,
                        () -> assertTrue(
                                sources.stream().anyMatch(source -> holds(source, block.paragraphs)),
                                () -> "no source contains this block:\n" + block.paragraphs)));
            }
        }
        assertTrue(tests.size() > 20, "enough blocks are found");
        return tests.stream();
    }

    private record Block(String language, int line, List<List<String>> paragraphs) {}

    private static List<Block> blocks(Path page) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<List<String>> paragraphs = null;
        String language = null;
        int begin = 0;
        int indent = 0; // of a block inside of a list
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).stripTrailing();
            if (paragraphs == null) {
                if (line.strip().equals("```java") || line.strip().equals("```kotlin")) {
                    language = line.strip().substring(3);
                    begin = i + 1;
                    indent = line.indexOf('`');
                    paragraphs = new ArrayList<>();
                    paragraphs.add(new ArrayList<>());
                }
            } else if (line.strip().equals("```")) {
                paragraphs.removeIf(List::isEmpty);
                blocks.add(new Block(language, begin, paragraphs));
                paragraphs = null;
            } else if (line.isEmpty()) {
                paragraphs.add(new ArrayList<>());
            } else {
                paragraphs.get(paragraphs.size() - 1).add(line.substring(indent));
            }
        }
        return blocks;
    }

    private static List<List<String>> sources(String suffix) throws IOException {
        List<List<String>> sources = new ArrayList<>();
        for (Path file : Documentation.sources(SOURCES)) {
            if (file.toString().endsWith(suffix)) {
                sources.add(Files.readAllLines(file).stream()
                        .map(String::stripTrailing)
                        .toList());
            }
        }
        return sources;
    }

    private static boolean holds(List<String> source, List<List<String>> paragraphs) {
        int from = 0;
        for (List<String> paragraph : paragraphs) {
            int at = find(source, paragraph, from);
            if (at < 0) {
                return false;
            }
            from = at + paragraph.size();
        }
        return true;
    }

    private static int find(List<String> source, List<String> paragraph, int from) {
        for (int at = from; at + paragraph.size() <= source.size(); at++) {
            if (standsAt(source, at, paragraph)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean standsAt(List<String> source, int at, List<String> paragraph) {
        String first = source.get(at);
        if (!first.endsWith(paragraph.get(0))) {
            return false;
        }
        String indent = first.substring(0, first.length() - paragraph.get(0).length());
        if (!indent.isBlank()) {
            return false;
        }
        for (int i = 0; i < paragraph.size(); i++) {
            if (!source.get(at + i).equals(indent + paragraph.get(i))) {
                return false;
            }
        }
        return true;
    }
}
