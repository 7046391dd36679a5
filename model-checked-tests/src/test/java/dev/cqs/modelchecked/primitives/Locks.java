package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.CountedRequest;
import dev.cqs.threads.Mutex;
import dev.cqs.threads.ReentrantLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Scenarios of mutexes and reentrant locks. */
final class Locks {

    private Locks() {}

    /** A plain count that a lock guards. */
    abstract static class Guarded {

        final Lock lock;
        /** A race, unless the lock orders the accesses. */
        private int count;
        // Each slot is written by one thread.
        private final int[] uses = new int[3];

        Guarded(Lock lock) {
            this.lock = lock;
        }

        final void use(int me) {
            count++;
            uses[me]++;
        }

        final void useLocked(int me) {
            lock.lock();
            use(me);
            lock.unlock();
        }

        @Arbiter
        void oneAtATimeAndFreeAgain() {
            assert count == uses[0] + uses[1] + uses[2] : "two holders did not exclude each other";
            assert lock.tryLock() : "it is still locked";
        }
    }

    static class MutexOfTwo extends Guarded {

        MutexOfTwo() {
            super(new Mutex());
        }

        @Actor(2)
        void locks(int me) {
            useLocked(me);
        }
    }

    /** The owner enters again while another thread waits. */
    static class EntersAgain extends Guarded {

        EntersAgain() {
            super(new ReentrantLock());
        }

        @Actor
        void entersAgain() {
            lock.lock();
            useLocked(0);
            assert ((ReentrantLock) lock).isHeldByCurrentThread();
            use(0);
            lock.unlock();
            assert !((ReentrantLock) lock).isHeldByCurrentThread();
        }

        @Actor
        void locks() {
            useLocked(1);
        }
    }

    /** One thread only tries. */
    static class TriesTwice extends Guarded {

        TriesTwice() {
            super(new ReentrantLock());
        }

        @Actor(2)
        void tries(int me) {
            if (lock.tryLock()) {
                use(me);
                lock.unlock();
            }
        }

        @Actor
        void triesToo() {
            if (lock.tryLock()) {
                use(2);
                lock.unlock();
            }
        }
    }

    /** One thread waits with a timeout. */
    static class TriesForSomeTime extends Guarded {

        TriesForSomeTime() {
            super(new Mutex());
        }

        @Actor
        void tries() throws InterruptedException {
            if (lock.tryLock(1, TimeUnit.SECONDS)) {
                use(0);
                lock.unlock();
            }
        }

        @Actor
        void locks() {
            useLocked(1);
        }
    }

    /** A waiting thread is interrupted, perhaps while the mutex is handed over. */
    static class IsInterrupted {

        private final dev.cqs.sync.Mutex core = new dev.cqs.sync.Mutex();
        private final Mutex mutex = Mutex.viewOf(core);
        private volatile Thread waiting;
        private int payload;

        IsInterrupted() {
            core.tryLock();
        }

        @Actor
        void locks() {
            waiting = Thread.currentThread();
            try {
                mutex.lockInterruptibly();
            } catch (InterruptedException expected) {
                return;
            }
            assert payload == 1;
            mutex.unlock();
        }

        @Actor
        void interrupts() {
            Thread thread = waiting;
            if (thread != null) {
                thread.interrupt();
            }
        }

        @Actor
        void unlocks() {
            payload = 1;
            core.unlock();
        }

        @Arbiter
        void isFree() {
            assert !core.isLocked();
            assert core.queueLength() == 0;
        }
    }

    /** Three wait for a mutex. The one in the middle is cancelled while the mutex is handed over. */
    static class LineIsServed {

        private final dev.cqs.sync.Mutex mutex = new dev.cqs.sync.Mutex();
        private final Ticket[] line = {new Ticket(), new Ticket(), new Ticket()};
        private int count;

        LineIsServed() {
            mutex.tryLock();
            for (Ticket each : line) {
                mutex.lock(each, Ticket.ITSELF);
            }
        }

        @Actor
        void unlocks() {
            count++;
            mutex.unlock();
        }

        @Actor
        void second() {
            if (!line[1].giveUp()) {
                line[1].await();
                assert line[0].isGranted();
                count++;
                mutex.unlock();
            }
        }

        @Actor
        void first() {
            line[0].await();
            count++;
            mutex.unlock();
        }

        @Arbiter
        void theLastHasIt() {
            assert line[2].isGranted();
            assert count == (line[1].isGranted() ? 3 : 2);
            assert mutex.isLocked() && mutex.queueLength() == 0;
        }
    }

    /** All callers use the same token, so a caller that does not get the mutex finds this token as its owner. */
    static class OneToken {

