package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.util.function.Function;

/** A waiter that the server of {@link WeightedSemaphoreState} has taken out of its queue, and its outcome. */
final class Claim {
    private static final Function<Waiter, Claim> NEW = Claim::new;

    final Waiter waiter;

    // Written once, by the server, before any other operation sees the claim.
    int taken;
    Object outcome;

    /** The claim after this one; that of the last one is the first. */
    Claim next;

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
    Claim behind(Claim last) {
        next = last == null ? this : last.next;
        if (last != null) {
            last.next = this;
        }
        return this;
    }

    /** The outcome of a waiter that needs more than the maximum, or null; retries if memory is exhausted, like a claim. */
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
}
