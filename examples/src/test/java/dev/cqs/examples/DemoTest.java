package dev.cqs.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.examples.Comparison.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theTableHasARowForEachSideOfEachComparison() throws InterruptedException {
        List<Result> results = new Demo(true, Screen.plain(out)).run();
        int comparisons = ThreadKinds.present().size() * Primitive.values().length;
        assertEquals(comparisons, results.size());
        List<String> lines = shown().lines().toList();
        int header = 0;
        while (!lines.get(header).startsWith(" threads ")) {
            header++;
        }
        for (int i = 0; i < comparisons; i++) {
            Result result = results.get(i);
            String ours = lines.get(header + 4 * i + 2);
            String peer = lines.get(header + 4 * i + 3);
            String ratio = lines.get(header + 4 * i + 4);
            assertTrue(ours.matches(" " + result.kind().name() + " +" + result.primitive().title + " +cqs .*"), ours);
            assertTrue(peer.contains(" j.u.c. "), peer);
            assertTrue(ratio.contains(" ratio "), ratio);
        }
    }

    @Test
    void oursKeepsFifoOrder() throws InterruptedException {
        for (Result result : new Demo(true, Screen.plain(out)).run()) {
            assertTrue(result.ours().inOrder(), result.toString());
        }
    }

    @Test
    void withoutATerminalThereAreNoEscapesAndNoCarriageReturns() throws InterruptedException {
        new Demo(true, Screen.plain(out)).run();
        assertFalse(shown().contains("\033"));
        assertFalse(shown().replace(System.lineSeparator(), "\n").contains("\r"));
    }

    @Test
    void onATerminalOneLineOverwritesItselfAndNeverWraps() throws InterruptedException {
        new Demo(true, Screen.terminal(out, false)).run();
        assertFalse(shown().contains("\033"));
        assertTrue(shown().contains("\r["));
        for (String frame : shown().replace(System.lineSeparator(), "\n").split("[\r\n]")) {
            assertTrue(frame.length() < 80, frame);
        }
    }

    @Test
    void noLineIsWiderThanATerminal() throws InterruptedException {
        new Demo(true, Screen.plain(out)).run();
        shown().lines().forEach(line -> assertTrue(line.length() < 80, line));
    }

    @Test
    void virtualThreadsAreFoundWhereTheyExist() {
        boolean expected = Runtime.version().feature() >= 21;
        assertEquals(expected, ThreadKinds.present().stream().anyMatch(ThreadKinds.Kind::virtual));
    }

    @Test
    void aGateThatServesTheLastFirstIsFoundOut() throws InterruptedException {
        for (ThreadKinds.Kind kind : ThreadKinds.present()) {
            WaitingLine line = new WaitingLine(new LastFirst(), 1, kind.factory(), 10);
            line.fill(filled -> {});
            assertFalse(line.serveInOrder());
        }
    }

    /** What the check of the order must not let pass. */
    private static final class LastFirst implements Gate {
        private final Deque<Thread> stack = new ArrayDeque<>();
        private boolean held;
        private Thread granted;

        @Override
        public void acquire() {
            Thread me = Thread.currentThread();
            synchronized (this) {
                if (!held) {
                    held = true;
                    return;
                }
                stack.push(me);
            }
            while (!isGranted(me)) {
                LockSupport.park(this);
            }
        }

        private synchronized boolean isGranted(Thread thread) {
            return granted == thread;
        }

        @Override
        public synchronized void release() {
            granted = stack.poll();
            held = granted != null;
            LockSupport.unpark(granted);
        }

        @Override
        public boolean tryAcquire(long nanos) {
            return false;
        }

        @Override
        public synchronized int waiting() {
            return stack.size();
        }
    }
}
