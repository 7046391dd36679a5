package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A waiter that the server of {@link WeightedSemaphoreState} has taken out of its queue, and what it gets. */
final class Claim {
    private static final Function<Waiter, Claim> NEW = Claim::new;

    final Waiter waiter;

    // Written once, by the server, before any other operation sees the claim.
    int taken;
    Object outcome;

    /** The one that was claimed after this, or of the last one, the first. */
    Claim next;

    private Claim(Waiter waiter) {
        this.waiter = waiter;
    }

    /** The server cannot leave its role before it has looked at the head: the claim must be made. */
    static Claim of(Waiter waiter, int taken, Object outcome) {
        Claim claim = AllocationRetry.create(NEW, waiter);
        claim.taken = taken;
        claim.outcome = outcome;
        return claim;
    }

    /** Makes this the last of the list. */
    Claim behind(Claim last) {
        next = last == null ? this : last.next;
        if (last != null) {
            last.next = this;
        }
        return this;
    }

    /** What a waiter gets that needs more than there can be, or null; made as a claim is. */
    static WaitFailure refusal(int need, int most) {
        while (need > most) {
            try {
                return new TooLarge(need, most);
            } catch (OutOfMemoryError e) {
                Thread.yield();
            }
        }
        return null;
    }

    /**
     * Has the waiter of a request for {@code n} permits made, which is counted already, and checks all that could go wrong
     * with it later.
     */
    static <P, A, W extends Waiter> W newWaiter(
            int n, P primitive, A argument, BiFunction<? super P, ? super A, ? extends W> newWaiter) {
        W waiter = newWaiter.apply(primitive, argument);
        CancellableQueueSynchronizer.checkNew(waiter);
        if (need(waiter) != n) {
            throw new IllegalArgumentException("the weight of the waiter must be " + n + ", which the request is for, but is "
                    + need(waiter) + ": " + waiter);
        }
        return waiter;
    }

    /** How many permits it waits for. */
    static int need(Waiter waiter) {
        return waiter instanceof WeightedWaiter ? ((WeightedWaiter) waiter).weight() : 1;
    }
}
