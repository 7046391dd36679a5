package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How threads wait in a program that may use one processor only: they hand it on before they park. */
class OneProcessorTest {
    @Test
    void noPermitIsLostWhereThreadsHandOnTheProcessor() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Turns.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed;
        try {
            printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(program.waitFor(Waiting.PATIENCE, TimeUnit.NANOSECONDS), "the program does not end");
        } finally {
            program.destroyForcibly();
        }
        assertEquals("1 processor, 2 permits", printed.lines().reduce("", (first, second) -> second), printed);
    }

    @Test
    void aShortTurnOfTheOthersCostsNothingLater() {
        assertEquals(0, Awake.owedFor(0));
        assertEquals(0, Awake.owedFor(100_000));
    }

    @Test
    void aLongTurnOfTheOthersIsSpreadOverTheWaitsThatFollow() {
        assertEquals(3_000_000 / 256, Awake.owedFor(3_000_000));
        assertEquals(Integer.MAX_VALUE, Awake.owedFor(Long.MAX_VALUE));
    }

    /** Threads that take turns at two permits, wait for them in every way, and are interrupted. */
    static final class Turns {
        private static final int THREADS = 4;
        private static final int TURNS = 20_000;

        private Turns() {}

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
