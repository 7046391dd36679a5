package dev.cqs.amc.bytecode.heap;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether objects that escape differ between executions in contents that are not in the graph: final fields,
 * and lengths of arrays. Mostly an actor's n-th object of a class has the same contents in all executions.
 */
public final class Variants {

    private static final ClassValue<@Nullable List<Field>> FINALS = new ClassValue<>() {
        @Override
        protected @Nullable List<Field> computeValue(Class<?> type) {
            return finalFields(type);
        }
    };

    private boolean found;

    /** Whether some object differs, or may differ. */
    public boolean areFound() {
        return found;
    }

    /** An object escapes. {@code number} maps its references to numbers. */
    public void compare(Object object, Shadow shadow, ToLongFunction<Object> number) {
        if (!found) {
            List<Object> content = content(object, number);
            if (shadow.finals == null) {
                shadow.finals = content;
            }
            found = content == null || !content.equals(shadow.finals);
        }
    }

    /** The contents that are not in the graph, with numbers for references; null if unknown. */
    private static @Nullable List<Object> content(Object object, ToLongFunction<Object> number) {
        if (object.getClass().isArray()) {
            return List.of(Array.getLength(object));
        }
        if (Foreign.isPlainValue(object)) {
            return List.of(object);
        }
        List<Field> fields = object instanceof Shadowed ? FINALS.get(object.getClass()) : null;
        if (fields == null) {
            return null;
        }
        List<Object> content = new ArrayList<>();
        for (Field field : fields) {
            try {
                Object value = field.get(object);
                content.add(field.getType().isPrimitive() ? value : number.applyAsLong(value));
            } catch (IllegalAccessException thrown) {
                return null;
            }
        }
        return content;
    }

    /** The long numbers in an object that are not in the graph. */
    public static List<Long> numbers(Object object) {
        if (object instanceof Long number) {
            return List.of(number);
        }
        List<Long> numbers = new ArrayList<>();
        for (Class<?> type = object.getClass();
                Foreign.isLambda(type) || Shadowed.class.isAssignableFrom(type);
                type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean isFinal = Modifier.isFinal(field.getModifiers()) && !Modifier.isStatic(field.getModifiers());
                if (isFinal && field.getType() == long.class && field.trySetAccessible()) {
                    try {
                        numbers.add(field.getLong(object));
                    } catch (IllegalAccessException thrown) {
                        throw new IllegalStateException(thrown);
                    }
                }
            }
        }
        return numbers;
    }

    /** The final fields of a class; null if its objects may have other contents. */
    private static @Nullable List<Field> finalFields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        Class<?> up = type;
        for (; Shadowed.class.isAssignableFrom(up); up = up.getSuperclass()) {
            for (Field field : up.getDeclaredFields()) {
                if (Modifier.isFinal(field.getModifiers()) && !Modifier.isStatic(field.getModifiers())) {
                    if (!field.trySetAccessible()) {
                        return null;
                    }
                    fields.add(field);
                }
            }
        }
        return up == Object.class || up == Record.class ? fields : null;
    }
}
