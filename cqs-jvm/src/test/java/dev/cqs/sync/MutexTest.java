package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.FactoryFailure;
import dev.cqs.TestConditionWaiter;
import dev.cqs.TestWaiter;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The operations of a mutex, one at a time: hand-off, owners and tokens. */
class MutexTest {
    private final Mutex mutex = new Mutex();

    @Test
    void unlockHandsItToTheWaitersInFifoOrder() {
        assertTrue(mutex.tryLock());
        TestWaiter first = enqueue();
        TestWaiter cancelled = enqueue();
        TestWaiter second = enqueue();
        assertTrue(cancelled.cancelNow());
        assertEquals(List.of(first, second), waiting());
        assertEquals(2, mutex.queueLength());
        mutex.unlock();
        assertTrue(first.isResumed());
        assertFalse(second.isResumed());
        assertFalse(mutex.tryLock(), "it was handed over, not freed");
        mutex.unlock();
        assertTrue(second.isResumed());
        mutex.unlock();
        assertFalse(mutex.isLocked());
        assertTrue(mutex.tryLock());
    }

    @Test
    void unlockOfAFreeMutexIsRefusedAndChangesNothing() {
        assertEquals(
                "This mutex is not locked",
                assertThrows(IllegalStateException.class, mutex::unlock).getMessage());
        assertFalse(mutex.isLocked());
        assertTrue(mutex.tryLock());
        assertFalse(mutex.tryLock());
    }

    @Test
    void aRequestWhoseFactoryThrowsDoesNotTakeIt() {
        assertTrue(mutex.tryLock());
        FactoryFailure.propagatesFrom(
                newWaiter -> mutex.lock(null, newWaiter), () -> assertEquals(1, mutex.queueLength()));
        assertEquals(0, mutex.queueLength());
        mutex.unlock();
        assertTrue(mutex.tryLock());
    }

    @Test
    void unlockClearsTheOwner() {
        Thread current = Thread.currentThread();
        assertNull(mutex.lock(null, FactoryFailure.FACTORY));
        mutex.setOwner(current, 3);
        assertSame(current, mutex.owner());
        assertEquals(3, mutex.holdCount(current));
        mutex.unlock();
        assertNull(mutex.owner());
        assertEquals(0, mutex.holdCount(current));
        assertTrue(mutex.tryLock());
        mutex.setOwner(current);
        assertEquals(1, mutex.holdCount(current), "earlier holds are not counted");
    }

    @Test
    void unlockClearsTheToken() {
        assertTrue(mutex.tryLock());
        mutex.setOwnerToken("token");
        assertEquals("token", mutex.ownerToken());
        assertTrue(mutex.toString().endsWith("[locked by token, 0 waiting]"), mutex.toString());
        mutex.unlock();
        assertNull(mutex.ownerToken());
    }

    /** In unit mode a token that is left behind is out of sight of all but {@code toString}, and stays reachable. */
    @Test
    void nothingIsLeftOfATokenThatAnUnlockWithoutOneEnds() {
        assertTrue(mutex.tryLockWithToken("token"));
        mutex.unlock();
        assertTrue(mutex.tryLock());
        assertTrue(mutex.toString().endsWith("[locked, 0 waiting]"), mutex.toString());
        mutex.close(null);
        assertNull(mutex.ownerToken());
        mutex.unlock();
    }

    @Test
    void theTokenOfTheNextHolderStays() {
        assertTrue(mutex.tryLock());
        mutex.setOwnerToken("first");
        TestWaiter next = enqueue();
        next.onResume = value -> {
            assertNull(mutex.ownerToken(), "cleared before the mutex was handed over");
            mutex.setOwnerToken("second");
        };
        mutex.unlock();
        assertSame(mutex, next.value);
        assertEquals("second", mutex.ownerToken());
    }

    @Test
    void aRefusedUnlockKeepsTheOwner() {
        for (boolean closed : new boolean[] {false, true}) {
            mutex.setOwner(Thread.currentThread(), 3);
            assertThrows(IllegalStateException.class, mutex::unlock);
            assertEquals(Thread.currentThread(), mutex.owner());
            assertEquals(3, mutex.holdCount(Thread.currentThread()));
            assertEquals(!closed, mutex.close(null));
        }
    }

    @Test
    void aFreeMutexHasNoToken() {
        mutex.setOwnerToken("too late: another caller has unlocked it");
        assertFree("too late: another caller has unlocked it");
        assertTrue(mutex.tryLock());
        assertNull(mutex.ownerToken());
    }

