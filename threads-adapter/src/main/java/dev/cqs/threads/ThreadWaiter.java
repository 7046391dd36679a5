package dev.cqs.threads;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure;
import dev.cqs.sync.WeightedWaiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A thread that waits: it spins for a moment if its turn may come soon, and then parks. */
class ThreadWaiter extends Waiter {
    /*
     * One slot holds the thread while it waits, and then the value of the resume. It is written once, by the resumer, which is
     * the only writer after it has taken this waiter out of its cell. The thread that reads the value sees what the releaser
     * did before.
     *
     * To unpark a thread that is awake costs the resumer as much as a few dozen other steps, and makes a later park of that
     * thread return for nothing. So a thread that is about to park announces that first. It sets `parking` and then looks
     * at the slot; the resumer fills the slot and then looks at `parking`. All four are volatile, so at least one sees what
     * the other did: the thread does not park, or it is unparked.
     *
     * Parking and waking up takes many times what most holders need. So a thread that is among the first in its queue looks
     * at the slot for about as long as that takes before it parks. On a single processor any thread yields once before it
     * parks (SpinPolicy).
     *
     * Interrupt and timeout compete with the grant in the cell (Waiter.cancel). A thread that loses there has been granted
     * what it waited for, or is about to be. It parks again, for the short time until the resumer has filled the slot, and no
     * longer reacts to time or interrupts. An interrupt that it has seen by then is set again at the end, as after any
     * acquisition that was not cut short.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** How a wait ended. */
    enum End {
        GRANTED,
        TIMED_OUT,
        INTERRUPTED
    }

    /** No timeout. */
    static final long FOREVER = Long.MAX_VALUE;

    /** Makes the waiter of a thread. */
    static final BiFunction<Object, Thread, ThreadWaiter> NEW = (primitive, thread) -> new ThreadWaiter(thread);

    private static final VarHandle SLOT;

