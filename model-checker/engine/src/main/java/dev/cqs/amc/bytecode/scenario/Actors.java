package dev.cqs.amc.bytecode.scenario;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.runtime.CodeRun;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The threads of a scenario class: its actors, and its arbiter if there is one. */
final class Actors {

    private static final Set<Class<?>> OUTCOMES =
            Set.of(void.class, boolean.class, byte.class, short.class, char.class, int.class, long.class);

    /**
     * The maximum number of actors. With the arbiter and started threads, it keeps thread numbers within the bits of a
     * long.
     */
    static final int MOST = 32;

    /** A thread: its code, to be called with the scenario object, and whether it returns a value. */
    record Part(String name, MethodHandle code, boolean returns) {}

    private final Class<?> scenario;
    private final List<Part> parts = new ArrayList<>();
    private boolean hasArbiter;
    private int follower = -1;

    /** Finds the actors of {@code scenario}, which is instrumented. */
    Actors(Class<?> scenario) {
        this.scenario = scenario;
        checkKind();
        List<Method> methods = new ArrayList<>(methods(Actor.class));
        if (methods.isEmpty()) {
            throw misuse("has no method with @Actor, so there is nothing to check");
        }
        for (Method method : methods) {
            addActor(method);
        }
        if (parts.size() > MOST) {
            throw misuse("has " + parts.size() + " actors, copies included; there can be " + MOST
                    + " at most, and a check of more than" + " four or five rarely ends");
        }
        List<Method> ends = methods(Arbiter.class);
        if (ends.size() > 1) {
            throw misuse("has more than one method with @Arbiter");
        }
        for (Method end : ends) {
            checkShape(end, 0);
            parts.add(new Part("end", handle(end), end.getReturnType() != void.class));
            hasArbiter = true;
        }
    }

