package dev.cqs.threads;

import dev.cqs.spi.Steps;
import dev.cqs.Trampoline;
import dev.cqs.sync.WeightedWaiter;
import dev.cqs.sync.ClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A request that waits as an incomplete future, which completes with a {@link Grant}. */
class FutureWaiter extends CompletionWaiter<Grant> {
    /** Makes the waiter of a future whose grant gives back by running the argument. */
    static final BiFunction<Object, Runnable, FutureWaiter> NEW = (primitive, release) -> new FutureWaiter(release).listen();

    /** Made beforehand, so that a request that has waited does not fail for want of memory. */
    private final Grant grant;

    private FutureWaiter(Runnable release) {
        this.grant = new Grant(release);
    }

    /**
     * A future for what is asked for by {@code acquire}, which answers with the waiter, or with {@code null} if the request is
     * granted.
     *
     * @param release gives back what was granted
     */
    static CompletableFuture<Grant> request(Runnable release, Function<Runnable, FutureWaiter> acquire) {
        FutureWaiter waiter;
        try {
            waiter = acquire.apply(release);
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        return waiter == null ? completed(release) : waiter.future;
    }

    /** A future for {@code n} permits, which {@code release} puts back. */
    static <P> CompletableFuture<Grant> request(Steps<P> steps, P primitive, int n, Runnable release) {
        try {
            for (; ; ) {
                int ticket = steps.reserve(primitive, n);
                if (ticket == Steps.GRANTED) {
                    return completed(release);
                }
                FutureWaiter waiter = enqueue(steps, primitive, n, ticket, release);
                if (waiter != null) {
                    return waiter.future;
                }
            }
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<Grant> completed(Runnable release) {
        try {
            return CompletableFuture.completedFuture(new Grant(release));
        } catch (Throwable t) { // no memory for a future: the permits are nobody's
            release.run();
            throw t;
        }
    }

    private static <P> FutureWaiter enqueue(Steps<P> steps, P primitive, int n, int ticket, Runnable release) {
        FutureWaiter waiter;
        try {
            waiter = n == 1 ? new FutureWaiter(release) : new WeightedFutureWaiter(release, n);
            waiter.listen();
        } catch (Throwable t) { // no memory for a waiter: do not leave the request counted
            steps.abandon(primitive, ticket);
            throw t;
        }
        return steps.enqueue(primitive, waiter, ticket) ? waiter : null;
    }

    final FutureWaiter listen() {
        leaveWhenCompleted();
        return this;
    }

    @Override
    final Grant granted(Object primitive) {
        return grant;
    }

    @Override
    final void giveBack(Grant grant) {
        grant.close();
    }

    /** Initializes what a release needs that completes a future; for the initialization of the classes that have some. */
    static void rehearse() {
        Runnable nothing = new Runnable() { // no lambda: it would have to be linked
            @Override
            public void run() {}
        };
        new Grant(nothing).close();
        new FutureWaiter(nothing).listen(); // links its lambda, which a request needs when it is counted already
        Trampoline.run(nothing);
    }

    /** Waits for several permits, or for none. */
    static final class WeightedFutureWaiter extends FutureWaiter implements WeightedWaiter {
        private final int weight;

        WeightedFutureWaiter(Runnable release, int weight) {
            super(release);
            this.weight = weight;
        }

        @Override
        public int weight() {
            return weight;
        }
    }
}
