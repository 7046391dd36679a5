package dev.cqs.amc.conformance.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.cli.Verify;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the user's guide shows of a terminal is what the command prints, but for the time that it took. */
class GuideOutputTest {

    /** A block of which the first line is a command of the profile {@code verify}, perhaps broken by a backslash. */
    private static final Pattern BLOCK = Pattern.compile(
            "```\\n\\$ mvn -q -Pverify -Dscenario=(\\S+)(?:\\s*\\\\?\\s*-Dverify.options=\"([^\"]*)\")?\\n(.*?)\\n```",
            Pattern.DOTALL);

    @TestFactory
    Stream<DynamicTest> guideShowsWhatIsPrinted() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(guide()));
        while (block.find()) {
            String scenario = block.group(1);
            String options = block.group(2) == null ? "" : block.group(2);
            String shown = block.group(3);
            tests.add(DynamicTest.dynamicTest(
                    scenario + " " + options,
                    () -> assertEquals(withoutTime(shown), withoutTime(run(scenario, options)))));
        }
        assertTrue(tests.size() >= 2, "the blocks are found");
        return tests.stream();
    }

    private static String run(String scenario, String options) {
        String arguments = (options + " " + scenario).trim();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Verify.run(arguments.split(" +"), both, both);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String withoutTime(String output) {
        return output.strip().replaceAll("\\R", "\n").replaceAll("[\\d.,]+ m?s$", "so much time");
    }

    /** The build starts the tests in the folder of the module or of the project. */
    private static Path guide() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/model-checker.md"))) {
            here = here.getParent();
        }
        return here.resolve("docs/model-checker.md");
    }
}
