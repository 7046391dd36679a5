package dev.cqs.examples.reactor;

import dev.cqs.sync.Semaphore;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A view of a semaphore for Reactor. Publishers, threads and coroutines that share its core wait in one queue.
 *
 * <p>The safe form holds the permit around a publisher: {@link #withPermit(Mono)} and {@link #withPermit(Flux)} release it
 * when the publisher completes, fails or is cancelled. {@link #acquire} returns the permit itself, which the subscriber must
 * close.
 *
 * <pre>{@code
 * ReactorSemaphore connections = new ReactorSemaphore(10);
 * Mono<Row> row = connections.withPermit(query(id)).timeout(Duration.ofMillis(50));
 * }</pre>
 */
public final class ReactorSemaphore {
    private final Semaphore core;

    /** Creates a semaphore with {@code permits} permits. */
    public ReactorSemaphore(int permits) {
        this(new Semaphore(permits));
    }

    private ReactorSemaphore(Semaphore core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /** A view of a semaphore, which other views may share. */
    public static ReactorSemaphore viewOf(Semaphore core) {
        return new ReactorSemaphore(core);
    }

    /** Runs {@code work} with a permit, one for each subscriber. A dispose or a timeout cancels a waiting request. */
    public <T> Mono<T> withPermit(Mono<T> work) {
        return Mono.usingWhen(acquire(), permit -> work, permit -> Mono.fromRunnable(permit::close));
    }

    /** As {@link #withPermit(Mono)}, for a publisher of many elements. The permit is held until the last one. */
    public <T> Flux<T> withPermit(Flux<T> work) {
        return Flux.usingWhen(acquire(), permit -> work, permit -> Mono.fromRunnable(permit::close));
    }

    /**
     * A permit for each subscriber, which the subscriber must close. No permit is lost before it is emitted here. Operators
     * behind this one may discard it, for example a filter or a cancelled timeout. They call the discard hook, which only the
     * end of the chain can set:
     *
     * <pre>{@code
     * semaphore.acquire().filter(...).doOnDiscard(Permit.class, Permit::close)
     * }</pre>
     */
    public Mono<Permit> acquire() {
        return new PermitMono(core);
    }

    /** The core of this view. */
    public Semaphore core() {
        return core;
    }
}
