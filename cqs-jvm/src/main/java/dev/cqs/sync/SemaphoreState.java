package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.NewWaiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Permits and the queue of requests that wait for them: the common part of {@link Mutex} and {@link Semaphore}.
 */
abstract class SemaphoreState extends AbstractOwnableSynchronizer {
    /*
     * Overview.
     *
     * Permits have two modes. They start in unit mode and are upgraded to weighted mode at most once, never back.
     *
     *   unit mode       here: a count changed by fetch-and-add. It serves requests for one permit. It also serves
     *                   larger requests, and changes of the number of permits, as long as they need not wait.
     *   weighted mode   WeightedSemaphoreState: permits and requests of any size, debts included, changed by CAS.
     *                   The upgrade comes with the first request that must wait for another number of permits
     *                   than one, the first debt, the first change of the maximum, or close().
     *
     * Why two: with fetch-and-add a request takes what is there before it knows whether that is enough. Two
     * requests for several permits could then each hold a part and wait for the other's. And a negative
     * count means waiting unit requests, so it cannot also mean a debt, or "closed".
     *
     * In unit mode the state is one 64-bit word, the count:
     *
     *        count > maximum         transient: a put has added an excess and is about to remove it
     *   0 <  count <= maximum        count permits are free, no request waits
     *        count <= 0              no permit is free, -count requests wait
     *        count <  UPGRADED       the state is in weighted mode; what is added here is noise
     *
     * A mutex adds HELD_BY_TOKEN to the count while its holder is known by a token, see MutexOwnership. That is below
     * every count of requests and above UPGRADED. So a request sees a count without free permits, and waits. Where the
     * number of requests matters, plain() takes it off.
     *
     * take() subtracts one, put() adds one, both by fetch-and-add, so neither repeats under contention.
     * The value before the addition tells what the operation has done:
     *
     *   take   > 0: it has a permit.          <= 0: its request waits, and must enqueue.
     *   put    >= 0: the permit is free.      <  0: one request fewer waits, and this put must resume it.
     *
     * The queue works in SYNC mode. A put that finds the cell of its request still empty does not leave the permit
     * there, where tryTake() would miss it: it breaks the cell, and both the put and the request start again.
     *
     * Cancellation is SMART: a cancelled request adds one to the count. If other requests wait, the put that meets
     * the cancelled cell goes to the next cell. If none waits, a put has already been counted for the cancelled
     * request. The addition has just made that permit free, so that put is refused and drops its own.
     *
     * A request is abandoned if there is no memory for its waiter. It has no cell yet. While requests wait, it is one of
     * them, no matter which, and takes itself off the count without a cell. If none waits any more, a put has been
     * counted for it and is going to a cell: then it takes a cell and cancels that.
     *
     * Excess. A put that sees the maximum reached has added an excess of one, and lowers the count to the maximum
     * again. A take may do so first: if it sees an excess, its subtraction has removed that, it holds nothing, and it
     * takes again. So what is above the maximum never becomes a permit:
     *
     *   SEM-1  min(count, maximum) is at every moment what it would be without the excess.
     *
     * An excess is noticed only when the count reaches the maximum. While requests wait or permits are out, a surplus
     * put looks like any other. If it overtakes a rightful put, the rightful one finds the maximum reached.
     *
     * The upgrade is one CAS of the count from c to moved(c), far below any count of requests. A fetch-and-add that
     * comes late lands there harmlessly, and the value it sees sends its thread to weighted mode. The first threads to
     * arrive there build the weighted state from c, which can be read from the word: c stands in the upper bits, and
     * late additions leave noise in the lower 24 bits. A thread that has added noise helps to build the state before it
     * does anything else, so:
     *
     *   SEM-2  There is less noise than there are threads.
     *
     * The requests counted in c stay in the queue of unit mode, ahead of all others; see WeightedSemaphoreState.
     *
     * What is handed over is the primitive itself. A waiter needs to know no more than that it has arrived. A waiter that
     * cannot use it any more, for a coroutine that was cancelled meanwhile, learns from it where to put the permit back
     * without a field for that. A waiter that fails is resumed with a WaitFailure.
     *
     * The owner. The superclass keeps the thread that holds a mutex, for thread dumps and deadlock detection. As in
     * java.util.concurrent, the field is there for every synchronizer and used by exclusive ones.
     *
     * Ordering. All accesses to the count are volatile. It orders holders where no request waits. Where a permit is
     * handed over, the cell and the waiter order them.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    /** Counts below say that the state is in weighted mode; no count of requests comes near. */
    static final long UPGRADED = -(1L << 60);

