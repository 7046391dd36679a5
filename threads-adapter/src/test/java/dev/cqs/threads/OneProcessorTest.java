package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.SpinPolicy.YieldBackoff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting in a program with one processor: a thread yields before it parks. {@link YieldBackoff} decides how often. */
class OneProcessorTest {
    private static final AtomicLong TURNS = new AtomicLong();

    @Test
    void noPermitIsLostWhereThreadsYieldBeforeTheyPark(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(program.waitFor(TestThreads.PATIENCE, TimeUnit.NANOSECONDS), "the program has ended in time");
        } finally {
            program.destroyForcibly();
        }
        List<String> printed = Files.readAllLines(output);
        assertEquals("1 processor, 2 permits", printed.get(printed.size() - 1), () -> printed.toString());
    }

    @Test
    void aFewLongYieldsDoNotStopYielding() {
        YieldBackoff turns = new YieldBackoff();
        for (int i = 0; i < 1000; i++) {
            took(turns, i % (YieldBackoff.PER_LONG + 1) == 0 ? YieldBackoff.LONG : YieldBackoff.LONG - 1);
            assertTrue(turns.mayTake());
        }
    }

    @Test
    void ifEveryFourthYieldIsLongWaitsParkAtOnce() {
        YieldBackoff turns = new YieldBackoff();
        int taken = 0;
        for (; turns.mayTake(); taken++) {
            took(turns, taken % 4 == 0 ? YieldBackoff.LONG : 0);
        }
        assertTrue(
                taken <= YieldBackoff.LATE, () -> "this happens within LATE yields, of which each fourth one was long");
    }

    @Test
    void eachFailedTrialDoublesTheWaitsThatParkAtOnceUpToABound() {
        YieldBackoff turns = new YieldBackoff();
        for (int expected = YieldBackoff.FIRST; expected < YieldBackoff.MOST; expected *= 2) {
            assertEquals(expected, parkedAfterFailure(turns));
        }
        assertEquals(YieldBackoff.MOST, parkedAfterFailure(turns));
        assertEquals(YieldBackoff.MOST, parkedAfterFailure(turns));
    }

    @Test
    void shortYieldsResetTheNumberOfWaitsThatParkAtOnce() {
        YieldBackoff turns = new YieldBackoff();
        parkedAfterFailure(turns);
        for (int i = 1; i < YieldBackoff.CALM; i++) {
            took(turns, 0);
        }
        assertEquals(2 * YieldBackoff.FIRST, parkedAfterFailure(turns), "there were not enough short yields");
        for (int i = 0; i < YieldBackoff.CALM; i++) {
            took(turns, 0);
        }
        assertEquals(YieldBackoff.FIRST, parkedAfterFailure(turns));
    }

    @Test
    void overlappingLongYieldsCountOnce() {
        YieldBackoff turns = new YieldBackoff();
        long begin = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            turns.took(begin + i, begin + i + YieldBackoff.LONG);
            assertTrue(turns.mayTake());
        }
    }

    private static void took(YieldBackoff turns, long nanos) {
        long begin =
                System.nanoTime() + TURNS.getAndIncrement() * 2 * YieldBackoff.LONG; // does not overlap the one before
        turns.took(begin, begin + nanos);
    }

    private static int parkedAfterFailure(YieldBackoff turns) {
        for (int i = 0; i < YieldBackoff.LATE / YieldBackoff.PER_LONG; i++) {
            assertTrue(turns.mayTake());
            took(turns, YieldBackoff.LONG);
        }
        int parked = 0;
        while (!turns.mayTake()) {
            parked++;
        }
        return parked;
    }

    /** Threads that share two permits, wait for them by every method, and are interrupted. */
    static final class Program {
        private static final int THREADS = 4;
        private static final int TURNS = 20_000;

        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            Semaphore semaphore = new Semaphore(2);
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                threads[i] = new Thread(() -> takeTurns(semaphore));
                threads[i].start();
            }
            for (int turn = 0; threads[turn % THREADS].isAlive(); turn++) {
                threads[turn % THREADS].interrupt();
                Thread.yield();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println(SpinPolicy.PROCESSORS + " processor, " + semaphore.availablePermits() + " permits");
        }

        private static void takeTurns(Semaphore semaphore) {
            for (int turn = 0; turn < TURNS; turn++) {
                try {
                    semaphore.release(acquire(semaphore, turn));
                } catch (InterruptedException e) {
                    // no permit was taken
                }
            }
        }

        /** Acquires permits and returns how many. */
        private static int acquire(Semaphore semaphore, int turn) throws InterruptedException {
            switch (turn % 4) {
                case 0:
                    semaphore.acquire();
                    return 1;
                case 1:
                    semaphore.acquireUninterruptibly();
                    return 1;
                case 2:
                    return semaphore.tryAcquire(1 + turn % 20, TimeUnit.MICROSECONDS) ? 1 : 0;
                default:
                    return semaphore.tryAcquire(2, 50, TimeUnit.MICROSECONDS) ? 2 : 0;
            }
        }
    }
}