    static {
        try {
            SLOT = MethodHandles.lookup().findVarHandle(ThreadWaiter.class, "slot", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** The thread until resumed, then the value. */
    @SuppressWarnings("NullAway.Init") // the constructor sets it by its handle
    private volatile Object slot;

    /** Whether the thread may be parked, or is about to be; set once, by the thread. */
    private volatile boolean parking;

    ThreadWaiter(Thread thread) {
        SLOT.set(this, thread); // plain: published with the waiter, by the CAS into its cell
    }

    /** Does once what a thread does that waits in a queue, or resumes a waiter: see {@link #leaveAtOnce}. */
    private static void rehearse() {
        Thread current = Thread.currentThread();
        ThreadWaiter waiter = new WeightedThreadWaiter(current, 2);
        waiter.thread();
        waiter.parking = true;
        waiter.tryResume(End.GRANTED);
        LockSupport.parkNanos(waiter, 1); // takes the permit away that the resume has left
        waiter.sleep(waiter, false, false, 0);
        SpinPolicy.pays(current);
        SpinPolicy.handOnProcessor(current);
        SpinPolicy.briefly(current);
    }

    /**
     * Has this waiter, which is in the queue of a primitive of a rehearsal, wait for no time. For the initialization of the
     * classes for threads, so that nothing on the way is linked, loaded or initialized when a request is counted already and
     * there may be no memory for that.
     */
    final void leaveAtOnce(Object primitive) {
        await(primitive, true, 0);
    }

    @Override
    protected boolean tryResume(Object value) {
        Thread thread = (Thread) SLOT.getAcquire(this);
        slot = value; // before the look at `parking`, against sleep()
        if (parking) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    private boolean hasThread(Thread thread) {
        return slot == thread;
    }

    /** The thread that waits here, or null if it has been resumed. */
    @Nullable
    Thread thread() {
        return SLOT.getAcquire(this) instanceof Thread thread ? thread : null;
    }

    /** What it was resumed with. */
    final Object value() {
        return slot;
    }

    // Waiting

    /**
     * Waits for the resume of this waiter, which is in the queue of {@code primitive}.
     *
     * @param nanos how long to wait at most, or {@link #FOREVER}
     * @return whether it was granted; if not, the time is over
     * @throws InterruptedException if the thread is interrupted meanwhile
     * @throws RuntimeException that of the {@link WaitFailure}, if it is resumed with one
     */
    final boolean await(Object primitive, long nanos) throws InterruptedException {
        End end = await(primitive, true, nanos);
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        return end == End.GRANTED;
    }

    /** The same without a limit of time; an interrupt meanwhile stays pending. */
    final void awaitUninterruptibly(Object primitive) {
        await(primitive, false, FOREVER);
    }

    private End await(Object primitive, boolean interruptible, long nanos) {
        boolean timed = nanos != FOREVER;
        long deadline = timed ? System.nanoTime() + nanos : 0;
        End end = awaitUntil(primitive, interruptible, timed, deadline, maySoonBeServed());
        if (slot instanceof WaitFailure failure) {
            throw failure.exception();
        }
        return end;
    }

    /**
     * Waits until this is resumed or its owner has cancelled it.
     *
     * @param soon whether the wait may be short, so that the thread spins before it parks
     */
    final End awaitUntil(Object primitive, boolean interruptible, boolean timed, long deadline, boolean soon) {
        if (timed && deadline - System.nanoTime() <= 0) {
            return cancel() ? End.TIMED_OUT : sleep(primitive, false, false, 0);
        }
        return awaitInTime(primitive, interruptible, timed, deadline, soon);
    }

    /** The same for a thread whose time is not over yet, or was not over a moment ago. */
    final End awaitInTime(Object primitive, boolean interruptible, boolean timed, long deadline, boolean soon) {
        stayAwake(Thread.currentThread(), timed, deadline, soon);
        return sleep(primitive, interruptible, timed, deadline);
    }

    private End sleep(Object primitive, boolean interruptible, boolean timed, long deadline) {
        Thread thread = Thread.currentThread();
        if (!hasThread(thread)) {
            return End.GRANTED;
        }
        parking = true; // before the look at the slot, against tryResume()
        return park(primitive, thread, interruptible, timed, deadline);
    }

    final boolean maySoonBeServed() {
        return SpinPolicy.PROCESSORS > 1 && isAmongFirst();
    }

    private void stayAwake(Thread thread, boolean timed, long deadline, boolean soon) {
        if (!hasThread(thread)) {
            return;
        }
        if (!soon || !SpinPolicy.pays(thread)) {
            SpinPolicy.handOnProcessor(thread);
            return;
        }
        for (int turn = 1; turn <= SpinPolicy.SPINS_BEFORE_PARK && hasThread(thread); turn++) {
            if (timed && turn % SpinPolicy.LOOK == 0 && deadline - System.nanoTime() <= 0) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private End park(Object primitive, Thread thread, boolean interruptible, boolean timed, long deadline) {
        boolean reacting = true; // to time and interrupts; false once the grant is on its way
        boolean interrupted = false;
        End end = End.GRANTED;
        while (hasThread(thread)) {
            if (Thread.interrupted()) {
                interrupted = true;
                if (interruptible && reacting) {
                    if (cancel()) {
                        return End.INTERRUPTED;
                    }
                    reacting = false;
                }
            } else if (!timed || !reacting) {
                park(primitive);
            } else {
                long left = deadline - System.nanoTime();
                if (left > SpinPolicy.BRIEF) {
                    park(primitive, left);
                } else if (left > 0) {
                    SpinPolicy.briefly(thread);
                } else if (cancel()) {
                    end = End.TIMED_OUT;
                    break;
                } else {
                    reacting = false;
                }
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
        return end;
    }

    /** If a virtual thread finds no memory to park, it stays awake, because it has a waiter in a queue. */
    private static void park(Object primitive) {
        try {
            LockSupport.park(primitive);
        } catch (OutOfMemoryError e) {
            Thread.yield();
        }
    }

    private static void park(Object primitive, long nanos) {
        try {
            LockSupport.parkNanos(primitive, nanos);
        } catch (OutOfMemoryError e) {
            Thread.yield();
        }
    }

    /** Waits for another number of permits than one. */
    static final class WeightedThreadWaiter extends ThreadWaiter implements WeightedWaiter {
        private final int weight;

        WeightedThreadWaiter(Thread thread, int weight) {
            super(thread);
            this.weight = weight;
        }

        @Override
        public int weight() {
            return weight;
        }
    }
}
