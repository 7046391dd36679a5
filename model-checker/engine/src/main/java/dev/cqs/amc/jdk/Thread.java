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
     * 1 from the first call of start on. Accessed through a handle alone, because two may call it at once. Read opaquely: Java promises no
     * order to a thread that finds out that another one has been started.
     */
    private int started;
    /** Whether it is an actor, which no code starts. */
    private final boolean isActor;
    /** Set when the code of a thread that has been started is over. */
    private volatile boolean over;
    /** 1 if the thread has been unparked and has not parked since. */
    private int permit;
    /** 1 while the thread is interrupted. */
    private int interrupt;

    /** A thread that does nothing, unless a subclass says otherwise. */
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

    /** The thread that calls; while the scenario is set up, one that stands for the thread that does that. */
    public static Thread currentThread() {
        return ThreadHooks.isSetUp() ? SET_UP : (Thread) ThreadHooks.currentThread();
    }

    @Override
    public void run() {
        if (target != null) {
            target.run();
        }
    }

    /** Starts the thread; what has been done before is seen by it. */
    public void start() {
        if (isActor || (int) STARTED.getAndSet(this, 1) != 0) {
            throw new IllegalThreadStateException();
        }
        ThreadHooks.startThread(this, daemon);
    }

    /** What a thread does that has been started. */
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

    /** The handler of the threads without one: that by default. Without that one, too, or by a failed check, the execution has failed. */
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

    /** The handler of this thread; a thread that has ended has none. */
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

    /** Sets the handler of this thread; null takes it away. */
    public void setUncaughtExceptionHandler(UncaughtExceptionHandler handler) {
        checkHandler(handler);
        this.handler = handler;
    }

    /** The handler of the threads without one of their own, or null. */
    public static @Nullable UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
        return defaultHandler;
    }

    /** Sets the handler of the threads without one of their own; null takes it away. */
    public static void setDefaultUncaughtExceptionHandler(@Nullable UncaughtExceptionHandler handler) {
        checkHandler(handler);
        defaultHandler = handler;
    }

    /** The virtual machine lets any object pass for one of an interface. */
    private static void checkHandler(@Nullable Object handler) {
        if (handler != null && !(handler instanceof UncaughtExceptionHandler)) {
            Hooks.refuseAlways("A handler of exceptions is of the " + handler.getClass()
                    + ", which is not instrumented. Use a lambda" + " instead.");
        }
    }

    /**
     * What {@link #run} or an actor has thrown goes to the handler of the thread. A failed check goes to none, and a handler may not
     * hide one either. To an actor, only a handler of its own counts: what is a default for the threads of the code
     * leaves the failure of a part of the scenario alone.
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
            // As in the JDK, also if there is no handler because a subclass says so.
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

    /** Whether the thread has been started and has not ended; what it has done is seen if it has. */
    public final boolean isAlive() {
        return this == currentThread() || isStarted() && !over;
    }

    /** Waits until the thread has ended; what it has done is seen then. */
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

    /** Waits for an interrupt that may not come; then it is another execution that counts. */
    private static void awaitInterrupt() {
        try {
            while (!interrupted()) {
                onSpinWait();
            }
        } finally {
            ThreadHooks.endTimedWait();
        }
    }

    /** Waits until the thread has ended, or for some time. */
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

    /** Interrupts the thread. What has been done before is seen by it when it finds out. */
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

    /** Whether the thread that calls is interrupted; it is not any more then. */
    public static boolean interrupted() {
        Thread current = currentThread();
        return (int) INTERRUPT.getAcquire(current) != 0 && (int) INTERRUPT.getAndSetAcquire(current, 0) != 0;
    }

    // Parking

    /**
     * Orders what the caller has done before what the thread does when it goes on, as the JDK does. It is promised nowhere,
     * but without it, a thread that is woken could look at its condition, see it as it was, and park for good. An
     * exchange, and no write: the permit may be given by two threads and taken once, and both are seen. A thread that has not been
     * started gets none: the JDK promises no effect then, and has none.
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

    /** Lets time pass. */
    public static void sleep(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Lets time pass. */
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

    /** Does nothing: the checker looks at all schedules anyway. */
    public static void onSpinWait() {}

    /** Does nothing: the checker looks at all schedules anyway. */
    @SuppressWarnings("NamedLikeContextualKeyword") // as in the JDK
    public static void yield() {}

    // What is told about it

    /** The name. */
    public final String getName() {
        return name;
    }

    /** Sets the name. */
    public final void setName(String name) {
        this.name = name;
    }

    /** Whether the thread has been made a daemon. */
    public final boolean isDaemon() {
        return daemon;
    }

    /**
     * Makes the thread a daemon: it may wait for ever, when all that are none have ended. Actors are no daemons; what a daemon
     * makes is one.
     */
    public final void setDaemon(boolean daemon) {
        if (isActor || (int) STARTED.getOpaque(this) != 0 && !over) {
            throw new IllegalThreadStateException();
        }
        this.daemon = daemon;
    }

    /** How far the thread is. Whether a thread that runs waits is not followed. */
    public State getState() {
        if (this == currentThread()) {
            return State.RUNNABLE;
        }
        if (!isStarted()) {
            return State.NEW;
        }
        if (!over) {
            Hooks.refuse(
                    "The state of a thread that runs is asked for, which depends on chance. Ask isAlive, or wait for the thread.");
        }
        return State.TERMINATED;
    }

    /** Whether the thread that calls holds the monitor. */
    public static boolean holdsLock(Object monitor) {
        return ThreadHooks.holdsLock(monitor);
    }

    /** The priority that was set last, which makes no difference here. */
    public final int getPriority() {
        return priority;
    }

    /** Sets the priority, which makes no difference here. */
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

    /** A number that no other thread of the scenario has. */
    public final long getId() {
        return Hooks.number(this);
    }

    /** A number that no other thread of the scenario has. */
    public final long threadId() {
        return getId();
    }

    @Override
    public String toString() {
        return "Thread[" + name + "]";
    }
}
