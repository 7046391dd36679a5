package dev.cqs.sync;

import dev.cqs.Waiter;
import java.util.function.BiFunction;

/** A request for a mutex that is held, between its two steps: it is counted, and has yet to come into the queue. */
public final class CountedRequest {

    private final Mutex mutex;
    private final long before;

    /** Counts it. */
    public CountedRequest(Mutex mutex) {
        this.mutex = mutex;
        before = mutex.take();
    }

    /** Comes into the queue; answers as {@link Mutex#lock} does. */
    public <W extends Waiter> W comes(W waiter, BiFunction<Object, W, W> itself) {
        return mutex.await(before, mutex, waiter, itself);
    }
}
