package dev.cqs.amc.search;

import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.liveness.Hangs;
import dev.cqs.amc.liveness.ThreadStatus;
import dev.cqs.amc.threads.ThreadRun;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The scheduler: the threads of a program, and which of them runs next in the current graph. */
final class Threads {

    private final Subject subject;
    private final GraphBuilder builder;
    private final Findings findings;
    private final Schedule schedule;
    private final ThreadRun[] threads;
    /** Whether all code runs, even where the next steps are memoized. */
    private boolean runsCode;

    Threads(Explorer explorer, Schedule schedule) {
        this.schedule = schedule;
        subject = explorer.subject();
        builder = explorer.builder();
        findings = explorer.findings();
        threads = new ThreadRun[subject.threads()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new ThreadRun(explorer, explorer.subject(), i);
        }
    }

    /** The threads, by their numbers. */
    ThreadRun[] all() {
        return threads;
    }

    /** Resets all threads to their beginnings. */
    void begin() {
        subject.begin();
        for (ThreadRun thread : threads) {
            thread.reset();
        }
    }

    /**
     * Runs the threads, {@code first} before the others if it is not -1, until none is ready or the run of the graph
     * ends. The code of a thread runs only where its next step is not memoized.
     */
    void run(int first) {
        begin();
        if (first >= 0 && canGoOn(threads[first])) {
            run(threads[first], schedule.turn(builder.graph().size()));
        }
        goOn();
    }

    /** Runs the code of all threads from their beginnings, until none is ready or the run of the graph ends. */
    void runAll() {
        runsCode = true;
        begin();
        goOn();
        runsCode = false;
    }

    private void goOn() {
        while (!findings.isRunOver()) {
            ThreadRun thread = nextReady();
            if (thread != null) {
                run(thread, schedule.turn(builder.graph().size()));
                continue;
            }
            thread = nextWaiting();
            if (thread == null) {
                break;
            }
            thread.waiting().keepFailedIterations(true);
            run(thread, Integer.MAX_VALUE);
            thread.waiting().keepFailedIterations(false);
        }
    }

    private void run(ThreadRun thread, int turn) {
        if (runsCode) {
            thread.run(turn);
        } else {
            thread.goOn(turn);
        }
    }

    /**
     * Runs the code of a thread while the code of another is on the stack, if the thread is ready or has events to
     * replay. It does not run if its own code is on the stack already.
     */
    void runNested(int thread, int turn) {
        if (!threads[thread].isActive() && (canGoOn(threads[thread]) || threads[thread].isBehind())) {
            threads[thread].run(turn);
        }
    }

    /**
     * Runs all threads in the graph without extending it, so that their states are those at its end.
     *
     * @return the first failure, or null
     */
    @Nullable
    Failure runInWhole() {
        Failure found = null;
        begin();
        // One run each is enough: what a thread needs of others, nested runs provide (see runNested).
        for (ThreadRun thread : threads) {
            if (isStarted(thread)) {
                findings.replaceFailure(null);
                run(thread, 0);
                found = found == null ? findings.failure() : found;
            }
        }
        return found;
    }

    boolean canAnyGoOn() {
        return Arrays.stream(threads).anyMatch(this::canGoOn);
    }

    private boolean canGoOn(ThreadRun thread) {
        return thread.isReady() && isStarted(thread);
    }

    private @Nullable ThreadRun nextReady() {
        int[] order = schedule.order();
        int first = schedule.first(builder.graph().size());
        for (int i = 0; i < order.length; i++) {
            ThreadRun thread = threads[order[(first + i) % order.length]];
            if (canGoOn(thread)) {
                return thread;
            }
        }
        return null;
    }

    /** A thread that is blocked in an await, or null. Asked when no other thread is ready. */
    private @Nullable ThreadRun nextWaiting() {
        for (int thread : schedule.order()) {
            if (threads[thread].status() == ThreadStatus.WAITING) {
                return threads[thread];
            }
        }
        return null;
    }

    private boolean isStarted(ThreadRun thread) {
        return switch (subject.start(thread.id())) {
            case AT_ONCE -> true;
            case WHEN_CREATED -> builder.graph().creation(thread.id()) != null;
            default -> allOthersEnded(thread);
        };
    }

    private boolean allOthersEnded(ThreadRun last) {
        for (ThreadRun thread : threads) {
            boolean isThere =
                    thread != last && !thread.hasEnded() && (thread.status().isBlocked() || isStarted(thread));
            if (isThere && !Hangs.isOver(builder.graph(), threads, thread)) {
                return false;
            }
        }
        return true;
    }
}
