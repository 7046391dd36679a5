package dev.cqs.modelchecked.queue;

import dev.cqs.CancellationMode;
import dev.cqs.Inspection;
import dev.cqs.ResumeMode;

/** A scenario whose first waiters are enqueued before the threads start, which takes fewer steps. */
abstract class PrefilledScenario extends QueueScenario {

    private final Ticket[] tickets;

    PrefilledScenario(ResumeMode resumption, CancellationMode cancellation, int length) {
        super(resumption, cancellation);
        tickets = new Ticket[length];
        for (int i = 0; i < length; i++) {
            tickets[i] = new Ticket();
            permits.acquire(tickets[i]);
        }
    }

    final Ticket ticket(int place) {
        return tickets[place];
    }

    @Override
    int granted() {
        int granted = 0;
        for (Ticket ticket : tickets) {
            granted += ticket.isGranted() ? 1 : 0;
        }
        return granted;
    }

    @Override
    int waiting() {
        int waiting = 0;
        for (Ticket ticket : tickets) {
            waiting += Inspection.isEnqueued(ticket) ? 1 : 0;
        }
        return waiting;
    }

    /** Checks that no waiting ticket was overtaken by a later one. */
    @Override
    void checkOrder() {
        boolean waits = false;
        for (Ticket ticket : tickets) {
            assert !(waits && ticket.isGranted()) : "a ticket was overtaken";
            waits |= Inspection.isEnqueued(ticket);
        }
    }
}
