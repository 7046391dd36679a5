package dev.cqs.amc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Sources;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scenario in the unnamed package is checked with all classes of that package. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DefaultPackageTest {

    private static final String HELPERS = """
            class Box {
                static int shared;
                volatile boolean ready;
                private int data;
                void add() {
                    data++;
                }
                int data() {
                    return data;
                }
            }
            class Shared {
                private static int count;
                static void add() {
                    count++;
                }
            }
            """;

    private static final String SCENARIOS = """
            import dev.cqs.amc.Actor;
            class HandsOver {
                final Box box = new Box();
                @Actor
                void writer() {
                    box.add();
                    box.ready = true;
                }
                @Actor
                int reader() {
                    while (!box.ready) {
                        Thread.onSpinWait();
                    }
                    return box.data();
                }
            }
            class RacesInField {
                final Box box = new Box();
                @Actor(2)
                void adds() {
                    box.add();
                }
            }
            class RacesInStaticField {
                @Actor(2)
                void adds() {
                    Box.shared++;
                }
            }
            class RacesInMethod {
                @Actor(2)
                void adds() {
                    Shared.add();
                }
            }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void compile() throws IOException {
        Sources.compile(folder, "Helpers.java", HELPERS);
        Sources.compile(folder, "Scenarios.java", SCENARIOS);
    }

    @Test
    void scenarioAndHelpersAreChecked() {
        Run run = Run.of("--json", "--class-path", folder.toString(), "HandsOver");
        assertEquals(0, run.code(), run::toString);
        assertTrue(run.out().contains("\"outcomes\":[{\"values\":[1],\"count\":1}]"), run::toString);
    }

    @Test
    void racesInHelpersAreFound() {
        for (String scenario : new String[] {"RacesInField", "RacesInStaticField", "RacesInMethod"}) {
            Run run = Run.of("--class-path", folder.toString(), scenario);
            assertTrue(run.out().startsWith(scenario + ": data race."), run::toString);
        }
    }

    @Test
    void packagesOfOthersAreNotChecked() throws IOException {
        Sources.compile(
                folder, "other/Library.java", "package other; public class Library { public static int count; }");
        Sources.compile(
                folder, "Uses.java", "class Uses { @dev.cqs.amc.Actor int uses() { return other.Library.count; } }");
        Run run = Run.of("--class-path", folder.toString(), "Uses");
        assertEquals(65, run.code(), run::toString);
        assertTrue(
                run.err().contains("Instrument its package by --instrument other, in a test by instrument(\"other\")."),
                run::toString);
        assertEquals(
                0,
                Run.of("--class-path", folder.toString(), "--instrument", "other", "Uses")
                        .code());
    }
}