    /**
     * The methods with an annotation, including inherited and default methods. An override of such a method counts too,
     * annotated or not; the annotation nearest to the class applies.
     */
    @SuppressWarnings("NullAway") // of two, one is nearer
    private <A extends Annotation> List<Method> methods(Class<A> annotation) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type : types()) {
            Method[] declared = type.getDeclaredMethods();
            Arrays.sort(declared, Comparator.comparing(Method::isBridge).thenComparing(Method::toGenericString));
            for (Method method : declared) {
                Method nearer = found.stream()
                        .filter(known -> overrides(known, method))
                        .findFirst()
                        .orElse(null);
                if (method.isAnnotationPresent(annotation) && nearer == null) {
                    checkInstrumented(method);
                    found.add(method);
                } else if (method.isAnnotationPresent(annotation)) {
                    checkAgreement(nearer, method, annotation);
                }
            }
        }
        found.sort(Comparator.comparing(Method::getName).thenComparingInt(Method::getParameterCount));
        return found;
    }

    /** The class, its super classes, and then all interfaces. */
    private Set<Class<?>> types() {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> type = scenario; type != null && type != Object.class; type = type.getSuperclass()) {
            types.add(type);
        }
        ArrayDeque<Class<?>> open = new ArrayDeque<>(types);
        while (!open.isEmpty()) {
            for (Class<?> type : open.remove().getInterfaces()) {
                types.add(type);
                open.add(type);
            }
        }
        return types;
    }

    private static boolean overrides(Method method, Method other) {
        boolean isInherited = !Modifier.isPrivate(other.getModifiers())
                && !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(other.getModifiers());
        boolean isSeen = Modifier.isPublic(other.getModifiers())
                || Modifier.isProtected(other.getModifiers())
                || other.getDeclaringClass()
                        .getPackageName()
                        .equals(method.getDeclaringClass().getPackageName());
        return isInherited
                && isSeen
                && method.getName().equals(other.getName())
                && Arrays.equals(method.getParameterTypes(), other.getParameterTypes());
    }

    private void checkInstrumented(Method method) {
        Class<?> owner = method.getDeclaringClass();
        if (owner.getClassLoader() != scenario.getClassLoader()) {
            throw misuse("inherits an actor or check " + method.getName() + " from " + owner.getName()
                    + ", which is not instrumented. " + Refusal.instrument(owner.getName()));
        }
    }

    /**
     * Refuses two inherited methods with the same signature but different annotations, neither of which overrides the
     * other.
     */
    private <A extends Annotation> void checkAgreement(Method one, Method other, Class<A> annotation) {
        boolean isNearer = other.getDeclaringClass().isAssignableFrom(one.getDeclaringClass());
        if (!isNearer && !one.getAnnotation(annotation).equals(other.getAnnotation(annotation))) {
            throw misuse("inherits " + one.getName() + " from "
                    + one.getDeclaringClass().getName() + " and from "
                    + other.getDeclaringClass().getName()
                    + ", with annotations that differ; override it, and annotate that");
        }
    }

    private void addActor(Method method) {
        int copies = method.getAnnotation(Actor.class).value();
        if (copies < 1) {
            throw misuse("has an actor " + method.getName() + " with " + copies + " copies; there must be one or more");
        }
        checkShape(method, 1);
        if (method.getAnnotation(Actor.class).symmetric()) {
            checkSymmetric(method, copies);
            follower = follower < 0 ? parts.size() + 1 : follower;
        }
        for (int copy = 0; copy < copies; copy++) {
            MethodHandle code = handle(method);
            if (method.getParameterCount() == 1) {
                code = MethodHandles.insertArguments(code, 1, copy);
            }
            String name = copies == 1 ? method.getName() : method.getName() + " " + copy;
            parts.add(new Part(name, code, method.getReturnType() != void.class));
        }
    }

    private void checkSymmetric(Method method, int copies) {
        if (copies < 2 || method.getParameterCount() > 0 || method.getReturnType() != void.class) {
            throw misuse("has an actor " + method.getName()
                    + " whose copies are declared symmetric; then it must have two or more,"
                    + " without numbers that tell them apart, and no outcome");
        }
    }

    private void checkShape(Method method, int parameters) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw misuse("has a static method " + method.getName()
                    + " among its actors and checks; they are methods of its object");
        }
        Class<?>[] types = method.getParameterTypes();
        if (types.length > parameters || types.length == 1 && types[0] != int.class) {
            throw misuse("has a method " + method.getName()
                    + " with parameters; an actor has none, or one int for the number of its copy,"
                    + " and the arbiter has none");
        }
        if (!OUTCOMES.contains(method.getReturnType())) {
            throw misuse("has a method " + method.getName() + " that returns "
                    + method.getReturnType().getSimpleName()
                    + "; an outcome is a whole number, a character or a truth value");
        }
    }

    /** The method as a handle that takes an Object, and returns long or void. */
    private MethodHandle handle(Method method) {
        try {
            method.setAccessible(true);
            MethodHandle code = MethodHandles.lookup().unreflect(method);
            var type = code.type().changeParameterType(0, Object.class);
            if (method.getReturnType() != void.class) {
                type = type.changeReturnType(long.class);
            }
            return MethodHandles.explicitCastArguments(code, type);
        } catch (IllegalAccessException thrown) {
            throw misuse("has a method " + method.getName() + " that cannot be called: " + thrown.getMessage());
        }
    }

    String scenarioName() {
        return scenario.getName();
    }

    List<Part> parts() {
        return parts;
    }

    /** Whether the last part is the arbiter. */
    boolean hasArbiter() {
        return hasArbiter;
    }

    /** The second of two symmetric actors, the first being the one before it; -1 if there are none. */
    int follower() {
        return follower;
    }

    /** Makes the object of the scenario. */
    @SuppressWarnings("NullAway") // the constructor has thrown it
    Object newScenario() {
        try {
            Constructor<?> constructor = scenario.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException thrown) {
            throw misuse(
                    "has no constructor without parameters; a scenario is a top-level or static nested class with one");
        } catch (InstantiationException | IllegalAccessException thrown) {
            throw misuse("cannot be made: " + thrown);
        } catch (InvocationTargetException thrown) {
            throw failedSetUp("The constructor of " + scenario.getName(), thrown.getCause());
        }
    }

    /** The exception to throw if {@code what} has thrown {@code cause}. */
    static RuntimeException failedSetUp(String what, Throwable cause) {
        if (cause instanceof UncheckableException
                || cause instanceof InstrumentationException
                || cause instanceof LinkageError
                || cause instanceof OutOfMemoryError) {
            throw CodeRun.<RuntimeException>sneaky(cause);
        }
        StackTraceElement[] trace = cause.getStackTrace();
        return new IllegalArgumentException(
                what + " throws " + cause + (trace.length == 0 ? "." : ", at " + trace[0] + "."), cause);
    }

    private void checkKind() {
        if (scenario.isInterface()) {
            throw misuse("is an interface, so there is no object of it; name a class");
        }
        if (Modifier.isAbstract(scenario.getModifiers())) {
            throw misuse("is abstract, so there is no object of it; name a class that extends it");
        }
        if (scenario.isMemberClass() && !Modifier.isStatic(scenario.getModifiers())) {
            throw misuse("needs an object of the class around it; make it static");
        }
        if (scenario.isLocalClass() || scenario.isAnonymousClass()) {
            throw misuse("is declared in a method; a scenario is a top-level or static nested class");
        }
    }

    private IllegalArgumentException misuse(String what) {
        return new IllegalArgumentException("The class " + scenario.getName() + " " + what + ".");
    }
}
