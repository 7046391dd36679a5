package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Our classes declare every public and protected member of the JDK's classes, so a migration changes the imports only. */
class ApiShapeTest {
    private static final List<Class<?>[]> PAIRS = List.of(
            new Class<?>[] {java.util.concurrent.Semaphore.class, Semaphore.class},
            new Class<?>[] {java.util.concurrent.locks.ReentrantLock.class, ReentrantLock.class},
            new Class<?>[] {java.util.concurrent.locks.ReentrantReadWriteLock.class, ReentrantReadWriteLock.class},
            new Class<?>[] {
                java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock.class, ReentrantReadWriteLock.ReadLock.class
            },
            new Class<?>[] {
                java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock.class,
                ReentrantReadWriteLock.WriteLock.class
            },
            new Class<?>[] {java.util.concurrent.CountDownLatch.class, CountDownLatch.class},
            new Class<?>[] {java.util.concurrent.CyclicBarrier.class, CyclicBarrier.class},
            new Class<?>[] {java.util.concurrent.SynchronousQueue.class, SynchronousQueue.class});

    static Stream<Arguments> methods() {
        return PAIRS.stream()
                .flatMap(pair -> Arrays.stream(pair[0].getDeclaredMethods())
                        .filter(ApiShapeTest::isApi)
                        .map(method -> Arguments.of(method, pair[1])));
    }

    static Stream<Arguments> constructors() {
        return PAIRS.stream()
                .flatMap(pair -> Arrays.stream(pair[0].getDeclaredConstructors())
                        .filter(ApiShapeTest::isApi)
                        .map(constructor -> Arguments.of(constructor, pair[1])));
    }

    private static boolean isApi(Executable member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !member.isSynthetic();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyMethodOfTheJdkIsThere(Method theirs, Class<?> type) throws NoSuchMethodException {
        Method ours = find(type, theirs);
        assertEquals(
                inOurs(theirs.getGenericReturnType()).getTypeName(),
                inOurs(ours.getGenericReturnType()).getTypeName());
        assertAgree(theirs, ours);
    }

    @ParameterizedTest
    @MethodSource("constructors")
    void everyConstructorOfTheJdkIsThere(Constructor<?> theirs, Class<?> type) throws NoSuchMethodException {
        Class<?>[] parameters = Arrays.stream(theirs.getParameterTypes())
                .map(ApiShapeTest::inOurs)
                .toArray(Class<?>[]::new);
        assertAgree(theirs, type.getDeclaredConstructor(parameters));
        assertTrue(Modifier.isPublic(type.getModifiers()));
        assertFalse(Modifier.isFinal(type.getModifiers()), "can be extended");
    }

    /** The counterpart of a JDK type in this library. */
    private static Type inOurs(Type type) {
        return PAIRS.stream()
                .filter(pair -> pair[0] == type)
                .<Type>map(pair -> pair[1])
                .findAny()
                .orElse(type);
    }

    private static void assertAgree(Executable theirs, Executable ours) {
        assertEquals(Set.of(theirs.getExceptionTypes()), Set.of(ours.getExceptionTypes()), "exceptions");
        assertEquals(Modifier.isStatic(theirs.getModifiers()), Modifier.isStatic(ours.getModifiers()), "static");
        assertTrue(access(ours) >= access(theirs), "access");
        if (!Modifier.isFinal(theirs.getModifiers())) {
            assertFalse(Modifier.isFinal(ours.getModifiers()), "can be overridden");
        }
    }

    private static int access(Executable member) {
        return Modifier.isPublic(member.getModifiers()) ? 2 : Modifier.isProtected(member.getModifiers()) ? 1 : 0;
    }

    /** The method of {@code type} that a call with this signature reaches. */
    private static Method find(Class<?> type, Method like) throws NoSuchMethodException {
        for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (!method.isBridge()
                        && method.getName().equals(like.getName())
                        && Arrays.equals(method.getParameterTypes(), like.getParameterTypes())) {
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(type + " has no " + like);
    }
}
