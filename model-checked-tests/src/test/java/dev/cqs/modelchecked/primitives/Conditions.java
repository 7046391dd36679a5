package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.ConditionWaiter;
import dev.cqs.sync.Mutex;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.threads.ReentrantLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Scenarios of conditions. */
final class Conditions {

    private Conditions() {}

    /** One thread waits until a flag is set, the other sets it and signals. */
    static class AwaitAndSignal {

        final ReentrantLock lock = new ReentrantLock();
        final Condition condition = lock.newCondition();
        private boolean there;

        @Actor
        void waits() {
            lock.lock();
            while (!there) {
                condition.awaitUninterruptibly();
            }
            lock.unlock();
        }

        @Actor
        void signals() {
            lock.lock();
            there = true;
            condition.signal();
            lock.unlock();
        }

        @Arbiter
        void isFree() {
            assert !lock.isLocked() && !lock.hasQueuedThreads();
        }
    }

    /** A thread waits with a timeout, and is signalled. */
    static class AwaitForSomeTime {

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition condition = lock.newCondition();
        private boolean there;

        @Actor
        void waits() throws InterruptedException {
            lock.lock();
            if (!there && condition.await(1, TimeUnit.SECONDS)) {
                assert there : "there was no signal";
            }
            assert lock.isHeldByCurrentThread();
            lock.unlock();
        }

        @Actor
        void signals() {
            lock.lock();
            there = true;
            condition.signal();
            lock.unlock();
        }

        @Arbiter
        void isFree() {
            assert !lock.isLocked() && !lock.hasQueuedThreads();
        }
    }

    /** A waiting thread is interrupted while it is signalled. */
    static class AwaitIsInterrupted {

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition condition = lock.newCondition();
        private volatile Thread waiting;
        private boolean there;

        @Actor
        void waits() {
            waiting = Thread.currentThread();
            lock.lock();
            try {
                if (!there) {
                    condition.await();
                    assert there : "there was no signal";
                }
            } catch (InterruptedException expected) {
                assert lock.isHeldByCurrentThread();
            }
            lock.unlock();
        }

        @Actor
        void interruptsAndSignals() {
            Thread thread = waiting;
            if (thread != null) {
                thread.interrupt();
            }
            lock.lock();
            there = true;
            condition.signal();
            lock.unlock();
        }

        @Arbiter
        void isFree() {
            assert !lock.isLocked() && !lock.hasQueuedThreads();
        }
    }

    /** A waiter on a condition, without a thread. */
    static final class ConditionTicket extends Ticket implements ConditionWaiter {

        Closed closing;

        @Override
        public void fail(Closed closing) {
            this.closing = closing;
        }
    }

    /** A mutex whose holder unlocks it at the end, which serves the waiters of its condition. */
    abstract static class Held {

        final Mutex mutex = new Mutex();
        final dev.cqs.sync.Condition condition = mutex.newCondition();
        final ConditionTicket first = new ConditionTicket();

        Held() {
            mutex.tryLock();
        }

        /** Enqueues the waiter on the condition, and locks the mutex for another holder. */
        final void enqueue(ConditionTicket listener) {
            condition.await(listener);
            mutex.tryLock();
        }

        /** Cancels the first waiter, which reacquires the mutex. Returns false if it was too late for that. */
        final boolean firstLeaves() {
            boolean left = first.giveUp();
            if (left) {
                condition.reacquire(first);
            }
            return left;
        }

        /** Hands the mutex to the first waiter, which must not have it before. */
        final void handToFirst() {
            assert !first.isGranted() : "two waiters have the mutex";
            mutex.unlock();
            assert first.isGranted() : "a waiter was forgotten";
        }

        final void unlockForGood() {
            mutex.unlock();
            assert !mutex.isLocked() && mutex.queueLength() == 0;
        }
    }

    /** A signal races with the cancellation of the first waiter. The signal goes to the second then. */
    static class SignalAndLeave extends Held {

        private final ConditionTicket second = new ConditionTicket();
        private boolean left;

        SignalAndLeave() {
            enqueue(first);
            enqueue(second);
        }

        @Actor
        void signals() {
            condition.signal();
        }

        @Actor
        void leaves() {
            left = firstLeaves();
        }

        @Arbiter
        void isNotLost() {
            mutex.unlock();
            if (left) {
                assert first.isGranted() != second.isGranted() : "two waiters have the mutex";
                mutex.unlock();
            }
            assert first.isGranted() && second.isGranted() == left : "a signal was lost or doubled";
            unlockForGood();
        }
    }

    /** A close races with a cancellation. The waiter gets the mutex once, and fails unless it was cancelled. */
    static class CloseAndLeave extends Held {

        private boolean left;

        CloseAndLeave() {
            enqueue(first);
        }

        @Actor
        void closes() {
            mutex.close(null);
        }

        @Actor
        void leaves() {
            left = firstLeaves();
        }

        @Arbiter
        void isToldOnce() {
            handToFirst();
            assert (first.closing == null) == left;
            unlockForGood();
        }
    }

    /** A close races with a signal. The waiter gets the mutex once in any order. */
    static class CloseAndSignal extends Held {

        CloseAndSignal() {
            enqueue(first);
        }

        @Actor
        void signals() {
            condition.signal();
        }

        @Actor
        void closes() {
            mutex.close(null);
        }

        @Arbiter
        void isToldOnce() {
            handToFirst();
            unlockForGood();
        }
    }

    /** A close races with a wait that begins. The waiter keeps the mutex, or reacquires it. */
    static class CloseAndCome extends Held {

        private boolean refused;

        @Actor
        void comes() {
            try {
                condition.await(first);
            } catch (ClosedException expected) {
                refused = true;
            }
        }

        @Actor
        void closes() {
            mutex.close(null);
        }

        @Arbiter
        void isTold() {
            assert first.isGranted() != refused && (first.closing == null) == refused;
            unlockForGood();
        }
    }
}