    @Test
    void tryLockSetsAndUnlockClearsTheTokenInOneStep() {
        for (int waiting = 0; waiting <= 2; waiting++) {
            assertTrue(mutex.tryLockWithToken("token"));
            refuses("already locked by the specified owner: token", () -> mutex.tryLockWithToken("token"));
            assertFalse(mutex.tryLockWithToken("another"));
            assertFalse(mutex.tryLock());
            assertTrue(mutex.isLockedWithToken("token"));
            assertFalse(mutex.isLockedWithToken("another"));
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 0; i < waiting; i++) {
                waiters.add(enqueue());
            }
            TestWaiter gone = enqueue();
            assertEquals(waiting + 1, mutex.queueLength());
            assertTrue(gone.cancelNow());
            assertEquals(waiting, mutex.queueLength());
            refuses("is locked by token, but another is expected", () -> mutex.unlockWithToken("another"));
            mutex.unlockWithToken("token");
            for (TestWaiter each : waiters) {
                assertTrue(each.isResumed());
                assertHeldOtherwise("token");
                mutex.unlock();
            }
            assertFree("token");
        }
    }

    @Test
    void aWaiterThatIsTheOwnerCountsAsItsTokenOnceItHoldsTheMutex() {
        assertTrue(mutex.tryLock());
        TestTokenWaiter waiter = new TestTokenWaiter();
        mutex.setOwner(waiter);
        assertHeldOtherwise("token");
        waiter.holds = true;
        assertTrue(mutex.isLockedWithToken("token"));
        assertFalse(mutex.isLockedWithToken("another"));
        assertSame("token", mutex.ownerToken());
        mutex.unlockWithToken("token");
        assertFree("token");
    }

    @Test
    void aWaiterGivesTheMutexBackUnlessItWasUnlockedMeanwhile() {
        assertTrue(mutex.tryLock());
        TestTokenWaiter waiter = new TestTokenWaiter();
        mutex.setOwner(waiter);
        mutex.giveBack(waiter);
        assertFree("token");
        assertTrue(mutex.tryLock());
        mutex.giveBack(waiter);
        assertTrue(mutex.isLocked(), "another caller holds it");
        mutex.unlock();
    }

    /** Two holders in a row use the same token. Only their waiters tell the holds apart. */
    @Test
    void aLateGiveBackDoesNotTakeTheMutexFromTheNextHolder() {
        TestTokenWaiter late = new TestTokenWaiter();
        TestTokenWaiter next = new TestTokenWaiter();
        for (boolean waited : new boolean[] {false, true}) {
            assertTrue(mutex.tryLock());
            mutex.setOwner(late);
            late.holds = true;
            mutex.unlockWithToken("token");
            if (waited) {
                assertTrue(mutex.tryLock());
                mutex.setOwner(next);
                next.holds = true;
            } else {
                assertTrue(mutex.tryLockWithToken("token"));
            }
            mutex.giveBack(late);
            assertTrue(mutex.isLockedWithToken("token"));
            mutex.unlockWithToken("token");
            assertFree("token");
        }
    }

    @Test
    void aResumedWaiterWithATokenHoldsTheMutexOnceItSaysSo() {
        assertTrue(mutex.tryLockWithToken("first"));
        QueuedTokenWaiter waiter = mutex.lock(mutex, (same, argument) -> new QueuedTokenWaiter(same));
        waiter.onResume = value -> {
            assertTrue(mutex.isLocked());
            assertNull(mutex.ownerToken());
            mutex.setOwner(waiter);
            assertHeldOtherwise("token");
            assertTrue(mutex.toString().endsWith("[locked, 0 waiting]"), mutex.toString());
            waiter.holds = true;
            assertTrue(mutex.isLockedWithToken("token"));
            assertTrue(mutex.toString().endsWith("[locked by token, 0 waiting]"), mutex.toString());
        };
        mutex.unlockWithToken("first");
        assertSame(mutex, waiter.value);
        refuses("already locked by the specified owner: token", () -> mutex.tryLockWithToken("token"));
        mutex.unlockWithToken("token");
        assertFree("token");
    }

    @Test
    void aMutexThatAWaiterWithATokenGivesBackGoesToTheNext() {
        for (boolean closed : new boolean[] {false, true}) {
            Mutex mutex = new Mutex();
            assertTrue(mutex.tryLock());
            QueuedTokenWaiter gone = mutex.lock(null, (same, argument) -> new QueuedTokenWaiter(same));
            TestWaiter next = mutex.lock(new TestWaiter("next"), TestWaiter.ITSELF);
            gone.onResume = value -> mutex.setOwner(gone);
            mutex.unlock();
            assertFalse(mutex.isLockedWithToken("token"));
            assertFalse(next.isResumed());
            if (closed) {
                mutex.close(null);
            }
            mutex.giveBack(gone);
            if (closed) {
                assertFalse(mutex.isLocked());
            } else {
                assertSame(mutex, next.value);
                assertNull(mutex.ownerToken());
                mutex.giveBack(gone);
                assertTrue(mutex.isLocked(), "the second give-back has no effect");
            }
        }
    }

    @Test
    void anUnlockBeforeAWaiterHoldsTheMutexClearsTheOwner() {
        assertTrue(mutex.tryLock());
        TestTokenWaiter waiter = new TestTokenWaiter();
        mutex.setOwner(waiter);
        mutex.unlock();
        assertFree("token");
        waiter.holds = true;
        assertFree("token");
        mutex.giveBack(waiter);
        assertFree("token");
    }

    @Test
    void nullTokensAreRefused() {
        for (boolean locked : new boolean[] {false, true}) {
            assertThrows(NullPointerException.class, () -> mutex.tryLockWithToken(null));
            assertThrows(NullPointerException.class, () -> mutex.setOwnerToken(null));
            assertThrows(NullPointerException.class, () -> mutex.setOwner((TokenWaiter) null));
            assertThrows(NullPointerException.class, () -> mutex.isLockedWithToken(null));
            assertThrows(NullPointerException.class, () -> mutex.unlockWithToken(null));
            assertEquals(locked, mutex.isLocked());
            assertNull(mutex.ownerToken());
            assertEquals(!locked, mutex.tryLock());
        }
    }

    /** A waiter with a token that can be enqueued. */
    private static final class QueuedTokenWaiter extends TestWaiter implements TokenWaiter {
        boolean holds;

        QueuedTokenWaiter(Mutex mutex) {
            super("waiter of " + mutex);
        }

        @Override
        public Object token() {
            return "token";
        }

        @Override
        public boolean holds() {
            return holds;
        }
    }

    private static final class TestTokenWaiter implements TokenWaiter {
        boolean holds;

        @Override
        public Object token() {
            return "token";
        }

        @Override
        public boolean holds() {
            return holds;
        }
    }

    /** Checks that the mutex is held with another token, or without one. */
    private void assertHeldOtherwise(String token) {
        assertTrue(mutex.isLocked());
        assertFalse(mutex.isLockedWithToken(token));
        refuses("is locked without an owner, but " + token + " is expected", () -> mutex.unlockWithToken(token));
        assertFalse(mutex.tryLockWithToken(token));
    }

    private void assertFree(String token) {
        assertFalse(mutex.isLocked());
        assertFalse(mutex.isLockedWithToken(token));
        refuses("is not locked", () -> mutex.unlockWithToken(token));
    }

    private static void refuses(String says, Executable call) {
        String message = assertThrows(IllegalStateException.class, call).getMessage();
        assertTrue(message.contains(says), message);
    }

    @Test
    void unlockOfAClosedMutexClearsTheOwnerToo() {
        assertTrue(mutex.tryLock());
        mutex.setOwnerToken("token");
        mutex.close(null);
        assertEquals("token", mutex.ownerToken(), "closing does not take the mutex from its holder");
        assertTrue(mutex.toString().endsWith("[locked by token, 0 waiting, closed]"), mutex.toString());
        mutex.unlock();
        assertNull(mutex.ownerToken());
        assertFalse(mutex.isLocked());
    }

    @Test
    void theTokenOfAClosedMutexIsNotThatOfAWaiterThatComesBack() {
        assertTrue(mutex.tryLock());
        TestConditionWaiter back = new TestConditionWaiter("comes back");
        mutex.newCondition().await(back);
        assertTrue(mutex.tryLockWithToken("token"));
        mutex.close(null);
        assertFalse(back.isResumed());
        mutex.unlock();
        assertSame(mutex, back.value);
        assertTrue(mutex.isLocked());
        assertNull(mutex.ownerToken());
    }

    @Test
    void toStringShowsTheHolder() {
        assertTrue(mutex.toString().endsWith("[unlocked, 0 waiting]"), mutex.toString());
        mutex.tryLock();
        enqueue();
        assertTrue(mutex.toString().endsWith("[locked, 1 waiting]"), mutex.toString());
        mutex.setOwner(Thread.currentThread());
        String held = "[locked by " + Thread.currentThread().getName() + ", 1 waiting]";
        assertTrue(mutex.toString().endsWith(held), mutex.toString());
    }

    @Test
    void isNotSerializable() throws Exception {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            assertThrows(NotSerializableException.class, () -> out.writeObject(mutex));
        }
    }

    private TestWaiter enqueue() {
        TestWaiter waiter = new TestWaiter("waiter");
        assertSame(waiter, mutex.lock(waiter, TestWaiter.ITSELF));
        return waiter;
    }

    private List<Object> waiting() {
        List<Object> waiting = new ArrayList<>();
        mutex.forEachWaiter(waiting::add);
        return waiting;
    }
}
