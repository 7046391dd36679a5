package dev.cqs.amc.bytecode.runtime;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of the {@link Hooks} that the models of threads, of parking, and of thread locals call. */
public final class ThreadHooks {

    /** What the thread that sets a scenario up has for itself. */
    private static Map<Object, Object> setUpLocals = new IdentityHashMap<>();

    private ThreadHooks() {}

    static void beginSetUp() {
        setUpLocals = new IdentityHashMap<>();
    }

    // Threads

    /** Whether no thread of a scenario runs: constructors and initializers do. */
    public static boolean isSetUp() {
        return Hooks.current == null;
    }

    /** The model of the thread that calls. */
    public static Object currentThread() {
        return Hooks.running("Thread.currentThread").currentThread();
    }

    /** Whether the thread that calls is a daemon; the one that sets a scenario up is none. */
    public static boolean isDaemon() {
        return Hooks.current != null && Hooks.current.run.lifecycle().isDaemon();
    }

    /** Starts a thread, for the first time. */
    public static void startThread(Runnable thread, boolean daemon) {
        Hooks.running("Thread.start").startThread(thread, daemon);
    }

    /** Refuses a group of threads whose class, or that of a group around it, may say what becomes of exceptions. */
    public static void checkGroup(ThreadGroup group) {
        ThreadGroup around = Thread.currentThread().getThreadGroup();
        for (ThreadGroup at = group; at != null && at != around; at = at.getParent()) {
            if (at.getClass() != ThreadGroup.class) {
                Hooks.refuseAlways("A thread is made in a thread group of the " + at.getClass()
                        + ", whose handler is not followed. Set a" + " handler of the thread instead.");
            }
        }
    }

    /** An exception has left the code of the thread that calls, and there is no handler for it. */
    public static void fail(Throwable thrown) {
        throw CodeRun.<RuntimeException>sneaky(isSetUp() ? thrown : Hooks.current.run.fail(thrown));
    }

    /** Waits until a thread that has been started has ended. */
    public static void joinThread(Runnable thread) {
        Hooks.running("Thread.join").joinThread(thread);
    }

    /** Time passes for the thread that calls. */
    public static void sleep(long nanos) {
        if (isSetUp()) {
            Hooks.heap.times().passInSetUp(nanos);
        } else {
            Hooks.current.sleep(nanos);
        }
    }

    /** The thread that calls interrupts another one. */
    public static void interrupts() {
        Hooks.running("Thread.interrupt").interrupts();
    }

    /** Whether a join that begins is ended by an interrupt. If so, then {@link #endTimedWait} is called when that has come. */
    public static boolean isInterruptedFirst() {
        return Hooks.running("Thread.join").isInterruptedFirst();
    }

    /** {@code Thread.holdsLock}. */
    public static boolean holdsLock(Object monitor) {
        Objects.requireNonNull(monitor);
        return Hooks.current != null && Hooks.current.monitors.holds(monitor);
    }

    /**
     * Whether a wait of this length ends by time, as it always does in the set-up, in which there is no other thread. If not, then
     * {@link #endTimedWait} is to be called when it is over.
     */
    public static boolean timesOut(long nanos) {
        if (isSetUp()) {
            Hooks.heap.times().passInSetUp(nanos);
            return true;
        }
        return Hooks.current.timesOut(nanos, 0);
    }

    /** A wait that might have ended by time is over. */
    public static void endTimedWait() {
        Hooks.running("A timed wait").endTimedWait();
    }

    // What each thread has for itself, for dev.cqs.amc.jdk.ThreadLocal

    /** Whether the thread that calls has a value for {@code variable}. */
    public static boolean hasThreadLocal(Object variable) {
        return threadLocals().containsKey(threadLocalKey(variable));
    }

    /** The value that the thread that calls has for {@code variable}. */
    public static @Nullable Object getThreadLocal(Object variable) {
        return threadLocals().get(threadLocalKey(variable));
    }

    /** Sets the value that the thread that calls has for {@code variable}. */
    public static void setThreadLocal(Object variable, Object value) {
        changed(threadLocals().put(threadLocalKey(variable), value), value);
    }

    /** Forgets the value that the thread that calls has for {@code variable}. */
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
