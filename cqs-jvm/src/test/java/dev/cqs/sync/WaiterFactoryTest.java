package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestWaiter;
import dev.cqs.Waiter;
import dev.cqs.pool.Pool;
import dev.cqs.pool.PoolSlot;
import dev.cqs.pool.ResourcePool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How primitives call the factory of a waiter, and that a request whose factory fails is no longer counted. */
class WaiterFactoryTest {
    /** A primitive in a state in which a request must wait. */
    enum Situation {
        HELD_MUTEX,
        MUTEX_HELD_WITH_TOKEN,
        MUTEX_IN_DEMAND,
        MUTEX_IN_DEMAND_HELD_WITH_TOKEN,
        EMPTY_SEMAPHORE,
        SEMAPHORE_IN_DEMAND,
        UPGRADED_SEMAPHORE,
        UPGRADED_SEMAPHORE_IN_DEMAND,
        SEMAPHORE_IN_DEBT,
        /** The request is for two permits, of which one is free, and so upgrades the semaphore. */
        TWO_OF_ONE_PERMIT,
        /** The request is for two permits. Requests for one permit, counted before the upgrade, are ahead of it. */
        TWO_PERMITS_BEHIND_OTHERS,
        TWO_PERMITS_OF_UPGRADED_SEMAPHORE,
        NO_PERMITS_IN_DEBT,
        CLOSED_LATCH,
        LATCH_IN_DEMAND,
        STRIPED_LATCH,
        EMPTY_POOL,
        POOL_IN_DEMAND,
        RESOURCES_ALL_LENT,
        RESOURCES_IN_DEMAND;

        Subject subject() {
            return switch (this) {
                case HELD_MUTEX, MUTEX_HELD_WITH_TOKEN, MUTEX_IN_DEMAND, MUTEX_IN_DEMAND_HELD_WITH_TOKEN ->
                    new OfMutex(is("TOKEN"));
                case CLOSED_LATCH, LATCH_IN_DEMAND, STRIPED_LATCH -> new OfLatch(this == STRIPED_LATCH ? 10_000 : 1);
                case TWO_OF_ONE_PERMIT, TWO_PERMITS_BEHIND_OTHERS, TWO_PERMITS_OF_UPGRADED_SEMAPHORE ->
                    new OfSemaphore(2, this == TWO_OF_ONE_PERMIT ? 1 : 0, is("UPGRADED"));
                case NO_PERMITS_IN_DEBT -> new OfSemaphore(0, -1, true);
                case EMPTY_POOL, POOL_IN_DEMAND -> new OfPool();
                case RESOURCES_ALL_LENT, RESOURCES_IN_DEMAND -> new OfResources();
                default -> new OfSemaphore(1, this == SEMAPHORE_IN_DEBT ? -1 : 0, is("UPGRADED"));
            };
        }

        /** Makes the primitive, with requests in its queue if the situation has some. */
        Subject prepare() {
            Subject subject = subject();
            if (is("IN_DEMAND") || is("BEHIND_OTHERS")) {
                subject.enqueueSmall("first");
                assertTrue(subject.enqueueSmall("cancelled").cancelNow());
                subject.enqueueSmall("second");
            }
            return subject;
        }

        private boolean is(String part) {
            return name().contains(part);
        }
    }

    /** A primitive and a request that it cannot grant now. */
    abstract static class Subject {
        final List<TestWaiter> queued = new ArrayList<>();
        private final int need;

        Subject(int need) {
            this.need = need;
        }

        final TestWaiter newWaiter(String name) {
            return new TestWaiter(name, need);
        }

        /** The request of the situation. */
        abstract TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter);

        /** Enqueues a request for one permit. */
        final TestWaiter enqueueSmall(String name) {
            TestWaiter waiter = enqueue(new TestWaiter(name));
            queued.add(waiter);
            return waiter;
        }

        abstract TestWaiter enqueue(TestWaiter waiter);

        /** Everything that callers can see of the primitive. */
        abstract List<Object> visibleState();

        /** Releases everything that is missing, so that all requests in the queue are served. */
        abstract void putBack();

