package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages have the parts that a reader looks for in each of their sections. */
class PagesTest {
    private static final List<String> OF_A_PRIMITIVE =
            List.of("Fairness", "Cancellation", "Memory ordering", "Errors", "Example for Java", "Example for Kotlin");

    @Test
    void guideHasTheSameHeadingsForEachPrimitive() throws IOException {
        Map<String, String> sections = sections("guide.md", "## ");
        sections.remove("For all of them");
        assertTrue(sections.size() >= 8, "the primitives are found");
        sections.forEach((primitive, text) -> {
            assertEquals(OF_A_PRIMITIVE, all("(?m)^### (.*)$", text), primitive);
            assertTrue(
                    text.matches("(?s).*### Example for Java\n\n```java\n.*### Example for Kotlin\n\n```kotlin\n.*"),
                    primitive);
        });
    }

    @Test
    void eachDecisionHasAnAlternativeAndAFigure() throws IOException {
        Map<String, String> decisions = sections("design-decisions.md", "## ");
        assertTrue(decisions.size() >= 10, "the decisions are found");
        decisions.forEach((decision, text) ->
                assertEquals(List.of("Alternative", "Figure"), all("(?m)^\\*\\*(\\w+)\\.\\*\\*", text), decision));
    }

    @Test
    void migrationSaysOfEachClassWhatIsSameDifferentNewAndMissing() throws IOException {
        Map<String, String> classes = sections("migration.md", "### ");
        classes.remove("Not here");
        assertTrue(classes.size() >= 10, "the classes are found");
        classes.forEach((name, text) ->
                assertEquals(List.of("same", "different", "new", "missing"), all("(?m)^\\| (\\w+) \\|", text), name));
    }

    @Test
    void readmeIsShort() throws IOException {
        String text = Files.readString(Documentation.ROOT.resolve("README.md"));
        int words = all("([\\p{L}\\p{N}]\\S*)", text).size();
        assertTrue(words < 800, () -> "README.md has " + words + " words, and should have about 700");
    }

    @Test
    void figuresBeginWithASummaryThatLeadsToTheirSections() throws IOException {
        String page = Files.readString(Documentation.ROOT.resolve("docs/figures.md"));
        String summary = sections("figures.md", "## ").get("Summary");
        assertTrue(page.indexOf("## Summary") == page.indexOf("## "), "it is the first section");
        List<String> rows = all("(?m)^(\\| .*\\|)$", summary);
        assertTrue(rows.size() > 20, "the rows are found");
        for (String row : rows.subList(1, rows.size())) {
            assertTrue(row.matches(".*\\]\\(#[^)]+\\) \\|"), row);
        }
    }

    /** What stands below each heading of this level, up to the next heading of this level or above. */
    private static Map<String, String> sections(String page, String heading) throws IOException {
        Map<String, String> sections = new LinkedHashMap<>();
        String name = null;
        boolean code = false;
        List<String> text = new ArrayList<>();
        for (String line : Files.readAllLines(Documentation.ROOT.resolve("docs").resolve(page))) {
            code ^= line.stripLeading().startsWith("```");
            boolean begins = !code && line.startsWith(heading);
            if (begins || !code && line.startsWith("#") && line.indexOf(' ') < heading.length()) {
                if (name != null) {
                    sections.put(name, String.join("\n", text));
                }
                name = begins ? line.substring(heading.length()) : null;
                text.clear();
            } else {
                text.add(line);
            }
        }
        if (name != null) {
            sections.put(name, String.join("\n", text));
        }
        return sections;
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
