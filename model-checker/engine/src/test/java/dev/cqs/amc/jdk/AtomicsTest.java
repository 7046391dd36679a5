package dev.cqs.amc.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The models of the atomic classes have the methods of the JDK's classes, with the same results. */
class AtomicsTest {

    private static final String THEIRS = "java.util.concurrent.atomic.";
    private static final String OURS = "dev.cqs.amc.jdk.";
    private static final int LENGTH = 3;
    private static final int CALLS = 5_000;

    /** The fields for updaters. */
    static class Holder {
        volatile int number;
        volatile long big;
        volatile Object reference;
        int notVolatile;
        static volatile int shared;
    }

    static Stream<Class<?>> atomics() {
        return Stream.of(
                AtomicInteger.class,
                AtomicLong.class,
                AtomicBoolean.class,
                AtomicReference.class,
                AtomicIntegerArray.class,
                AtomicLongArray.class,
                AtomicReferenceArray.class);
    }

    static Stream<Class<?>> all() {
        return Stream.concat(
                Stream.concat(atomics(), Stream.of(AtomicStampedReference.class, AtomicMarkableReference.class)),
                Stream.of(
                        AtomicIntegerFieldUpdater.class,
                        AtomicLongFieldUpdater.class,
                        AtomicReferenceFieldUpdater.class));
    }

    private static Class<?> theirs(Class<?> ours) throws ClassNotFoundException {
        return Class.forName(THEIRS + ours.getSimpleName());
    }

    /** The signature of a method, without its modifiers and its class, which may differ. */
    private static Set<String> signatures(Class<?> type) {
        Set<String> signatures = new TreeSet<>();
        for (Method method : publicMethods(type)) {
            signatures.add(method.toGenericString()
                    .replaceAll("\\b(abstract|final) ", "")
                    .replace(OURS, THEIRS));
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            signatures.add(constructor.toGenericString().replace(OURS, THEIRS));
        }
        return signatures;
    }

