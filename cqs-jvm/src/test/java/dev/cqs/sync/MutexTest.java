package dev.cqs.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.spi.Grantee;
import dev.cqs.spi.MutexSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutexTest {
    private static final MutexSteps STEPS = SyncAccess.mutex();

    private final Mutex mutex = new Mutex();

    @Test
    void isHandedToThoseWhoWaitInTheirOrder() {
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
        assertEquals("This mutex is not locked",
                assertThrows(IllegalStateException.class, mutex::unlock).getMessage());
        assertFalse(mutex.isLocked());
        assertTrue(mutex.tryLock());
        assertFalse(mutex.tryLock());
    }

    @Test
    void anAbandonedRequestTakesNothing() {
        assertTrue(mutex.tryLock());
        STEPS.abandon(mutex, STEPS.reserve(mutex, 1));
        assertEquals(0, mutex.queueLength());
        mutex.unlock();
        assertTrue(mutex.tryLock());
    }

    @Test
    void unlockEndsTheRecordOfTheOwner() {
        assertEquals(Steps.GRANTED, STEPS.reserve(mutex, 1));
        STEPS.setOwner(mutex, Thread.currentThread());
        STEPS.setReentries(mutex, 2);
        mutex.unlock();
        assertEquals(null, STEPS.owner(mutex));
        assertEquals(0, STEPS.reentries(mutex));
    }

    @Test
    void unlockEndsTheRecordOfTheToken() {
        assertTrue(mutex.tryLock());
        STEPS.setToken(mutex, "token");
        assertEquals("token", STEPS.token(mutex));
        assertTrue(mutex.toString().endsWith("[locked by token, 0 waiting]"), mutex.toString());
        mutex.unlock();
        assertEquals(null, STEPS.token(mutex));
    }

    @Test
    void theTokenOfTheNextHolderStays() {
        assertTrue(mutex.tryLock());
        STEPS.setToken(mutex, "first");
        TestWaiter next = enqueue();
        next.onResume = value -> {
            assertEquals(null, STEPS.token(mutex), "cleared before the mutex was handed over");
            STEPS.setToken(mutex, "second");
        };
        mutex.unlock();
        assertSame(mutex, next.value);
        assertEquals("second", STEPS.token(mutex));
    }

    @Test
    void aRefusedUnlockLeavesTheRecordAsItIs() {
        for (boolean closed : new boolean[] {false, true}) {
            STEPS.setOwner(mutex, Thread.currentThread());
            STEPS.setReentries(mutex, 2);
            assertThrows(IllegalStateException.class, mutex::unlock);
            assertEquals(Thread.currentThread(), STEPS.owner(mutex));
            assertEquals(2, STEPS.reentries(mutex));
            STEPS.setOwner(mutex, null);
            assertEquals(!closed, mutex.close(null));
        }
    }

    @Test
    void noTokenIsOnRecordOfAFreeMutex() {
        STEPS.setToken(mutex, "too late: another caller has unlocked it");
        assertEquals(MutexSteps.FREE, STEPS.heldUnder(mutex, "any"));
        assertTrue(mutex.tryLock());
        assertEquals(null, STEPS.token(mutex));
    }

    @Test
    void theTokenIsPartOfTheStepThatTakesAndOfTheOneThatGivesUp() {
        for (int waiting = 0; waiting <= 2; waiting++) {
            assertTrue(STEPS.tryLock(mutex, "token"));
            assertFalse(STEPS.tryLock(mutex, "token"));
            assertFalse(mutex.tryLock());
            assertEquals(MutexSteps.UNDER_THIS_TOKEN, STEPS.heldUnder(mutex, "token"));
            assertEquals(MutexSteps.OTHERWISE, STEPS.heldUnder(mutex, "another"));
            List<TestWaiter> waiters = new ArrayList<>();
            for (int i = 0; i < waiting; i++) {
                waiters.add(enqueue());
            }
            TestWaiter gone = enqueue();
            assertEquals(waiting + 1, mutex.queueLength());
            assertTrue(gone.cancelNow());
            assertEquals(waiting, mutex.queueLength());
            assertFalse(STEPS.unlockAs(mutex, "another"));
            assertTrue(STEPS.unlockAs(mutex, "token"));
            assertFalse(STEPS.unlockAs(mutex, "token"), "once");
            for (TestWaiter each : waiters) {
                assertTrue(each.isResumed());
                assertEquals(MutexSteps.OTHERWISE, STEPS.heldUnder(mutex, "token"));
                mutex.unlock();
            }
            assertEquals(MutexSteps.FREE, STEPS.heldUnder(mutex, "token"));
        }
    }

    @Test
    void aGranteeIsOnRecordUnderItsTokenIfItHoldsTheMutex() {
        for (boolean settled : new boolean[] {false, true}) {
            assertTrue(mutex.tryLock());
            TestGrantee grantee = new TestGrantee();
            STEPS.setGrantee(mutex, grantee);
            assertEquals(MutexSteps.OTHERWISE, STEPS.heldUnder(mutex, "token"));
            assertFalse(STEPS.unlockAs(mutex, "token"), "it may turn out not to hold it");
            grantee.holds = true;
            assertEquals(MutexSteps.UNDER_THIS_TOKEN, STEPS.heldUnder(mutex, "token"));
            assertSame("token", STEPS.token(mutex));
            if (settled) {
                STEPS.settle(mutex, grantee);
                grantee.holds = false;
                assertEquals(MutexSteps.UNDER_THIS_TOKEN, STEPS.heldUnder(mutex, "token"));
            }
            assertTrue(STEPS.unlockAs(mutex, "token"));
            assertFalse(mutex.isLocked());
        }
    }

    @Test
    void aGranteeGivesBackWhatNobodyHasUnlockedMeanwhile() {
        for (boolean settled : new boolean[] {false, true}) {
            assertTrue(mutex.tryLock());
            TestGrantee grantee = new TestGrantee();
            STEPS.setGrantee(mutex, grantee);
            if (settled) {
                STEPS.settle(mutex, grantee);
            }
            STEPS.giveBack(mutex, grantee);
            assertFalse(mutex.isLocked());
            assertTrue(mutex.tryLock());
            STEPS.giveBack(mutex, grantee);
            assertTrue(mutex.isLocked(), "it is another's by now");
            mutex.unlock();
        }
    }

    private static final class TestGrantee implements Grantee {
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

    @Test
    void unlockOfAClosedMutexEndsTheRecordAsWell() {
        assertTrue(mutex.tryLock());
        STEPS.setToken(mutex, "token");
        mutex.close(null);
        assertEquals("token", STEPS.token(mutex), "closing takes the mutex from nobody");
        assertTrue(mutex.toString().endsWith("[locked by token, 0 waiting, closed]"), mutex.toString());
        mutex.unlock();
        assertEquals(null, STEPS.token(mutex));
        assertFalse(mutex.isLocked());
    }

    @Test
    void saysWhoHoldsIt() {
        assertTrue(mutex.toString().endsWith("[unlocked, 0 waiting]"), mutex.toString());
        mutex.tryLock();
        enqueue();
        assertTrue(mutex.toString().endsWith("[locked, 1 waiting]"), mutex.toString());
        STEPS.setOwner(mutex, Thread.currentThread());
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
        int ticket = STEPS.reserve(mutex, 1);
        assertTrue(ticket != Steps.GRANTED);
        assertTrue(STEPS.enqueue(mutex, waiter, ticket));
        return waiter;
    }

    private List<Object> waiting() {
        List<Object> waiting = new ArrayList<>();
        mutex.forEachWaiter(waiting::add);
        return waiting;
    }
}
