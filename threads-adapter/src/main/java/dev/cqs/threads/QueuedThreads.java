package dev.cqs.threads;

import dev.cqs.Waiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.function.Consumer;

/** The threads among the waiters of a primitive, which may have waiters of other kinds as well. */
final class QueuedThreads implements Consumer<Waiter> {
    private final Collection<Thread> threads = new ArrayList<>();

    @Override
    public void accept(Waiter waiter) {
        if (waiter instanceof ThreadWaiter parked) {
            Thread thread = parked.thread();
            if (thread != null) {
                threads.add(thread);
            }
        }
    }

    /** First to last. */
    Collection<Thread> get() {
        return threads;
    }
}
