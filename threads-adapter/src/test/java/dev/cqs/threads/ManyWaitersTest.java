package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.LONG;
import static dev.cqs.threads.TestThreads.assertIdle;
import static dev.cqs.threads.TestThreads.run;
import static dev.cqs.threads.TestThreads.start;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.threads.AcquireVariant.Case;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A waiting thread leaves its processor, or its carrier thread, to others. */
class ManyWaitersTest {
    static Stream<Case> waitingForOurs() {
        return AcquireVariant.cases(by -> by.waits).filter(c -> c.target().isOurs());
    }

    @ParameterizedTest
    @MethodSource("waitingForOurs")
    void manyMoreThreadsThanProcessorsWaitWhileAnotherRuns(Case c) {
        int count = c.kind() == ThreadKind.VIRTUAL ? 1000 : 100;
        Target target = c.held();
        AtomicInteger granted = new AtomicInteger();
        Stream.generate(() -> start(c.kind(), c.by(), target, LONG, () -> {
                    granted.incrementAndGet();
                    target.exit(c.by().permits);
                }))
                .limit(count)
                .forEach(waiter -> {});
        until("all are queued", () -> target.getQueuedThreads().size() == count);
        assertEquals(count, target.getQueueLength());

        Attempt another = run(c.kind(), () -> {
            for (int i = 0; i < 100; i++) {
                Thread.yield();
            }
        });
        another.isGranted();
        assertEquals(0, granted.get());
        assertEquals(count, target.getQueueLength());

        target.exit(c.by().permits);
        until("all were served", () -> granted.get() == count && target.free() == c.by().permits);
        assertIdle(target, c.by().permits);
    }
}
