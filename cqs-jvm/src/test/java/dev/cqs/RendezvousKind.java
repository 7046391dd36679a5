package dev.cqs;

import java.util.Deque;
import java.util.function.Supplier;

/** The meeting points, with the order in which those who wait are met. */
public enum RendezvousKind {
    FAIR(Rendezvous::fair),
    UNFAIR(Rendezvous::unfair);

    private final Supplier<Rendezvous> maker;

    RendezvousKind(Supplier<Rendezvous> maker) {
        this.maker = maker;
    }

    Rendezvous make() {
        return maker.get();
    }

    /** Takes out who is met next, of those who came in this order. */
    public <W> W next(Deque<W> waiting) {
        return this == FAIR ? waiting.pollFirst() : waiting.pollLast();
    }
}
