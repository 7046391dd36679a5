package dev.cqs.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program with a small heap whose threads send and receive with timeouts of less than a microsecond, so that most requests
 * time out. {@link TimeoutStormTest} starts it and reads the balance that it prints.
 */
final class TimeoutStorm {
    private static final int THREADS = 4;

    private final BlockingQueue<Long> queue;
    private final AtomicLong attempts = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong sumSent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sumReceived = new AtomicLong();
    private volatile Throwable thrown;

    private TimeoutStorm(BlockingQueue<Long> queue) {
        this.queue = queue;
    }

    /** @param arguments the kind of the queue, and the number of requests in each phase */
    public static void main(String[] arguments) throws InterruptedException {
        int attempts = Integer.parseInt(arguments[1]);
        TimeoutStorm phases = new TimeoutStorm(
                SynchronousQueueVariants.Kind.valueOf(arguments[0]).make());
        phases.sendersBesideOneThatDoesNotTimeOut(attempts);
        phases.sendersAndReceivers(attempts);
        System.out.println(phases.balance());
    }

    /**
     * Senders only, so that none is served. Another sender waits all the time, at the head of the queue or at the bottom of
     * the stack.
     */
    private void sendersBesideOneThatDoesNotTimeOut(int count) throws InterruptedException {
        Thread patient = new Thread(() -> send(-1L, TimeUnit.HOURS.toNanos(1)));
        patient.start();
        while (patient.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        run(count, random -> send(random.nextLong(1_000_000), timeout(random)));
        receive(TimeUnit.HOURS.toNanos(1));
        patient.join();
    }

    private void sendersAndReceivers(int count) throws InterruptedException {
        run(count, random -> {
            if (random.nextBoolean()) {
                send(random.nextLong(1_000_000), timeout(random));
            } else {
                receive(timeout(random));
            }
        });
    }

    /** Too short to park for, except for one in a hundred. */
    private static long timeout(SplittableRandom random) {
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
            throw new AssertionError(e); // no thread interrupts
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
            throw new AssertionError(e); // no thread interrupts
        }
    }

    private String balance() {
        return "attempts " + attempts + " sent " + sent + " received " + received + " difference "
                + (sumSent.get() - sumReceived.get()) + " failure " + thrown;
    }
}
