package dev.cqs.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SmallProgramsTest {
    private interface Program {
        void main(String[] args) throws InterruptedException;
    }

    private static String outputOf(Program program) throws InterruptedException {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            program.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void theBoundOnWorkersHoldsAndNoneIsLost() throws InterruptedException {
        String output = outputOf(BoundedWorkers::main);
        Matcher figures = Pattern.compile("(\\d+) done and (\\d+) gave up, of 20; at most (\\d+) .*")
                .matcher(output);
        assertTrue(figures.matches(), output);
        assertEquals(20, Integer.parseInt(figures.group(1)) + Integer.parseInt(figures.group(2)), output);
        assertTrue(Integer.parseInt(figures.group(3)) <= 3, output);
    }

    @Test
    void theCounterCountsAll() throws InterruptedException {
        assertEquals("counted to 80000 of 80000", outputOf(FairCounter::main));
    }

    @Test
    void theOneWhoGivesUpDoesNotTakeThePermitOfTheOther() throws InterruptedException {
        assertEquals(
                "hasty gave up\npatient got a permit",
                outputOf(TinySemaphore::main).replace(System.lineSeparator(), "\n"));
    }

    @Test
    void anInterruptThatComesTooLateStaysPending() throws InterruptedException {
        Parked waiter = new Parked();
        waiter.tryResume(true);
        Thread.currentThread().interrupt();
        waiter.await();
        assertTrue(Thread.interrupted());
    }

    @Test
    void anInterruptThatComesFirstEndsTheWait() {
        TinySemaphore semaphore = new TinySemaphore(0);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, semaphore::acquire);
    }
}
