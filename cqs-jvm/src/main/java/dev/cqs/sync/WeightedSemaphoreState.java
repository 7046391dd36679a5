package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.NewWaiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.ConditionLock.RehearsedConditionWaiter;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Weighted mode of a {@link SemaphoreState}: requests for any number of permits, debts, changes of the maximum, closing. */
final class WeightedSemaphoreState extends WeightedSemaphoreWord {
    /*
     * Overview.
     *
     * The word of the superclass has the permits and the number of requests that wait; the maximum and the Closed stand beside
     * it.
     *
     * A request that waits holds nothing. It is served whole or not at all, by the server: the one thread at a time
     * that runs claimAll(), elected by the counter `drainRequests`. Every operation that can make the head fit calls
     * serve(): a release, a forgiven debt, a new waiter, a cancellation. A call that finds a server at work adds
     * itself to the counter and leaves; the server then looks once more. So serve() never waits.
     *
     * The server looks at the first waiter and deducts its whole need with one CAS that also sets SERVING. Then it claims
     * the waiter in its cell. It ends with one addition that clears SERVING: it also strikes the request off or, if the
     * canceller was faster, gives the permits back. A request from unit mode is struck off `inherited` instead, in a further
     * step. The server hands over to the waiters it has claimed, in their order, after it has left its role. Some waiters run
     * their owner's code in place, and that must not delay service to others. So:
     *
     *   WSEM-1  The party that takes a waiter out of its cell, server or canceller, strikes it off the word.
     *   WSEM-2  While SERVING is set the server only claims, in a few atomic steps. In its role it runs no code of a
     *           waiter but weight(), which answers with the number that the waiter was made with. An operation that must
     *           know the true number of permits (one that would fail, a drain, a release close to the maximum) waits that
     *           long. If it did not wait, permits deducted for a head that is just being cancelled would look taken, and
     *           a tryAcquire could fail while they are free.
     *
     * A release has done its work when the permits are in the word. A busy server may serve the waiting requests a moment
     * later. Until then the permits are free, for a tryAcquire as well. A waiter whose owner turns out to be gone has
     * held its permits for a moment, and the server gives them back.
     *
     * Resizing is a change of the word (WSEM-4), after which serve() is called.
     *
     * A drain does not forgive a debt of a bounded semaphore: its permits are out, and their release would exceed the
     * maximum. A waiter that needs more than the maximum when its turn comes is taken out with a WaitFailure.TooLarge, as
     * if it had asked after the resize.
     *
     * Requests from unit mode. If the count of unit mode was -c at the upgrade, then c requests waited that no put was on its
     * way to; they are `inherited`. They stand in the queue of unit mode, or are about to, ahead of all others. Besides, puts may be
     * under way there, each counted for one request more. All those requests are for one permit, so it makes no
     * difference which put or server serves which of them:
     *
     *   WSEM-3  requests in the unit queue >= inherited + puts under way there.
     *
     * The server serves the unit queue while `inherited` is positive, then never again, and takes one off per request; a
     * cancelled one also takes one off. If that leaves a put under way without a request, the put finds an empty cell,
     * breaks it, and comes here as a release. That is why the unit queue must hold unit requests only, and why this mode
     * has a queue of its own: a put under way that met a request for several permits would grant it with one.
     *
     * Closing. The Closed is set once, outside the word, so that no change of the word can undo it. Then serve() is
     * called. From then on the server takes every waiter out without deducting anything and hands it the Closed. A
     * request looks at the Closed before it is counted. One that is counted all the same is in the queue before it calls
     * serve(), so it is found. Holders put their permits back as before.
     *
     * No new request takes permits that were put back after the end of close(), nor does the server for a waiter in line: see
     * VERSION in the superclass. Waiters that come back, below, do.
     *
     * Coming back. The owner of a waiter on a condition holds the mutex again afterwards, a closed one as well. Such a
     * waiter stands in line like any other. Once the mutex is closed, the server fails all other waiters, but moves this
     * one to a queue of its own, `returning`. It serves that queue with permits when it finds the line empty. So returning
     * waiters stay in their order, whichever mode they came in, and are not behind waiters that fail. They are counted in
     * the word like the requests of the other queue, and cannot be cancelled.
     *
     * Where puts are under way in the unit queue, each of them grants one of the requests that wait there, and the other
     * requests fail. As said above, it is not their order that decides which.
     *
     * If a unit request is counted but not yet in its cell, the server serves no other in line, as for any empty cell at the
     * head; the request calls serve() when it is in.
     *
     * At the upgrade, a request that was counted in unit mode stands ahead of one that is already in the queue of weighted
     * mode, even if its waiter is not in its cell yet. Then both calls are under way at once, so either order is FIFO.
     *
     * Progress. All operations are lock-free, with three exceptions. The operations of WSEM-2 wait for the server to claim.
     * The operations of WSEM-4, and other resizes, wait for the three steps of a resize. And a request waits for a server
     * that was preempted. A server that is called again and again still hands over: it leaves its role for that after
     * MOST_ROUNDS.
     *
     * Ordering. All accesses are volatile, save those to claims, which stay with the thread that makes them. "Change the word,
     * then call serve()" against "look at the word, then leave serve()" is decided by the counter `drainRequests`, whose
     * atomic additions also order one server's calls of firstWaiter() before those of the next.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** How often a server looks again before it hands over to the waiters it has claimed, so that they are not starved. */
    private static final int MOST_ROUNDS = 32;

