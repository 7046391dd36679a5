package dev.cqs.threads;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure;
import dev.cqs.sync.WeightedWaiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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

    /** No deadline. */
    static final long NEVER = 0;

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
        waiter.awaitUntil(waiter, false, NEVER, false);
        waiter.stayAwake(current, NEVER, true);
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
        awaitUntil(primitive, false, deadlineIn(0), maySoonBeServed());
    }

    @Override
    protected boolean tryResume(Object value) {
        Thread thread = (Thread) SLOT.getAcquire(this);
        slot = value; // before the look at `parking`, against awaitUntil()
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
        End end = awaitUntil(primitive, true, deadlineIn(nanos), maySoonBeServed());
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        return end == End.GRANTED;
    }

    /** The same without a limit of time; an interrupt meanwhile stays pending. */
    final void awaitUninterruptibly(Object primitive) {
        awaitUntil(primitive, false, NEVER, maySoonBeServed());
    }

    /**
     * Waits until this is resumed or its owner has cancelled it.
     *
     * @param deadline when to cancel it, or {@link #NEVER}
     * @param soon whether the wait may be short, so that the thread spins before it parks
     * @throws RuntimeException that of the {@link WaitFailure}, if it is resumed with one
     */
    final End awaitUntil(Object primitive, boolean interruptible, long deadline, boolean soon) {
        boolean lost = false; // against a grant, which is on its way
        if (isOver(deadline)) {
            if (cancel()) {
                return End.TIMED_OUT;
            }
            lost = true;
        }
        Thread thread = Thread.currentThread();
        if (hasThread(thread)) {
            stayAwake(thread, deadline, soon);
        }
        if (hasThread(thread)) {
            parking = true; // before the look at the slot, against tryResume()
        }
        End end = park(primitive, thread, interruptible && !lost, lost ? NEVER : deadline);
        if (slot instanceof WaitFailure failure) {
            throw failure.exception();
        }
        return end;
    }

    /** The deadline of a wait that begins now; {@link #NEVER} for {@link #FOREVER}, and for no other time. */
    static long deadlineIn(long nanos) {
        if (nanos == FOREVER) {
            return NEVER;
        }
        long deadline = System.nanoTime() + nanos;
        return deadline != NEVER ? deadline : 1;
    }

    static boolean isOver(long deadline) {
        return deadline != NEVER && deadline - System.nanoTime() <= 0;
    }

    final boolean maySoonBeServed() {
        return SpinPolicy.PROCESSORS > 1 && isAmongFirst();
    }

    private void stayAwake(Thread thread, long deadline, boolean soon) {
        if (!soon || !SpinPolicy.pays(thread)) {
            SpinPolicy.handOnProcessor(thread);
            return;
        }
        for (int turn = 1; turn <= SpinPolicy.SPINS_BEFORE_PARK && hasThread(thread); turn++) {
            if (turn % SpinPolicy.LOOK == 0 && isOver(deadline)) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private End park(Object primitive, Thread thread, boolean interruptible, long deadline) {
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
            } else if (deadline == NEVER || !reacting) {
                park(primitive, FOREVER);
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
    private static void park(Object primitive, long nanos) {
        try {
            if (nanos == FOREVER) {
                LockSupport.park(primitive);
            } else {
                LockSupport.parkNanos(primitive, nanos);
            }
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

    /** The threads among the waiters of a primitive, which may have waiters of other kinds as well. */
    static final class QueuedThreads implements Consumer<Waiter> {
        private final Collection<Thread> threads = new ArrayList<>();

        @Override
        public void accept(Waiter waiter) {
            if (waiter instanceof ThreadWaiter parked) {
                Thread thread = parked.thread();
                if (thread != null) {
                    threads.add(thread);
                }
            }
        }

        /** First to last. */
        Collection<Thread> get() {
            return threads;
        }
    }
}
