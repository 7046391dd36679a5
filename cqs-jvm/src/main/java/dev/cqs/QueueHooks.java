package dev.cqs;

import dev.cqs.internal.UncaughtExceptions;
import org.jspecify.annotations.Nullable;

/**
 * The hooks by which a queue asks and informs its primitive. An exception of a hook or a waiter goes to the
 * uncaught-exception handler of the current thread, and the operation carries on.
 *
 * @param <T> what a resume hands to a waiter
 */
abstract class QueueHooks<T> extends QueueCells<T> {
    QueueHooks(ResumeMode resumeMode, CancellationMode cancellationMode) {
        super(resumeMode, cancellationMode);
    }

    // For the primitive to override

    /**
     * Takes a cancelled request out of the primitive's state; SMART mode only. Called once per cancelled request, by the
     * canceller or by a resumer that stands in for it. It must be short and must not wait or call back into the queue: a
     * SYNC resume may be waiting for its end. It must not throw. If it throws an {@link OutOfMemoryError} all the same, for
     * example because an access in it is linked only now, it is called again until it does not. Therefore it must change the
     * state last.
     *
     * @param waiter the cancelled waiter, or {@code null} for an {@linkplain
     *     CancellableQueueSynchronizer#abandon abandoned} request
     * @return {@code true} if the request is out of the state: no resume will be made for it, and a resume that meets it can
     *     go to the next; {@code false} if a resume for it has been counted and it was the last to be served: that resume is
     *     refused
     */
    protected boolean onCancellation(@Nullable Waiter waiter) {
        throw new UnsupportedOperationException("a queue with smart cancellation must override onCancellation");
    }

    /**
     * Ends a resume that was refused: puts the value back where the primitive keeps it, if {@link
     * #onCancellation} has not done so already; SMART mode only. Does nothing unless overridden.
     */
    protected void completeRefusedResume(T value) {}

    /**
     * Releases a value anew that a suspender has found in its cell but has no owner for: its waiter was gone before it was
     * in the queue, or its request was {@linkplain CancellableQueueSynchronizer#abandon abandoned}. The request and the
     * resume that brought the value have been counted against each other; nothing is to be taken out of the state. Must be
     * overridden where one of the two can happen.
     */
    @Override
    protected void giveBack(T value) {
        throw new UnsupportedOperationException("a queue with abandoned requests must override giveBack");
    }

    /**
     * Follows a cancellation once its cell has reached its final state; SMART mode only. Unlike {@link
     * #onCancellation} it may do anything, for example serve the requests behind the cancelled one.
     * Does nothing unless overridden.
     */
    protected void afterCancellation() {}

    // For the queue to call

    /** Asks {@link #onCancellation}, for as long as it finds no memory. */
    final boolean cancelRequest(@Nullable Waiter cancelled) {
        for (; ; ) {
            try {
                return onCancellation(cancelled);
            } catch (OutOfMemoryError e) { // the request must not stay counted
                Thread.yield();
            } catch (Throwable t) {
                UncaughtExceptions.report(t);
                return true;
            }
        }
    }

    @Override
    final void refuse(T value) {
        try {
            completeRefusedResume(value);
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
        }
    }
}
