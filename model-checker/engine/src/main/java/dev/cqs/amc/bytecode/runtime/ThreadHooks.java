package dev.cqs.amc.bytecode.runtime;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The {@link Hooks} that the models of threads, parking and thread locals call. */
public final class ThreadHooks {

    /** The thread locals of the set-up. */
    private static Map<Object, Object> setUpLocals = new IdentityHashMap<>();

    private ThreadHooks() {}

    static void beginSetUp() {
        setUpLocals = new IdentityHashMap<>();
    }

    // Threads

    /** Whether the set-up runs: the constructor of the scenario or a static initializer. */
    public static boolean isSetUp() {
        return Hooks.current == null;
    }

    /** The model of the calling thread. */
    public static Object currentThread() {
        return Hooks.running("Thread.currentThread").currentThread();
    }

    /** Whether the calling thread is a daemon. The set-up is not. */
    public static boolean isDaemon() {
        return Hooks.current != null && Hooks.current.run.lifecycle().isDaemon();
    }

    /** Starts a thread, for the first time. */
    public static void startThread(Runnable thread, boolean daemon) {
        Hooks.running("Thread.start").startThread(thread, daemon);
    }

    /** Refuses a thread group that may handle uncaught exceptions, itself or in a parent group. */
    public static void checkGroup(ThreadGroup group) {
        ThreadGroup around = Thread.currentThread().getThreadGroup();
        for (ThreadGroup at = group; at != null && at != around; at = at.getParent()) {
            if (at.getClass() != ThreadGroup.class) {
                Hooks.refuseAlways("A thread is made in a thread group of the " + at.getClass()
                        + ", whose handler is not followed. Set a" + " handler of the thread instead.");
            }
        }
    }

    /** An exception has left the code of the calling thread, and has no handler. */
    public static void fail(Throwable thrown) {
        throw CodeRun.<RuntimeException>sneaky(isSetUp() ? thrown : Hooks.current.run.fail(thrown));
    }

    /** Waits until a thread that has been started has ended. */
    public static void joinThread(Runnable thread) {
        Hooks.running("Thread.join").joinThread(thread);
    }

    /** Time passes for the calling thread. */
    public static void sleep(long nanos) {
        if (isSetUp()) {
            Hooks.heap.times().passInSetUp(nanos);
        } else {
            Hooks.current.clock.pass(nanos);
        }
    }

    /** The thread that calls interrupts another one. */
    public static void interrupts() {
        Hooks.running("Thread.interrupt").interrupts();
    }

    /**
     * Chooses whether an interrupt ends the join that begins. If so, the caller calls {@link #endTimedWait} after it.
     */
    public static boolean isInterruptedFirst() {
        return Hooks.running("Thread.join").isInterruptedFirst();
    }

    /** {@code Thread.holdsLock}. */
    public static boolean holdsLock(Object monitor) {
        Objects.requireNonNull(monitor);
        return Hooks.current != null && Hooks.current.monitors.holds(monitor);
    }

    /**
     * Chooses whether a wait of this duration times out. In the set-up, which has no other thread, it always does. If
     * it does not, the caller calls {@link #endTimedWait} after it.
     */
    public static boolean timesOut(long nanos) {
        if (isSetUp()) {
            Hooks.heap.times().passInSetUp(nanos);
            return true;
        }
        return Hooks.current.clock.timesOut(nanos, 0);
    }

    /** A timed wait that did not time out has ended. */
    public static void endTimedWait() {
        Hooks.running("A timed wait").clock.endTimedWait();
    }

    // Thread locals, for dev.cqs.amc.jdk.ThreadLocal

    /** Whether the calling thread has a value for {@code variable}. */
    public static boolean hasThreadLocal(Object variable) {
        return threadLocals().containsKey(threadLocalKey(variable));
    }

    /** The value that the calling thread has for {@code variable}. */
    public static @Nullable Object getThreadLocal(Object variable) {
        return threadLocals().get(threadLocalKey(variable));
    }

    /** Sets the value that the calling thread has for {@code variable}. */
    public static void setThreadLocal(Object variable, Object value) {
        changed(threadLocals().put(threadLocalKey(variable), value), value);
    }

    /** Removes the value that the calling thread has for {@code variable}. */
    public static void removeThreadLocal(Object variable) {
        changed(threadLocals().remove(threadLocalKey(variable)), null);
    }

    private static void changed(@Nullable Object was, @Nullable Object is) {
        if (Hooks.current != null && was != is) {
            Hooks.current.changed();
        }
    }

    private static Map<Object, Object> threadLocals() {
        return Hooks.current == null ? setUpLocals : Hooks.current.threadLocals();
    }

    private static Object threadLocalKey(Object variable) {
        return Hooks.current == null ? variable : Hooks.current.shadow(variable);
    }
}
