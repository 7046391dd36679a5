package dev.cqs.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The target of each link to a file of the project, or to a heading, exists. */
class LinksTest {
    /** {@code [text](target)}, and {@code [name]: target} at the beginning of a line. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)(?: \"[^\"]*\")?\\)|^\\[[^]]+]:\\s+(\\S+)");

    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

    private record Link(Path page, int line, String target) {}

    @TestFactory
    Stream<DynamicTest> eachLinkLeadsSomewhere() throws IOException {
        List<Link> links = new ArrayList<>();
        for (Path page : Documentation.pages()) {
            links.addAll(links(page));
        }
        assertTrue(links.size() > 50, "the links are found");
        return links.stream()
                .map(link -> DynamicTest.dynamicTest(
                        Documentation.ROOT.relativize(link.page) + ":" + link.line + " " + link.target,
                        () -> check(link)));
    }

    private static void check(Link link) throws IOException {
        int hash = link.target.indexOf('#');
        String file = hash < 0 ? link.target : link.target.substring(0, hash);
        Path target =
                file.isEmpty() ? link.page : link.page.resolveSibling(file).normalize();
        assertTrue(target.startsWith(Documentation.ROOT), "it leads out of the project");
        assertTrue(Files.exists(target), () -> "there is no " + Documentation.ROOT.relativize(target));
        assertEquals(target.toRealPath().toString(), target.toString(), "small and capital letters");
        if (hash >= 0) {
            String anchor = link.target.substring(hash + 1);
            Set<String> anchors = anchors(target);
            assertTrue(anchors.contains(anchor), () -> "there is no #" + anchor + " among " + anchors);
        }
    }

    private static List<Link> links(Path page) throws IOException {
        List<Link> links = new ArrayList<>();
        List<String> lines = withoutCode(page);
        for (int i = 0; i < lines.size(); i++) {
            Matcher link = LINK.matcher(lines.get(i).replaceAll("`[^`]*`", "`"));
            while (link.find()) {
                String target = link.group(1) != null ? link.group(1) : link.group(2);
                if (!ELSEWHERE.matcher(target).matches()) {
                    links.add(new Link(page, i + 1, target));
                }
            }
        }
        return links;
    }

    /** The anchors that GitHub gives to headings. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : withoutCode(page)) {
            if (line.matches("#{1,6} .*")) {
                String anchor = anchor(line.replaceFirst("^#+ +", ""));
                String first = anchor;
                for (int again = 1; !anchors.add(anchor); again++) {
                    anchor = first + "-" + again;
                }
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .trim()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** The lines of a page. Lines inside code blocks are empty. */
    private static List<String> withoutCode(Path page) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean code = false;
        for (String line : Files.readAllLines(page)) {
            boolean fence = line.stripLeading().startsWith("```");
            lines.add(code || fence ? "" : line);
            code ^= fence;
        }
        return lines;
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        assertEquals("a-timed-out-acquire-behind-n-parked", anchor("A timed-out acquire behind N parked"));
        assertEquals("cyclicbarrier", anchor("`CyclicBarrier`"));
        assertEquals("uncontended-one-thread-acquire--release", anchor("Uncontended, one thread: acquire + release"));
    }
}
