package dev.cqs.amc.bytecode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;

/** What is known about objects whose classes are not instrumented. */
final class Foreign {

    private static final Set<Class<?>> VALUES = Set.of(String.class, Boolean.class, Character.class, Byte.class, Short.class,
            Integer.class, Long.class, Float.class, Double.class, Class.class, BigInteger.class, BigDecimal.class);
    private static final Set<Class<?>> IMMUTABLE = Set.of(Object.class, VarHandle.class, MethodHandle.class, MethodType.class,
            MethodHandles.Lookup.class, Throwable.class, Enum.class);
    private static final Set<Class<?>> CODE = Set.of(VarHandle.class, MethodHandle.class, MethodType.class, MethodHandles.Lookup.class);
    private static final Set<String> IMMUTABLE_PACKAGES = Set.of("java.time", "java.lang.constant");

    private static final ClassValue<Boolean> HARMLESS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isImmutable(type);
        }
    };
    private static final ClassValue<Boolean> CONSTANT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return hasNoFields(type) || CODE.stream().anyMatch(code -> code.isAssignableFrom(type));
        }
    };
    private static final ClassValue<Boolean> IDENTITY_HASH = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return inheritsHash(type);
        }
    };

    private Foreign() {
    }

    /** Whether equality is all that there is to the object. */
    static boolean isValue(Object object) {
        return VALUES.contains(object.getClass());
    }

    /** Whether threads can share the object without anything to be seen. Lambdas are; what they hold is another matter. */
    static boolean isHarmless(Object object) {
        return HARMLESS.get(object.getClass());
    }

    /** Whether the object is the same in all executions: it holds nothing, or stands for a part of the code. */
    static boolean isConstant(Object object) {
        return object.getClass() != Object.class && CONSTANT.get(object.getClass());
    }

    /** Whether the class of the object does without a hash code of its own. */
    static boolean hasHashOfIdentity(Object object) {
        return IDENTITY_HASH.get(object.getClass());
    }

    private static boolean inheritsHash(Class<?> type) {
        try {
            return type.getMethod("hashCode").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static boolean isImmutable(Class<?> type) {
        if (VALUES.contains(type) || type == Object.class || type.isHidden() || IMMUTABLE_PACKAGES.contains(type.getPackageName())
                || type.getName().startsWith("java.util.ImmutableCollections") || type.getName().startsWith("java.util.Optional")) {
            return true;
        }
        for (Class<?> up = type; up != null && up != Object.class; up = up.getSuperclass()) {
            if (IMMUTABLE.contains(up)) {
                return true;
            }
        }
        return hasNoFields(type);
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