        private static final Object TOKEN = new Object();

        private final dev.cqs.sync.Mutex mutex = new dev.cqs.sync.Mutex();
        /** A race, unless the mutex orders the accesses. */
        private int count;

        @Actor(2)
        void locks() {
            boolean locked;
            try {
                locked = mutex.tryLockWithToken(TOKEN);
            } catch (IllegalStateException underThisToken) {
                return;
            }
            assert locked : "tryLock failed, though the mutex is free or held with this token";
            count++;
            mutex.unlockWithToken(TOKEN);
        }

        @Arbiter
        void isFree() {
            assert count > 0;
            assert mutex.tryLock();
            assert mutex.ownerToken() == null;
        }
    }

    /** A mutex is locked with a token while others unlock it without one. */
    static class UnlocksAToken {

        private static final Object TOKEN = new Object();

        private final dev.cqs.sync.Mutex mutex = new dev.cqs.sync.Mutex();
        private boolean locked;
        private boolean byToken;
        private final boolean[] unlocked = new boolean[2];

        UnlocksAToken() {
            mutex.tryLock();
        }

        @Actor
        void locksUnderAToken() {
            locked = mutex.tryLockWithToken(TOKEN);
            try {
                mutex.unlockWithToken(TOKEN);
                byToken = true;
            } catch (IllegalStateException e) {
                // another thread was faster, or it was never locked with the token
            }
        }

        @Actor(2)
        void unlocks(int me) {
            try {
                mutex.unlock();
                unlocked[me] = true;
            } catch (IllegalStateException e) {
                // the mutex was free
            }
        }

        @Arbiter
        void eachLockIsUnlockedOnce() {
            int locks = locked ? 2 : 1;
            int unlocks = (byToken ? 1 : 0) + (unlocked[0] ? 1 : 0) + (unlocked[1] ? 1 : 0);
            assert locked || !byToken;
            assert locks - unlocks == (mutex.isLocked() ? 1 : 0);
            assert !mutex.isLocked();
            assert mutex.tryLock() && mutex.ownerToken() == null;
            mutex.close(null); // from now on the record says all
            assert mutex.ownerToken() == null : "it is that of an earlier holder";
        }
    }

    /** A mutex that is held under a token is closed, and unlocked for a waiter that comes back from a condition. */
    static class ClosesAToken {

        private final dev.cqs.sync.Mutex mutex = new dev.cqs.sync.Mutex();
        private final Conditions.ConditionTicket back = new Conditions.ConditionTicket();

        ClosesAToken() {
            mutex.tryLock();
            mutex.newCondition().await(back);
            mutex.tryLockWithToken(new Object());
        }

        @Actor
        void closes() {
            mutex.close(null);
        }

        @Actor
        void unlocks() {
            mutex.unlock();
        }

        @Arbiter
        void theOneThatComesBackHasNoToken() {
            assert back.isGranted() && mutex.isLocked();
            assert mutex.ownerToken() == null : "it is that of the holder before";
        }
    }

    /** A mutex is unlocked with its token while a request that is counted comes into the queue. */
    static class UnlocksATokenAsOneComes {

        private static final Object TOKEN = new Object();

        private final dev.cqs.sync.Mutex mutex = new dev.cqs.sync.Mutex();
        private final CountedRequest request;
        private final Ticket ticket = new Ticket();
        private boolean granted;

        UnlocksATokenAsOneComes() {
            mutex.tryLockWithToken(TOKEN);
            request = new CountedRequest(mutex);
        }

        @Actor
        void unlocks() {
            mutex.unlockWithToken(TOKEN);
        }

        @Actor
        void comes() {
            granted = request.comes(ticket, Ticket.ITSELF) == null;
        }

        @Arbiter
        void theRequestHasIt() {
            assert granted != ticket.isGranted();
            assert mutex.isLocked() && mutex.ownerToken() == null && mutex.queueLength() == 0;
        }
    }

    /** A held mutex is closed while a request arrives, which is granted or fails. */
    static class Closes {

        private final dev.cqs.sync.Mutex core = new dev.cqs.sync.Mutex();
        private final Mutex mutex = Mutex.viewOf(core);

        Closes() {
            core.tryLock();
        }

        @Actor
        void locks() {
            try {
                mutex.lock();
                mutex.unlock();
            } catch (ClosedException expected) {
                assert core.isClosed();
            }
        }

        @Actor
        void closes() {
            core.close(null);
            core.unlock();
        }

        @Arbiter
        void isFree() {
            assert !core.isLocked() && core.queueLength() == 0;
        }
    }
}
