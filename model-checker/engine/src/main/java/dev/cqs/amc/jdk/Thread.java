package dev.cqs.amc.jdk;

import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.bytecode.runtime.ThreadHooks;
import java.lang.Thread.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread of a scenario: an actor, or a thread that an actor starts. */
@SuppressWarnings("JavaLangClash") // it stands for that
public class Thread implements Runnable {

    /** As in the JDK. */
    public static final int MIN_PRIORITY = 1;
    /** As in the JDK. */
    public static final int NORM_PRIORITY = 5;
    /** As in the JDK. */
    public static final int MAX_PRIORITY = 10;

    private static final Thread SET_UP = actor("set-up");
    private static final UncaughtExceptionHandler GROUP = new Group();
    private static final VarHandle STARTED;
    private static final VarHandle PERMIT;
    private static final VarHandle INTERRUPT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STARTED = lookup.findVarHandle(Thread.class, "started", int.class);
            PERMIT = lookup.findVarHandle(Thread.class, "permit", int.class);
            INTERRUPT = lookup.findVarHandle(Thread.class, "interrupt", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static volatile @Nullable UncaughtExceptionHandler defaultHandler;

    private final @Nullable Runnable target;
    /** Null if the thread has none of its own. */
    private volatile @Nullable UncaughtExceptionHandler handler;

    private volatile String name;
    private volatile boolean daemon;
    private volatile int priority = NORM_PRIORITY;
    /**
     * 1 from the first call of start on. Accessed only through a handle, because two threads may call start
     * concurrently. Read in opaque mode: Java promises no order to a thread that finds that another one was started.
     */
    private int started;
    /** Whether it is an actor, which the checker starts. */
    private final boolean isActor;
    /** Set when the code of a started thread has ended. */
    private volatile boolean over;
    /** The permit: 1 if the thread was unparked and has not parked since. */
    private int permit;
    /** 1 while the thread is interrupted. */
    private int interrupt;

    /** A thread that does nothing, unless a subclass overrides {@link #run}. */
    public Thread() {
        this(null, "Thread", false);
    }

    /** A thread that runs {@code target}. */
    public Thread(Runnable target) {
        this(target, "Thread");
    }

    /** A thread with a name. */
    public Thread(String name) {
        this(null, name, false);
    }

    /** A thread with a name that runs {@code target}. */
    public Thread(Runnable target, String name) {
        this(target, name, false);
    }

    /** As in the JDK; groups make no difference here. */
    public Thread(ThreadGroup group, Runnable target) {
        this(target);
        ThreadHooks.checkGroup(group);
    }

    /** As in the JDK; groups make no difference here. */
    public Thread(ThreadGroup group, String name) {
        this(name);
        ThreadHooks.checkGroup(group);
    }

    /** As in the JDK; groups make no difference here. */
    public Thread(ThreadGroup group, Runnable target, String name) {
        this(target, name);
        ThreadHooks.checkGroup(group);
    }

    /** As in the JDK; neither groups nor sizes of stacks make a difference here. */
    public Thread(ThreadGroup group, Runnable target, String name, long stackSize) {
        this(target, name);
        ThreadHooks.checkGroup(group);
    }

    private Thread(@Nullable Runnable target, String name, boolean isActor) {
        this.target = target;
        this.name = name;
        this.isActor = isActor;
        if (ThreadHooks.isDaemon()) {
            daemon = true;
        }
    }

    /** The thread of an actor. */
    static Thread actor(String name) {
        return new Thread(null, name, true);
    }

    /** The calling thread; during the set-up, a thread object that stands for it. */
    public static Thread currentThread() {
        return ThreadHooks.isSetUp() ? SET_UP : (Thread) ThreadHooks.currentThread();
    }

    @Override
    public void run() {
        if (target != null) {
            target.run();
        }
    }

    /** Starts the thread. The call happens before every action of the thread. */
    public void start() {
        if (isActor || (int) STARTED.getAndSet(this, 1) != 0) {
            throw new IllegalThreadStateException();
        }
        ThreadHooks.startThread(this, daemon);
    }

    /** The body of a started thread. */
    final void begin() {
        run();
        over = true;
    }

    // Exceptions that leave the code of a thread

    /** As in the JDK. */
    @FunctionalInterface
    public interface UncaughtExceptionHandler {

        /** An exception has left the code of {@code thread}, which calls this before it ends. */
        void uncaughtException(Thread thread, Throwable thrown);
    }

    /** Passes an exception to the default handler. Without one, or for a failed check, the execution fails. */
    private static final class Group implements UncaughtExceptionHandler {

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            UncaughtExceptionHandler byDefault = thrown instanceof AssertionError ? null : defaultHandler;
            if (byDefault == null) {
                ThreadHooks.fail(thrown);
            } else {
                byDefault.uncaughtException(thread, thrown);
            }
        }
    }

