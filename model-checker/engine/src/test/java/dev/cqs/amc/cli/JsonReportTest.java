package dev.cqs.amc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command always writes one JSON document, with stable names. */
class JsonReportTest {

    private static final String SCENES = "dev.cqs.amc.cli.Scenes.";

    @Test
    void resultHasAllThatIsCovered() {
        Run run = Run.of("--json", SCENES + "HandsOver");
        assertEquals(Set.of("results", "exitCode"), run.json().keySet());
        assertEquals(0.0, run.json().get("exitCode"));
        Map<String, Object> result = run.results().get(0);
        assertEquals(
                List.of(
                        "scenario",
                        "program",
                        "model",
                        "threads",
                        "verdict",
                        "verified",
                        "complete",
                        "blocked",
                        "abandoned",
                        "inconsistent",
                        "boundHit",
                        "loopBound",
                        "cutOffs",
                        "largestGraph",
                        "seconds",
                        "executionsPerSecond",
                        "blindSpot",
                        "outcomes",
                        "sites",
                        "symmetric",
                        "notes",
                        "counterExample"),
                List.copyOf(result.keySet()));
        assertEquals(SCENES + "HandsOver", result.get("scenario"));
        assertEquals("RC11", result.get("model"));
        assertEquals(2.0, result.get("threads"));
        assertEquals("VERIFIED", result.get("verdict"));
        assertEquals(true, result.get("verified"));
        assertEquals(2.0, result.get("complete"));
        assertEquals(false, result.get("boundHit"));
        assertEquals(32.0, result.get("loopBound"));
        assertEquals(
                List.of(Map.of("values", List.of(0.0), "count", 1.0), Map.of("values", List.of(42.0), "count", 1.0)),
                result.get("outcomes"));
        assertNull(result.get("counterExample"));
        assertTrue(((List<?>) result.get("sites"))
                .stream()
                        .anyMatch(site -> ((Map<?, ?>) site).get("key").equals("Scenes.HandsOver.writer:setRelease#0")
                                && ((Map<?, ?>) site).get("mode").equals("RELEASE")));
    }

    @Test
    void cutOffsAreNamed() {
        Map<?, ?> cutOff = (Map<?, ?>) ((List<?>) Run.of("--json", SCENES + "MayFillMuch")
                        .results()
                        .get(0)
                        .get("cutOffs"))
                .get(0);
        assertEquals("LOOP", cutOff.get("bound"));
        assertEquals(32.0, cutOff.get("limit"));
        assertEquals("Scenes.FillsMuch.fills", cutOff.get("code"));
        assertTrue(cutOff.get("place").toString().startsWith("Scenes.java:"), cutOff::toString);
        assertEquals(
                List.of(),
                Run.of("--json", SCENES + "HandsOver").results().get(0).get("cutOffs"));
    }

    @Test
    void counterExampleHasItsSteps() {
        Run run = Run.of("--json", SCENES + "Miscounts");
        assertEquals(1.0, run.json().get("exitCode"));
        Map<?, ?> example = (Map<?, ?>) run.results().get(0).get("counterExample");
        assertEquals("CHECK_FAILED", example.get("verdict"));
        assertTrue(example.get("message").toString().contains("a \"lost\" update"), example::toString);
        assertEquals(3, ((List<?>) example.get("threads")).size());
        Map<?, ?> step = (Map<?, ?>) ((List<?>) example.get("steps")).get(0);
        assertEquals(Set.of("number", "thread", "operation", "sources", "place", "guilty"), step.keySet());
        assertTrue(step.get("place").toString().startsWith("Scenes.java:"), step::toString);
        assertEquals(Set.of("order", "from", "to"), ((Map<?, ?>) ((List<?>) example.get("edges")).get(0)).keySet());
        assertEquals(List.of("SC", "TSO", "JLS", "RC11"), example.get("models"));
        assertTrue(!((List<?>) example.get("writeOrders")).isEmpty());
    }

