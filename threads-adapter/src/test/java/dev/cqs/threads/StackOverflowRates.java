package dev.cqs.threads;

import java.util.Random;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A program that prints how often a stack overflow inside {@code lock} or {@code unlock} leaves an uncontended lock in a wrong
 * state, for docs/figures.md. Both methods have a window between the atomic step and the write of the owner.
 */
public final class StackOverflowRates {
    private static final int STACK = 256 << 10;

    /** What the recursion does now: 1 is lock, 2 is unlock, 0 is anything else. */
    private static int phase;

    private static int sink;

    private StackOverflowRates() {}

    public static void main(String[] args) throws InterruptedException {
        int overflows = Integer.parseInt(args[0]);
        for (int round = 0; round < 2; round++) {
            measure(
                    "java.util.concurrent ReentrantLock",
                    overflows,
                    () -> new java.util.concurrent.locks.ReentrantLock(true));
            measure("ReentrantLock", overflows, ReentrantLock::new);
            measure("Mutex", overflows, Mutex::new);
        }
    }

    private static void measure(String what, int overflows, Supplier<Lock> locks) throws InterruptedException {
        int[] counts = new int[4];
        Thread thread = new Thread(null, () -> count(overflows, locks, counts), what, STACK);
        thread.start();
        thread.join();
        System.out.printf(
                "%s: %d overflows, %d in lock() or unlock(), of which left held without an owner %d, held though lock() has"
                        + " thrown %d%n",
                what, overflows, counts[0], counts[1], counts[2]);
    }

    private static void count(int overflows, Supplier<Lock> locks, int[] counts) {
        Random random = new Random(1);
        for (int i = 0; i < overflows; i++) {
            Lock lock = locks.get();
            phase = 0;
            try {
                indent(lock, random.nextInt(40), random.nextInt(4));
            } catch (StackOverflowError e) {
                int at = phase;
                boolean held = isHeld(lock);
                counts[0] += at == 0 ? 0 : 1;
                counts[1] += held && !isOwned(lock) ? 1 : 0;
                counts[2] += held && at == 1 ? 1 : 0;
            }
        }
    }

    private static boolean isHeld(Lock lock) {
        return lock instanceof AbstractMutexLock ours
                ? ours.isLocked()
                : ((java.util.concurrent.locks.ReentrantLock) lock).isLocked();
    }

    private static boolean isOwned(Lock lock) {
        return lock instanceof AbstractMutexLock ours
                ? ours.isHeldByCurrentThread()
                : ((java.util.concurrent.locks.ReentrantLock) lock).isHeldByCurrentThread();
    }

    /** Varies the position at which the stack ends. */
    private static void indent(Lock lock, int times, int kind) {
        if (times == 0) {
            recurse(lock);
        } else if (kind == 0) {
            indent(lock, times - 1, 3);
        } else {
            wide(lock, times, kind - 1, 1, 2, 3);
        }
    }

    private static void wide(Lock lock, int times, int kind, long a, long b, long c) {
        indent(lock, times - 1, kind);
        sink += (int) (a + b * c);
    }

    private static void recurse(Lock lock) {
        phase = 1;
        lock.lock();
        phase = 2;
        lock.unlock();
        phase = 0;
        recurse(lock);
        sink++;
    }
}
