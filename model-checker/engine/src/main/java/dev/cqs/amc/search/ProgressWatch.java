package dev.cqs.amc.search;

import dev.cqs.amc.Progress;
import dev.cqs.amc.check.Options;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Looks at the clock for an exploration: ends it when its time is over, and tells the listener how far it is. */
final class ProgressWatch {

    /** Looking at the clock takes about as long as a tenth of a small execution. */
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

    /** Begins, and has {@code walks} estimate the number of executions if there is a listener. */
    void start(Supplier<OptionalLong> walks) {
        begin = clock.getAsLong();
        lastReport = begin;
        if (options.listener() != null) {
            guess = walks.get();
        }
    }

    /** Called before each option that is taken. */
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
