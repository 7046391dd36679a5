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

/** The threads of a program, and which of them runs next in the present graph. */
final class Threads {

    private final Subject subject;
    private final GraphBuilder builder;
    private final Findings findings;
    private final Schedule schedule;
    private final ThreadRun[] threads;
    /** Whether the code of all threads is run, also where it is known what it does. */
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

    /** All of them, by their numbers. */
    ThreadRun[] all() {
        return threads;
    }

    /** Has all threads be at their beginnings. */
    void begin() {
        subject.begin();
        for (ThreadRun thread : threads) {
            thread.reset();
        }
    }

    /**
     * Runs the threads, {@code first} before the others if it is not -1, until none can go on or the run of the graph ends.
     * The code of each runs from its beginning, but not as long as it is known what it does.
     */
    void run(int first) {
        begin();
        if (first >= 0 && canGoOn(threads[first])) {
            run(threads[first], schedule.turn(builder.graph().size()));
        }
        goOn();
    }

    /** Runs all threads from their beginnings, until none can go on or the run of the graph ends. */
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
            thread.waiting().keepFailedRounds(true);
            run(thread, Integer.MAX_VALUE);
            thread.waiting().keepFailedRounds(false);
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
     * Runs the code of a thread while that of another one is running, if it has more to do, or more to do again; not if it is
     * running itself, further down on the stack.
     */
    void runNested(int thread, int turn) {
        if (!threads[thread].isActive() && (canGoOn(threads[thread]) || threads[thread].isBehind())) {
            threads[thread].run(turn);
        }
    }

    /**
     * Runs all threads in the graph as it is, and no further; then they stand where it leaves them.
     *
     * @return what fails first, or null
     */
    @Nullable
    Failure runInWhole() {
        Failure found = null;
        begin();
        // One run each is enough: what a thread needs of others, those make while it waits for them.
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

    /** When no other thread can go on: one that waits for news, or null. */
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
