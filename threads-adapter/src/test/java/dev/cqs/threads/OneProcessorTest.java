package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.Awake.Turns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How threads wait in a program that may use one processor only: they hand it on before they park. */
class OneProcessorTest {
    @Test
    void noPermitIsLostWhereThreadsHandOnTheProcessor(@TempDir Path folder) throws Exception {
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
            assertTrue(program.waitFor(Waiting.PATIENCE, TimeUnit.NANOSECONDS), "the program does not end");
        } finally {
            program.destroyForcibly();
        }
        List<String> printed = Files.readAllLines(output);
        assertEquals("1 processor, 2 permits", printed.get(printed.size() - 1), () -> printed.toString());
    }

    @Test
    void oneLongTurnOfTheOthersIsTakenForChance() {
        Turns turns = new Turns();
        turns.took(Turns.LONG);
        assertTrue(turns.mayTake());
        turns.took(Turns.LONG - 1);
        turns.took(Turns.LONG);
        assertTrue(turns.mayTake());
    }

    @Test
    void twoLongTurnsInSuccessionHaveTheNextWaitsParkAtOnce() {
        Turns turns = new Turns();
        turns.took(Turns.LONG);
        turns.took(100 * Turns.LONG);
        long parked = 0;
        while (!turns.mayTake()) {
            parked++;
        }
        assertEquals(100 * Turns.LONG / Turns.PER_WAIT, parked);
    }

    @Test
    void whileTurnsStayLongEachIsPaidFor() {
        Turns turns = new Turns();
        turns.took(Turns.LONG);
        for (int i = 0; i < 3; i++) {
            assertTrue(turns.mayTake());
            turns.took(8 * Turns.LONG);
            assertFalse(turns.mayTake());
            for (int paid = 1; paid < 8 * Turns.LONG / Turns.PER_WAIT; paid++) {
                turns.mayTake();
            }
        }
    }

    /** Threads that take turns at two permits, wait for them in every way, and are interrupted. */
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
            System.out.println(Awake.PROCESSORS + " processor, " + semaphore.availablePermits() + " permits");
        }

        private static void takeTurns(Semaphore semaphore) {
            for (int turn = 0; turn < TURNS; turn++) {
                try {
                    semaphore.release(acquire(semaphore, turn));
                } catch (InterruptedException e) {
                    // holds nothing
                }
            }
        }

        /** How many permits the turn has got. */
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
