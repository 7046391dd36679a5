package dev.cqs.sync;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.Waiter;
import dev.cqs.internal.AllocationRetry;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A waiter that the server of {@link WeightedSemaphoreState} has taken out of its queue, and its outcome. */
final class Claim {
    private static final Function<Waiter, Claim> NEW = Claim::new;

    final Waiter waiter;

    // Written once, by the server, before any other operation sees the claim.
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

    /**
     * Has the waiter made of a request for {@code n} permits that is counted already, and checks everything that could go
     * wrong with the waiter later.
     */
    static <P, A extends @Nullable Object, W extends Waiter> W newWaiter(
            int n, P primitive, A argument, BiFunction<? super P, ? super A, ? extends W> newWaiter) {
        W waiter = newWaiter.apply(primitive, argument);
        CancellableQueueSynchronizer.checkNew(waiter);
        if (need(waiter) != n) {
            throw new IllegalArgumentException("the weight of the waiter must be " + n
                    + ", which the request is for, but is " + need(waiter) + ": " + waiter);
        }
        return waiter;
    }

    /** How many permits it waits for. */
    static int need(Waiter waiter) {
        return waiter instanceof WeightedWaiter weighted ? weighted.weight() : 1;
    }
}
