package dev.cqs.modelchecked.queue;

import dev.cqs.CancellationMode;
import dev.cqs.Inspection;
import dev.cqs.ResumeMode;
import dev.cqs.amc.Arbiter;

/**
 * Threads that ask for permits, give them, and give up. What a permit protects is plain, so that an order that is missing
 * is a race. A permit that is lost leaves a thread waiting forever.
 */
abstract class QueueScenario {

    private final boolean smart;
    final Permits permits;
    /** Written by the thread that gives a permit, read by the thread that gets it. */
    private int payload;
    // Each is written by one thread.
    private final int[] granted = new int[4];
    private final int[] released = new int[4];
    private final int[] cancelled = new int[4];

    QueueScenario(ResumeMode resumption, CancellationMode cancellation) {
        smart = cancellation == CancellationMode.SMART;
        permits = new Permits(0, resumption, cancellation);
    }

    /** Asks for a permit, and waits for it. */
    final boolean take(int me) {
        Ticket ticket = new Ticket();
        Permits.Request request = permits.acquire(ticket);
        if (request == Permits.Request.BROKEN) {
            return false;
        }
        if (request == Permits.Request.WAITING) {
            ticket.await();
            assert !Inspection.isEnqueued(ticket) : "the ticket keeps its place";
        }
        granted[me]++;
        return true;
    }

    /** Asks for a permit, gives up at once, and gives the permit back if it was too late for that. */
    final void giveUp(int me) {
        Ticket ticket = new Ticket();
        Permits.Request request = permits.acquire(ticket);
        if (request == Permits.Request.BROKEN) {
            return;
        }
        if (request == Permits.Request.WAITING) {
            beforeLeaving();
            if (leave(me, ticket)) {
                return;
            }
            ticket.await();
        }
        granted[me]++;
        give(me);
    }

    /** What is done between the request and its end by {@link #giveUp}. */
    void beforeLeaving() {}

    /** Takes a ticket out of the line, if it still waits there. */
    final boolean leave(int me, Ticket ticket) {
        boolean left = ticket.giveUp();
        if (left) {
            cancelled[me]++;
        }
        return left;
    }

    /** Returns how many attempts have failed. */
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

    /** How many have been granted a permit. */
    int granted() {
        return sum(granted);
    }

    /** How many wait at the end. */
    int waiting() {
        return 0;
    }

    /** Fails if a ticket has been passed by one that came later. */
    void checkOrder() {}

    @Arbiter
    void nothingIsLostOrDoubledOrKept() {
        int free = permits.free();
        int most = sum(released) - granted() - waiting();
        // In simple mode, cancelled requests are counted until a release comes to them.
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
