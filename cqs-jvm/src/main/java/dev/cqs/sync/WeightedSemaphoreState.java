package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Weighted mode of a {@link SemaphoreState}: requests for any number of permits, debts, changes of the maximum, closing. */
final class WeightedSemaphoreState {
    /*
     * Overview.
     *
     * One 64-bit word:
     *
     *      bits 32..63   permits, signed; a debt is negative
     *      bit  31       SERVING: the server has deducted for the head and is about to claim it
     *      bit  30       RESIZING: a resize is about to change the maximum, or has just done it
     *      bits 28..29   VERSION: changes of what stands beside the word, the maximum and the Closing, modulo four
     *      bits  0..27   requests that wait in the queues of this mode
     *
     * A request that waits holds nothing. It is served whole or not at all, by the server: the one thread at a time
     * that runs claimAll(), elected by the counter `drainRequests`. Every operation that can make the head fit calls
     * serve(): a release, a forgiven debt, a new waiter, a cancellation. A call that finds a server at work adds
     * itself to the counter and leaves; the server then looks once more. So serve() never waits.
     *
     * The server looks at the first waiter and deducts its whole need with one CAS that also sets SERVING. Then it claims
     * the waiter in its cell. It ends with one addition that clears SERVING: this either strikes the request off or, if
     * the canceller was faster, gives the permits back. The server hands over to the waiters it has claimed, in their
     * order, after it has left its role. Some waiters run their owner's code in place, and that must not delay service to
     * others. So:
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
     * Resizing. The maximum stands beside the word. A resize sets RESIZING, adds the difference to the permits, writes the
     * maximum, clears RESIZING, and calls serve(). It takes effect at the addition. What is missing after a shrink is a
     * debt, so:
     *
     *   WSEM-4  permits + permits that are out <= maximum, while RESIZING is clear. Less only by what was reduced.
     *
     * A release that would break this is refused; a rightful release never does. The release compares a word without
     * RESIZING to the maximum of the same moment. To know that they are of one moment, it reads the maximum before and
     * after, with a number that no two maxima share. So where permits are free, releases wait while RESIZING is set. So
     * do requests that may be for more than the maximum. No other operation waits.
     *
     * A drain does not forgive a debt of a bounded semaphore: its permits are out, and their release would exceed the
     * maximum. A waiter that needs more than the maximum when its turn comes is taken out with a WaitFailure.TooLarge, as
     * if it had asked after the resize.
     * Refusal, as if it had asked after the resize.
     * Requests from unit mode. At the upgrade, c of them (c = -count) waited that no put had been counted for; they
     * are `inherited`. They stand in the queue of unit mode, or are about to, ahead of all others. Besides, puts may be
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
     * Closing. The Closing is set once, outside the word, so that no change of the word can undo it. Then serve() is
     * called. From then on the server takes every waiter out without deducting anything and hands it the Closing. A
     * request looks at the Closing before it is counted. One that is counted all the same is in the queue before it calls
     * serve(), so it is found. Holders put their permits back as before.
     *
     * A request or a server that takes permits looks at the word first and at the Closing second, and then changes the
     * word by CAS. So it takes no permits that were put back after the end of close(). A CAS does not see that the word
     * was another meanwhile, hence VERSION: a thread that looks beside the word and then succeeds has seen what is in
     * force, unless four changes fall into that time and all else in the word is as it was.
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
     * If a unit request is counted but not yet in its cell, the server stops there, as for any empty cell at the head; the
     * request calls serve() when it is in.
     *
     * At the upgrade, a request that was counted in unit mode stands ahead of one that is already in the queue of weighted
     * mode. The two overlap, so either order is FIFO.
     *
     * Progress. All operations are lock-free, with three exceptions. The operations of WSEM-2 wait for the server to claim.
     * The operations of WSEM-4, and other resizes, wait for the three steps of a resize. And a request waits for a server
     * that was preempted. A server that is called again and again still hands over: it leaves its role for that after
     * MOST_ROUNDS.
     *
     * Ordering. All accesses are volatile. "Change the word, then call serve()" against "look at the word, then leave
     * serve()" is decided by the counter `drainRequests`. The atomic additions to it also hand the server's plain view
     * from one server to the next.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long ONE_PERMIT = 1L << 32;
    private static final long SERVING = 1L << 31;
    private static final long RESIZING = 1L << 30;
    private static final long VERSION_UNIT = 1L << 28;
    private static final long VERSION_MASK = 3 * VERSION_UNIT;
    private static final long WAITING = VERSION_UNIT - 1;

    /** The word before {@link #begin}; no real state has this many requests. */
    private static final long NOT_BEGUN = -1L;

