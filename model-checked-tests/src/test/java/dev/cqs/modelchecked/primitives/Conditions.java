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

/** Threads that wait for a signal. */
final class Conditions {

    private Conditions() {}

    /** One waits until there is something, the other brings it. */
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

    /** A thread waits for a signal that comes, and not for longer than some time. */
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

    /** A thread that waits is interrupted while the signal comes. */
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

    /** Somebody in a line, without a thread. */
    static final class Listener extends Ticket implements ConditionWaiter {

        Closed closing;

        @Override
        public void fail(Closed closing) {
            this.closing = closing;
        }
    }

    /** A mutex whose holder unlocks it in the end, for those who waited on its condition. */
    abstract static class Held {

        final Mutex mutex = new Mutex();
        final dev.cqs.sync.Condition condition = mutex.newCondition();
        final Listener first = new Listener();

        Held() {
            mutex.tryLock();
        }

        /** Has it wait for a signal, and somebody else hold the mutex. */
        final void enqueue(Listener listener) {
            condition.await(listener);
            mutex.tryLock();
        }

        /** Has the first leave, and ask for the mutex again; false if it was too late for that. */
        final boolean firstLeaves() {
            boolean left = first.giveUp();
            if (left) {
                condition.reacquire(first);
            }
            return left;
        }

        /** Hands the mutex to the first, who waits for it, and not before. */
        final void handToFirst() {
            assert !first.isGranted() : "two have the mutex";
            mutex.unlock();
            assert first.isGranted() : "somebody has been forgotten";
        }

        final void unlockForGood() {
            mutex.unlock();
            assert !mutex.isLocked() && mutex.queueLength() == 0;
        }
    }

    /** A signal comes to a line while the first in it leaves: it is for the second then. */
    static class SignalAndLeave extends Held {

        private final Listener second = new Listener();
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
                assert first.isGranted() != second.isGranted() : "two have the mutex";
                mutex.unlock();
            }
            assert first.isGranted() && second.isGranted() == left : "a signal was lost or doubled";
            unlockForGood();
        }
    }

    /** The mutex is closed while one leaves: he has the mutex once, and learns of the closing if he has not left. */
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

    /** The mutex is closed while its holder signals: the one who waits has it once, however that ends. */
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

    /** The mutex is closed while its holder comes to wait: it keeps the mutex, or has it again. */
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
