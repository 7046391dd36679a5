package dev.cqs.amc.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.locks.MuslMutex;
import dev.cqs.locks.SlimMutex;
import dev.cqs.locks.TristateMutex;
import dev.cqs.locks.TtasLock;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The classic locks are verified: mutual exclusion, visibility of the previous holder's writes, and no hangs. */
class SpinLocksVerifiedTest {

    private static final List<Model> MODELS = List.of(Model.SC, Model.TSO, Model.RC11);
    /** The models for two threads. With more threads JLS takes long, and it allows no execution that RC11 forbids. */
    private static final List<Model> MORE_MODELS = List.of(Model.SC, Model.TSO, Model.RC11, Model.JLS);

    static Result check(Class<?> client, Model model) {
        return AwaitModelChecker.under(model).instrument("dev.cqs.locks").check(client);
    }

    /** The concrete client classes nested in a class. */
    static Stream<Class<?>> clients(Class<?> holder) {
        return Arrays.stream(holder.getDeclaredClasses())
                .filter(type -> !Modifier.isAbstract(type.getModifiers()) && isClient(type))
                .sorted(Comparator.comparing(Class::getSimpleName));
    }

    private static boolean isClient(Class<?> type) {
        return type != null
                && (isClient(type.getSuperclass())
                        || Arrays.stream(type.getDeclaredMethods())
                                .anyMatch(method -> method.isAnnotationPresent(Actor.class)));
    }

    static Stream<Arguments> clientsUnderModels() {
        return Stream.of(LockClients.class, SharingClients.class, HolderClients.class)
                .flatMap(SpinLocksVerifiedTest::clients)
                .flatMap(client -> models(client).stream().map(model -> Arguments.of(client, model)));
    }

    private static List<Model> models(Class<?> client) {
        return LockClient.class.isAssignableFrom(client) && !LockClient.Two.class.isAssignableFrom(client)
                ? MODELS
                : MORE_MODELS;
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("clientsUnderModels")
    void isVerified(Class<?> client, Model model) {
        Result result = check(client, model);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertTrue(result.complete() > 1, "Threads that meet can do so in more than one way: " + result);
    }

    static final class TristateComesBack extends LockClient.ThreeOfTwoKinds {
        TristateComesBack() {
            super(new TristateMutex());
        }
    }

    static final class SlimComesBack extends LockClient.ThreeOfTwoKinds {
        SlimComesBack() {
            super(new SlimMutex());
        }
    }

    static final class MuslComesBack extends LockClient.ThreeOfTwoKinds {
        MuslComesBack() {
            super(new MuslMutex());
        }
    }

    /** Locks that park have up to three million executions with three threads, of which one locks twice. */
    @ParameterizedTest
    @ValueSource(classes = {TristateComesBack.class, SlimComesBack.class, MuslComesBack.class})
    @Tag("slow")
    void parkingMutexIsVerifiedWithOneThatComesBack(Class<?> client) {
        assertEquals(Verdict.VERIFIED, check(client, Model.RC11).verdict());
    }

    static final class TtasComesBack extends LockClient.ThreeOfTwoKinds {
        TtasComesBack() {
            super(new TtasLock());
        }
    }

    @Test
    void halfOfTheExecutionsAreEnoughForSymmetricThreads() {
        long all = check(LockClients.TtasThree.class, Model.RC11).complete();
        assertEquals(all, 2 * check(TtasComesBack.class, Model.RC11).complete());
    }

    /**
     * The number of entries equals the number of successful attempts, and there are executions with and without
     * success.
     */
    @Test
    void triesSucceedOrFailAndNothingElse() {
        Set<List<Long>> outcomes = check(SharingClients.TryTwiceAndWait.class, Model.RC11)
                .outcomes()
                .keySet();
        assertEquals(
                Set.of(List.of(0L, 0L, 1L), List.of(0L, 1L, 2L), List.of(1L, 0L, 2L), List.of(1L, 1L, 3L)), outcomes);
    }

    /** A reader reads the writes of complete writers: both, one, or none. */
    @Test
    void readerOfASequenceSeesWholeWrites() {
        Set<List<Long>> outcomes = check(SharingClients.SequenceReader.class, Model.RC11)
                .outcomes()
                .keySet();
        assertEquals(Set.of(List.of(0L), List.of(1L), List.of(2L)), outcomes);
    }
}
