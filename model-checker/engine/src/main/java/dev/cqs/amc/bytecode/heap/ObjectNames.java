package dev.cqs.amc.bytecode.heap;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names the objects of the set-up by their access path from the scenario, such as {@code nodes[1]}. If the path
 * contains a mutable field, another object may be there later: {@code initial queue.tail}.
 */
public final class ObjectNames {

    private static final String MODELS = "dev.cqs.amc.jdk.";

    private static final String INITIAL = "initial ";

    private final Heap heap;
    private final Object scenario;
    private final Map<Shadow, String> named = new HashMap<>();
    /** Objects that so far were reached only through mutable fields. */
    private final ArrayDeque<Later> later = new ArrayDeque<>();
    /** Null until a name is asked for. */
    @SuppressWarnings("NullAway.Init") // of() makes them
    private Map<Shadow, String> paths;

    public ObjectNames(Heap heap, Object scenario) {
        this.heap = heap;
        this.scenario = scenario;
    }

    private record Later(Object object, String path) {}

    /** Gives an object a name of its own. */
    public void name(Shadow shadow, String name) {
        named.put(shadow, name);
    }

    /** The name of an object, or null if it is not reachable. */
    @Nullable
    String of(Shadow shadow) {
        if (paths == null) {
            paths = new HashMap<>(named);
            walk();
        }
        String path = paths.get(shadow);
        return path == null || !path.isEmpty() ? path : null;
    }

    /** The name of a field of an object, or null. */
    @Nullable
    String ofField(Shadow holder, String field) {
        String path = of(holder);
        return paths.containsKey(holder) ? field(path == null ? "" : path, holder.type, field) : null;
    }

    /** The variable in a model of a JDK class has the name of its object. */
    private static String field(String path, Class<?> holder, String field) {
        boolean isOwn = holder.getName().startsWith(MODELS) && (field.equals("value") || field.equals("array"));
        return isOwn && !path.isEmpty() ? path : path.isEmpty() ? field : path + "." + field;
    }

    /**
     * Walks the objects breadth-first, immutable fields before mutable ones, so that the shortest path names an object.
     * The real fields do not change any more.
     */
    @SuppressWarnings("NullAway") // what is open has a path
    private void walk() {
        ArrayDeque<Object> open = new ArrayDeque<>();
        add(scenario, "", open);
        while (!open.isEmpty() || !later.isEmpty()) {
            if (open.isEmpty()) {
                Later next = later.remove();
                add(next.object, next.path, open);
                continue;
            }
            Object holder = open.remove();
            String path = paths.get(heap.find(holder));
            if (holder instanceof Object[]) {
                for (int i = 0; i < Array.getLength(holder); i++) {
                    add(Array.get(holder, i), path + "[" + i + "]", open);
                }
            } else if (holder instanceof Shadowed) {
                for (Class<?> type = holder.getClass();
                        type != null && type != Object.class;
                        type = type.getSuperclass()) {
                    addFields(holder, type, path, open);
                }
            }
        }
    }

    private void addFields(Object holder, Class<?> type, String path, ArrayDeque<Object> open) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && !field.isSynthetic()
                    && !field.getType().isPrimitive()
                    && field.trySetAccessible()) {
                try {
                    String name = field(path, holder.getClass(), field.getName());
                    boolean stays = Modifier.isFinal(field.getModifiers()) || name.startsWith(INITIAL);
                    if (stays) {
                        add(field.get(holder), name, open);
                    } else {
                        later.add(new Later(field.get(holder), INITIAL + name));
                    }
                } catch (IllegalAccessException thrown) {
                    throw new IllegalStateException(thrown);
                }
            }
        }
    }

    private void add(Object object, String path, ArrayDeque<Object> open) {
        if (object instanceof Shadowed || object != null && object.getClass().isArray()) {
            Shadow shadow = heap.find(object);
            if (shadow != null && shadow.isPersistent() && paths.putIfAbsent(shadow, path) == null) {
                open.add(object);
            }
        }
    }
}
