package dev.cqs;

import java.util.Deque;
import java.util.function.Supplier;

/** The kinds of rendezvous, with the order in which waiters are matched. */
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

    /** Takes out the waiter that is matched next, of waiters that came in this order. */
    public <W> W next(Deque<W> waiting) {
        return this == FAIR ? waiting.pollFirst() : waiting.pollLast();
    }
}
