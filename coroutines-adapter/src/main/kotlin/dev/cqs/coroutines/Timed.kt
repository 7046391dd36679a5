package dev.cqs.coroutines

import kotlin.time.Duration
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Runs [acquire] for no longer than [timeout] and says whether it has completed.
 */
internal suspend inline fun timed(
    timeout: Duration,
    crossinline acquire: suspend () -> Unit,
    release: () -> Unit,
): Boolean = timedOrNull(timeout, { acquire() }, { release() }) != null

/**
 * Runs [take] for no longer than [timeout] and answers its result, or `null` if it has not completed.
 *
 * The result of [withTimeoutOrNull] does not say that: the time can run out between the end of [take] and the end of
 * the block, and the job can be cancelled between the end of the block and the return. The variable does.
 */
internal suspend inline fun <T : Any> timedOrNull(
    timeout: Duration,
    crossinline take: suspend () -> T,
    giveBack: (T) -> Unit,
): T? {
    if (timeout <= Duration.ZERO) return null
    var taken: T? = null
    try {
        withTimeoutOrNull(timeout) { taken = take() }
    } catch (e: Throwable) {
        taken?.let { giveBack(it) }
        throw e
    }
    return taken
}
