package dev.cqs;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Finds the objects that a root keeps alive, by walking the fields of the library's and the tests' classes. For leak tests.
 */
public final class Reachable {
    private Reachable() {}

    public static Set<Object> from(Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>();
        visit(root, seen, open);
        while (!open.isEmpty()) {
            Object object = open.pop();
            Class<?> type = object.getClass();
            if (type.isArray()) {
                for (int i = 0; !type.getComponentType().isPrimitive() && i < Array.getLength(object); i++) {
                    visit(Array.get(object, i), seen, open);
                }
                continue;
            }
            for (; type != null && type.getName().startsWith("dev.cqs."); type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())
                            && !field.getType().isPrimitive()) {
                        visit(read(field, object), seen, open);
                    }
                }
            }
        }
        return seen;
    }

    private static void visit(Object object, Set<Object> seen, Deque<Object> open) {
        if (object != null && seen.add(object)) {
            open.push(object);
        }
    }

    private static Object read(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
