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

/** What is known about objects whose classes are not instrumented. */
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

    /** By their exact names: an iterator, a lazy list or a clock may have a name that begins alike. */
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
    /** They hold numbers and one another, in fields that never change. */
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
                return true; // the list of an array inherits a count of changes, of which there are none
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

    /** Whether equality is all that there is to objects of the class. */
    public static boolean isValueType(Class<?> type) {
        return VALUES.contains(type);
    }

    /** Whether there is one object for all that are equal. Of strings, this is so for literals; see {@link dev.cqs.amc.bytecode.runtime.CodeRun#same}. */
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

    /** Whether there may be an equal object that a program can tell from this one, by {@code ==} and by its monitor. */
    public static boolean isAmbiguous(Object object) {
        return !(object instanceof Shadowed || object instanceof Class) && isValue(object);
    }

    /** Whether it is chance, or the version of Java, which of several equal objects are one. */
    public static boolean hasNoIdentity(Object object) {
        return VALUES.contains(object.getClass()) && !(object instanceof Class);
    }

    /** Whether a value is the only object of its kind that a literal or a conversion gives: the interned string, the cached box. */
    public static boolean isConstantValue(Object value) {
        if (value instanceof String text) {
            return new String(text).intern() == text; // a copy, so that asking does not change the answer
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

    /** Whether the object says in words all that there is to it. */
    static boolean isPlainValue(Object object) {
        return object != null && VALUES.contains(object.getClass());
    }

    /** Whether threads can share the object without anything to be seen. Lambdas are; what they hold is another matter. */
    public static boolean isHarmless(Object object) {
        return HARMLESS.get(object.getClass()) || object == System.out || object == System.err;
    }

    /** Whether all there is to an object of an instrumented class is seen: it does not inherit anything that changes. */
    public static boolean isWatched(Object object) {
        return WATCHED.get(object.getClass());
    }

    /** Whether a call could change the object, or something in it, without being seen. */
    public static boolean mayChange(Object object) {
        if (object.getClass().isArray() || object instanceof Shadowed && isWatched(object)) {
            return false;
        }
        List<Object> content = isHarmless(object) ? content(object) : null;
        return content == null || content.stream().anyMatch(held -> held != null && mayChange(held));
    }

    /** What can be got out of an object that does not change; null if that is unknown. */
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

    /** Other hidden classes may have fields that change. */
    static boolean isLambda(Class<?> type) {
        return type.isHidden() && type.getName().contains("$$Lambda");
    }

    /** A lambda holds what it has captured in final fields. */
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

    /** Whether the object is the same in all executions: it holds nothing, or stands for a part of the code. */
    public static boolean isConstant(Object object) {
        return object.getClass() != Object.class && CONSTANT.get(object.getClass())
                || object instanceof Optional<?> optional && optional.isEmpty()
                || object instanceof Collection<?> collection && isImmutableCollection(object) && collection.isEmpty()
                || object instanceof Map<?, ?> map && isImmutableCollection(object) && map.isEmpty();
    }

    /** Whether it is a set or map of the JDK whose order differs from one run of Java to the next. */
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

    /** Whether what the JDK makes a hash code or a text of is an object or array whose hash code is that of the machine, or holds one. */
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

    /** Whether the text of the object is that of {@code Object}, or has those of others in it. */
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
            return Thread.State.NEW; // not known, so it is taken for one
        }
    }

    /** Whether the class of the object does without a hash code of its own. */
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
            // What Throwable itself holds is seen: see CodeRun.received.
            if (up == Enum.class || up == Throwable.class) {
                return true;
            }
            if (!Shadowed.class.isAssignableFrom(up) && hasFieldsThatChange(up)) {
                return false;
            }
        }
        return !type.isArray() && hasNoFields(type);
    }

    /** Whether objects of the class may hold one thing now and another one later, in what this class adds to its superclass. */
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
