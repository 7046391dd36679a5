package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.bytecode.classes.Scope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Foreign objects: objects whose classes are not instrumented. Decides which of them threads may share. */
public final class Foreign {

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Class.class,
            BigInteger.class,
            BigDecimal.class);
    private static final Set<Class<?>> CODE =
            Set.of(VarHandle.class, MethodHandle.class, MethodType.class, MethodHandles.Lookup.class);

    /** Exact names, because an iterator, a lazy list or a clock may have a name with the same prefix. */
    private static final Set<String> COLLECTIONS = Set.of(
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$SubList",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN");

    private static final Set<String> SALTED = Set.of(
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.ImmutableCollections$MapN");
    private static final Set<String> HASHED = Set.of(
            "java.util.HashMap", "java.util.HashSet", "java.util.Hashtable", "java.util.concurrent.ConcurrentHashMap");
    /** Classes with only final fields that hold numbers and objects of these classes. */
    private static final Set<String> IMMUTABLE = Set.of(
            "java.util.OptionalInt",
            "java.util.OptionalLong",
            "java.util.OptionalDouble",
            "java.time.Duration",
            "java.time.Period",
            "java.time.Instant",
            "java.time.LocalDate",
            "java.time.LocalTime",
            "java.time.LocalDateTime",
            "java.time.OffsetTime",
            "java.time.OffsetDateTime",
            "java.time.ZonedDateTime",
            "java.time.ZoneOffset",
            "java.time.ZoneRegion",
            "java.time.Year",
            "java.time.YearMonth",
            "java.time.MonthDay");

    private static final ClassValue<Boolean> HARMLESS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isImmutable(type);
        }
    };
    private static final ClassValue<Boolean> WATCHED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (type.getName().startsWith(Scope.MODELS)) {
                return true; // the list view of an array inherits modCount, which stays 0
            }
            Class<?> root = type;
            while (Shadowed.class.isAssignableFrom(root)) {
                root = root.getSuperclass();
            }
            return HARMLESS.get(root);
        }
    };
    private static final ClassValue<Boolean> CONSTANT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return !type.isArray() && hasNoFields(type)
                    || Enum.class.isAssignableFrom(type)
                    || CODE.stream().anyMatch(code -> code.isAssignableFrom(type));
        }
    };
    private static final ClassValue<Boolean> CAUSE_IS_KNOWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return Scope.isPlatform(
                        type.getMethod("getCause").getDeclaringClass().getName());
            } catch (NoSuchMethodException thrown) {
                throw new AssertionError(thrown);
            }
        }
    };
    private static final ClassValue<Boolean> IDENTITY_HASH = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return inheritsHash(type);
        }
    };

    private Foreign() {}

    /** Whether the class is a value type: programs compare its objects by equality. */
    public static boolean isValueType(Class<?> type) {
        return VALUES.contains(type);
    }

    /**
     * Whether equal objects are identical. For strings, this holds for literals; see
     * {@link dev.cqs.amc.bytecode.runtime.CodeRun#same}.
     */
    static boolean isValue(Object object) {
        if (object instanceof Integer || object instanceof Long || object instanceof Short) {
            long value = ((Number) object).longValue();
            return value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE;
        }
        return object instanceof String
                || object instanceof Class
                || object instanceof Boolean
                || object instanceof Byte
                || object instanceof Character letter && letter <= Byte.MAX_VALUE;
    }

    /** Whether there may be an equal object that is not identical, as {@code ==} and monitors show. */
    public static boolean isAmbiguous(Object object) {
        return !(object instanceof Shadowed || object instanceof Class) && isValue(object);
    }

    /** Whether the identity of equal objects depends on chance or on the version of Java. */
    public static boolean hasNoIdentity(Object object) {
        return VALUES.contains(object.getClass()) && !(object instanceof Class);
    }

    /**
     * Whether a value is the canonical object of a literal or a boxing conversion: an interned string, a cached box.
     */
    public static boolean isConstantValue(Object value) {
        if (value instanceof String text) {
            return new String(text).intern() == text; // a copy, so that the test does not intern the string
        }
        return value
                == (value instanceof Integer number
                        ? Integer.valueOf(number)
                        : value instanceof Long number
                                ? Long.valueOf(number)
                                : value instanceof Short number
                                        ? Short.valueOf(number)
                                        : value instanceof Byte number
                                                ? Byte.valueOf(number)
                                                : value instanceof Boolean truth
                                                        ? Boolean.valueOf(truth)
                                                        : value instanceof Character letter
                                                                ? Character.valueOf(letter)
                                                                : value);
    }

    /** Whether the object is a value, whose text says everything about it. */
    static boolean isPlainValue(Object object) {
        return object != null && VALUES.contains(object.getClass());
    }

    /**
     * Whether threads can share the object without the checker observing its accesses. Lambdas are harmless; what they
     * capture is checked separately.
     */
    public static boolean isHarmless(Object object) {
        return HARMLESS.get(object.getClass()) || object == System.out || object == System.err;
    }

    /**
     * Whether the checker observes all state of an object of an instrumented class: it inherits no mutable state from
     * an uninstrumented class.
     */
    public static boolean isWatched(Object object) {
        return WATCHED.get(object.getClass());
    }

    /** Whether an uninstrumented call could change the object, or an object that it holds. */
    public static boolean mayChange(Object object) {
        if (object.getClass().isArray() || object instanceof Shadowed && isWatched(object)) {
            return false;
        }
        List<Object> content = isHarmless(object) ? content(object) : null;
        return content == null || content.stream().anyMatch(held -> held != null && mayChange(held));
    }

    /** The objects that an immutable object holds; null if unknown. */
    public static @Nullable List<Object> content(Object object) {
        if (isLambda(object.getClass())) {
            return capturedBy(object);
        }
        List<Object> content = new ArrayList<>();
        if (object instanceof Throwable thrown) {
            return CAUSE_IS_KNOWN.get(thrown.getClass()) ? causes(thrown) : null;
        }
        if (object instanceof Optional<?> optional) {
            optional.ifPresent(content::add);
        } else if (isImmutableCollection(object)) {
            if (object instanceof Collection<?> collection) {
                content.addAll(collection);
            } else if (object instanceof Map<?, ?> map) {
                content.addAll(map.keySet());
                content.addAll(map.values());
            }
        }
        return content;
    }

    private static boolean isImmutableCollection(Object object) {
        return COLLECTIONS.contains(object.getClass().getName());
    }

    private static List<Object> causes(Throwable thrown) {
        List<Object> causes = new ArrayList<>(List.of(thrown.getSuppressed()));
        causes.add(thrown.getCause());
        return causes;
    }

    /** Whether the class is that of a lambda. Other hidden classes may have mutable fields. */
    static boolean isLambda(Class<?> type) {
        return type.isHidden() && type.getName().contains("$$Lambda");
    }

    /** The captured values of a lambda, which are in final fields. */
    private static @Nullable List<Object> capturedBy(Object lambda) {
        List<Object> captured = new ArrayList<>();
        for (Field field : lambda.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                continue;
            }
            try {
                if (!field.trySetAccessible()) {
                    return null;
                }
                captured.add(field.get(lambda));
            } catch (IllegalAccessException thrown) {
                return null;
            }
        }
        return captured;
    }

    /** Whether the object is the same in all executions: it has no state, or represents code. */
    public static boolean isConstant(Object object) {
        return object.getClass() != Object.class && CONSTANT.get(object.getClass())
                || object instanceof Optional<?> optional && optional.isEmpty()
                || object instanceof Collection<?> collection && isImmutableCollection(object) && collection.isEmpty()
                || object instanceof Map<?, ?> map && isImmutableCollection(object) && map.isEmpty();
    }

    /** Whether it is a set or map of the JDK whose iteration order differs between runs of the JVM. */
    public static boolean hasOrderOfChance(Object object) {
        String name = object.getClass().getName();
        Collection<?> keys = object instanceof Map<?, ?> map
                ? map.keySet()
                : object instanceof Collection<?> collection ? collection : null;
        if (keys == null || keys.size() < 2) {
            return false;
        }
        return SALTED.contains(name) || HASHED.contains(name) && keys.stream().anyMatch(Foreign::hasHashOfTheMachine);
    }

    private static boolean hasHashOfTheMachine(Object key) {
        return key instanceof Enum || key != null && !(key instanceof Shadowed) && hasHashOfIdentity(key);
    }

    /**
     * Whether the hash code or text that the JDK computes from this object depends on an identity hash code of the JVM.
     */
    public static boolean holdsHashOfTheMachine(Object object) {
        if (object instanceof Object[] array) {
            return Arrays.stream(array).anyMatch(Foreign::hasHashOfTheMachine);
        }
        if (object instanceof Record values) {
            return Arrays.stream(values.getClass().getDeclaredFields())
                    .anyMatch(field -> !Modifier.isStatic(field.getModifiers())
                            && !field.getName().startsWith("amc$")
                            && !field.getType().isPrimitive()
                            && hasHashOfTheMachine(valueOf(field, values)));
        }
        if (object instanceof Collection<?> all && !(object instanceof Shadowed)) {
            return all.stream().anyMatch(Foreign::hasHashOfTheMachine);
        }
        return hasHashOfTheMachine(object);
    }

    /** Whether the object's {@code toString} is that of {@code Object}, or includes the texts of other objects. */
    public static boolean hasTextOfIdentity(Object object) {
        try {
            return object instanceof Record
                    || object instanceof Collection<?>
                    || object != null && object.getClass().getMethod("toString").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static Object valueOf(Field field, Object holder) {
        try {
            field.setAccessible(true);
            return field.get(holder);
        } catch (IllegalAccessException | RuntimeException thrown) {
            return Thread.State.NEW; // unknown, so assume an object with an identity hash code
        }
    }

    /** Whether the class of the object inherits {@code Object.hashCode}. */
    public static boolean hasHashOfIdentity(Object object) {
        return IDENTITY_HASH.get(object.getClass());
    }

    private static boolean inheritsHash(Class<?> type) {
        try {
            Class<?> owner = type.getMethod("hashCode").getDeclaringClass();
            return owner == Object.class || owner == Enum.class;
        } catch (NoSuchMethodException thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static boolean isImmutable(Class<?> type) {
        String name = type.getName();
        if (VALUES.contains(type)
                || type == Object.class
                || type == Optional.class
                || isLambda(type)
                || COLLECTIONS.contains(name)
                || IMMUTABLE.contains(name)
                || CODE.stream().anyMatch(code -> code.isAssignableFrom(type))) {
            return true;
        }
        for (Class<?> up = type; up != null && up != Object.class; up = up.getSuperclass()) {
            // The fields of Throwable are modelled: see CodeRun.received.
            if (up == Enum.class || up == Throwable.class) {
                return true;
            }
            if (!Shadowed.class.isAssignableFrom(up) && hasFieldsThatChange(up)) {
                return false;
            }
        }
        return !type.isArray() && hasNoFields(type);
    }

    /** Whether the class declares fields that may change. */
    private static boolean hasFieldsThatChange(Class<?> type) {
        for (var field : type.getDeclaredFields()) {
            boolean isFinal = Modifier.isFinal(field.getModifiers());
            boolean isConstant = field.getType().isPrimitive()
                    || isValueType(field.getType())
                    || field.getType().isEnum()
                    || IMMUTABLE.contains(field.getType().getName());
            if (!Modifier.isStatic(field.getModifiers()) && !(isFinal && isConstant)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasNoFields(Class<?> type) {
        for (Class<?> up = type; up != null && up != Object.class; up = up.getSuperclass()) {
            for (var field : up.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    return false;
                }
            }
        }
        return true;
    }
}
