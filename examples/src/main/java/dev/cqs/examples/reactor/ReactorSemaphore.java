package dev.cqs.examples.reactor;

import dev.cqs.sync.Semaphore;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A view of a semaphore for Reactor. Publishers, threads and coroutines that share its core wait in one queue.
 *
 * <p>The safe shape holds the permit around a publisher: {@link #withPermit(Mono)} and {@link #withPermit(Flux)} give it back
 * when the publisher completes, fails or is cancelled. {@link #acquire} hands out the bare permit, and the subscriber has to
 * close it.
 *
 * <pre>{@code
 * ReactorSemaphore connections = new ReactorSemaphore(10);
 * Mono<Row> row = connections.withPermit(query(id)).timeout(Duration.ofMillis(50));
 * }</pre>
 */
public final class ReactorSemaphore {
    private final Semaphore core;

    /** Creates a semaphore with so many permits. */
    public ReactorSemaphore(int permits) {
        this(new Semaphore(permits));
    }

    private ReactorSemaphore(Semaphore core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /** A view of a semaphore that others use as well. */
    public static ReactorSemaphore viewOf(Semaphore core) {
        return new ReactorSemaphore(core);
    }

    /** Runs {@code work} with a permit, for each subscriber anew. To be disposed, or to time out, leaves the queue. */
    public <T> Mono<T> withPermit(Mono<T> work) {
        return Mono.usingWhen(acquire(), permit -> work, permit -> Mono.fromRunnable(permit::close));
    }

    /** The same for a publisher of many elements, which holds the permit until the last one. */
    public <T> Flux<T> withPermit(Flux<T> work) {
        return Flux.usingWhen(acquire(), permit -> work, permit -> Mono.fromRunnable(permit::close));
    }

    /**
     * A permit for each subscriber, which the subscriber has to close. No permit is lost while it is on its way here. Operators
     * behind this one may drop it, a filter or a cancelled timeout for example; they tell the hook for that, which only the end
     * of the chain can set:
     *
     * <pre>{@code
     * semaphore.acquire().filter(...).doOnDiscard(Permit.class, Permit::close)
     * }</pre>
     */
    public Mono<Permit> acquire() {
        return new PermitMono(core);
    }

    /** The semaphore that this is a view of. */
    public Semaphore core() {
        return core;
    }
}