    /** Added to the count of a mutex while its holder is known by a token; no count of requests comes near. */
    static final long HELD_BY_TOKEN = -(1L << 34);

    private static final int LATE_ADD_BITS = 24;
    private static final long UPGRADED_BASE = -(1L << 62);

    private static final Function<SemaphoreState, Queue> NEW_QUEUE = permits -> permits.new Queue();

    private static final VarHandle COUNT;
    private static final VarHandle QUEUE;
    private static final VarHandle WEIGHTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(SemaphoreState.class, "count", long.class);
            QUEUE = lookup.findVarHandle(SemaphoreState.class, "queue", Queue.class);
            WEIGHTED = lookup.findVarHandle(SemaphoreState.class, "weighted", WeightedSemaphoreState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Free permits, or minus the number of requests that wait. Fetch-and-add; CAS in the try-operations. */
    private transient volatile long count;

    /** Made by CAS when the first request has to wait, so that an idle primitive stays small. */
    private transient volatile @Nullable Queue queue;

    /** The state of weighted mode; set by CAS before the count is upgraded, and final then. */
    @SuppressWarnings("NullAway.Init") // null only before that
    private transient volatile WeightedSemaphoreState weighted;

    /** The maximum in unit mode. Weighted mode keeps its own, which may be changed. */
    final transient int maximum;

    /** Starts in unit mode, or if the number is negative, in weighted mode. */
    SemaphoreState(int permits, int maximum) {
        this.maximum = maximum;
        COUNT.set(this, permits >= 0 ? (long) permits : moved(0)); // plain: the object is not shared yet
        if (permits < 0) {
            WeightedSemaphoreState debt = new WeightedSemaphoreState(this);
            debt.begin(0);
            debt.reduce(-(long) permits);
            WEIGHTED.set(this, debt); // plain as well
        }
    }

    /** What messages call this primitive. */
    abstract String what();

    /** The exception for a put above this maximum. */
    abstract IllegalStateException excess(int maximum);

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    @SuppressWarnings("NullAway") // no permit is free
    private static void rehearse() {
        SemaphoreState permits = new Rehearsed();
        permits.tryTake(0);
        permits.await(permits.take(), permits, null, RehearsedWaiter.NEW).leave();
        permits.take();
        permits.queue().abandon();
        permits.await(permits.take(), permits, null, RehearsedWaiter.NEW);
        permits.put();
        permits.put();
        permits.upgrade().rehearse();
    }

    // Taking and putting

    /**
     * Takes a permit, or counts a request that waits.
     *
     * @return the count before: positive if a permit was taken, below {@link #UPGRADED} if nothing was done
     */
    final long take() {
        long seen;
        do {
            seen = (long) COUNT.getAndAdd(this, -1L);
        } while (seen > maximum || (seen < 0 && plain(seen) > 0)); // this has removed an excess: SEM-1
        return seen;
    }

    /**
     * Takes a permit if one is free.
     *
     * @param mark added to the count in the same step: 0, or {@link #HELD_BY_TOKEN}
     * @throws ClosedException if this primitive is closed
     */
    final boolean tryTake(long mark) {
        for (; ; ) {
            long seen = count;
            if (seen <= 0) {
                return seen < UPGRADED && upgradedState().tryAcquire(1);
            }
            if (seen > maximum) {
                dropExcess();
            } else if (casCount(seen, seen - 1 + mark)) {
                return true;
            }
        }
    }

    /** Checks the stack before a put whose caller can be told that its stack is at its end. Nothing has changed yet. */
    final void checkStack() {
        if (count < 0) { // the put may have to hand over
            StackCheck.ensure();
        }
    }

    /** Puts a permit back, handing it to the first waiter. */
    final void put() {
        long seen = (long) COUNT.getAndAdd(this, 1L);
        if (seen < 0 || seen >= maximum) {
            putSlowly(seen);
        }
    }

    /** Puts back a permit whose receiver cannot use it. */
    void putBack() {
        put();
    }

    private void putSlowly(long seen) {
        while (seen < 0) {
            if (seen < UPGRADED) {
                upgradedState().release(1);
                return;
            }
            if (queue().resume(this)) {
                return;
            }
            seen = (long) COUNT.getAndAdd(this, 1L); // the cell is broken: its request starts again as well
        }
        if (seen >= maximum) {
            dropExcess();
            throw excess(maximum);
        }
    }

    /**
     * Waits for a permit: continues a request that {@link #take} has counted, or sent to weighted mode.
     *
     * @param before the answer of {@code take}, which was not positive
     * @param self this object, for the factory
     * @return the waiter, which is in the queue or has been resumed already, or {@code null} if a permit was taken after all
     */
    final <P, A extends @Nullable Object, W extends Waiter> @Nullable W await(
            long before, P self, A argument, BiFunction<? super P, ? super A, ? extends W> newWaiter) {
        @Nullable W waiter = null;
        for (long seen = before; seen <= 0; seen = take()) {
            if (seen < UPGRADED) {
                return upgradedState().takeOrWait(1, waiter, self, argument, newWaiter);
            }
            if (waiter == null) {
                try {
                    StackCheck.ensure(); // for all that follows, the caller's part included
                    waiter = newWaiter.apply(self, argument);
                    NewWaiter.check(waiter, 1);
                } catch (Throwable t) {
                    abandon(); // needs no more stack than take() did a moment ago, unless a put is on its way
                    throw t;
                }
            }
            if (enqueue(waiter)) {
                return waiter;
            }
        }
        return null; // the cell was broken, and a permit was free when the request started again
    }

    /** Puts the waiter of a counted request into its cell; {@code false} if the cell was broken. */
    private boolean enqueue(Waiter waiter) {
        boolean done = queue().suspend(waiter);
        serveIfUpgraded(); // installed, then looked: a server that missed this waiter has upgraded before
        return done;
    }

    /** Has a waiter that comes back from a condition wait for a permit, even if this is closed. */
    final void reacquire(Waiter waiter) {
        for (; ; ) {
            long seen = take();
            if (seen < UPGRADED) {
                upgradedState().reacquire(waiter);
                return;
            }
            if (seen > 0) {
                queue().handOver(waiter, this);
                return;
            }
            if (enqueue(waiter)) {
                return;
            }
        }
    }

    /** Takes a request without a cell off the count, or if a put was counted for it, takes and cancels a cell. */
    private void abandon() {
        for (long seen = count; plain(seen) < 0 && seen >= UPGRADED; seen = count) {
            if (casCount(seen, seen + 1)) {
                return;
            }
        }
        queue().abandon();
    }

    /** Lowers the count to the maximum, if it is above. */
    final void dropExcess() {
        for (; ; ) {
            long seen = count;
            if (seen <= maximum || casCount(seen, maximum)) {
                return;
            }
        }
    }

    // Closing

    final boolean closeWith(@Nullable Throwable cause) {
        Closed closing = new Closed(what(), cause); // before the upgrade, which cannot be taken back
        return upgrade().close(closing);
    }

    /** What this was closed with, or null. */
    final @Nullable Closed closing() {
        return isUpgraded() ? upgradedState().closing() : null;
    }

    // Looking

    final int available() {
        long seen = count;
        return seen < UPGRADED ? upgradedState().available() : free(seen);
    }

    /** The permits in the upper half and the maximum in the lower, both of one moment. */
    final long balance() {
        long seen = count;
        return seen < UPGRADED ? upgradedState().balance() : (long) free(seen) << 32 | maximum;
    }

    /** In unit mode. */
    private int free(long seen) {
        return (int) Math.min(Math.max(seen, 0), maximum);
    }

    final int waiting() {
        long seen = count;
        long waiting = seen < UPGRADED ? upgradedState().waiting() : Math.max(0, -plain(seen));
        return (int) Math.min(Integer.MAX_VALUE, waiting);
    }

    final void forEach(Consumer<? super Waiter> action) {
        Queue present = queue;
        if (present != null) {
            present.forEachWaiter(action);
        }
        if (isUpgraded()) {
            upgradedState().forEachWaiter(action);
        }
    }

    // The two modes

    /** Whether the holder is known by a token; for a count of unit mode. */
    static boolean isHeldByToken(long seen) {
        return seen < HELD_BY_TOKEN / 2 && seen >= UPGRADED;
    }

    /** This count of unit mode without {@link #HELD_BY_TOKEN}. */
    static long plain(long seen) {
        return isHeldByToken(seen) ? seen - HELD_BY_TOKEN : seen;
    }

    private static long moved(long count) {
        return UPGRADED_BASE + (count << LATE_ADD_BITS);
    }

    /** The count before the upgrade; undoes {@link #moved} and rounds the noise away: SEM-2. */
    private static long countBefore(long moved) {
        return (moved - UPGRADED_BASE + (1L << (LATE_ADD_BITS - 1))) >> LATE_ADD_BITS;
    }

    final boolean isUpgraded() {
        return count < UPGRADED;
    }

    /** Upgrades to weighted mode, unless that has happened already. */
    final WeightedSemaphoreState upgrade() {
        if (weighted == null) {
            WEIGHTED.compareAndSet(this, null, new WeightedSemaphoreState(this));
        }
        for (; ; ) {
            long seen = count;
            if (seen < UPGRADED || casCount(seen, moved(Math.min(plain(seen), maximum)))) {
                return upgradedState();
            }
        }
    }

    /** The state of weighted mode, built; only after the upgrade. */
    final WeightedSemaphoreState upgradedState() {
        WeightedSemaphoreState moved = weighted;
        if (!moved.hasBegun()) {
            moved.begin(countBefore(count));
        }
        return moved;
    }

    private void serveIfUpgraded() {
        if (isUpgraded()) {
            upgradedState().serve();
        }
    }

    // The word and the queue

    final long count() {
        return count;
    }

    final boolean casCount(long expected, long replacement) {
        return COUNT.compareAndSet(this, expected, replacement);
    }

    final Queue queue() {
        Queue present = queue;
        return present != null ? present : makeQueue();
    }

    /** A caller that needs the queue has counted a request or a put and cannot take that back. */
    @SuppressWarnings("NullAway") // set once
    private Queue makeQueue() {
        Queue fresh = AllocationRetry.create(NEW_QUEUE, this);
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean leave(Waiter waiter) {
            return !(waiter instanceof ConditionWaiter) && cancel(waiter); // COND-2
        }

        @Override
        protected boolean onCancellation(@Nullable Waiter waiter) {
            long seen = (long) COUNT.getAndAdd(SemaphoreState.this, 1L);
            if (seen < UPGRADED) {
                upgradedState().strikeOffInherited();
                return true;
            }
            return plain(seen) < 0;
        }

        @Override
        protected void giveBack(Object permit) {
            putBack();
        }

        @Override
        protected void afterCancellation() {
            serveIfUpgraded();
        }
    }

    /** A deserialized permit would have no holder. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(getClass().getName());
    }

    /** A state that belongs to no primitive, for the rehearsal. */
    private static final class Rehearsed extends SemaphoreState {
        private static final long serialVersionUID = 1L;

        Rehearsed() {
            super(1, 1);
        }

        @Override
        String what() {
            return "";
        }

        @Override
        IllegalStateException excess(int maximum) {
            return new IllegalStateException();
        }
    }
}
