package dev.cqs.amc.bytecode.scenario;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.Library;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attacks on the assumptions in docs/model-checker-assumptions.md: ways past the checker are refused or noted in the
 * result.
 */
class AssumptionsTest {

    // State that threads share unobserved

    static class InAConstantHandle {
        private static final MethodHandle LIST = MethodHandles.constant(List.class, new ArrayList<>());

        @Actor(2)
        @SuppressWarnings("unchecked")
        int actor() throws Throwable {
            List<Integer> list = (List<Integer>) LIST.invokeExact();
            list.add(1);
            return list.size();
        }
    }

    static class InABoundHandle {
        private final MethodHandle next;

        InABoundHandle() throws ReflectiveOperationException {
            next = MethodHandles.lookup()
                    .findStatic(InABoundHandle.class, "add", MethodType.methodType(int.class, List.class))
                    .bindTo(new ArrayList<>());
        }

        static int add(List<Integer> list) {
            list.add(1);
            return list.size();
        }

        @Actor(2)
        int actor() throws Throwable {
            return (int) next.invokeExact();
        }
    }

    static class InAnInsertedArgument {
        private static final MethodHandle SIZE;

        static {
            try {
                SIZE = MethodHandles.insertArguments(
                        MethodHandles.lookup()
                                .findStatic(
                                        InAnInsertedArgument.class,
                                        "size",
                                        MethodType.methodType(int.class, List.class, int.class)),
                        0,
                        new ArrayList<>());
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static int size(List<Integer> list, int number) {
            list.add(number);
            return list.size();
        }

        @Actor(2)
        int actor() throws Throwable {
            return (int) SIZE.invokeExact(1);
        }
    }

    static class BehindAHandleOfALibrary {
        private static final MethodHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup()
                        .findStatic(Library.InArray.class, "next", MethodType.methodType(int.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @Actor(2)
        int actor() throws Throwable {
            return (int) NEXT.invokeExact();
        }
    }

    static class InAStaticFieldThatIsInherited extends Library.Remembering {
        @Actor(2)
        int actor() {
            return following();
        }
    }

    static class InAStaticFieldOfAnInterface implements Library.RememberingByDefault {
        @Actor(2)
        int actor() {
            return followingByDefault();
        }
    }

    static class InAFile {
        @Actor
        void writer() throws java.io.IOException {
            Files.createTempFile("amc", null);
        }

        @Actor
        boolean reader() {
            return Files.exists(Path.of("amc"));
        }
    }

    static class InALogger {
        @Actor(2)
        boolean actor() {
            Logger logger = Logger.getLogger("amc");
            boolean was = logger.getUseParentHandlers();
            logger.setUseParentHandlers(!was);
            return was;
        }
    }

    static class OfTheDay {
        @Actor
        boolean actor() {
            return Clock.systemUTC().millis() > 0;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                InAConstantHandle.class,
                InABoundHandle.class,
                InAnInsertedArgument.class,
                BehindAHandleOfALibrary.class,
                InAStaticFieldThatIsInherited.class,
                InAStaticFieldOfAnInterface.class,
                InAFile.class,
                InALogger.class,
                OfTheDay.class
            })
    void whatThreadsShareOutOfSightIsRefused(Class<?> scenario) {
        refused(scenario, ". ");
    }

    // Random iteration orders

    enum Kind {
        ONE,
        TWO
    }

    static class OverASet {
        @Actor
        int actor() {
            int first = 0;
            for (int number : Set.of(1, 2)) {
                first = first == 0 ? number : first;
            }
            return first;
        }
    }

    static class OverAMap {
        @Actor
        int actor() {
            return Map.of(1, 1, 2, 2).keySet().iterator().next();
        }
    }

    static class OverEnums {
        @Actor
        int actor() {
            Map<Kind, Integer> map = new HashMap<>();
            map.put(Kind.ONE, 1);
            map.put(Kind.TWO, 2);
            return map.values().iterator().next();
        }
    }

    static class OverEach {
        private int first;

        @Actor
        int actor() {
            Set.of(1, 2).forEach(number -> first = first == 0 ? number : first);
            return first;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OverASet.class, OverAMap.class, OverEnums.class, OverEach.class})
    void orderThatIsThatOfTheMachineIsNoted(Class<?> scenario) {
        Result result = check(scenario);
        assertEquals(Verdict.VERIFIED, result.verdict());
        assertTrue(result.notes().get(0).startsWith("The iteration order of a java.util."), result::summary);
    }

    static class InOrder {
        @Actor
        int actor() {
            Map<Integer, Integer> map = new HashMap<>();
            map.put(1, 1);
            map.put(2, 2);
            return map.values().iterator().next()
                    + Set.of(3).iterator().next()
                    + List.of(1, 2).iterator().next()
                    + (Set.of(1, 2).contains(2) ? 1 : 0);
        }
    }

    @Test
    void orderThatIsTheSameEverywhereIsNotNoted() {
        assertEquals(List.of(), check(InOrder.class).notes());
    }
}