    /** How often a server looks again before it hands over to the waiters it has claimed, so that they are not starved. */
    private static final int MOST_ROUNDS = 32;

    private static final int UNKNOWN = Integer.MIN_VALUE;

    private static final String DEBT_OUT_OF_RANGE = "the debt would exceed the range of int";

    private static final Function<WeightedSemaphoreState, Returning> NEW_RETURNING = permits -> new Returning();

    private static final VarHandle WORD;
    private static final VarHandle INHERITED;
    private static final VarHandle DRAIN_REQUESTS;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(WeightedSemaphoreState.class, "word", long.class);
            INHERITED = lookup.findVarHandle(WeightedSemaphoreState.class, "inherited", int.class);
            DRAIN_REQUESTS = lookup.findVarHandle(WeightedSemaphoreState.class, "drainRequests", int.class);
            CLOSING = lookup.findVarHandle(WeightedSemaphoreState.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SemaphoreState firstForm;
    private final Queue queue = new Queue();

    /** The maximum in the lower half, and its number in the upper; written under RESIZING. */
    private volatile long limit;

    /** Waiters that come back to a closed mutex; made by the server for the first of them. */
    private volatile @Nullable Returning returning;

    /** See the overview; CAS and atomic additions. */
    private volatile long word = NOT_BEGUN;

    /** Unit requests left to serve; only falls, and below zero by puts under way: WSEM-3. */
    private volatile int inherited = UNKNOWN;

    /** Calls of {@link #serve} not yet answered; zero if there is no server. */
    private volatile int drainRequests;

    /** What waiters get instead of permits; set once, by CAS. */
    private volatile @Nullable Closed closing;

    WeightedSemaphoreState(SemaphoreState firstForm) {
        this.firstForm = firstForm;
        this.limit = firstForm.maximum;
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
        cancelInFirst();
        resize(1);
        close(new Closed("", null));
        reacquire(new RehearsedConditionWaiter());
        Claim.refusal(1, 0);
    }

    boolean hasBegun() {
        return word != NOT_BEGUN;
    }

    /** Builds the state from the last count of unit mode. All callers pass the same; one succeeds. */
    void begin(long count) {
        INHERITED.compareAndSet(this, UNKNOWN, (int) Math.max(0, -count));
        WORD.compareAndSet(this, NOT_BEGUN, Math.max(0, count) * ONE_PERMIT);
    }

    /** Ends the handing out of permits, for good; {@code false} if that was done before. */
    boolean close(Closed closing) {
        boolean closed = CLOSING.compareAndSet(this, null, closing);
        long seen;
        do {
            seen = word;
        } while (!casWord(seen, bumpVersion(seen)));
        serve();
        return closed;
    }

    /** What this was closed with, or null. */
    @Nullable
    Closed closing() {
        return closing;
    }

    /** The word, if this was not closed after it had been read: permits put back later serve no request. */
    private long openWord(int n) {
        long seen = word;
        Closed present = closing;
        if (present != null) {
            check(n, limit); // a request that is invalid fails as such
            throw present.exception();
        }
        return seen;
    }

    // Operations

    /** Takes {@code n} permits if no request waits; otherwise counts a request. */
    private boolean reserve(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            boolean fits = fitsBehindNobody(seen, n);
            if (!fits && n > 1 && isBeingResized(bound, seen)) {
                turns = Spin.pause(turns);
                continue;
            }
            if (!fits) {
                check(n, bound);
                if ((seen & WAITING) == WAITING) {
                    throw new Error("Maximum number of waiting requests exceeded");
                }
            }
            if (casWord(seen, fits ? seen - n * ONE_PERMIT : seen + 1)) {
                return fits;
            }
        }
    }

