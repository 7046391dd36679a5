package dev.cqs.threads;

import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure;
import dev.cqs.Trampoline;
import dev.cqs.sync.WeightedWaiter;
import dev.cqs.sync.ClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A request that waits as an incomplete future. */
class FutureWaiter extends Waiter implements Runnable {
    /*
     * Anybody can complete a CompletableFuture, and it is complete before we are told. So there are two
     * contests. The cell decides between a resume and cancel(), which follows any completion. If the resume wins
     * there, complete() decides between the grant and all other completions, and a grant that loses goes
     * back.
     *
     * A completion runs what depends on the future. If that releases, the next future is completed, and so on: the
     * trampoline runs them one after the other in the outermost release of the thread, when the queue has long
     * been told that the waiter is resumed.
     *
     * What needs memory is there before the request is in the queue: the future, its listener, the grant. Only the
     * exception of a request that fails is made later, and the releaser insists on it. What depends on a future may
     * find no memory to be run; that is between the future and its dependents.
     */

    /** Makes the waiter of a future whose grant gives back by running the argument. */
    static final BiFunction<Object, Runnable, FutureWaiter> NEW = (primitive, release) -> new FutureWaiter(release).listen();

    private final CompletableFuture<Grant> future = new CompletableFuture<>();

    /** Made beforehand, so that a request that has waited does not fail for want of memory. */
    private final Grant grant;

    /** Set if the request fails; plain: written and read by the thread that resumes. */
    private WaitFailure failure;

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
        return waiter == null ? granted(release) : waiter.future;
    }

    private static CompletableFuture<Grant> granted(Runnable release) {
        try {
            return CompletableFuture.completedFuture(new Grant(release));
        } catch (Throwable t) { // no memory for a future: the permits are nobody's
            release.run();
            throw t;
        }
    }

    /** Has the future take its request out of the queue if others complete it, which they can when it is returned. */
    final FutureWaiter listen() {
        future.whenComplete((result, thrown) -> cancel()); // false, and nothing, after a resume
        return this;
    }

    @Override
    protected boolean tryResume(Object value) {
        if (value instanceof WaitFailure instead) {
            failure = instead;
        }
        Trampoline.run(this);
        return true;
    }

    /** Completes the future, for {@link #tryResume} alone. */
    @Override
    public void run() {
        for (; ; ) {
            try {
                complete();
                return;
            } catch (OutOfMemoryError e) {
                if (future.isDone()) {
                    throw e; // from what depends on it
                }
                Thread.yield(); // others may free some
            }
        }
    }

    private void complete() {
        if (failure != null) {
            future.completeExceptionally(failure.exception());
        } else if (!future.complete(grant)) {
            grant.close(); // somebody else was faster
        }
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