    @Test
    void repairsAreNamed() {
        Run run = Run.of("--json", "--mode", "Scenes.HandsOver.writer:setRelease#0=opaque", SCENES + "HandsOver");
        Map<?, ?> example = (Map<?, ?>) run.results().get(0).get("counterExample");
        Map<?, ?> repair = (Map<?, ?>) ((List<?>) example.get("repairs")).get(0);
        assertEquals("VERIFIED", repair.get("effect"));
        Map<?, ?> change = (Map<?, ?>) ((List<?>) repair.get("changes")).get(0);
        assertEquals("Scenes.HandsOver.writer:setRelease#0", change.get("site"));
        assertEquals("RELEASE", change.get("mode"));
    }

    @Test
    void resultsOfAllChecksAreInOneDocument() {
        Run run = Run.of("--json", "--model", "sc,tso", SCENES + "HandsOver", "dev.cqs.amc.BadScenarios.NoActors");
        assertEquals(
                List.of("SC", "TSO", "SC", "TSO"),
                run.results().stream().map(result -> result.get("model")).toList());
        Map<String, Object> last = run.results().get(3);
        assertEquals(Set.of("scenario", "model", "error"), last.keySet());
        assertEquals(
                Map.of(
                        "kind",
                        "NO_SCENARIO",
                        "message",
                        "The class dev.cqs.amc.BadScenarios$NoActors has no method with @Actor, so there is nothing to check."),
                last.get("error"));
        assertEquals(65.0, run.json().get("exitCode"));
        assertEquals(65, run.code());
    }

    @Test
    void kindOfErrorIsNamed() {
        assertEquals("UNCHECKABLE", kind(Run.of("--json", "dev.cqs.amc.BadScenarios.Recursion")));
        assertEquals("CRASH", kind(Run.of("--json", SCENES + "BreaksTheMachine")));
    }

    private static Object kind(Run run) {
        return ((Map<?, ?>) run.results().get(0).get("error")).get("kind");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nonsense", "--model=x", "no.Such"})
    void wrongArgumentsAreADocumentToo(String argument) {
        Run run = Run.of("--json", argument);
        assertEquals(Set.of("error", "exitCode"), run.json().keySet());
        assertEquals("USAGE", ((Map<?, ?>) run.json().get("error")).get("kind"));
        assertEquals(64.0, run.json().get("exitCode"));
        assertEquals("", run.err());
        assertEquals(64, run.code());
    }

    @Test
    void writerEscapesWhatMustBe() {
        String odd = "\"quoted\" \\ / \n \r \t \b \f \u0000 \u001f \u007f é 漢 \uD83D\uDE00 \uD800";
        String written =
                new JsonWriter().beginObject().name(odd).value(odd).endObject().toString();
        assertEquals(Map.of(odd, odd), Json.parse(written));
        assertTrue(written.chars().allMatch(character -> character >= ' ' && character < 127), written);
    }

    @Test
    void writerSeparatesValues() {
        JsonWriter writer = new JsonWriter()
                .beginArray()
                .value(1)
                .value(-2.5)
                .value(true)
                .nullValue()
                .value("")
                .beginObject()
                .endObject()
                .beginArray()
                .endArray()
                .beginObject()
                .name("a")
                .value(Long.MIN_VALUE)
                .name("b")
                .beginArray()
                .value(1e300)
                .endArray()
                .endObject()
                .endArray();
        assertEquals("[1,-2.5,true,null,\"\",{},[],{\"a\":-9223372036854775808,\"b\":[1.0E300]}]", writer.toString());
        assertEquals(8, ((List<?>) Json.parse(writer.toString())).size());
    }

    @Test
    void writerRefusesWhatIsNoNumber() {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            assertEquals(
                    "JSON has no number " + bad + ".",
                    assertThrows(IllegalArgumentException.class, () -> new JsonWriter().value(bad))
                            .getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "{\"a\":1,}", "[1 2]", "{\"a\":1}{", "01", "\"\n\"", "nul", "{a:1}", "[,1]", "NaN"})
    void parserOfThisTestIsStrict(String text) {
        assertThrows(AssertionError.class, () -> Json.parse(text));
    }
}