        /** Checks that no request waits, and that all permits are free but those of the requests that were in the queue. */
        abstract void assertIdle();

        /** Whether this is what a waiter is resumed with, by the primitive that its factory was called with. */
        boolean isGrant(Object value, Object primitive) {
            return value == primitive;
        }

        final void assertServed() {
            queued.removeIf(waiter -> waiter.name.equals("cancelled"));
            for (TestWaiter waiter : queued) {
                assertTrue(waiter.isResumed(), waiter::toString);
            }
            assertIdle();
        }

        static List<Waiter> shown(Consumer<Consumer<Waiter>> queue) {
            List<Waiter> waiters = new ArrayList<>();
            queue.accept(waiters::add);
            return waiters;
        }
    }

    private static final class OfMutex extends Subject {
        private final Mutex mutex = new Mutex();

        OfMutex(boolean hasToken) {
            super(1);
            assertTrue(hasToken ? mutex.tryLockWithToken("token") : mutex.tryLock());
        }

        @Override
        TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter) {
            return mutex.lock(null, newWaiter);
        }

        @Override
        TestWaiter enqueue(TestWaiter waiter) {
            return mutex.lock(waiter, TestWaiter.ITSELF);
        }

        @Override
        List<Object> visibleState() {
            return Arrays.asList(
                    mutex.isLocked(),
                    mutex.ownerToken(),
                    mutex.queueLength(),
                    shown(mutex::forEachWaiter),
                    mutex.isClosed());
        }

        @Override
        void putBack() {
            do {
                mutex.unlock();
            } while (mutex.isLocked());
        }

        @Override
        void assertIdle() {
            assertEquals(Arrays.asList(false, null, 0, List.of(), false), visibleState());
            assertTrue(mutex.tryLock());
            assertEquals(0, mutex.count(), "the word itself");
        }
    }

    private static final class OfSemaphore extends Subject {
        private static final int MAXIMUM = 5;
        private final Semaphore semaphore = Semaphore.bounded(MAXIMUM);
        private final int need;

        OfSemaphore(int need, int free, boolean isUpgraded) {
            super(need);
            this.need = need;
            semaphore.reducePermits(MAXIMUM - free);
            if (isUpgraded) {
                semaphore.upgrade();
            }
        }

        @Override
        TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter) {
            return semaphore.acquire(need, null, newWaiter);
        }

        @Override
        TestWaiter enqueue(TestWaiter waiter) {
            return semaphore.acquire(waiter, TestWaiter.ITSELF);
        }

        @Override
        List<Object> visibleState() {
            return List.of(
                    semaphore.availablePermits(),
                    semaphore.queueLength(),
                    shown(semaphore::forEachWaiter),
                    semaphore.isClosed());
        }

        @Override
        void putBack() {
            semaphore.release(MAXIMUM - semaphore.availablePermits());
        }

        @Override
        void assertIdle() {
            assertEquals(List.of(MAXIMUM - queued.size(), 0, List.of(), false), visibleState());
            semaphore.release(queued.size());
            assertThrows(IllegalStateException.class, semaphore::release);
            assertTrue(semaphore.tryAcquireFairly(MAXIMUM), "no request waits");
        }
    }

    private static final class OfLatch extends Subject {
        private final CountDownLatch latch;

        OfLatch(int count) {
            super(1);
            latch = new CountDownLatch(count);
        }

        @Override
        TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter) {
            return latch.await(null, newWaiter);
        }

        @Override
        TestWaiter enqueue(TestWaiter waiter) {
            return latch.await(waiter, TestWaiter.ITSELF);
        }

        @Override
        List<Object> visibleState() {
            return List.of(latch.count(), latch.isOpen(), latch.queueLength(), shown(latch::forEachWaiter));
        }

        @Override
        void putBack() {
            while (!latch.isOpen()) {
                latch.countDown();
            }
        }

        @Override
        void assertIdle() {
            assertEquals(List.of(0, true, 0, List.of()), visibleState());
        }
    }

    private static final class OfPool extends Subject {
        private final Pool<String> pool = Pool.queue();
        private int put;

        OfPool() {
            super(1);
        }

        @Override
        TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter) {
            return (TestWaiter) pool.take(null, newWaiter);
        }

        @Override
        TestWaiter enqueue(TestWaiter waiter) {
            return (TestWaiter) pool.take(waiter, TestWaiter.ITSELF);
        }

        @Override
        List<Object> visibleState() {
            return List.of(pool.size(), pool.queueLength(), shown(pool::forEachWaiter), pool.isClosed());
        }

        @Override
        void putBack() {
            do {
                pool.put("element " + put++);
            } while (pool.queueLength() > 0);
        }

        @Override
        void assertIdle() {
            int left = put - queued.size();
            assertEquals(List.of(left, 0, List.of(), false), visibleState());
            assertEquals(left, pool.drain(element -> {}), "elements in the store");
        }

        @Override
        boolean isGrant(Object value, Object primitive) {
            return primitive == pool && ((String) value).startsWith("element ");
        }
    }

    private static final class OfResources extends Subject {
        private final ResourcePool<Object> pool =
                ResourcePool.builder(1, Object::new).build();
        private PoolSlot<Object> taken = pool.tryTakeSlot();

        OfResources() {
            super(1);
        }

        @Override
        TestWaiter request(BiFunction<Object, Object, TestWaiter> newWaiter) {
            return (TestWaiter) pool.takeSlot(null, newWaiter);
        }

        @Override
        TestWaiter enqueue(TestWaiter waiter) {
            return (TestWaiter) pool.takeSlot(waiter, TestWaiter.ITSELF);
        }

        @Override
        List<Object> visibleState() {
            return List.of(pool.available(), pool.queueLength(), shown(pool::forEachWaiter), pool.isClosed());
        }

        @Override
        void putBack() {
            if (taken != null) {
                taken.giveBack();
                taken = null;
            }
            while (pool.queueLength() > 0) {
                pool.resize(pool.maximum() + 1);
            }
        }

        @Override
        void assertIdle() {
            assertEquals(List.of(pool.maximum() - queued.size(), 0, List.of(), false), visibleState());
        }

        @Override
        boolean isGrant(Object value, Object primitive) {
            return primitive == pool && value instanceof PoolSlot<?>;
        }
    }

    /** The ways in which a factory fails. */
    enum Fault {
        RUNTIME_EXCEPTION(FactoryFailure.class),
        OUT_OF_MEMORY(OutOfMemoryError.class),
        STACK_OVERFLOW(StackOverflowError.class),
        NO_WAITER(NullPointerException.class),
        QUEUED_WAITER(IllegalStateException.class),
        TOO_HEAVY(IllegalArgumentException.class),
        TOO_LIGHT(IllegalArgumentException.class);

        private final Class<? extends Throwable> thrown;

        Fault(Class<? extends Throwable> thrown) {
            this.thrown = thrown;
        }

        boolean isPossibleIn(Situation situation) {
            return this != TOO_HEAVY && this != TOO_LIGHT || !(situation.subject() instanceof OfLatch);
        }

        TestWaiter newWaiter(Subject subject) {
            switch (this) {
                case RUNTIME_EXCEPTION:
                    throw new FactoryFailure();
                case OUT_OF_MEMORY:
                    throw new OutOfMemoryError();
                case STACK_OVERFLOW:
                    return newWaiter(subject).equals(subject) ? null : new TestWaiter("at the end of the stack");
                case NO_WAITER:
                    return null;
                case QUEUED_WAITER:
                    return new CountDownLatch(1).await(subject.newWaiter("queued elsewhere"), TestWaiter.ITSELF);
                default:
                    return new TestWaiter("another weight", subject.need + (this == TOO_HEAVY ? 1 : -1));
            }
        }
    }

    static Stream<Arguments> faults() {
        return Stream.of(Fault.values())
                .flatMap(fault -> Stream.of(Situation.values())
                        .filter(fault::isPossibleIn)
                        .map(situation -> Arguments.of(fault, situation)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFailingFactoryChangesNothing(Fault fault, Situation situation) {
        Subject subject = situation.prepare();
        List<Object> before = subject.visibleState();
        for (int i = 0; i < 40; i++) { // more than a segment
            assertThrows(fault.thrown, () -> subject.request((primitive, argument) -> fault.newWaiter(subject)));
            assertEquals(before, subject.visibleState());
        }
        subject.putBack();
        subject.assertServed();
    }

    /** The release for which the request was counted comes while the factory runs. It serves another request or none. */
    @ParameterizedTest
    @MethodSource("faults")
    void aReleaseDuringAFailingFactoryIsNotLost(Fault fault, Situation situation) {
        Subject subject = situation.prepare();
        assertThrows(
                fault.thrown,
                () -> subject.request((primitive, argument) -> {
                    subject.putBack();
                    return fault.newWaiter(subject);
                }));
        subject.assertServed();
    }

    @ParameterizedTest
    @EnumSource
    void aFactoryIsCalledOnceWithThePrimitiveAndTheArgument(Situation situation) {
        Subject subject = situation.prepare();
        List<Object> calls = new ArrayList<>();
        TestWaiter waiter = subject.newWaiter("waiter");
        assertSame(waiter, subject.request((primitive, argument) -> {
            calls.add(primitive);
            assertNull(argument);
            return waiter;
        }));
        assertEquals(1, calls.size());
        assertFalse(waiter.isResumed());
        assertTrue(waiter.cancelNow());
        subject.putBack();
        subject.assertServed();
        assertTrue(subject.queued.stream().allMatch(served -> subject.isGrant(served.value, calls.get(0))));
    }

    // Broken cells: a release finds the cell of a request empty, and both start again

    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aFactoryIsCalledOnceThoughTheRequestStartsAgainAndWaits(Closable.Kind kind) {
        Closable closable = kind.make().taken();
        List<TestWaiter> made = new ArrayList<>();
        TestWaiter waiter = closable.request(() -> {
            made.add(new TestWaiter("waiter"));
            closable.putBack();
            assertEquals(1, closable.free(), "the release has broken the cell");
            assertTrue(closable.tryTake());
            return made.get(0);
        });
        assertEquals(List.of(waiter), made);
        assertEquals(made, closable.waiting());
        assertEquals(1, closable.queueLength());
        closable.putBack();
        assertSame(closable.core(), waiter.value);
        closable.putBack();
        closable.assertIdle(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"MUTEX", "SEMAPHORE"})
    void aRequestThatStartsAgainMayBeGrantedAtOnce(Closable.Kind kind) {
        Closable closable = kind.make().taken();
        List<TestWaiter> made = new ArrayList<>();
        assertNull(closable.request(() -> {
            made.add(new TestWaiter("not needed"));
            closable.putBack();
            return made.get(0);
        }));
        assertEquals(1, made.size());
        assertFalse(made.get(0).isResumed());
        assertFalse(made.get(0).cancelNow(), "it was not enqueued");
        closable.assertIdle(0);
        closable.putBack();
        closable.assertIdle(1);
    }

    @Test
    void aRequestThatStartsAgainMayFindTheSemaphoreUpgraded() {
        Semaphore semaphore = Semaphore.bounded(2, 2);
        List<TestWaiter> made = new ArrayList<>();
        List<TestWaiter> large = new ArrayList<>();
        TestWaiter waiter = semaphore.acquire(null, (same, nothing) -> {
            made.add(new TestWaiter("waiter"));
            semaphore.release();
            large.add(semaphore.acquire(2, new TestWaiter("large", 2), TestWaiter.ITSELF));
            return made.get(0);
        });
        assertEquals(List.of(waiter), made);
        assertEquals(2, semaphore.queueLength());
        semaphore.release();
        assertSame(semaphore, large.get(0).value);
        assertFalse(waiter.isResumed(), "it is behind the large request");
        semaphore.release(2);
        assertSame(semaphore, waiter.value);
        semaphore.release();
        assertEquals(2, semaphore.availablePermits());
    }
}
