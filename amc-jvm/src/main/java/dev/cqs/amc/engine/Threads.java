package dev.cqs.amc.engine;

import java.util.Arrays;

/** The threads of a program, and which of them runs next in the present graph. */
final class Threads {

    private final Subject subject;
    private final Growth growth;
    private final Findings findings;
    private final Schedule schedule;
    private final ThreadRun[] threads;

    Threads(Explorer explorer, Schedule schedule) {
        this.schedule = schedule;
        subject = explorer.subject();
        growth = explorer.growth();
        findings = explorer.findings();
        threads = new ThreadRun[subject.threads()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new ThreadRun(explorer, i);
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

    /** Runs the threads, from their beginnings, until none can go on or the run of the graph ends. */
    void run() {
        begin();
        while (!findings.isRunOver()) {
            ThreadRun thread = nextReady();
            if (thread != null) {
                thread.run(schedule.turn(growth.graph().size()));
                continue;
            }
            thread = nextWaiting();
            if (thread == null) {
                break;
            }
            thread.runIntoWait();
        }
    }

    /** Runs a thread while another one is running; not if it is running itself, further down on the stack. */
    void runNested(int thread, int turn) {
        if (!threads[thread].isActive() && canGoOn(threads[thread])) {
            threads[thread].run(turn);
        }
    }

    /**
     * Runs all threads in the graph as it is, and no further; then they stand where it leaves them.
     *
     * @return what fails first, or null
     */
    Failure runInWhole() {
        Failure found = null;
        begin();
        // One run each is enough: what a thread needs of others, those make while it waits for them.
        for (ThreadRun thread : threads) {
            if (isStarted(thread)) {
                findings.replaceFailure(null);
                thread.run(0);
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

    private ThreadRun nextReady() {
        int[] order = schedule.order();
        int first = schedule.first(growth.graph().size());
        for (int i = 0; i < order.length; i++) {
            ThreadRun thread = threads[order[(first + i) % order.length]];
            if (canGoOn(thread)) {
                return thread;
            }
        }
        return null;
    }

    /** When no other thread can go on: one that waits for news, or null. */
    private ThreadRun nextWaiting() {
        for (int thread : schedule.order()) {
            if (threads[thread].isWaiting()) {
                return threads[thread];
            }
        }
        return null;
    }

    private boolean isStarted(ThreadRun thread) {
        return switch (subject.start(thread.id())) {
            case AT_ONCE -> true;
            case WHEN_CREATED -> growth.graph().creation(thread.id()) != null;
            default -> allOthersEnded(thread);
        };
    }

    private boolean allOthersEnded(ThreadRun last) {
        for (ThreadRun thread : threads) {
            if (thread != last && !thread.hasEnded() && (thread.isBlocked() || isStarted(thread))) {
                return false;
            }
        }
        return true;
    }
}
