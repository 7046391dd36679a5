package dev.cqs.examples.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** What an adapter has to keep: order, no permit lost to a cancellation at any moment, timeouts, a flat stack. */
@Timeout(60)
class ReactorSemaphoreTest {
    private final Semaphore core = new Semaphore(1);
    private final ReactorSemaphore semaphore = ReactorSemaphore.viewOf(core);

    @Test
    void workRunsWithThePermitAndGivesItBack() {
        StepVerifier.create(semaphore.withPermit(Mono.fromCallable(core::availablePermits)))
                .expectNext(0)
                .verifyComplete();
        StepVerifier.create(semaphore.withPermit(Flux.range(1, 3)))
                .expectNext(1, 2, 3)
                .verifyComplete();
        StepVerifier.create(semaphore.withPermit(Mono.error(new IllegalStateException("work"))))
                .verifyErrorMessage("work");
        assertEquals(1, core.availablePermits());
    }

    @Test
    void subscribersAreServedInTheOrderInWhichTheyAskedWhateverElseWaitsInTheQueue() throws InterruptedException {
        assertTrue(core.tryAcquire());
        List<String> order = new ArrayList<>();
        semaphore.withPermit(Mono.fromRunnable(() -> order.add("first"))).subscribe();
        Thread thread = new Thread(() -> {
            dev.cqs.threads.Semaphore forThreads = dev.cqs.threads.Semaphore.viewOf(core);
            forThreads.acquireUninterruptibly();
            order.add("a thread");
            forThreads.release();
        });
        thread.start();
        while (core.queueLength() < 2 || waiters() < 2) {
            Thread.onSpinWait();
        }
        semaphore.withPermit(Mono.fromRunnable(() -> order.add("third"))).subscribe();
        core.release();
        thread.join();
        assertEquals(List.of("first", "a thread", "third"), order);
        assertEquals(1, core.availablePermits());
    }

    private int waiters() {
        int[] count = new int[1];
        core.forEachWaiter(waiter -> count[0]++);
        return count[0];
    }

    @Test
    void disposingWhileItWaitsLeavesTheQueue() {
        assertTrue(core.tryAcquire());
        Disposable waiting = semaphore.withPermit(Mono.never()).subscribe();
        assertEquals(1, core.queueLength());
        waiting.dispose();
        assertEquals(0, core.queueLength());
        core.release();
        assertEquals(1, core.availablePermits());
    }

    @Test
    void disposingWhileItWorksGivesThePermitBack() {
        Disposable working = semaphore.withPermit(Mono.never()).subscribe();
        assertEquals(0, core.availablePermits());
        working.dispose();
        assertEquals(1, core.availablePermits());
    }

    @Test
    void aSubscriberThatCancelsAsItReceivesThePermitKeepsIt() {
        List<Permit> received = new ArrayList<>();
        semaphore.acquire().subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnNext(Permit permit) {
                received.add(permit);
                cancel();
            }
        });
        assertEquals(0, core.availablePermits());
        received.get(0).close();
        received.get(0).close();
        assertEquals(1, core.availablePermits(), "a permit is given back once");
    }

    @Test
    void noPermitIsLostWhenACancellationMeetsTheGrant() throws Exception {
        int rounds = 20_000;
        AtomicInteger served = new AtomicInteger();
        CyclicBarrier both = new CyclicBarrier(2);
        Disposable[] waiting = new Disposable[1];
        Thread canceller = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                await(both);
                waiting[0].dispose();
                await(both);
            }
        });
        canceller.start();
        for (int i = 0; i < rounds; i++) {
            assertTrue(core.tryAcquire());
            waiting[0] = semaphore
                    .withPermit(Mono.fromRunnable(served::incrementAndGet))
                    .subscribe();
            await(both);
            core.release();
            await(both);
            assertEquals(1, core.availablePermits(), "after round " + i);
            assertEquals(0, core.queueLength());
        }
        canceller.join();
        assertTrue(served.get() > 0 && served.get() <= rounds);
    }

    @Test
    void aCancellationInTheMiddleOfTheRequestLeavesTheQueue() throws Exception {
        assertTrue(core.tryAcquire());
        CyclicBarrier both = new CyclicBarrier(2);
        AtomicReference<Subscription> asking = new AtomicReference<>();
        int rounds = 30_000;
        Thread canceller = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                await(both);
                Subscription subscription;
                do {
                    subscription = asking.get();
                } while (subscription == null);
                for (int spins = i % 64; spins > 0; spins--) {
                    Thread.onSpinWait(); // at another moment in each round
                }
                subscription.cancel();
                await(both);
            }
        });
        canceller.start();
        for (int i = 0; i < rounds; i++) {
            asking.set(null);
            await(both);
            semaphore.acquire().subscribe(new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    asking.set(subscription);
                    subscription.request(1);
                }
            });
            await(both);
            assertEquals(0, core.queueLength(), "after round " + i);
        }
        canceller.join();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPermitThatAnOperatorDropsIsReleasedByTheHookAtTheEndOfTheChain() {
        Mono<Permit> dropped = semaphore.acquire().filter(permit -> false);
        StepVerifier.create(dropped.doOnDiscard(Permit.class, Permit::close)).verifyComplete();
        assertEquals(1, core.availablePermits());
        StepVerifier.create(dropped).verifyComplete();
        assertEquals(0, core.availablePermits(), "without the hook it is lost, as the documentation says");
    }

    @Test
    void aTimeoutLeavesTheQueue() {
        assertTrue(core.tryAcquire());
        StepVerifier.withVirtualTime(
                        () -> semaphore.withPermit(Mono.just("late")).timeout(Duration.ofSeconds(1)))
                .expectSubscription()
                .thenAwait(Duration.ofSeconds(1))
                .verifyError(java.util.concurrent.TimeoutException.class);
        assertEquals(0, core.queueLength());
    }

    @Test
    void nothingIsAskedBeforeTheSubscriberAsks() {
        assertTrue(core.tryAcquire());
        StepVerifier.create(semaphore.acquire(), 0)
                .expectSubscription()
                .then(() -> assertEquals(0, core.queueLength()))
                .thenRequest(1)
                .then(() -> assertEquals(1, core.queueLength()))
                .then(core::release)
                .consumeNextWith(Permit::close)
                .verifyComplete();
        assertEquals(1, core.availablePermits());
    }

    @Test
    void aClosedSemaphoreFailsSubscribersThatWaitAndThatCome() {
        assertTrue(core.tryAcquire());
        StepVerifier.create(semaphore.acquire())
                .then(() -> core.close(new IllegalStateException("shut down")))
                .verifyError(ClosedException.class);
        StepVerifier.create(semaphore.acquire()).verifyError(ClosedException.class);
    }

    @Test
    void aHundredThousandSubscribersThatReleaseAsTheyAreServedDoNotDeepenTheStack() {
        assertTrue(core.tryAcquire());
        int many = 100_000;
        AtomicInteger served = new AtomicInteger();
        Sinks.Empty<Void> end = Sinks.empty();
        for (int i = 0; i < many; i++) {
            semaphore.acquire().subscribe(permit -> {
                if (served.incrementAndGet() == many) {
                    end.tryEmitEmpty();
                }
                permit.close();
            });
        }
        core.release();
        StepVerifier.create(end.asMono()).verifyComplete();
        assertEquals(1, core.availablePermits());
    }
}
