package dev.cqs.amc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.ClassFiles;
import dev.cqs.amc.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The output and the exit codes of the command. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerifyTest {

    private static final String SCENES = "dev.cqs.amc.cli.Scenes.";
    private static final String BAD = "dev.cqs.amc.BadScenarios.";

    @TempDir
    private Path folder;

    @Test
    void verdictSaysWhatItCovers() {
        Run run = Run.of("--quiet", SCENES + "HandsOver");
        assertEquals("""
                HandsOver: verified.
                Model: RC11. Threads: 2.
                Executions: 2 complete, 0 blocked.
                No loop was cut off.
                Not seen under this model: load buffering: a read that takes effect after a later write of its thread.
                """, run.out());
        assertEquals("", run.err());
        assertEquals(0, run.code());
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of(0, "verified.", List.of(SCENES + "HandsOver")),
                Arguments.of(2, "LeavesAllOut: no complete execution, no verdict.", List.of(SCENES + "LeavesAllOut")),
                Arguments.of(1, "data race in Races under RC11\nTwo accesses of data", List.of(SCENES + "Races")),
                Arguments.of(1, "hang in Hangs under RC11\nNothing can end the wait", List.of(SCENES + "Hangs")),
                Arguments.of(
                        1,
                        "check failed in Miscounts under RC11\nend throws java.lang.AssertionError: a \"lost\" update",
                        List.of(SCENES + "Miscounts")),
                Arguments.of(
                        1,
                        "exception in Throws under RC11\nruns throws java.lang.IllegalStateException: out of luck",
                        List.of(SCENES + "Throws")),
                Arguments.of(1, "waiting on a plain variable in Spins under RC11\n", List.of(SCENES + "Spins")),
                Arguments.of(2, "This is no verdict.", List.of("--max-executions", "5", SCENES + "Large")),
                Arguments.of(2, "This is no verdict.", List.of("--time-limit=1s", SCENES + "Large")),
                Arguments.of(
                        3,
                        "This is no proof: executions beyond the bound are unknown.",
                        List.of(SCENES + "MayFillMuch")),
                Arguments.of(
                        2,
                        "Nothing was checked: no execution completes within the bounds.",
                        List.of(BAD + "EffectsWithoutEnd")),
                Arguments.of(2, "Nothing was checked", List.of("--loop-bound", "2", BAD + "EffectsWithoutEnd")),
                Arguments.of(
                        2,
                        "Cut off after 1 events of its thread: Scenes.HandsOver.writer at Scenes.java:",
                        List.of("--max-events", "1", SCENES + "HandsOver")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"FillsMuch", "MayFillMuch"})
    void loopThatIsCutOffIsNamedWithTheOptionThatHelps(String name) {
        Run run = Run.of(SCENES + name);
        assertTrue(
                run.out()
                        .matches(
                                "(?s).*\nCut off after 32 iterations: the loop in Scenes\\.FillsMuch\\.fills at Scenes\\.java:\\d+\\."
                                        + " Allow more by --loop-bound, in a test by loopBound\\.\n.*"),
                run::toString);
        assertEquals(0, Run.of("--loop-bound", "40", SCENES + name).code());
    }

    @Test
    void nothingIsVerifiedIfNoExecutionComesToItsEnd() {
        for (String name : List.of("FillsMuch", "LeavesAllOut")) {
            Run run = Run.of(SCENES + name);
            assertFalse(run.out().contains("verified"), run::toString);
            assertEquals(2, run.code());
            Run json = Run.of("--json", SCENES + name);
            assertEquals("NOTHING_COMPLETE", json.results().get(0).get("verdict"));
            assertEquals(false, json.results().get(0).get("verified"));
        }
    }

    @ParameterizedTest
    @MethodSource("endings")
    void exitCodeAndTextSayHowItEnds(int code, String words, List<String> args) {
        Run run = Run.of(args.toArray(String[]::new));
        assertTrue(run.out().contains(words), run::toString);
        assertEquals(code, run.code());
    }

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void onlyWhatIsVerifiedEndsWithZero(Verdict verdict) {
        assertEquals(verdict == Verdict.VERIFIED, ExitCode.of(verdict).code() == 0);
        assertEquals(verdict.isError(), ExitCode.of(verdict).code() == 1);
    }

    static Stream<Arguments> unchecked() {
        return Stream.of(
                Arguments.of(
                        "NoActors",
                        "The class dev.cqs.amc.BadScenarios$NoActors has no method with @Actor, so there is nothing to check."),
                Arguments.of(
                        "LoopOnLocals",
                        "runs is in a loop that has run 10000000 iterations without accessing shared memory"),
                Arguments.of("Recursion", "runs has used up its stack: a recursion does not end, or is too deep."),
                Arguments.of(
                        "CatchesRefusal", "java.lang.Math.random depends on chance. Use Execution.choose instead."));
    }

    @ParameterizedTest
    @MethodSource("unchecked")
    void whatCanNotBeCheckedIsNamed(String name, String sentence) {
        Run run = Run.of(BAD + name);
        assertTrue(run.err().startsWith("verify: " + BAD + name + " under rc11: " + sentence), run::toString);
        assertEquals("", run.out());
        assertEquals(65, run.code());
    }

    @Test
    void classThatCanNotBeInstrumentedIsNamed() throws IOException {
        ClassFiles.write(folder, "old/Scenario", ClassFiles.scenario("old/Scenario", ClassFiles.JAVA_7));
        Run run = Run.of("--class-path", folder.toString(), "old.Scenario");
        assertEquals(
                "verify: old.Scenario under rc11: The class old.Scenario cannot be instrumented: its class file has version 51."
                        + " Compile it for Java 8 or later.\n",
                run.err());
        assertEquals(65, run.code());
    }

    @Test
    void classFileThatIsBrokenIsNamed() throws IOException {
        ClassFiles.write(folder, "old/Scenario", new byte[] {1, 2, 3});
        Run run = Run.of("--class-path", folder.toString(), "old.Scenario");
        assertTrue(run.err().startsWith("verify: The class old.Scenario cannot be loaded: "), run::toString);
        assertEquals(65, run.code());
    }

    @Test
    void classIsFoundOnTheClassPathOfTheOption() throws IOException {
        ClassFiles.write(folder, "old/Scenario", ClassFiles.scenario("old/Scenario", ClassFiles.JAVA_8));
        assertEquals(64, Run.of("old.Scenario").code());
        assertEquals(
                0, Run.of("--class-path", folder.toString(), "old.Scenario").code());
    }

    static Stream<Arguments> wrongArguments() {
        return Stream.of(
                Arguments.of("No class to check. Name one that has @Actor methods.", List.of()),
                Arguments.of("There is no option --fast.", List.of("--fast", "A")),
                Arguments.of("There is no option -v.", List.of("-v", "A")),
                Arguments.of("--model needs <models> after it.", List.of("A", "--model")),
                Arguments.of(
                        "There is no model \"arm\". There are sc, tso, rc11, rc11-genmc, jls.",
                        List.of("--model", "sc,arm", "A")),
                Arguments.of("--json takes no value, but there is --json=yes.", List.of("--json=yes", "A")),
                Arguments.of("--loop-bound is given twice.", List.of("--loop-bound", "1", "--loop-bound", "2", "A")),
                Arguments.of(
                        "--loop-bound needs an integer, but there is \"many\".", List.of("--loop-bound", "many", "A")),
                Arguments.of(
                        "--max-events must be at most 2147483647, but is 2147483648.",
                        List.of("--max-events", "2147483648", "A")),
                Arguments.of(
                        "The limit on the executions must be positive, but is 0.",
                        List.of("--max-executions", "0", "A")),
                Arguments.of("A loop is repeated 0 times or more, not -1 times.", List.of("--loop-bound=-1", "A")),
                Arguments.of(
                        "--time-limit needs a number with s, m or h, such as 30s, but there is \"30\".",
                        List.of("--time-limit", "30", "A")),
                Arguments.of("The limit on time must be positive, but is PT0S.", List.of("--time-limit", "0s", "A")),
                Arguments.of(
                        "--mode needs <site>=<mode>, such as Lock.unlock:setRelease#0=opaque, but there is \"opaque\".",
                        List.of("--mode", "opaque", "A")),
                Arguments.of(
                        "There is no mode \"weak\". There are plain, opaque, acquire, release, acquire-release, volatile.",
                        List.of("--mode", "A.b:get#0=weak", "A")),
                Arguments.of(
                        "--class-path names no/such/folder, which does not exist.",
                        List.of("--class-path", "no/such/folder", "A")),
                Arguments.of(
                        "There is no class no.Such on the class path; --class-path says where else to look.",
                        List.of("no.Such")));
    }

    @ParameterizedTest
    @CsvSource({"30s, 30", "5m, 300", "2h, 7200"})
    void timeHasAUnit(String limit, long seconds) throws Problem {
        assertEquals(
                seconds,
                new dev.cqs.amc.cli.Arguments("--time-limit", limit).timeLimit().toSeconds());
    }

    @ParameterizedTest
    @MethodSource("wrongArguments")
    void wrongArgumentIsNamed(String sentence, List<String> args) {
        Run run = Run.of(args.toArray(String[]::new));
        assertEquals("verify: " + sentence + "\nSee verify --help.\n", run.err());
        assertEquals("", run.out());
        assertEquals(64, run.code());
    }

    @Test
    void nothingIsCheckedIfOneClassIsMissing() {
        Run run = Run.of(SCENES + "Races", "no.Such");
        assertEquals("", run.out());
        assertEquals(64, run.code());
    }

    @Test
    void failureOfTheCheckerComesWithItsStackTrace() {
        Run run = Run.of(SCENES + "BreaksTheMachine");
        assertTrue(
                run.err()
                        .contains(
                                "under rc11: The checker has failed: java.lang.InternalError: as if the machine were broken\n"),
                run::toString);
        assertTrue(run.err().contains("\tat dev.cqs.amc.cli.Scenes$BreaksTheMachine.runs(Scenes.java:"), run::toString);
        assertEquals(70, run.code());
    }

    static Stream<Arguments> severalChecks() {
        return Stream.of(
                Arguments.of(0, List.of(SCENES + "HandsOver", SCENES + "HandsOver")),
                Arguments.of(2, List.of(SCENES + "HandsOver", SCENES + "LeavesAllOut")),
                Arguments.of(3, List.of(SCENES + "HandsOver", SCENES + "MayFillMuch", SCENES + "HandsOver")),
                Arguments.of(2, List.of(SCENES + "MayFillMuch", SCENES + "Large", "--max-executions", "9")),
                Arguments.of(65, List.of(BAD + "NoActors", SCENES + "Large", "--max-executions", "9")),
                Arguments.of(70, List.of(BAD + "NoActors", SCENES + "BreaksTheMachine", SCENES + "HandsOver")),
                Arguments.of(
                        1,
                        List.of(
                                SCENES + "BreaksTheMachine",
                                SCENES + "Races",
                                BAD + "NoActors",
                                SCENES + "HandsOver")));
    }

    @ParameterizedTest
    @MethodSource("severalChecks")
    void theWorstOfSeveralChecksDecides(int code, List<String> args) {
        assertEquals(code, Run.of(args.toArray(String[]::new)).code());
    }

    @Test
    void eachModelIsCheckedOnce() {
        Run run = Run.of("--model", "sc,RC11_GENMC, jls,sc", SCENES + "HandsOver");
        List<String> models =
                run.out().lines().filter(line -> line.startsWith("Model: ")).toList();
        assertEquals(
                List.of(
                        "Model: sequential consistency. Threads: 2.",
                        "Model: RC11 with GenMC's order of volatile accesses. Threads: 2.",
                        "Model: RC11 with the total order of volatile accesses of the JLS. Threads: 2."),
                models);
    }

    @Test
    void modeOfAnAccessCanBeChanged() {
        Run sites = Run.of("--sites", SCENES + "HandsOver");
        assertTrue(
                sites.out()
                        .matches("(?s).*\nScenes\\.HandsOver\\.writer:setRelease#0 +release +Scenes\\.java:\\d+\n.*"),
                sites::out);
        assertEquals(
                1,
                Run.of("--mode", "Scenes.HandsOver.writer:setRelease#0=opaque", SCENES + "HandsOver")
                        .code());
    }

    @Test
    void sitesAreThoseOfTheUserAlone() {
        Run run = Run.of("--quiet", "--sites", SCENES + "HandsOver");
        List<String> sites =
                run.out().lines().dropWhile(line -> !line.isEmpty()).skip(1).toList();
        assertEquals(
                List.of(),
                sites.stream().filter(line -> !line.contains(" Scenes.java:")).toList());
        assertTrue(
                sites.stream().anyMatch(line -> line.startsWith("Scenes.HandsOver.reader:getAcquire#0 ")),
                run::toString);
    }

    @Test
    void accessThatIsNotThereCanNotBeChanged() {
        Run run = Run.of("--mode", "Nowhere.get:get#0=opaque", SCENES + "HandsOver");
        assertTrue(run.err().contains("There is no access Nowhere.get:get#0"), run::toString);
        assertEquals(65, run.code());
    }

    @Test
    void counterExampleIsWrittenToTheFile() throws IOException {
        Path file = folder.resolve("execution.dot");
        assertEquals(0, Run.of("--dot", file.toString(), SCENES + "HandsOver").code());
        assertFalse(Files.exists(file));
        Run.of("--dot", file.toString(), SCENES + "Races", SCENES + "Hangs");
        assertTrue(Files.readString(file).startsWith("digraph execution {\n"));
        assertTrue(Files.readString(file).contains("data race"), "the first counter-example is kept");
    }

    @Test
    void counterExampleIsDrawn() throws IOException {
        Path file = folder.resolve("execution.svg");
        Run.of("--svg", file.toString(), SCENES + "Races");
        assertTrue(Files.readString(file).contains("<svg"));
    }

    @Test
    void recordedExecutionRunsAgain() {
        String file = folder.resolve("execution.txt").toString();
        Run found = Run.of("--record", file, SCENES + "Miscounts");
        Run again = Run.of("--replay", file, SCENES + "Miscounts");
        assertEquals(1, again.code());
        assertEquals(steps(found), steps(again));
        Run other = Run.of("--replay", file, SCENES + "Races");
        assertEquals(65, other.code(), other::toString);
    }

    @Test
    void objectIsNotCalledByAFieldThatHoldsAnotherOneNow() {
        Run run = Run.of(SCENES + "MovesOn");
        assertTrue(run.out().contains("read.plain last = initial last "), run::toString);
        assertTrue(run.out().contains("write.plain initial last.data = 1 "), run::toString);
        assertTrue(run.out().contains("write.plain last = first "), run::toString);
    }

    @Test
    void recordingHoldsTheModelAndTheOptions() {
        String file = folder.resolve("execution.txt").toString();
        String mode = "Scenes.HandsOver.writer:setRelease#0=opaque";
        Run found =
                Run.of("--record", file, "--model", "jls", "--loop-bound", "7", "--mode", mode, SCENES + "HandsOver");
        Run again = Run.of("--replay", file, SCENES + "HandsOver");
        assertEquals(1, again.code(), again::toString);
        assertEquals(
                found.out().lines().filter(line -> line.contains("!")).toList(),
                again.out().lines().filter(line -> line.contains("!")).toList());
        assertTrue(again.err().contains("HandsOver under jls"), again::toString);
        assertEquals(
                1,
                Run.of("--replay", file, "--model", "JLS", "--loop-bound", "7", "--mode", mode, SCENES + "HandsOver")
                        .code());
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                Arguments.of("--model", "sc", "--model says sc, but the execution was recorded under rc11."),
                Arguments.of("--loop-bound", "5", "--loop-bound says 5, but the execution was recorded with 32."),
                Arguments.of("--max-events", "5", "--max-events says 5, but the execution was recorded with 1000."),
                Arguments.of(
                        "--instrument",
                        "my.library",
                        "--instrument says my.library, but the execution was recorded without it."),
                Arguments.of(
                        "--mode",
                        "A.b:get#0=opaque",
                        "--mode says A.b:get#0=opaque, but the execution was recorded without it."));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void optionThatContradictsTheRecordingIsWrong(String option, String value, String sentence) {
        String file = folder.resolve("execution.txt").toString();
        Run.of("--record", file, SCENES + "Miscounts");
        Run run = Run.of("--replay", file, option, value, SCENES + "Miscounts");
        assertEquals(
                "verify: " + sentence
                        + " Leave the option out: --replay takes the options from the recording.\nSee verify --help.\n",
                run.err());
        assertEquals(64, run.code());
    }

    /** The part of a report between its head and the repairs. */
    private static List<String> steps(Run run) {
        return run.out().lines().filter(line -> line.contains("#")).toList();
    }

    @Test
    void recordingThatIsNotThereIsAWrongArgument() {
        Run run = Run.of("--replay", folder.resolve("nothing").toString(), SCENES + "Miscounts");
        assertEquals(64, run.code());
        assertTrue(run.err().contains("cannot be read: "), run::toString);
    }

    @Test
    void fieldsMayBeAllowedToRace() {
        assertEquals(
                0,
                Run.of("--allow-races", "dev.cqs.amc.cli.Scenes$Races.data", SCENES + "Races")
                        .code());
        Run unknown = Run.of("--allow-races", "dev.cqs.amc.cli.Scenes$Races.date", SCENES + "HandsOver");
        assertEquals(65, unknown.code());
        assertTrue(unknown.err().contains("There is no field dev.cqs.amc.cli.Scenes$Races.date"), unknown::toString);
    }

    @Test
    void fileThatCanNotBeWrittenDoesNotHideTheError() {
        Run run = Run.of("--dot", folder.toString(), SCENES + "Races");
        assertTrue(run.err().contains("verify: " + folder + " cannot be written: "), run::toString);
        assertEquals(1, run.code());
    }

    @Test
    void timesAndProgressAreOnStandardErrorOnly() {
        Run run = Run.onTerminal("--time-limit", "3s", SCENES + "Large");
        assertTrue(run.err().startsWith("\rLarge under rc11: "), run::toString);
        assertTrue(run.err().matches("(?s).*\r +\rLarge under rc11: [0-9,]+ executions in [0-9.]+ s\n"), run::toString);
        assertFalse(run.out().contains("\r"));
        assertTrue(Run.onTerminal("--quiet", "--max-executions", "9", SCENES + "Large")
                .err()
                .isEmpty());
    }
}
