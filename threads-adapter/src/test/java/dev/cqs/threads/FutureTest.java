package dev.cqs.threads;

import static dev.cqs.threads.FutureTarget.granted;
import static dev.cqs.threads.TestThreads.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.sync.ClosedException;
import dev.cqs.threads.FutureTarget.Kind;
import dev.cqs.threads.TestThreads.Attempt;
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

    /** How the user of a future completes it. */
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
    void aFutureOfAFreePrimitiveIsGrantedAtOnce(Kind kind) {
        FutureTarget target = kind.make();
        Grant grant = target.hold();
        assertFalse(grant.isClosed());
        assertTrue(grant.toString().endsWith("[open]"), grant.toString());
        assertFalse(target.isFree());
        grant.close();
        assertTrue(grant.isClosed());
        assertTrue(grant.toString().endsWith("[closed]"), grant.toString());
        target.assertIdle();
        assertNotSame(grant, target.hold());
    }

    @ParameterizedTest
    @EnumSource
    void closingAGrantAgainDoesNothing(Kind kind) {
        FutureTarget target = kind.make();
        Grant first = target.hold();
        first.close();
        Grant second = target.hold();
        CompletableFuture<Grant> third = target.waiting();
        first.close();
        assertFalse(third.isDone());
        second.close();
        second.close();
        assertFalse(target.isFree(), "the third request holds it");
        granted(third).close();
        granted(third).close();
        target.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void aGrantBelongsToNoThread(Kind kind) {
        FutureTarget target = kind.make();
        Grant grant = target.hold();
        TestThreads.run(ThreadKind.PLATFORM, grant::close).isGranted();
        target.assertIdle();
    }

    @Test
    void noThreadIsTheOwnerWhileAGrantHoldsTheMutex() {
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
            assertFalse(lock.tryLock(), "the requesting thread is not the owner");
            assertFalse(mutex.tryLock());
            held.close();
        }
        assertFalse(lock.isLocked());
    }

    // Order

    @ParameterizedTest
    @MethodSource("threads")
    void futuresAndThreadsAreServedInFifoOrder(Kind kind, ThreadKind threads) {
        FutureTarget target = kind.make();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        Grant holder = target.hold();
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            if (i % 3 == 1) {
                attempts.add(target.waitingThread(threads, () -> order.add(number)));
            } else {
                target.waiting().thenAccept(grant -> {
                    order.add(number);
                    grant.close();
                });
            }
        }
        assertEquals(20, target.queueLength());
        holder.close();
        until("all are served", () -> order.size() == 20);
        attempts.forEach(Attempt::isGranted);
        assertEquals(Stream.iterate(0, i -> i + 1).limit(20).toList(), order);
        target.assertIdle();
    }

    @Test
    void aLargeRequestIsNotOvertakenBySmallOnes() {
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

    // Cancellation

    @ParameterizedTest
    @MethodSource("completions")
    void completingAFutureRemovesItsRequestFromTheQueue(Kind kind, Completion completion) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> first = target.waiting();
        CompletableFuture<Grant> gone = target.waiting();
        CompletableFuture<Grant> last = target.waiting();
        completion.apply(gone);
        until("it has left the queue", () -> gone.isDone() && target.queueLength() == 2);
        holder.close();
        assertFalse(last.isDone());
        granted(first).close();
        granted(last).close();
        target.assertIdle();
        assertTrue(gone.isDone());
    }

    @ParameterizedTest
    @MethodSource("completions")
    void aHeadCompletedByItsUserTakesNoPermits(Kind kind, Completion completion) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> gone = target.waiting();
        completion.apply(gone);
        until("it has left the queue", () -> target.queueLength() == 0);
        holder.close();
        target.assertIdle();
        if (completion != Completion.COMPLETE_WITH_NULL && !gone.isCompletedExceptionally()) {
            assertSame(OTHER, gone.join());
        }
    }

    @Test
    void aCancelledLargeHeadLetsSmallerRequestsBeServed() {
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
    void cancellingAGrantedFutureHasNoEffect(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> future = target.waiting();
        holder.close();
        assertFalse(future.cancel(true));
        assertFalse(target.isFree());
        granted(future).close();
        target.assertIdle();
    }

    @ParameterizedTest
    @EnumSource
    void cancellingADerivedFutureDoesNotCancelTheRequest(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> future = target.waiting();
        CompletableFuture<Grant> copy = future.copy();
        assertTrue(copy.cancel(true));
        assertEquals(1, target.queueLength());
        holder.close();
        granted(future).close();
        target.assertIdle();
    }

    /** A cost for each waiter in the queue would exceed the time limit. */
    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void aHundredThousandCancellationsFromTheEndCostConstantTimeEach(Kind kind) {
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        List<CompletableFuture<Grant>> futures = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            futures.add(target.request());
        }
        CompletableFuture<Grant> live = target.waiting();
        for (int i = futures.size() - 1; i >= 0; i--) {
            futures.get(i).complete(null); // cancels without creating an exception
        }
        assertEquals(1, target.queueLength());
        holder.close();
        granted(live).close();
        target.assertIdle();
    }

    // Closing and bad arguments

    @ParameterizedTest
    @EnumSource
    void closingFailsPresentAndLaterFutures(Kind kind) {
        Throwable cause = new Throwable("the cause");
        FutureTarget target = kind.make();
        Grant holder = target.hold();
        CompletableFuture<Grant> waiting = target.waiting();
        CompletableFuture<Grant> cancelled = target.waiting();
        assertTrue(cancelled.cancel(true));
        CompletableFuture<Grant> behind = target.waiting();
        assertTrue(target.close(cause));
        CompletableFuture<Grant> late = target.request();
        for (CompletableFuture<Grant> future : List.of(waiting, behind, late)) {
            Throwable thrown =
                    assertThrows(CompletionException.class, future::join).getCause();
            assertSame(ClosedException.class, thrown.getClass());
            assertSame(cause, thrown.getCause());
        }
        assertTrue(cancelled.isCancelled());
        assertFalse(target.isFree());
        holder.close();
        target.assertIdle();
    }

    @Test
    void aNegativeNumberOfPermitsThrowsInsteadOfReturningAFuture() {
        Semaphore semaphore = new Semaphore(1);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(-1));
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(Integer.MIN_VALUE));
        assertEquals(1, semaphore.availablePermits());
        semaphore.core().close(null);
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquireAsync(-1));
    }
}
