package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.function.Consumer;

/**
 * Permits that are taken and put back one by one, with the queue of those who wait for one: the common part of
 * {@link Mutex} and {@link Semaphore}.
 */
abstract class UnitPermits extends AbstractOwnableSynchronizer {
    /*
     * Overview.
     *
     * One 64-bit word, the count:
     *
     *        count > maximum         transient: somebody has put back too much and is about to notice
     *   0 <  count <= maximum        so many permits are free, nobody waits
     *        count <= 0              no permit is free, -count requests wait
     *        count <  MOVED          the permits are kept elsewhere (Semaphore); what is added here is noise
     *
     * take() subtracts one, put() adds one, both by fetch-and-add, so they never repeat under contention.
     * The value before the addition tells what the operation has done:
     *
     *   take   > 0: it has a permit.          <= 0: it is one of the waiting, and must enqueue.
     *   put    >= 0: the permit is free.      <  0: one request fewer waits, and this put must resume it.
     *
     * The queue works in SYNC mode: a put that finds the cell of its request still empty does not leave the
     * permit there, where tryTake() would miss it, but starts again, and so does the request. Cancellation is
     * SMART: a cancelled request adds one to the count. If others still wait, the put that meets its cell
     * goes to the next. If none waits, a put has already been counted for it; the addition has just made
     * that permit free, so that put is refused and drops its own.
     *
     * Too much put back. A put that sees the maximum reached has added an excess of one. It lowers the count
     * to the maximum again, unless others have: a take that sees an excess has thereby removed it, holds
     * nothing, and takes again. So what is above the maximum never becomes a permit, and
     * min(count, maximum) is at every moment what it would be without the excess (I1). An excess is noticed
     * where the maximum is in sight. While requests wait or permits are out, a put too much looks like any
     * other; if it overtakes a rightful one, then that one finds the maximum reached.
     *
     * The owner. The superclass keeps the thread that holds a mutex, for thread dumps and the search for
     * deadlocks; as in java.util.concurrent, it is there for every synchronizer and used by exclusive ones.
     *
     * Ordering. All accesses to the count are volatile. Holders are ordered by it where no one waits, and by
     * the cell and the waiter where a permit is handed over.
     */

    private static final long serialVersionUID = 1L;

    /** Counts below say that the permits have moved; no count of requests comes near. */
    static final long MOVED = -(1L << 60);

    /** What is handed over: that it arrives is all. */
    static final Object PERMIT = "PERMIT";

    private static final VarHandle COUNT;
    private static final VarHandle QUEUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(UnitPermits.class, "count", long.class);
            QUEUE = lookup.findVarHandle(UnitPermits.class, "queue", Queue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Free permits, or minus the number of requests that wait. Fetch-and-add; CAS in the try-operations. */
    private transient volatile long count;

    /** Made by CAS when the first request has to wait, so that an idle primitive stays small. */
    private transient volatile Queue queue;

    final transient int maximum;

    UnitPermits(long count, int maximum) {
        this.maximum = maximum;
        COUNT.set(this, count); // plain: the object is not shared yet
    }

    // What differs between primitives

    /** The exception for a put above the maximum. */
    abstract IllegalStateException excess();

    /** A put that found the permits moved. */
    void putMoved() {
        throw new AssertionError("permits moved");
    }

    /** A request in this queue was cancelled after the permits had moved. */
    void cancelMoved() {
        throw new AssertionError("permits moved");
    }

    /** Serves those who wait after somebody has joined or left the queue, if the permits have moved. */
    void serveIfMoved() {}

    // Taking and putting

    /**
     * Takes a permit or joins the waiting.
     *
     * @return the count before: positive if a permit was taken, below {@link #MOVED} if nothing was done
     */
    final long take() {
        long seen;
        do {
            seen = (long) COUNT.getAndAdd(this, -1L);
        } while (seen > maximum); // this has removed an excess: I1
        return seen;
    }

    /** Takes a permit if one is free. */
    final boolean tryTake() {
        for (; ; ) {
            long seen = count;
            if (seen <= 0) {
                return false;
            }
            if (seen > maximum) {
                dropExcess();
            } else if (casCount(seen, seen - 1)) {
                return true;
            }
        }
    }

    /** Puts a permit back, handing it to the first who waits. */
    final void put() {
        long seen = (long) COUNT.getAndAdd(this, 1L);
        if (seen < 0 || seen >= maximum) {
            putSlowly(seen);
        }
    }

    private void putSlowly(long seen) {
        while (seen < 0) {
            if (seen < MOVED) {
                putMoved();
                return;
            }
            if (queue().resume(PERMIT)) {
                return;
            }
            seen = (long) COUNT.getAndAdd(this, 1L); // the cell is broken: its request starts again as well
        }
        if (seen >= maximum) {
            dropExcess();
            throw excess();
        }
    }

    /** Takes back what is above the maximum. */
    final void dropExcess() {
        for (; ; ) {
            long seen = count;
            if (seen <= maximum || casCount(seen, maximum)) {
                return;
            }
        }
    }

    // The word and the queue, for subclasses

    final long count() {
        return count;
    }

    final boolean casCount(long expected, long replacement) {
        return COUNT.compareAndSet(this, expected, replacement);
    }

    final boolean suspend(Waiter waiter) {
        return queue().suspend(waiter);
    }

    final void abandonTaken() {
        queue().abandon();
    }

    final Queue queue() {
        Queue present = queue;
        if (present != null) {
            return present;
        }
        Queue fresh = new Queue();
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    final void forEachInQueue(Consumer<? super Waiter> action) {
        Queue present = queue;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean onCancellation(Waiter waiter) {
            long seen = (long) COUNT.getAndAdd(UnitPermits.this, 1L);
            if (seen < MOVED) {
                cancelMoved();
                return true;
            }
            return seen < 0;
        }

        @Override
        protected void giveBack(Object permit) {
            put();
        }

        @Override
        protected void afterCancellation() {
            serveIfMoved();
        }
    }

    /** A serialized permit would be held by nobody. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(getClass().getName());
    }
}
