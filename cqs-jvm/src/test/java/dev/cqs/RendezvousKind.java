package dev.cqs;

import java.util.Deque;
import java.util.function.Supplier;

/** The kinds of rendezvous, as a parameter of tests that hold for both, with the order in which each matches waiters. */
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

    /** Removes the waiter that this kind matches next. {@code waiting} is in order of arrival. */
    public <W> W next(Deque<W> waiting) {
        return this == FAIR ? waiting.pollFirst() : waiting.pollLast();
    }
}
