package dev.cqs.threads;

import dev.cqs.Trampoline;
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure;
import java.util.concurrent.CompletableFuture;

/**
 * A request that waits as an incomplete future.
 *
 * @param <T> what the future completes with
 */
abstract class CompletionWaiter<T> extends Waiter implements Runnable {
    /*
     * Anybody can complete a CompletableFuture, and it is complete before we are told. So there are two
     * contests. The cell decides between a resume and cancel(), which follows any completion. If the resume wins
     * there, complete() decides between what was granted and all other completions, and a grant that loses goes
     * back.
     *
     * A completion runs what depends on the future. If that releases, the next future is completed, and so on: the
     * trampoline runs them one after the other in the outermost release of the thread, when the queue has long
     * been told that the waiter is resumed.
     *
     * What needs memory is there before the request is in the queue: the future, its listener, what it is completed with.
     * Only the exception of a request that fails is made later, and the releaser insists on it. What depends on a future may
     * find no memory to be run; that is between the future and its dependents.
     */

    final CompletableFuture<T> future = new CompletableFuture<>();

    /** What it was resumed with; plain: written and read by the thread that resumes. */
    private Object outcome;

    /** Has the future take its request out of the queue if others complete it, which they can when it is returned. */
    final void leaveWhenCompleted() {
        future.whenComplete((result, thrown) -> cancel()); // false, and nothing, after a resume
    }

    /** What the future completes with, of a request that was resumed with this value. */
    abstract T granted(Object value);

    /** Gives back what the future does not complete with, because it was completed before. */
    abstract void giveBack(T granted);

    @Override
    protected final boolean tryResume(Object value) {
        outcome = value;
        Trampoline.run(this);
        return true;
    }

    /** Completes the future, for {@link #tryResume} alone. */
    @Override
    public final void run() {
        Object value = outcome;
        outcome = null; // the future may be kept longer than what was granted
        for (; ; ) {
            try {
                complete(value);
                return;
            } catch (OutOfMemoryError e) {
                if (future.isDone()) {
                    throw e; // from what depends on it
                }
                Thread.yield(); // others may free some
            }
        }
    }

    private void complete(Object value) {
        if (value instanceof WaitFailure failure) {
            future.completeExceptionally(failure.exception());
            return;
        }
        T granted = granted(value);
        if (!future.complete(granted)) {
            giveBack(granted); // another completion was faster
        }
    }
}