    private static List<Method> publicMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isBridge())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("all")
    void hasThePublicMethodsAndConstructorsOfTheOriginal(Class<?> ours) throws ClassNotFoundException {
        assertEquals(signatures(theirs(ours)), signatures(ours));
    }

    @ParameterizedTest
    @MethodSource("atomics")
    void hasTheSuperTypesOfTheOriginal(Class<?> ours) throws ClassNotFoundException {
        assertEquals(theirs(ours).getSuperclass(), ours.getSuperclass());
        assertEquals(List.of(theirs(ours).getInterfaces()), List.of(ours.getInterfaces()));
    }

    /** A model and the JDK's object, on which the same calls are made. */
    private record Pair(Object ours, Object theirs, Object ourTarget, Object theirTarget) {

        Pair(Object ours, Object theirs) {
            this(ours, theirs, null, null);
        }
    }

    private static Object make(Class<?> type, Object initial) throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (parameters.length == 1
                    && (parameters[0].isArray() || !type.getSimpleName().endsWith("Array"))) {
                return constructor.newInstance(initial);
            }
        }
        throw new AssertionError(type + " has no constructor that takes a value");
    }

    private static Object initial(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "AtomicInteger" -> 1;
            case "AtomicLong" -> 1L;
            case "AtomicBoolean" -> true;
            case "AtomicReference" -> "one";
            case "AtomicIntegerArray" -> new int[] {0, 1, 2};
            case "AtomicLongArray" -> new long[] {0, 1, 2};
            default -> new String[] {null, "one", "two"};
        };
    }

    private static final Object[] REFERENCES = {null, "one", "two", 3};
    private static final long[] NUMBERS = {0, 0, 1, 1, 2, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE};

    private static Object argument(Class<?> type, Random random) {
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        if (type == int.class) {
            return (int) number;
        } else if (type == long.class) {
            return number;
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == int[].class) {
            return new int[1];
        } else if (type == boolean[].class) {
            return new boolean[1];
        } else if (type == IntUnaryOperator.class) {
            return (IntUnaryOperator) x -> 3 * x + 1;
        } else if (type == IntBinaryOperator.class) {
            return (IntBinaryOperator) (x, y) -> 3 * x - y;
        } else if (type == LongUnaryOperator.class) {
            return (LongUnaryOperator) x -> 3 * x + 1;
        } else if (type == LongBinaryOperator.class) {
            return (LongBinaryOperator) (x, y) -> 3 * x - y;
        } else if (type == UnaryOperator.class) {
            return (UnaryOperator<Object>) x -> x == REFERENCES[1] ? REFERENCES[2] : REFERENCES[1];
        } else if (type == BinaryOperator.class) {
            return (BinaryOperator<Object>) (x, y) -> x == y ? REFERENCES[3] : y;
        }
        return REFERENCES[random.nextInt(REFERENCES.length)];
    }

    private static Object[] arguments(Method method, Pair pair, Random random) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            boolean isIndex = i == 0 && pair.ours.getClass().getSimpleName().endsWith("Array");
            arguments[i] = isIndex ? (Object) (random.nextInt(LENGTH + 2) - 1) : argument(types[i], random);
        }
        return arguments;
    }

    /** The result of a call, or its exception. */
    private static Object call(Method method, Object receiver, Object[] arguments) throws IllegalAccessException {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            return e.getCause().getClass();
        }
    }

    /** The weak operations may fail spuriously, so they are retried. */
    private static Object callUntilItSucceeds(Method method, Object receiver, Object[] arguments)
            throws IllegalAccessException {
        Object result = call(method, receiver, arguments);
        for (int i = 0; i < 100 && method.getName().startsWith("weak") && Boolean.FALSE.equals(result); i++) {
            result = call(method, receiver, arguments);
        }
        return result;
    }

    private static void checkThatResultsAgree(Pair pair, Class<?> publicType) throws ReflectiveOperationException {
        Random random = new Random(1);
        List<Method> methods = new ArrayList<>(publicMethods(publicType));
        methods.removeIf(m -> Modifier.isStatic(m.getModifiers()));
        methods.sort((one, other) -> one.toString().compareTo(other.toString()));
        Set<String> trueOnce = new TreeSet<>();
        for (int i = 0; i < CALLS; i++) {
            Method ours = methods.get(random.nextInt(methods.size()));
            Method theirs = theirs(publicType).getMethod(ours.getName(), ours.getParameterTypes());
            Object[] arguments = arguments(ours, pair, random);
            Object[] others = arguments.clone();
            if (pair.ourTarget != null) {
                arguments[0] = pair.ourTarget;
                others[0] = pair.theirTarget;
            }
            Object expected = callUntilItSucceeds(theirs, pair.theirs, others);
            assertEquals(
                    expected, callUntilItSucceeds(ours, pair.ours, arguments), () -> ours + Arrays.toString(arguments));
            if (Boolean.TRUE.equals(expected)) {
                trueOnce.add(ours.getName());
            }
        }
        methods.removeIf(m -> !m.getName().toLowerCase().contains("compareandset"));
        methods.removeIf(m -> trueOnce.contains(m.getName()));
        assertEquals(List.of(), methods, "these have never succeeded, so nothing is known about them");
    }

    @ParameterizedTest
    @MethodSource("atomics")
    void returnsWhatTheOriginalReturns(Class<?> ours) throws ReflectiveOperationException {
        Object initial = initial(ours);
        checkThatResultsAgree(new Pair(make(ours, initial), make(theirs(ours), initial)), ours);
    }

    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of(
                        new AtomicStampedReference<>("one", 1),
                        new java.util.concurrent.atomic.AtomicStampedReference<>("one", 1)),
                Arguments.of(
                        new AtomicMarkableReference<>("one", true),
                        new java.util.concurrent.atomic.AtomicMarkableReference<>("one", true)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void pairReturnsWhatTheOriginalReturns(Object ours, Object theirs) throws ReflectiveOperationException {
        assertEquals(theirs.getClass().getSuperclass(), ours.getClass().getSuperclass());
        assertEquals(
                List.of(theirs.getClass().getInterfaces()),
                List.of(ours.getClass().getInterfaces()));
        checkThatResultsAgree(new Pair(ours, theirs), ours.getClass());
    }

    @Test
    void pairPutsItsSecondPartIntoTheFirstElement() {
        int[] stamp = new int[2];
        assertEquals("one", new AtomicStampedReference<>("one", 3).get(stamp));
        assertEquals(3, stamp[0]);
        boolean[] mark = new boolean[1];
        assertEquals("one", new AtomicMarkableReference<>("one", true).get(mark));
        assertTrue(mark[0]);
    }

    static Stream<Arguments> updaters() {
        return Stream.of(
                Arguments.of(
                        AtomicIntegerFieldUpdater.newUpdater(Holder.class, "number"),
                        java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Holder.class, "number")),
                Arguments.of(
                        AtomicLongFieldUpdater.newUpdater(Holder.class, "big"),
                        java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(Holder.class, "big")),
                Arguments.of(
                        AtomicReferenceFieldUpdater.newUpdater(Holder.class, Object.class, "reference"),
                        java.util.concurrent.atomic.AtomicReferenceFieldUpdater.newUpdater(
                                Holder.class, Object.class, "reference")));
    }

    @ParameterizedTest
    @MethodSource("updaters")
    void updatesAsTheOriginalUpdates(Object ours, Object theirs) throws ReflectiveOperationException {
        checkThatResultsAgree(new Pair(ours, theirs, new Holder(), new Holder()), ours.getClass());
    }

    /** A field that cannot be updated; the exceptions are those of the JDK. */
    @Test
    void updatersRefuseTheFieldsThatTheOriginalsRefuse() {
        refuses(
                IllegalArgumentException.class,
                () -> AtomicIntegerFieldUpdater.newUpdater(Holder.class, "notVolatile"),
                () -> java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Holder.class, "notVolatile"));
        refuses(
                IllegalArgumentException.class,
                () -> AtomicIntegerFieldUpdater.newUpdater(Holder.class, "shared"),
                () -> java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Holder.class, "shared"));
        refuses(
                IllegalArgumentException.class,
                () -> AtomicLongFieldUpdater.newUpdater(Holder.class, "number"),
                () -> java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(Holder.class, "number"));
        refuses(
                ClassCastException.class,
                () -> AtomicReferenceFieldUpdater.newUpdater(Holder.class, String.class, "reference"),
                () -> java.util.concurrent.atomic.AtomicReferenceFieldUpdater.newUpdater(
                        Holder.class, String.class, "reference"));
        refuses(
                RuntimeException.class,
                () -> AtomicIntegerFieldUpdater.newUpdater(Holder.class, "none"),
                () -> java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Holder.class, "none"));
    }

    private static void refuses(Class<? extends Exception> type, Runnable ours, Runnable theirs) {
        Exception expected = assertThrows(Exception.class, theirs::run);
        assertEquals(type, expected.getClass());
        Exception found = assertThrows(Exception.class, ours::run);
        assertEquals(type, found.getClass());
        if (expected.getCause() != null) {
            assertEquals(expected.getCause().getClass(), found.getCause().getClass());
        }
    }

    @Test
    void updaterRefusesAnObjectOfAnotherClass() {
        @SuppressWarnings({"unchecked", "rawtypes"})
        AtomicIntegerFieldUpdater<Object> updater =
                (AtomicIntegerFieldUpdater) AtomicIntegerFieldUpdater.newUpdater(Holder.class, "number");
        assertThrows(ClassCastException.class, () -> updater.get("a string"));
    }

    @Test
    void arraysKeepACopyOfWhatTheyAreMadeOf() {
        int[] original = {1, 2};
        AtomicIntegerArray array = new AtomicIntegerArray(original);
        original[0] = 5;
        assertEquals(1, array.get(0));
        assertThrows(NegativeArraySizeException.class, () -> new AtomicReferenceArray<>(-1));
        assertTrue(new AtomicLongArray(2).toString().equals("[0, 0]"));
    }
}
