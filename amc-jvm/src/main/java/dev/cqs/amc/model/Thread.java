package dev.cqs.amc.model;

import dev.cqs.amc.bytecode.Hooks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A thread of a scenario: an actor, or a thread that an actor starts. */
public class Thread implements Runnable {

    /** As in the JDK. */
    public static final int MIN_PRIORITY = 1;
    /** As in the JDK. */
    public static final int NORM_PRIORITY = 5;
    /** As in the JDK. */
    public static final int MAX_PRIORITY = 10;

    private static final VarHandle PERMIT;
    private static final VarHandle INTERRUPT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PERMIT = lookup.findVarHandle(Thread.class, "permit", int.class);
            INTERRUPT = lookup.findVarHandle(Thread.class, "interrupt", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable target;
    private volatile String name;
    private volatile boolean daemon;
    /** 1 from the first call of start on. */
    private volatile int started;
    /** 1 while somebody has unparked the thread and it has not parked since. */
    private int permit;
    /** 1 while the thread is interrupted. */
    private int interrupt;

    /** A thread that does nothing, unless a subclass says otherwise. */
    public Thread() {
        this(null, "Thread");
    }

    /** A thread that runs {@code target}. */
    public Thread(Runnable target) {
        this(target, "Thread");
    }

    /** A thread with a name. */
    public Thread(String name) {
        this(null, name);
    }

    /** A thread with a name that runs {@code target}. */
    public Thread(Runnable target, String name) {
        this.target = target;
        this.name = name;
    }

    /** The thread that calls. */
    public static Thread currentThread() {
        return (Thread) Hooks.currentThread();
    }

    @Override
    public void run() {
        if (target != null) {
            target.run();
        }
    }

    /** Starts the thread; what has been done before is seen by it. */
    public void start() {
        if (started != 0) {
            throw new IllegalThreadStateException();
        }
        Hooks.startThread(this);
        started = 1;
    }

    /** Waits until the thread has ended; what it has done is seen then. */
    public final void join() throws InterruptedException {
        if (interrupted()) {
            throw new InterruptedException();
        }
        if (started != 0) {
            Hooks.joinThread(this);
        }
    }

    /** Waits until the thread has ended, or for some time. */
    public final void join(long millis) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        if (millis == 0) {
            join();
        } else if (!Hooks.timesOut(millis * 1_000_000)) {
            join();
            Hooks.endTimedWait();
        }
    }

    // Interrupts

    /** Interrupts the thread. What has been done before is seen by it when it finds out. */
    public void interrupt() {
        INTERRUPT.setRelease(this, 1);
        givePermit();
    }

    /** Whether the thread is interrupted. */
    public boolean isInterrupted() {
        return (int) INTERRUPT.getAcquire(this) != 0;
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
     * exchange, and no write: the permit may be given by two threads and taken once, and both are seen.
     */
    final void givePermit() {
        PERMIT.getAndSetRelease(this, 1);
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
        if (interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Lets time pass. */
    public static void sleep(long millis, int nanos) throws InterruptedException {
        sleep(millis);
    }

    /** Does nothing: the checker looks at all schedules anyway. */
    public static void onSpinWait() {
    }

    /** Does nothing: the checker looks at all schedules anyway. */
    public static void yield() {
    }

    // What is told about it

    /** The name. */
    public final String getName() {
        return name;
    }

    /** Sets the name. */
    public final void setName(String name) {
        this.name = name;
    }

    /** Whether the thread is a daemon, which makes no difference here. */
    public final boolean isDaemon() {
        return daemon;
    }

    /** Makes the thread a daemon, which makes no difference here. */
    public final void setDaemon(boolean daemon) {
        this.daemon = daemon;
    }

    /** Always false. */
    public final boolean isVirtual() {
        return false;
    }

    /** A number that no other thread of the scenario has. */
    public final long getId() {
        return Hooks.identityHashCode(this);
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
