package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.Waiting.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.FutureTarget.Kind;
import dev.cqs.threads.Waiting.Attempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that wait as futures. */
class FutureTest {
    private static final Grant OTHER = new Grant(() -> {});

    /** How others than the primitive complete a future. */
    private enum Completion {
        CANCEL(future -> assertTrue(future.cancel(true))),
        COMPLETE(future -> assertTrue(future.complete(OTHER))),
        COMPLETE_WITH_NULL(future -> assertTrue(future.complete(null))),
        COMPLETE_EXCEPTIONALLY(future -> assertTrue(future.completeExceptionally(new Exception()))),
        COMPLETE_ASYNC(future -> future.completeAsync(() -> OTHER)),
        OBTRUDE_VALUE(future -> future.obtrudeValue(OTHER)),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(new Exception())),
        OR_TIMEOUT(future -> future.orTimeout(1, TimeUnit.NANOSECONDS)),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout(OTHER, 1, TimeUnit.NANOSECONDS));

        private final Consumer<CompletableFuture<Grant>> way;

        Completion(Consumer<CompletableFuture<Grant>> way) {
            this.way = way;
        }

        void apply(CompletableFuture<Grant> future) {
            way.accept(future);
        }
    }

    static Stream<Arguments> completions() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(Completion.values()).map(way -> Arguments.of(kind, way)));
    }

    static Stream<Arguments> threads() {
        return Stream.of(Kind.values())
                .flatMap(kind -> ThreadKind.available().stream().map(thread -> Arguments.of(kind, thread)));
    }

    // Grants

    @ParameterizedTest
    @EnumSource
    void aGrantIsThereAtOnceIfNothingIsInTheWay(Kind kind) {
        FutureTarget asked = kind.make();
        Grant grant = asked.hold();
        assertFalse(grant.isClosed());
        assertTrue(grant.toString().endsWith("[open]"), grant.toString());
        assertFalse(asked.isFree());
        grant.close();
        assertTrue(grant.isClosed());
        assertTrue(grant.toString().endsWith("[closed]"), grant.toString());
        asked.assertIdle();
        assertNotSame(grant, asked.hold());
    }

    @ParameterizedTest
    @EnumSource
    void closingAGrantAgainDoesNothing(Kind kind) {
        FutureTarget asked = kind.make();
        Grant first = asked.hold();
        first.close();
        Grant second = asked.hold();
        CompletableFuture<Grant> third = asked.waiting();
        first.close();
        assertFalse(third.isDone());
        second.close();
        second.close();
        assertFalse(asked.isFree(), "the third has it");
        granted(third).close();
        granted(third).close();
        asked.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aGrantBelongsToNoThread(Kind kind) {
        FutureTarget asked = kind.make();
        Grant grant = asked.hold();
        Waiting.run(ThreadKind.PLATFORM, grant::close).isGranted();
        asked.assertIdle();
    }

    @Test
    void noThreadIsOnRecordWhileAGrantHoldsTheMutex() {
        ReentrantLock lock = new ReentrantLock();
        Mutex mutex = Mutex.viewOf(lock.core());
        Grant atOnce = mutex.lockAsync().join();
        CompletableFuture<Grant> later = mutex.lockAsync();
        for (Grant grant : new Grant[] {atOnce, null}) {
            Grant held = grant != null ? grant : granted(later);
            assertTrue(lock.isLocked());
            assertFalse(lock.isHeldByCurrentThread());
            assertNull(lock.getOwner());
            assertEquals(0, lock.getHoldCount());
            assertThrows(IllegalMonitorStateException.class, lock::unlock);
            assertThrows(IllegalMonitorStateException.class, mutex::unlock);
            assertFalse(lock.tryLock(), "the thread that asked enters no more easily than others");
            assertFalse(mutex.tryLock());
            held.close();
        }
        assertFalse(lock.isLocked());
    }

    // Order

    @ParameterizedTest
    @MethodSource("threads")
    void futuresAndThreadsAreServedInTheOrderOfTheirArrival(Kind kind, ThreadKind threads) {
        FutureTarget asked = kind.make();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        Grant holder = asked.hold();
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            if (i % 3 == 1) {
                attempts.add(asked.waitingThread(threads, () -> order.add(number)));
            } else {
                asked.waiting().thenAccept(grant -> {
                    order.add(number);
                    grant.close();
                });
            }
        }
        assertEquals(20, asked.queueLength());
        holder.close();
        until("all were served", () -> order.size() == 20);
        attempts.forEach(Attempt::isGranted);
        assertEquals(Stream.iterate(0, i -> i + 1).limit(20).toList(), order);
        asked.assertIdle();
    }

    @Test
    void aLargeRequestIsNotOvertakenAndSmallOnesFitBehindIt() {
        Semaphore semaphore = new Semaphore(0);
        CompletableFuture<Grant> three = semaphore.acquireAsync(3);
        CompletableFuture<Grant> none = semaphore.acquireAsync(0);
        CompletableFuture<Grant> one = semaphore.acquireAsync();
        semaphore.release(2);
        assertFalse(three.isDone() || none.isDone() || one.isDone());
        semaphore.release(2);
        assertTrue(three.isDone() && none.isDone() && one.isDone());
        granted(none).close();
        granted(three).close();
        assertEquals(3, semaphore.availablePermits());
        granted(one).close();
        assertEquals(4, semaphore.availablePermits());
    }

    // Giving up

    @ParameterizedTest
    @MethodSource("completions")
    void whoeverCompletesTheFutureTakesItsRequestOutOfTheQueue(Kind kind, Completion completion) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> first = asked.waiting();
        CompletableFuture<Grant> gone = asked.waiting();
        CompletableFuture<Grant> last = asked.waiting();
        completion.apply(gone);
        until("it has left the queue", () -> gone.isDone() && asked.queueLength() == 2);
        holder.close();
        assertFalse(last.isDone());
        granted(first).close();
        granted(last).close();
        asked.assertIdle();
        assertTrue(gone.isDone());
    }

    @ParameterizedTest
    @MethodSource("completions")
    void theHeadThatIsCompletedByOthersTakesNothing(Kind kind, Completion completion) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> gone = asked.waiting();
        completion.apply(gone);
        until("it has left the queue", () -> asked.queueLength() == 0);
        holder.close();
        asked.assertIdle();
        if (completion != Completion.COMPLETE_WITH_NULL && !gone.isCompletedExceptionally()) {
            assertSame(OTHER, gone.join());
        }
    }

    @Test
    void aLargeHeadThatIsCancelledLetsTheSmallerOnesGo() {
        Semaphore semaphore = new Semaphore(1);
        CompletableFuture<Grant> large = semaphore.acquireAsync(3);
        CompletableFuture<Grant> small = semaphore.acquireAsync();
        assertFalse(small.isDone());
        assertTrue(large.cancel(false));
        assertTrue(small.isDone());
        granted(small).close();
        assertEquals(1, semaphore.availablePermits());
    }

    @ParameterizedTest
    @EnumSource
    void cancellingAGrantedFutureTakesNothingAway(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> future = asked.waiting();
        holder.close();
        assertFalse(future.cancel(true));
        assertFalse(asked.isFree());
        granted(future).close();
        asked.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void cancellingAFutureThatWasDerivedGivesNothingUp(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> future = asked.waiting();
        CompletableFuture<Grant> copy = future.copy();
        assertTrue(copy.cancel(true));
        assertEquals(1, asked.queueLength());
        holder.close();
        granted(future).close();
        asked.assertIdle();
    }

    /** Any cost per waiter that is in the queue would never end. */
    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void aHundredThousandGiveUpFromTheEndAndTheLiveOnePasses(Kind kind) {
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        List<CompletableFuture<Grant>> futures = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            futures.add(asked.ask());
        }
        CompletableFuture<Grant> live = asked.waiting();
        for (int i = futures.size() - 1; i >= 0; i--) {
            futures.get(i).complete(null); // as cancel, without an exception each
        }
        assertEquals(1, asked.queueLength());
        holder.close();
        granted(live).close();
        asked.assertIdle();
    }

    // Closing and bad arguments

    @ParameterizedTest
    @EnumSource
    void closingFailsTheFuturesThatWaitAndThoseThatCome(Kind kind) {
        Throwable cause = new Throwable("the cause");
        FutureTarget asked = kind.make();
        Grant holder = asked.hold();
        CompletableFuture<Grant> waiting = asked.waiting();
        CompletableFuture<Grant> cancelled = asked.waiting();
        assertTrue(cancelled.cancel(true));
        CompletableFuture<Grant> behind = asked.waiting();
        assertTrue(asked.close(cause));
        CompletableFuture<Grant> late = asked.ask();
        for (CompletableFuture<Grant> future : List.of(waiting, behind, late)) {
            Throwable thrown =
                    assertThrows(CompletionException.class, future::join).getCause();
            assertSame(ClosedException.class, thrown.getClass());
            assertSame(cause, thrown.getCause());
        }
        assertTrue(cancelled.isCancelled());
        assertFalse(asked.isFree());
        holder.close();
        asked.assertIdle();
    }

    @Test
    void aNegativeNumberOfPermitsIsRefusedBeforeThereIsAFuture() {
        Semaphore semaphore = new Semaphore(1);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(-1));
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(Integer.MIN_VALUE));
        assertEquals(1, semaphore.availablePermits());
        semaphore.core().close(null);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(-1));
    }
}
