package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The order of nested actions, their errors, and the bounded stack. */
class TrampolineTest {
    private static final int MILLION = 1_000_000;

    private final List<String> done = new ArrayList<>();

    @Test
    void anActionRunsInTheCallerAtOnce() {
        Thread[] where = new Thread[1];
        Trampoline.run(() -> where[0] = Thread.currentThread());
        assertSame(Thread.currentThread(), where[0]);
    }

    @Test
    void nestedActionsRunAfterTheOuterOneInTheOrderOfTheCalls() {
        Trampoline.run(() -> {
            Trampoline.run(() -> {
                Trampoline.run(() -> done.add("d"));
                done.add("b");
            });
            Trampoline.run(() -> done.add("c"));
            done.add("a");
        });
        assertEquals(List.of("a", "b", "c", "d"), done);
    }

    @Test
    void aMillionNestedRunsDoNotGrowTheStack() throws Exception {
        int[] left = {MILLION};
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            if (--left[0] > 0) {
                Trampoline.run(again[0]);
            }
        };
        CompletableFuture<Integer> end = new CompletableFuture<>();
        new Thread(
                        null,
                        () -> {
                            Trampoline.run(again[0]);
                            end.complete(left[0]);
                        },
                        "small stack",
                        64 * 1024)
                .start();
        assertEquals(0, end.get());
    }

    @Test
    void whatAnActionThrowsGoesToTheHandlerAndTheOtherActionsRun() {
        RuntimeException exception = new RuntimeException();
        Error error = new StackOverflowError();
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            Trampoline.run(() -> {
                Trampoline.run(() -> {
                    throw error;
                });
                Trampoline.run(() -> done.add("after the error"));
                throw exception;
            });
            assertEquals(List.of(exception, error), uncaught.seen);
        }
        assertEquals(List.of("after the error"), done);
    }

    @Test
    void aHandlerThatThrowsStopsNoOtherAction() {
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = current.getUncaughtExceptionHandler();
        current.setUncaughtExceptionHandler((where, thrown) -> {
            done.add("handled");
            throw new IllegalStateException("from the handler");
        });
        try {
            Trampoline.run(() -> {
                Trampoline.run(() -> done.add("the rest"));
                throw new RuntimeException();
            });
        } finally {
            current.setUncaughtExceptionHandler(before);
        }
        assertEquals(List.of("handled", "the rest"), done);
    }

    @Test
    void afterARunNothingIsPending() {
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            Trampoline.run(() -> {
                throw new RuntimeException();
            });
            assertEquals(1, uncaught.seen.size());
        }
        boolean[] ran = {false};
        Trampoline.run(() -> ran[0] = true);
        assertTrue(ran[0], "runs at once, and is not queued");
    }

    @Test
    void eachThreadHasATrampolineOfItsOwn() throws Exception {
        boolean[] ran = {false};
        Trampoline.run(() -> {
            Thread other = new Thread(() -> Trampoline.run(() -> ran[0] = true));
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertTrue(ran[0], "the other thread does not wait for the action of this thread");
            ran[0] = false;
            Trampoline.run(() -> ran[0] = true);
            assertFalse(ran[0], "a nested action of this thread waits for the outer one");
        });
        assertTrue(ran[0]);
    }
}
