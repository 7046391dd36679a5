package dev.cqs;

/** What a {@link CancellableQueueSynchronizer#resume(Object) resume} does when it meets a cancelled waiter. */
public enum CancellationMode {
    /*
     * Why a SYNC resume waits for the canceller in SMART mode. A resume that meets a cancelled request goes to the next or
     * is refused. Which of the two depends on whether it was counted before the canceller took the request out of the
     * state, by an addition that leaves no trace of its thread. Take two executions: in one the canceller has added; in
     * the other it has not, but another operation has. Memory can be the same in both. In the first the value must be
     * dropped, because the addition has freed a permit. In the second it must be handed on or freed. So
     *   - only the canceller can tell; an addition on its behalf may be the second one and make a permit out of nothing;
     *   - to leave the value with the canceller, as ASYNC does, is wrong in the second execution: the release returns,
     *     and a tryAcquire after it fails, although the only other request is cancelled in the end. Coroutines may be
     *     granted a permit and give it back when they are cancelled promptly, but not all cancellations are prompt;
     *   - to go to the next without an answer can leave more resumes under way than there are requests;
     *   - to change the mode of the state, so that late additions are detected (WeightedSemaphoreState), does not say
     *     either whether an addition came before the change.
     * What is left is an addition that names its cell, so that other operations can complete it. That is a compare-and-set
     * with the name in the word. Each name has to be processed before the next one is written, and each addition and
     * comparison on the fast paths has to mask the name. All paths would pay for a window of two steps.
     */

    /** It fails. */
    SIMPLE,
    /** It skips the waiter, or is refused as {@link CancellableQueueSynchronizer#onCancellation} has decided. */
    SMART
}