    /** Takes {@code n} permits if no request waits. */
    boolean tryReserve(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            if (fitsBehindNobody(seen, n)) {
                if (casWord(seen, seen - n * ONE_PERMIT)) {
                    return true;
                }
            } else if (((seen & SERVING) != 0 && !isWaitedFor(seen)) || (n > 1 && isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2: the last request is just being cancelled; or WSEM-4
            } else {
                check(n, bound);
                return false;
            }
        }
    }

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
        W waiter = present != null ? present : newCountedWaiter(n, self, argument, newWaiter);
        enqueue(waiter);
        return waiter;
    }

    private <P, A extends @Nullable Object, W extends Waiter> W newCountedWaiter(
            int n, P self, A argument, BiFunction<? super P, ? super A, ? extends W> newWaiter) {
        try {
            return Claim.newWaiter(n, self, argument, newWaiter);
        } catch (Throwable t) {
            queue.abandon();
            throw t;
        }
    }

    private boolean fitsBehindNobody(long seen, int n) {
        return permits(seen) >= n && !isWaitedFor(seen);
    }

    private boolean isWaitedFor(long seen) {
        return (seen & WAITING) != 0 || inherited > 0;
    }

    private void enqueue(Waiter waiter) {
        queue.suspend(waiter); // no resume is made in this queue, so its cells are never broken
        serve();
    }

    /** Has a waiter wait for one permit, which it gets even if this is closed. */
    void reacquire(Waiter waiter) {
        WORD.getAndAdd(this, 1L);
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

    boolean tryAcquire(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            if (permits(seen) >= n) {
                if (casWord(seen, seen - n * ONE_PERMIT)) {
                    return true;
                }
            } else if ((seen & SERVING) != 0 || (n > 1 && isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2, WSEM-4
            } else {
                check(n, bound);
                return false;
            }
        }
    }

    void release(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = word;
            long sum = (long) permits(seen) + n;
            if (sum > 0 && ((seen & SERVING) != 0 || isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2, WSEM-4: a deduction may come back and exceed the maximum
            } else if (sum > maximum(bound)) {
                throw firstForm.excess(maximum(bound));
            } else if (casWord(seen, seen + n * ONE_PERMIT)) {
                serve();
                return;
            }
        }
    }

    void reduce(long n) {
        for (; ; ) {
            long seen = word;
            if (permits(seen) - n < Integer.MIN_VALUE) {
                throw new IllegalStateException(DEBT_OUT_OF_RANGE);
            }
            if (casWord(seen, seen - n * ONE_PERMIT)) {
                return;
            }
        }
    }

    int drain(boolean forgiving) {
        for (int turns = 0; ; ) {
            long seen = openWord(0);
            int drained = forgiving ? permits(seen) : Math.max(0, permits(seen));
            if ((seen & SERVING) != 0) {
                turns = Spin.pause(turns); // WSEM-2
            } else if (casWord(seen, seen - drained * ONE_PERMIT)) {
                if (drained < 0) {
                    serve(); // requests for no permits wait for the end of a debt
                }
                return drained;
            }
        }
    }

    // Resizing

    /** Makes {@code n} the maximum, and adds what it grows by to the permits. */
    void resize(int n) {
        beginResize();
        long grown = (long) n - maximum(limit);
        boolean possible;
        long seen;
        do {
            seen = word;
            possible = permits(seen) + grown >= Integer.MIN_VALUE;
        } while (possible && !casWord(seen, bumpVersion(seen + grown * ONE_PERMIT)));
        if (possible) {
            limit = (limit >>> 32) + 1 << 32 | n;
        }
        WORD.getAndAdd(this, -RESIZING);
        serve();
        if (!possible) {
            throw new IllegalStateException(DEBT_OUT_OF_RANGE);
        }
    }

    private void beginResize() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & RESIZING) != 0) {
                turns = Spin.pause(turns);
            } else if (casWord(seen, seen | RESIZING)) {
                return;
            }
        }
    }

    int maximum() {
        for (int turns = 0; ; ) {
            long bound = limit;
            if (!isBeingResized(bound, word)) {
                return maximum(bound);
            }
            turns = Spin.pause(turns);
        }
    }

    /** False if this was the limit at the read of the word; the word must be read between two reads of the limit. */
    private boolean isBeingResized(long bound, long seen) {
        return (seen & RESIZING) != 0 || limit != bound;
    }

    private static void check(int n, long bound) {
        if (n > maximum(bound)) {
            throw new TooLarge(n, maximum(bound)).exception();
        }
    }

    private static int maximum(long bound) {
        return (int) bound;
    }

    // Looking

    /** The permits in the upper half and the maximum in the lower, both of one moment. */
    long balance() {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = word;
            if ((seen & SERVING) == 0 && !isBeingResized(bound, seen)) {
                return (long) permits(seen) << 32 | maximum(bound);
            }
            turns = Spin.pause(turns); // WSEM-2, WSEM-4
        }
    }

    int available() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & SERVING) == 0) {
                return permits(seen);
            }
            turns = Spin.pause(turns); // WSEM-2
        }
    }

    long waiting() {
        return (word & WAITING) + Math.max(0, inherited);
    }

    void forEachWaiter(Consumer<? super Waiter> action) {
        queue.forEachWaiter(action);
        Returning present = returning;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    /** A request in the unit queue was cancelled: WSEM-3. */
    void cancelInFirst() {
        INHERITED.getAndAdd(this, -1);
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
            boolean first = inherited > 0;
            long seen = word;
            WaitFailure failure = closing; // after the word: a put once this is closed serves no waiter in line
            CancellableQueueSynchronizer<Object> from = first ? firstForm.queue() : queue;
            Waiter head = first || (seen & WAITING) != 0 ? from.firstWaiter() : null;
            if (head == null && returning != null) {
                first = false;
                failure = null;
                from = returning;
                head = from.firstWaiter();
            }
            if (head == null) {
                return last;
            }
            int need = Claim.need(head);
            if (failure == null && (seen & RESIZING) == 0) {
                failure = Claim.refusal(need, maximum(limit)); // after the word as well
            }
            if (failure == null && permits(seen) < need) {
                return last; // a thread that adds permits or resizes after this look calls serve()
            }
            Claim claim = Claim.of(head, failure != null ? 0 : need, failure != null ? failure : firstForm);
            if (casWord(seen, (seen - claim.taken * ONE_PERMIT) | SERVING)
                    && take(claim, from, first, failure != null && head instanceof ConditionWaiter)) {
                last = claim.behind(last);
            }
        }
    }

    /** Takes the waiter out of its queue; false if it was gone, or is a returning waiter of a closed mutex. */
    private boolean take(Claim claim, CancellableQueueSynchronizer<Object> from, boolean first, boolean comesBack) {
        boolean claimed = from.claim(claim.waiter);
        long settled = claimed ? (comesBack ? 1 : 0) - (first ? 0 : 1) : claim.taken * ONE_PERMIT;
        WORD.getAndAdd(this, settled - SERVING);
        if (claimed && first) {
            INHERITED.getAndAdd(this, -1);
        }
        if (claimed && comesBack) {
            returning().suspend(claim.waiter);
        }
        return claimed && !comesBack;
    }

    /** Hands over to all waiters in the list, outside of the server's role; false if permits have come back from it. */
    private boolean handOver(@Nullable Claim last) {
        boolean all = true;
        Claim claim = last;
        while (claim != null) {
            claim = claim.next;
            if (!queue.handOver(claim.waiter, claim.outcome)) {
                WORD.getAndAdd(this, claim.taken * ONE_PERMIT); // the owner is gone: the next waiter may take them
                all = false;
            }
            if (claim == last) {
                return all;
            }
        }
        return all;
    }

    // The word

    private static int permits(long word) {
        return (int) (word >> 32);
    }

    /** The word after a change beside it. */
    private static long bumpVersion(long word) {
        return word & ~VERSION_MASK | word + VERSION_UNIT & VERSION_MASK;
    }

    private boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
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
            WORD.getAndAdd(WeightedSemaphoreState.this, -1L); // WSEM-1
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
}
