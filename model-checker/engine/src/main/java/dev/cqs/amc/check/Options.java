package dev.cqs.amc.check;

import dev.cqs.amc.Model;
import dev.cqs.amc.Progress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of an exploration.
 *
 * @param model the memory model
 * @param loopBound the bound on the iterations of loops with side effects
 * @param maxEvents the number of events after which a thread is cut off
 * @param maxExecutions the number of executions after which the search gives up
 * @param maxTime the time after which the search gives up
 * @param listener receives the progress of the search, about once per interval; or null
 * @param progressInterval the interval
 */
public record Options(
        Model model,
        int loopBound,
        int maxEvents,
        long maxExecutions,
        Duration maxTime,
        @Nullable Consumer<Progress> listener,
        Duration progressInterval) {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /** Options without a limit on time, and without a listener. */
    public Options(Model model, int loopBound, int maxEvents, long maxExecutions) {
        this(model, loopBound, maxEvents, maxExecutions, FOREVER, null, FOREVER);
    }

    /** These options with another loop bound. */
    public Options withLoopBound(int bound) {
        return new Options(model, bound, maxEvents, maxExecutions, maxTime, listener, progressInterval);
    }

    /** These options with another limit on the events of a thread. */
    public Options withMaxEvents(int events) {
        return new Options(model, loopBound, events, maxExecutions, maxTime, listener, progressInterval);
    }

    /** These options with another limit on executions. */
    public Options withMaxExecutions(long executions) {
        return new Options(model, loopBound, maxEvents, executions, maxTime, listener, progressInterval);
    }

    /** These options with another limit on time. */
    public Options withMaxTime(Duration time) {
        Duration limit = time.compareTo(FOREVER) > 0 ? FOREVER : time;
        return new Options(model, loopBound, maxEvents, maxExecutions, limit, listener, progressInterval);
    }

    /** These options with a listener. */
    public Options withListener(@Nullable Consumer<Progress> newListener, Duration interval) {
        return new Options(model, loopBound, maxEvents, maxExecutions, maxTime, newListener, interval);
    }
}
