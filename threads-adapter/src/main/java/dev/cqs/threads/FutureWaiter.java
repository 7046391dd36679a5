package dev.cqs.threads;

import dev.cqs.Trampoline;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WeightedWaiter;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that waits as an incomplete future, which completes with a {@link Grant}. */
class FutureWaiter extends CompletionWaiter<Grant> {
    /** Makes the waiter of a future whose grant gives back by running the argument. */
    static final BiFunction<Object, Runnable, FutureWaiter> NEW =
            (primitive, release) -> new FutureWaiter(release).listen();

    /** Made in advance, so that a request that has waited does not fail for want of memory. */
    private final Grant grant;

    private FutureWaiter(Runnable release) {
        this.grant = new Grant(release);
    }

    /**
     * A future for the request that {@code acquire} makes, which answers with the waiter, or with {@code null} if the request
     * is granted.
     *
     * @param release gives back what was granted
     */
    static CompletableFuture<Grant> request(Runnable release, Function<Runnable, @Nullable FutureWaiter> acquire) {
        FutureWaiter waiter;
        try {
            waiter = acquire.apply(release);
        } catch (ClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        return waiter == null ? completed(release) : waiter.future;
    }

    private static CompletableFuture<Grant> completed(Runnable release) {
        try {
            return CompletableFuture.completedFuture(new Grant(release));
        } catch (Throwable t) { // no memory for a future: no caller has the permits
            release.run();
            throw t;
        }
    }

    /** Has the future cancel its request if other code completes it, which is possible once the future is returned. */
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

    /** Initializes what a release needs that completes a future; for the initialization of the classes with futures. */
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
