package dev.cqs.modelchecked.queue;

import dev.cqs.CancellationMode;
import dev.cqs.Inspection;
import dev.cqs.ResumeMode;
import dev.cqs.amc.Arbiter;

/**
 * Threads that acquire and release permits, and cancel requests. The data that a permit guards is plain, so a missing order is
 * a race. A lost permit leaves a thread waiting for ever.
 */
abstract class QueueScenario {

    private final boolean smart;
    final MinimalSemaphore permits;
    /** Written by the thread that releases a permit, read by the thread that gets it. */
    private int payload;
    // Each slot is written by one thread.
    private final int[] granted = new int[4];
    private final int[] released = new int[4];
    private final int[] cancelled = new int[4];

    QueueScenario(ResumeMode resumption, CancellationMode cancellation) {
        smart = cancellation == CancellationMode.SMART;
        permits = new MinimalSemaphore(0, resumption, cancellation);
    }

    /** Acquires a permit. */
    final boolean take(int me) {
        Ticket ticket = new Ticket();
        MinimalSemaphore.Request request = permits.acquire(ticket);
        if (request == MinimalSemaphore.Request.BROKEN) {
            return false;
        }
        if (request == MinimalSemaphore.Request.WAITING) {
            ticket.await();
            assert !Inspection.isEnqueued(ticket) : "a finished ticket references its segment";
        }
        granted[me]++;
        return true;
    }

    /** Requests a permit and cancels the request at once. If it is too late for that, releases the permit. */
    final void giveUp(int me) {
        Ticket ticket = new Ticket();
        MinimalSemaphore.Request request = permits.acquire(ticket);
        if (request == MinimalSemaphore.Request.BROKEN) {
            return;
        }
        if (request == MinimalSemaphore.Request.WAITING) {
            beforeLeaving();
            if (leave(me, ticket)) {
                return;
            }
            ticket.await();
        }
        granted[me]++;
        give(me);
    }

    /** Runs between the request and its cancellation by {@link #giveUp}. */
    void beforeLeaving() {}

    /** Cancels a ticket, if it still waits. */
    final boolean leave(int me, Ticket ticket) {
        boolean left = ticket.giveUp();
        if (left) {
            cancelled[me]++;
        }
        return left;
    }

    /** Releases a permit, and returns the number of failed attempts. */
    final int give(int me) {
        released[me]++;
        return permits.release();
    }

    final void write() {
        payload = payload + 1;
    }

    final int read() {
        return payload;
    }

    /** The number of granted requests. */
    int granted() {
        return sum(granted);
    }

    /** The number of requests that wait at the end. */
    int waiting() {
        return 0;
    }

    /** Checks that no ticket was overtaken by a later one. */
    void checkOrder() {}

    @Arbiter
    void nothingIsLostOrDoubledOrKept() {
        int free = permits.free();
        int most = sum(released) - granted() - waiting();
        // In simple mode, cancelled requests are counted until a release reaches them.
        int least = smart ? most : most - sum(cancelled);
        assert least <= free && free <= most : "there are " + free + " permits, which should be " + most;
        checkOrder();
        String defect = Inspection.defect(permits.queue());
        assert defect == null : defect;
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