    private static final Function<WeightedSemaphoreState, Returning> NEW_RETURNING = state -> new Returning();

    private static final VarHandle DRAIN_REQUESTS;

    static {
        try {
            DRAIN_REQUESTS =
                    MethodHandles.lookup().findVarHandle(WeightedSemaphoreState.class, "drainRequests", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Queue queue = new Queue();

    /** Waiters that come back to a closed mutex; made by the server for the first of them. */
    private volatile @Nullable Returning returning;

    /** Calls of {@link #serve} not yet answered; zero if there is no server. */
    private volatile int drainRequests;

    WeightedSemaphoreState(SemaphoreState unitMode) {
        super(unitMode);
    }

    /** Does each step once, with one free permit of no primitive in use: see Rehearsal. */
    void rehearse() {
        tryAcquire(1);
        RehearsedWaiter cancelled = new RehearsedWaiter();
        reserve(1);
        enqueue(cancelled);
        cancelled.leave();
        reserve(1);
        queue.abandon();
        reserve(1);
        enqueue(new RehearsedWaiter());
        release(1);
        DRAIN_REQUESTS.getAndSet(this, 0);
        strikeOffInherited();
        resize(1);
        close(new Closed("", null));
        reacquire(new RehearsedConditionWaiter());
        Claim.refusal(1, 0);
    }

    // Operations

    /**
     * Takes {@code n} permits or puts a waiter into the queue.
     *
     * @param present the waiter, if there is one already
     * @return the waiter, or {@code null} if the permits were taken
     */
    <P, A extends @Nullable Object, W extends Waiter> @Nullable W takeOrWait(
            int n, @Nullable W present, P self, A argument, BiFunction<? super P, ? super A, ? extends W> newWaiter) {
        StackCheck.ensure(); // nothing is counted yet
        if (reserve(n)) {
            return null;
        }
        W waiter = present;
        if (waiter == null) {
            try {
                waiter = newWaiter.apply(self, argument);
                NewWaiter.check(waiter, n);
            } catch (Throwable t) {
                queue.abandon();
                throw t;
            }
        }
        enqueue(waiter);
        return waiter;
    }

    private void enqueue(Waiter waiter) {
        queue.suspend(waiter); // no resume is made in this queue, so its cells are never broken
        serve();
    }

    /** Has a waiter wait for one permit, which it gets even if this is closed. */
    void reacquire(Waiter waiter) {
        addToWord(1);
        queue.suspend(waiter); // in line: if this is closed, the server moves it to `returning`
        serve();
    }

    /** The queue of returning waiters; for the server, which has taken the waiter out of its line. */
    private Returning returning() {
        if (returning == null) {
            returning = AllocationRetry.create(NEW_RETURNING, this);
        }
        return returning;
    }

    void release(int n) {
        add(n);
        serve();
    }

    int drain(boolean forgiving) {
        int drained = takeAll(forgiving);
        if (drained < 0) {
            serve(); // requests for no permits wait for the end of a debt
        }
        return drained;
    }

    void resize(int maximum) {
        boolean possible = setMaximum(maximum);
        serve(); // also if nothing has changed: a server may have looked meanwhile
        if (!possible) {
            throw new IllegalStateException(DEBT_OUT_OF_RANGE);
        }
    }

    /** Ends the handing out of permits, for good; {@code false} if that was done before. */
    boolean close(Closed closing) {
        boolean closed = setClosing(closing);
        serve();
        return closed;
    }

    void forEachWaiter(Consumer<? super Waiter> action) {
        queue.forEachWaiter(action);
        Returning present = returning;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    // Serving

    /** Ensures that the head is served if it fits, by this thread or by the present server. */
    void serve() {
        boolean again = true;
        while (again && (int) DRAIN_REQUESTS.getAndAdd(this, 1) == 0) {
            Claim last = null;
            int answered = 1;
            for (int rounds = 0; answered != 0 && rounds < MOST_ROUNDS; rounds++) {
                last = claimAll(last);
                answered = (int) DRAIN_REQUESTS.getAndAdd(this, -answered) - answered;
            }
            again = answered != 0;
            if (again) {
                DRAIN_REQUESTS.getAndSet(this, 0); // a new server may come; if none does, this thread is it again
            }
            again |= !handOver(last);
        }
    }

    /** Claims waiters as long as the head fits. A list of claims is known by its last, which leads to the first. */
    private @Nullable Claim claimAll(@Nullable Claim last) {
        for (; ; ) {
            boolean fromUnitMode = hasInherited();
            long seen = word();
            WaitFailure failure = closing(); // after the word: a put once this is closed serves no waiter in line
            CancellableQueueSynchronizer<Object> from = fromUnitMode ? unitMode.queue() : queue;
            Waiter head = fromUnitMode || (seen & WAITING) != 0 ? from.firstWaiter() : null;
            if (head == null && returning != null) {
                fromUnitMode = false;
                failure = null;
                from = returning;
                head = from.firstWaiter();
            }
            if (head == null) {
                return last;
            }
            int need = NewWaiter.weightOf(head);
            if (failure == null && (seen & RESIZING) == 0) {
                failure = Claim.refusal(need, maximum(limit())); // after the word as well
            }
            if (failure == null && permits(seen) < need) {
                return last; // a thread that adds permits or resizes after this look calls serve()
            }
            // What is handed over is the primitive itself.
            Claim claim = Claim.of(head, failure != null ? 0 : need, failure != null ? failure : unitMode);
            if (casWord(seen, (seen - claim.taken * ONE_PERMIT) | SERVING)
                    && take(claim, from, fromUnitMode, failure != null && head instanceof ConditionWaiter)) {
                last = claim.behind(last);
            }
        }
    }

    /** Takes the waiter out of its queue; false if it was gone, or is a returning waiter of a closed mutex. */
    private boolean take(
            Claim claim, CancellableQueueSynchronizer<Object> from, boolean fromUnitMode, boolean comesBack) {
        boolean claimed = from.claim(claim.waiter);
        // Requests of unit mode are not counted in the word. A waiter that comes back is, in the queue that it moves
        // to.
        long change = claimed ? (comesBack ? 1 : 0) - (fromUnitMode ? 0 : 1) : claim.taken * ONE_PERMIT;
        addToWord(change - SERVING);
        if (claimed && fromUnitMode) {
            strikeOffInherited();
        }
        if (claimed && comesBack) {
            returning().suspend(claim.waiter);
        }
        return claimed && !comesBack;
    }

    /** Hands over to all waiters in the list, outside of the server's role; false if the owner of one was gone. */
    private boolean handOver(@Nullable Claim last) {
        boolean all = true;
        Claim claim = last;
        while (claim != null) {
            claim = claim.next;
            if (!queue.handOver(claim.waiter, claim.outcome)) {
                addToWord(claim.taken * ONE_PERMIT); // the owner is gone: the next waiter may take them
                all = false;
            }
            if (claim == last) {
                return all;
            }
        }
        return all;
    }

    private final class Queue extends CancellableQueueSynchronizer<Object> {
        Queue() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }

        @Override
        protected boolean leave(Waiter waiter) {
            return !(waiter instanceof ConditionWaiter) && cancel(waiter); // COND-2
        }

        @Override
        protected boolean onCancellation(@Nullable Waiter waiter) {
            addToWord(-1); // WSEM-1
            return true;
        }

        @Override
        protected void afterCancellation() {
            serve();
        }
    }

    /** Its cells are cancelled by claims only. */
    private static final class Returning extends CancellableQueueSynchronizer<Object> {
        Returning() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }

        @Override
        protected boolean leave(Waiter waiter) {
            return false; // COND-2
        }
    }

    /** A waiter that the server has taken out of its queue, and its outcome. */
    private static final class Claim {
        private static final Function<Waiter, Claim> NEW = Claim::new;

        final Waiter waiter;

        // Plain: a claim stays with the thread that makes it.
        int taken;
        Object outcome;

        /** The claim after this one; that of the last one is the first. */
        Claim next;

        @SuppressWarnings("NullAway.Init") // of() and behind() set the rest
        private Claim(Waiter waiter) {
            this.waiter = waiter;
        }

        /** Retries if memory is exhausted: the server cannot leave its role before it has looked at the head. */
        static Claim of(Waiter waiter, int taken, Object outcome) {
            Claim claim = AllocationRetry.create(NEW, waiter);
            claim.taken = taken;
            claim.outcome = outcome;
            return claim;
        }

        /** Makes this the last of the list. */
        Claim behind(@Nullable Claim last) {
            next = last == null ? this : last.next;
            if (last != null) {
                last.next = this;
            }
            return this;
        }

        /** The outcome of a waiter that needs more than the maximum, or null; retries if memory is exhausted, like a claim. */
        static @Nullable WaitFailure refusal(int need, int most) {
            while (need > most) {
                try {
                    return new TooLarge(need, most);
                } catch (OutOfMemoryError e) {
                    Thread.yield();
                }
            }
            return null;
        }
    }
}
