package dev.cqs.amc.search;

import dev.cqs.amc.Progress;
import dev.cqs.amc.check.Options;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Watches the clock during an exploration: enforces the limit on time, and reports progress to the listener. */
final class ProgressWatch {

    /** Reading the clock costs about a tenth of a small execution. */
    private static final int TURNS_PER_LOOK = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Options options;
    private final LongSupplier clock;
    private final long limit;
    private final long interval;
    private OptionalLong guess = OptionalLong.empty();
    private long begin;
    private long lastReport;
    private int turns;

    ProgressWatch(Options options, LongSupplier clock) {
        this.options = options;
        this.clock = clock;
        limit = options.maxTime().toNanos();
        interval = options.progressInterval().toNanos();
    }

    /** Starts the clock. If there is a listener, {@code walks} estimates the number of executions. */
    void start(Supplier<OptionalLong> walks) {
        begin = clock.getAsLong();
        lastReport = begin;
        if (options.listener() != null) {
            guess = walks.get();
        }
    }

    /** Called before each work item. */
    boolean isTimeOver(long complete, long blocked) {
        turns++;
        if (turns % TURNS_PER_LOOK != 0) {
            return false;
        }
        long now = clock.getAsLong();
        if (options.listener() != null && now - lastReport >= interval) {
            lastReport = now;
            options.listener().accept(progress(complete, blocked, now - begin));
        }
        return now - begin >= limit;
    }

    private Progress progress(long complete, long blocked, long nanos) {
        long seen = complete + blocked;
        boolean refuted = guess.isPresent() && guess.getAsLong() <= seen;
        return new Progress(
                complete,
                blocked,
                seen * NANOS_PER_SECOND / Math.max(1, nanos),
                Duration.ofNanos(nanos),
                refuted ? OptionalLong.empty() : guess);
    }
}
