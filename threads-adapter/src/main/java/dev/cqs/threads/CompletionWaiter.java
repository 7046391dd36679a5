package dev.cqs.threads;

import dev.cqs.Trampoline;
import dev.cqs.Waiter;
import dev.cqs.sync.WaitFailure;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits as an incomplete future.
 *
 * @param <T> the result of the future
 */
abstract class CompletionWaiter<T> extends Waiter implements Runnable {
    /*
     * Any code can complete a CompletableFuture, and it is complete before this waiter is informed. So there are two contests.
     * The cell decides between a resume and cancel(), which follows any completion. If the resume wins there, complete()
     * decides between the grant and all other completions, and a grant that loses goes back.
     *
     * A completion runs the dependents of the future. If a dependent releases, the next future is completed, and so on. The
     * trampoline runs them one after the other in the outermost release of the thread, when the queue has long been told that
     * the waiter is resumed.
     *
     * Everything that needs memory is there before the request is in the queue: the future, its listener, its result. Only the
     * exception of a request that fails is made later, and the releaser retries that until there is memory. A dependent of a
     * future may find no memory to be run; that is between the future and its dependents.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    final CompletableFuture<T> future = new CompletableFuture<>();

    /** The value of the resume; plain: written and read by the thread that resumes. */
    private @Nullable Object outcome;

    /** Has the future cancel its request if other code completes it, which is possible once the future is returned. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on it
    final void leaveWhenCompleted() {
        future.whenComplete((result, thrown) -> cancel()); // false, and nothing, after a resume
    }

    /** The result of the future, for a request that was resumed with this value. */
    abstract T granted(Object value);

    /** Gives back a grant that the future does not complete with, because it was completed before. */
    abstract void giveBack(T granted);

    @Override
    protected final boolean tryResume(Object value) {
        outcome = value;
        Trampoline.run(this);
        return true;
    }

    /** Completes the future, for {@link #tryResume} alone. */
    @Override
    @SuppressWarnings("NullAway") // the resume has set the outcome
    public final void run() {
        Object value = outcome;
        outcome = null; // the future may be kept longer than what was granted
        for (; ; ) {
            try {
                complete(value);
                return;
            } catch (OutOfMemoryError e) {
                if (future.isDone()) {
                    throw e; // from a dependent
                }
                Thread.yield(); // other threads may free some
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
