package dev.cqs.threads;

import static dev.cqs.threads.TestThreads.PATIENCE;
import static dev.cqs.threads.TestThreads.until;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.threads.SynchronousQueueVariants.Kind;
import dev.cqs.threads.TestThreads.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors whose workers wait for tasks at a synchronous queue, and end after a millisecond without a task. */
@Tag("slow")
class SynchronousQueueExecutorTest {
    private static final int TASKS = 1_000_000;
    private static final int WORKERS = 6;
    private static final int SUBMITTERS = 2;

    /** The tasks of a burst. After each burst the submitters wait until a worker has ended. */
    private static final int BURST = 4_000;

    /** The tasks of a test in which submitters wait, which takes longer. */
    private static final int HANDED_OVER = 120_000;

    private static final int ENDINGS = 60;

    /** As the JDK's policy, but sometimes yields first, so that more tasks find a waiting worker. */
    private static final RejectedExecutionHandler CALLER_RUNS = (task, executor) -> {
        if (((Task) task).number % 16 == 0) {
            Thread.yield();
        }
        task.run();
    };

    /** A task that counts how often it was run, rejected, and returned by {@code shutdownNow}. */
    private static final class Task implements Runnable {
        private final int number;
        private final AtomicIntegerArray runs;

        Task(int number, AtomicIntegerArray runs) {
            this.number = number;
            this.runs = runs;
        }

        @Override
        public void run() {
            runs.incrementAndGet(number);
        }
    }

    private static final class Workers implements ThreadFactory {
        final AtomicInteger made = new AtomicInteger();

        @Override
        public Thread newThread(Runnable body) {
            Thread worker = new Thread(body, "worker-" + made.incrementAndGet());
            worker.setDaemon(true); // a failed test may leave it waiting
            return worker;
        }
    }

    private static ThreadPoolExecutor executor(
            Kind kind, int core, Workers workers, RejectedExecutionHandler onRejection) {
        return new ThreadPoolExecutor(core, WORKERS, 1, MILLISECONDS, kind.make(), workers, onRejection);
    }

    /** Waits for a free worker, unless the executor is shut down. */
    private static RejectedExecutionHandler handingOver(AtomicIntegerArray rejected) {
        return (task, executor) -> {
            BlockingQueue<Runnable> queue = executor.getQueue();
            try {
                while (!executor.isShutdown()) {
                    if (queue.offer(task, 1, MILLISECONDS)) {
                        return;
                    }
                }
                rejected.incrementAndGet(((Task) task).number);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    // Running

    /** If no worker is free, the submitter runs the task. */
    @ParameterizedTest
    @EnumSource
    void aMillionTasksAreRunOnceEach(Kind kind) throws InterruptedException {
        Workers workers = new Workers();
        runAll(executor(kind, 0, workers, CALLER_RUNS), workers, amount(kind, TASKS));
    }

    /** If no worker is free, the submitter waits for one. */
    @ParameterizedTest
    @EnumSource
    void allTasksAreRunOnceEachWhereSubmittersWaitForWorkers(Kind kind) throws InterruptedException {
        Workers workers = new Workers();
        AtomicIntegerArray rejected = new AtomicIntegerArray(TASKS);
        runAll(executor(kind, 1, workers, handingOver(rejected)), workers, amount(kind, HANDED_OVER));
    }

    private static int amount(Kind kind, int tasks) {
        return kind.isOurs() ? tasks : tasks / 10;
    }

    private static void runAll(ThreadPoolExecutor executor, Workers workers, int tasks) throws InterruptedException {
        AtomicIntegerArray runs = new AtomicIntegerArray(tasks);
        int bursts = tasks / BURST;
        for (int burst = 0; burst < bursts; burst++) {
            int first = burst * BURST;
            submit(SUBMITTERS, submitter -> {
                for (int i = first + submitter; i < first + BURST; i += SUBMITTERS) {
                    executor.execute(new Task(i, runs));
                }
            });
            int present = executor.getPoolSize();
            until(
                    "a worker has ended",
                    () -> executor.getPoolSize() < Math.max(present, executor.getCorePoolSize() + 1));
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(PATIENCE, NANOSECONDS));
        for (int i = 0; i < tasks; i++) {
            assertEquals(1, runs.get(i), "runs of task " + i);
        }
        assertTrue(executor.getCompletedTaskCount() > workers.made.get(), "tasks went through the queue");
        assertTrue(workers.made.get() > bursts / 2, () -> workers.made + " workers came and went");
    }

    private static void submit(int submitters, IntConsumer body) {
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < submitters; i++) {
            int submitter = i;
            attempts.add(TestThreads.run(ThreadKind.PLATFORM, () -> body.accept(submitter)));
        }
        attempts.forEach(Attempt::isGranted);
    }

    // Shutdown

    @ParameterizedTest
    @EnumSource
    void afterAShutdownEachTaskWasRunOrRejected(Kind kind) throws InterruptedException {
        for (int ending = 0; ending < ENDINGS; ending++) {
            Ending race = new Ending(kind, ending);
            race.untilSomeHaveRun();
            race.executor.shutdown();
            race.check(List.of());
        }
    }

    /** The tasks of waiting submitters are in the queue, so they are returned. */
    @ParameterizedTest
    @EnumSource
    void afterAnImmediateShutdownEachTaskWasRunOrRejectedOrReturned(Kind kind) throws InterruptedException {
        int returned = 0;
        for (int ending = 0; ending < ENDINGS; ending++) {
            Ending race = new Ending(kind, ending);
            race.untilSomeHaveRun();
            List<Runnable> tasks = race.executor.shutdownNow();
            race.check(tasks);
            returned += tasks.size();
        }
        assertTrue(returned > 0, "tasks were returned");
    }

    /** Submitters that continue until the executor rejects their tasks. */
    private static final class Ending {
        private static final int MOST = 200_000;
        private static final int ROOM = MOST + 10; // each submitter may pass it once

        private final AtomicIntegerArray runs = new AtomicIntegerArray(ROOM);
        private final AtomicIntegerArray rejected = new AtomicIntegerArray(ROOM);
        private final AtomicInteger submitted = new AtomicInteger();
        private final int before;
        private final List<Attempt> submitters = new ArrayList<>();
        final ThreadPoolExecutor executor;

        Ending(Kind kind, int number) {
            before = 10 * number;
            executor = executor(kind, 1, new Workers(), handingOver(rejected));
            executor.setMaximumPoolSize(1 + number % 2); // fewer than submitters, so that some wait
            for (int i = 0; i < 3; i++) {
                submitters.add(TestThreads.run(ThreadKind.PLATFORM, this::submitAll));
            }
        }

        private void submitAll() {
            while (!executor.isShutdown() && submitted.get() < MOST) {
                executor.execute(new Task(submitted.getAndIncrement(), runs));
            }
        }

        void untilSomeHaveRun() {
            until("some have run", () -> submitted.get() > before);
        }

        void check(List<Runnable> returned) throws InterruptedException {
            submitters.forEach(Attempt::isGranted);
            assertTrue(executor.awaitTermination(PATIENCE, NANOSECONDS));
            AtomicIntegerArray returns = new AtomicIntegerArray(ROOM);
            returned.forEach(task -> returns.incrementAndGet(((Task) task).number));
            for (int i = 0; i < submitted.get(); i++) {
                assertEquals(1, runs.get(i) + rejected.get(i) + returns.get(i), "task " + i);
            }
        }
    }
}
