package dev.cqs.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Starts virtual threads from code that is compiled for a JDK without them. */
final class VirtualThreads {
    private static final MethodHandle START = find();

    private VirtualThreads() {}

    /** Whether this JDK has virtual threads. */
    static boolean exist() {
        return START != null;
    }

    static void start(Runnable task) {
        try {
            Thread started = (Thread) START.invokeExact(task);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