    /** The handler of this thread; null after the thread has ended. */
    public @Nullable UncaughtExceptionHandler getUncaughtExceptionHandler() {
        if (this != currentThread()) {
            if (isActor) {
                Hooks.refuse(
                        "The handler of an actor is asked for by another thread, which depends on whether the actor has ended. Ask for"
                                + " it in the actor.");
            }
            if (over) {
                return null;
            }
        }
        UncaughtExceptionHandler own = handler;
        return own == null ? GROUP : own;
    }

    /** Sets the handler of this thread; null removes it. */
    public void setUncaughtExceptionHandler(UncaughtExceptionHandler handler) {
        checkHandler(handler);
        this.handler = handler;
    }

    /** The default handler, or null. */
    public static @Nullable UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
        return defaultHandler;
    }

    /** Sets the default handler; null removes it. */
    public static void setDefaultUncaughtExceptionHandler(@Nullable UncaughtExceptionHandler handler) {
        checkHandler(handler);
        defaultHandler = handler;
    }

    /** Refuses a handler that is not instrumented. The verifier lets any object pass for an interface type. */
    private static void checkHandler(@Nullable Object handler) {
        if (handler != null && !(handler instanceof UncaughtExceptionHandler)) {
            Hooks.refuseAlways("A handler of exceptions is of the " + handler.getClass()
                    + ", which is not instrumented. Use a lambda" + " instead.");
        }
    }

    /**
     * Passes an exception from {@link #run} or from an actor to the handler of the thread. A failed check goes to no
     * handler, and a handler cannot hide one. For an actor only a handler of its own counts: the default handler is for
     * the threads of the code, not for the failure of a scenario.
     */
    @SuppressWarnings("NullAway") // a null is thrown for, and ignored
    final void uncaught(Throwable thrown) throws Throwable {
        if (thrown instanceof AssertionError) {
            throw thrown;
        }
        UncaughtExceptionHandler own = isActor ? handler : null;
        if (isActor && own == null) {
            throw thrown;
        }
        try {
            (isActor ? own : getUncaughtExceptionHandler()).uncaughtException(this, thrown);
        } catch (AssertionError failed) {
            throw failed;
        } catch (Throwable ignored) {
            // As in the JDK, even if a subclass returns no handler.
        }
        if (!isActor) {
            over = true;
        }
    }

    private boolean isStarted() {
        if (isActor) {
            Hooks.refuse(
                    "An actor is waited for, or asked whether it is alive. Make it a thread that another actor starts.");
        }
        return (int) STARTED.getOpaque(this) != 0;
    }

    /** Whether the thread was started and has not ended. If it has ended, its actions happen before the return. */
    public final boolean isAlive() {
        return this == currentThread() || isStarted() && !over;
    }

    /** Waits until the thread has ended. Its actions happen before the return. */
    public final void join() throws InterruptedException {
        if (!isStarted()) {
            return;
        }
        if (isInterrupted(currentThread()) && !over) {
            interrupted();
            throw new InterruptedException();
        }
        if (ThreadHooks.isInterruptedFirst()) {
            awaitInterrupt();
            throw new InterruptedException();
        }
        ThreadHooks.joinThread(this);
    }

    /** Waits for an interrupt. If none comes, this execution is excluded, and another one counts. */
    private static void awaitInterrupt() {
        try {
            while (!interrupted()) {
                onSpinWait();
            }
        } finally {
            ThreadHooks.endTimedWait();
        }
    }

    /** Waits until the thread has ended, or until a timeout. */
    public final void join(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (millis == 0) {
            join();
        } else if (!isStarted()) {
            return;
        } else if (isInterrupted(currentThread()) && !over) {
            interrupted();
            throw new InterruptedException();
        } else if (!ThreadHooks.timesOut(TimeUnit.MILLISECONDS.toNanos(millis))) {
            try {
                join();
            } finally {
                ThreadHooks.endTimedWait();
            }
        }
    }

    // Interrupts

    /** Interrupts the thread. The call happens before the thread's detection of the interrupt. */
    public void interrupt() {
        if (this != currentThread()) {
            ThreadHooks.interrupts();
        }
        INTERRUPT.setRelease(this, 1);
        givePermit();
    }

    /** Whether the thread is interrupted. */
    public boolean isInterrupted() {
        return isInterrupted(this);
    }

    private static boolean isInterrupted(Thread thread) {
        return (int) INTERRUPT.getAcquire(thread) != 0;
    }

    /** Whether the calling thread is interrupted; clears the flag. */
    public static boolean interrupted() {
        Thread current = currentThread();
        return (int) INTERRUPT.getAcquire(current) != 0 && (int) INTERRUPT.getAndSetAcquire(current, 0) != 0;
    }

    // Parking

    /**
     * Gives the permit. The call happens before the return of the park that takes the permit, as in the JDK's
     * implementation. No specification promises it, but without it an unparked thread could read its condition too
     * early and park forever. It is an exchange, not a write: two threads may give the permit that is taken once, and
     * both are ordered before. A thread that is not started gets no permit: the JDK promises no effect then, and has
     * none.
     */
    final void givePermit() {
        if (isActor || (int) STARTED.getOpaque(this) != 0) {
            PERMIT.getAndSetRelease(this, 1);
        }
    }

    final void takePermit() {
        while ((int) INTERRUPT.getOpaque(this) == 0 && !PERMIT.weakCompareAndSetAcquire(this, 1, 0)) {
            onSpinWait();
        }
    }

    // Time

    /** Sleeps. */
    public static void sleep(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Sleeps. */
    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999_999) {
            throw new IllegalArgumentException("timeout value is negative, or has too many nanoseconds");
        }
        sleepNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(millis), TimeUnit.MILLISECONDS.toNanos(millis) + nanos));
    }

    /** As {@link TimeUnit#sleep}. */
    public static void sleep(TimeUnit unit, long time) throws InterruptedException {
        if (time > 0) {
            sleepNanos(unit.toNanos(time));
        }
    }

    private static void sleepNanos(long nanos) throws InterruptedException {
        if (interrupted()) {
            throw new InterruptedException();
        }
        ThreadHooks.sleep(nanos);
    }

    /** Does nothing: the checker explores all schedules. */
    public static void onSpinWait() {}

    /** Does nothing: the checker explores all schedules. */
    @SuppressWarnings("NamedLikeContextualKeyword") // as in the JDK
    public static void yield() {}

    // Properties

    /** The name. */
    public final String getName() {
        return name;
    }

    /** Sets the name. */
    public final void setName(String name) {
        this.name = name;
    }

    /** Whether the thread is a daemon. */
    public final boolean isDaemon() {
        return daemon;
    }

    /**
     * Makes the thread a daemon, which may wait forever when all other threads have ended. Actors are not daemons. A
     * thread that a daemon makes is a daemon.
     */
    public final void setDaemon(boolean daemon) {
        if (isActor || (int) STARTED.getOpaque(this) != 0 && !over) {
            throw new IllegalThreadStateException();
        }
        this.daemon = daemon;
    }

    /** The state of the thread, if it is not running. */
    public State getState() {
        if (this == currentThread()) {
            return State.RUNNABLE;
        }
        if (!isStarted()) {
            return State.NEW;
        }
        if (!over) {
            Hooks.refuse(
                    "The state of a running thread is used, which depends on scheduling. Use isAlive, or wait for the thread.");
        }
        return State.TERMINATED;
    }

    /** Whether the calling thread holds the monitor. */
    public static boolean holdsLock(Object monitor) {
        return ThreadHooks.holdsLock(monitor);
    }

    /** The priority, which has no effect here. */
    public final int getPriority() {
        return priority;
    }

    /** Sets the priority, which has no effect here. */
    public final void setPriority(int priority) {
        if (priority < MIN_PRIORITY || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("a priority of " + priority);
        }
        this.priority = priority;
    }

    /** Always false. */
    public final boolean isVirtual() {
        return false;
    }

    /** The unique number of the thread. */
    public final long getId() {
        return Hooks.number(this);
    }

    /** The unique number of the thread. */
    public final long threadId() {
        return getId();
    }

    @Override
    public String toString() {
        return "Thread[" + name + "]";
    }
}
