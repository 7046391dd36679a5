package dev.cqs.examples.reactor;

import dev.cqs.sync.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** A permit of a {@link ReactorSemaphore}, until it is closed. Any thread may close it. */
public final class Permit implements AutoCloseable {
    private final AtomicReference<Semaphore> semaphore;

    Permit(Semaphore semaphore) {
        this.semaphore = new AtomicReference<>(semaphore);
    }

    /** Releases the permit. Only the first call has an effect. */
    @Override
    public void close() {
        Semaphore once = semaphore.getAndSet(null);
        if (once != null) {
            once.release();
        }
    }
}
