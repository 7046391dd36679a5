package dev.cqs.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program with little memory and little patience: threads that wait for each other no longer than some microseconds, most
 * of them in vain. {@link LowPatienceTest} starts it and reads what it says at the end.
 */
final class LowPatience {
    private static final int THREADS = 4;

    private final BlockingQueue<Long> queue;
    private final AtomicLong attempts = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong sumSent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sumReceived = new AtomicLong();
    private volatile Throwable thrown;

    private LowPatience(BlockingQueue<Long> queue) {
        this.queue = queue;
    }

    /** @param arguments the kind of the queue, and how many attempts to make in each of the storms */
    public static void main(String[] arguments) throws InterruptedException {
        int attempts = Integer.parseInt(arguments[1]);
        LowPatience storms =
                new LowPatience(HandOffVariants.Kind.valueOf(arguments[0]).make());
        storms.behindOneWhoIsPatient(attempts);
        storms.ofBothSides(attempts);
        System.out.println(storms.balance());
    }

    /** Senders alone, so that none is served; behind or above one that waits all the while. */
    private void behindOneWhoIsPatient(int count) throws InterruptedException {
        Thread patient = new Thread(() -> send(-1L, TimeUnit.HOURS.toNanos(1)));
        patient.start();
        while (patient.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        run(count, random -> send(random.nextLong(1_000_000), patience(random)));
        receive(TimeUnit.HOURS.toNanos(1));
        patient.join();
    }

    private void ofBothSides(int count) throws InterruptedException {
        run(count, random -> {
            if (random.nextBoolean()) {
                send(random.nextLong(1_000_000), patience(random));
            } else {
                receive(patience(random));
            }
        });
    }

    /** Too short to park for, but for one in a hundred. */
    private static long patience(SplittableRandom random) {
        return random.nextLong(random.nextInt(100) == 0 ? 5_000 : 500);
    }

    private interface Body {
        void run(SplittableRandom random);
    }

    private void run(int count, Body body) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(i);
            Thread thread = new Thread(() -> {
                for (int n = 0; n < count / THREADS; n++) {
                    body.run(random);
                }
            });
            thread.setUncaughtExceptionHandler((failed, throwable) -> thrown = throwable);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void send(Long element, long nanos) {
        attempts.getAndIncrement();
        try {
            if (queue.offer(element, nanos, TimeUnit.NANOSECONDS)) {
                sent.getAndIncrement();
                sumSent.getAndAdd(element);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e); // nobody interrupts
        }
    }

    private void receive(long nanos) {
        attempts.getAndIncrement();
        try {
            Long element = queue.poll(nanos, TimeUnit.NANOSECONDS);
            if (element != null) {
                received.getAndIncrement();
                sumReceived.getAndAdd(element);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e); // nobody interrupts
        }
    }

    private String balance() {
        return "attempts " + attempts + " sent " + sent + " received " + received + " difference "
                + (sumSent.get() - sumReceived.get()) + " failure " + thrown;
    }
}
