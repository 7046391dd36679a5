package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.heap.Foreign;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Set;

/**
 * Replaces the methods of {@link MethodHandles.Lookup} that find methods, and reflective calls. A handle of an
 * instrumented method is as good as a call of it. A method of the JDK that is called through a handle bypasses the
 * checker, so it is refused.
 */
public final class Lookups {

    private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
    /** The methods of {@code Lookup} that are replaced. */
    private static final Set<String> FINDING = Set.of(
            "findVirtual",
            "findStatic",
            "findConstructor",
            "findSpecial",
            "bind",
            "unreflect",
            "unreflectSpecial",
            "unreflectConstructor");

    private static final Set<String> REFLECTION =
            Set.of("java/lang/reflect/Method.invoke", "java/lang/reflect/Constructor.newInstance");
    /** Classes whose methods are pure. */
    private static final Set<Class<?>> CALCULATING = Set.of(Math.class, StrictMath.class, Object.class);

    private Lookups() {}

    /** Whether the call of this method is replaced. */
    public static boolean has(String owner, String name) {
        return owner.equals(LOOKUP) && FINDING.contains(name) || REFLECTION.contains(owner + "." + name);
    }

    private static void check(Class<?> type, String name) {
        if (!(type.getClassLoader() instanceof InstrumentedClasses)
                && !Foreign.isValueType(type)
                && !CALCULATING.contains(type)) {
            throw Hooks.refused(new UncheckableException(
                    type.getName() + "." + name + " is called by a method handle or by reflection,"
                            + " so the checker cannot follow it. Call it by its name instead."));
        }
    }

    /** As in the JDK. */
    public static MethodHandle findVirtual(MethodHandles.Lookup lookup, Class<?> type, String name, MethodType form)
            throws ReflectiveOperationException {
        check(type, name);
        return lookup.findVirtual(type, name, form);
    }

    /** As in the JDK. */
    public static MethodHandle findStatic(MethodHandles.Lookup lookup, Class<?> type, String name, MethodType form)
            throws ReflectiveOperationException {
        check(type, name);
        return lookup.findStatic(type, name, form);
    }

    /** As in the JDK. */
    public static MethodHandle findConstructor(MethodHandles.Lookup lookup, Class<?> type, MethodType form)
            throws ReflectiveOperationException {
        check(type, "new");
        return lookup.findConstructor(type, form);
    }

    /** As in the JDK. */
    public static MethodHandle findSpecial(
            MethodHandles.Lookup lookup, Class<?> type, String name, MethodType form, Class<?> caller)
            throws ReflectiveOperationException {
        check(type, name);
        return lookup.findSpecial(type, name, form, caller);
    }

    /** As in the JDK. */
    public static MethodHandle bind(MethodHandles.Lookup lookup, Object receiver, String name, MethodType form)
            throws ReflectiveOperationException {
        check(receiver.getClass(), name);
        return lookup.bind(receiver, name, form);
    }

    /** As in the JDK. */
    public static MethodHandle unreflect(MethodHandles.Lookup lookup, Method method)
            throws ReflectiveOperationException {
        check(method.getDeclaringClass(), method.getName());
        return lookup.unreflect(method);
    }

    /** As in the JDK. */
    public static MethodHandle unreflectSpecial(MethodHandles.Lookup lookup, Method method, Class<?> caller)
            throws ReflectiveOperationException {
        check(method.getDeclaringClass(), method.getName());
        return lookup.unreflectSpecial(method, caller);
    }

    /** As in the JDK. */
    public static MethodHandle unreflectConstructor(MethodHandles.Lookup lookup, Constructor<?> constructor)
            throws ReflectiveOperationException {
        check(constructor.getDeclaringClass(), "new");
        return lookup.unreflectConstructor(constructor);
    }

    /** {@code Method.invoke}. Access rights are not checked. */
    public static Object invoke(Method method, Object receiver, Object[] arguments)
            throws ReflectiveOperationException {
        check(method.getDeclaringClass(), method.getName());
        method.trySetAccessible();
        return method.invoke(receiver, arguments);
    }

    /** {@code Constructor.newInstance}. Access rights are not checked. */
    public static Object newInstance(Constructor<?> constructor, Object[] arguments)
            throws ReflectiveOperationException {
        check(constructor.getDeclaringClass(), "new");
        constructor.trySetAccessible();
        return constructor.newInstance(arguments);
    }
}
