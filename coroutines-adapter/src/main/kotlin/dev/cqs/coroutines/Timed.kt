package dev.cqs.coroutines

import kotlin.time.Duration
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Runs [acquire] for no longer than [timeout] and says whether it has come to its end.
 *
 * The result of [withTimeoutOrNull] does not say that: the time can run out between the end of [acquire] and the end of
 * the block, and the job can be cancelled between the end of the block and the return. The variable does.
 */
internal suspend inline fun timed(
    timeout: Duration,
    crossinline acquire: suspend () -> Unit,
    release: () -> Unit,
): Boolean {
    if (timeout <= Duration.ZERO) return false
    var granted = false
    try {
        withTimeoutOrNull(timeout) {
            acquire()
            granted = true
        }
    } catch (e: Throwable) {
        if (granted) release()
        throw e
    }
    return granted
}
