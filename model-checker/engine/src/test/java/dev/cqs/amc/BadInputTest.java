package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Input that cannot be checked is refused with a message, terminates, and is never verified. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
class BadInputTest {

    private final AwaitModelChecker checker = AwaitModelChecker.under(Model.RC11);

    static Stream<Arguments> noScenarios() {
        return Stream.of(
                Arguments.of(BadScenarios.NoActors.class, "has no method with @Actor, so there is nothing to check."),
                Arguments.of(
                        BadScenarios.WrongParameter.class,
                        "has a method runs with parameters; an actor has none, or one int"),
                Arguments.of(
                        BadScenarios.ReturnsAnObject.class, "has a method runs that returns Object; an outcome is"),
                Arguments.of(
                        BadScenarios.NoCopies.class, "has an actor runs with 0 copies; there must be one or more."),
                Arguments.of(
                        BadScenarios.TooManyCopies.class, "has 33 actors, copies included; there can be 32 at most"),
                Arguments.of(
                        BadScenarios.Abstract.class,
                        "is abstract, so there is no object of it; name a class that extends it."),
                Arguments.of(
                        BadScenarios.AnInterface.class, "is an interface, so there is no object of it; name a class."),
                Arguments.of(BadScenarios.Inner.class, "needs an object of the class around it; make it static."),
                Arguments.of(
                        BadScenarios.local(),
                        "is declared in a method; a scenario is a top-level or static nested class."),
                Arguments.of(
                        BadScenarios.ConstructorWithParameter.class,
                        "has no constructor without parameters; a scenario is"));
    }

    @ParameterizedTest
    @MethodSource("noScenarios")
    void classThatIsNoScenarioIsNamedWithTheReason(Class<?> type, String reason) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> checker.check(type));
        assertTrue(thrown.getMessage().startsWith("The class " + type.getName() + " " + reason), thrown::getMessage);
    }

    static Stream<Arguments> failingSetUps() {
        return Stream.of(
                Arguments.of(
                        BadScenarios.ThrowingConstructor.class,
                        IllegalStateException.class,
                        "The constructor of"
                                + " dev.cqs.amc.BadScenarios$ThrowingConstructor throws java.lang.IllegalStateException: no luck, at"
                                + " dev.cqs.amc.BadScenarios$ThrowingConstructor.<init>(BadScenarios.java:"),
                Arguments.of(
                        BadScenarios.ThrowingInitializer.class,
                        NumberFormatException.class,
                        "A static initializer throws "),
                Arguments.of(
                        BadScenarios.UsesThrowingInitializer.class,
                        NumberFormatException.class,
                        "A static initializer throws "));
    }

    @ParameterizedTest
    @MethodSource("failingSetUps")
    void setUpThatThrowsIsNoResult(Class<?> type, Class<?> cause, String sentence) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> checker.check(type));
        assertTrue(thrown.getMessage().startsWith(sentence), thrown::getMessage);
        assertSame(cause, thrown.getCause().getClass());
    }

    @ParameterizedTest
    @MethodSource("platformTypes")
    void classOfTheJdkIsNoScenario(Class<?> type) {
        assertEquals(
                type.getName() + " comes with the JDK; a scenario is a class with @Actor methods.",
                assertThrows(IllegalArgumentException.class, () -> checker.check(type))
                        .getMessage());
    }

    static List<Class<?>> platformTypes() {
        return List.of(String.class, int.class, int[].class);
    }

    static Stream<Arguments> unchecked() {
        String idle =
                " is in a loop that has run 10000000 iterations without accessing shared memory, so it may never end.";
        return Stream.of(
                Arguments.of(
                        BadScenarios.Recursion.class,
                        "runs has used up its stack: a recursion does not end, or is too deep."),
                Arguments.of(BadScenarios.LoopOnLocals.class, "runs" + idle),
                Arguments.of(BadScenarios.LoopInConstructor.class, "A constructor or initializer" + idle),
                Arguments.of(
                        BadScenarios.CatchesRefusal.class,
                        "java.lang.Math.random depends on chance. Use Execution.choose instead."),
                Arguments.of(
                        BadScenarios.SharesText.class,
                        "An object of java.lang.StringBuilder is shared between threads, but its class is not"
                                + " instrumented, so the checker cannot follow its accesses. Do without it, or give each thread its own."));
    }

    @ParameterizedTest
    @MethodSource("unchecked")
    void whatCanNotBeCheckedIsSaidAndNotVerified(Class<?> type, String sentence) {
        assertEquals(
                sentence,
                assertThrows(UncheckableException.class, () -> checker.check(type))
                        .getMessage());
    }

    /** It loops forever without waiting for anything. */
    @Test
    void emptyLoopHangs() {
        Result result = checker.check(BadScenarios.EmptyLoop.class);
        assertEquals(Verdict.HANG, result.verdict());
        assertEquals(
                "runs is in a loop that does nothing, so it never ends.",
                result.counterExample().message());
    }

    @ParameterizedTest
    @MethodSource("endless")
    void threadWithoutEndIsNotVerified(Class<?> type) {
        Result result = checker.check(type);
        assertEquals(Verdict.NOTHING_COMPLETE, result.verdict());
        assertTrue(result.boundHit());
        assertFalse(result.isVerified());
        assertTrue(result.toString().contains("\nCut off after "), result::toString);
    }

    static List<Class<?>> endless() {
        return List.of(BadScenarios.EffectsWithoutEnd.class, BadScenarios.RecursionWithEffects.class);
    }

    @Test
    void localLoopThatEndsIsRunToItsEnd() {
        Result result = checker.check(BadScenarios.ManyLocalIterations.class);
        assertEquals(Verdict.VERIFIED, result.verdict());
        assertEquals(Map.of(List.of(4950L), 1L), result.outcomes());
    }

    @Test
    void constructorMayBePrivate() {
        assertEquals(
                Verdict.VERIFIED,
                checker.check(BadScenarios.PrivateConstructor.class).verdict());
    }

    @Test
    void classFileOfJava7IsRefused(@TempDir Path classes) throws IOException, ReflectiveOperationException {
        ClassFiles.write(classes, "old/Scenario", ClassFiles.scenario("old/Scenario", ClassFiles.JAVA_7));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = Class.forName("old.Scenario", false, loader);
            assertEquals(
                    "The class old.Scenario cannot be instrumented: its class file has version 51. Compile it for Java 8 or later.",
                    assertThrows(InstrumentationException.class, () -> checker.check(type))
                            .getMessage());
        }
    }

    /** The class is loaded when the actor runs, so the actor's own handler could catch what the loader throws. */
    @Test
    void refusedClassIsNotCaughtByTheActor(@TempDir Path classes) throws IOException, ReflectiveOperationException {
        ClassFiles.write(classes, "old/Helper", ClassFiles.scenario("old/Helper", ClassFiles.JAVA_7));
        ClassFiles.write(classes, "old/Scenario", ClassFiles.catching("old/Scenario", "old/Helper"));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = Class.forName("old.Scenario", false, loader);
            assertThrows(InstrumentationException.class, () -> checker.check(type));
        }
    }

    @Test
    void classThatIsMissingIsNamed(@TempDir Path classes) throws IOException, ReflectiveOperationException {
        ClassFiles.write(classes, "old/Scenario", ClassFiles.catching("old/Scenario", "old/Helper"));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = Class.forName("old.Scenario", false, loader);
            assertEquals(
                    "A class that the code uses is missing: old/Helper",
                    assertThrows(UncheckableException.class, () -> checker.check(type))
                            .getMessage());
        }
    }
}
