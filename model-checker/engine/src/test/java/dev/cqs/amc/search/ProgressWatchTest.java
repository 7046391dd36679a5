package dev.cqs.amc.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Benchmark;
import dev.cqs.amc.Model;
import dev.cqs.amc.Progress;
import dev.cqs.amc.check.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When the clock is read, and what is reported. */
class ProgressWatchTest {

    private static final int TURNS_PER_LOOK = 64;

    private final List<Progress> heard = new ArrayList<>();
    private long now;

    private ProgressWatch watch(Duration limit, OptionalLong guess) {
        Options options =
                Unbounded.options(Model.RC11).withMaxTime(limit).withListener(heard::add, Duration.ofSeconds(1));
        ProgressWatch watch = new ProgressWatch(options, () -> now);
        watch.start(() -> guess);
        return watch;
    }

    /** Whether the limit is noticed within the number of work items after which the clock is read. */
    private static boolean look(ProgressWatch watch, long complete, long blocked) {
        boolean over = false;
        for (int i = 0; i < TURNS_PER_LOOK; i++) {
            over |= watch.isTimeOver(complete, blocked);
        }
        return over;
    }

    @Test
    void timeIsOverWhenTheLimitIsReached() {
        ProgressWatch watch = watch(Duration.ofMillis(5), OptionalLong.empty());
        now = 4_999_999;
        assertFalse(look(watch, 10, 0));
        now = 5_000_000;
        assertTrue(look(watch, 20, 0));
    }

    @Test
    void limitBeyondWhatTheClockCountsIsNone() {
        ProgressWatch watch = watch(Duration.ofSeconds(Long.MAX_VALUE), OptionalLong.empty());
        now = Long.MAX_VALUE / 2;
        assertFalse(look(watch, 10, 0));
    }

    @Test
    void listenerHearsAtMostOncePerInterval() {
        ProgressWatch watch = watch(Duration.ofDays(1), OptionalLong.of(400));
        now = 999_999_999;
        look(watch, 10, 5);
        assertEquals(List.of(), heard);
        now = 2_000_000_000;
        look(watch, 200, 100);
        look(watch, 201, 100);
        assertEquals(List.of(new Progress(200, 100, 150, Duration.ofSeconds(2), OptionalLong.of(400))), heard);
        now = 3_000_000_000L;
        look(watch, 202, 101);
        assertEquals(2, heard.size());
    }

    @Test
    void guessThatIsRefutedIsNotTold() {
        ProgressWatch watch = watch(Duration.ofDays(1), OptionalLong.of(400));
        now = 1_000_000_000;
        look(watch, 300, 100);
        assertEquals(OptionalLong.empty(), heard.get(0).estimatedTotal());
    }

    /** An estimate takes at least a hundred walks, unless they take too long. */
    @Test
    void guessEndsThoughItsWalksTakeLong() {
        Explorer walking = new Explorer(Benchmark.adding("ainc(3)", 3, 1), Unbounded.options(Model.RC11));
        long[] hours = {0};
        OptionalLong guess = new ExecutionEstimator(
                        walking, () -> Duration.ofHours(hours[0]++).toNanos())
                .guess();
        assertTrue(guess.isPresent());
        assertTrue(walking.visited() <= 6, "one walk visits some executions, not " + walking.visited());
    }
}
