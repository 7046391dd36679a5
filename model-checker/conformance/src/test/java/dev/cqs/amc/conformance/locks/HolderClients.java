package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.locks.CasLock;
import dev.cqs.locks.Hemlock;
import dev.cqs.locks.MuslMutex;
import dev.cqs.locks.RecursiveLock;
import dev.cqs.locks.SlimMutex;
import dev.cqs.locks.SpinLock;
import dev.cqs.locks.TristateMutex;

/** Clients that lock reentrantly, hold two locks, or are interrupted. */
final class HolderClients {

    private HolderClients() {}

    /** The holder locks again, and no other thread gets in between. */
    abstract static class Nested {
        private final SpinLock lock = new RecursiveLock(new CasLock());
        private int count;

        final void enter() {
            lock.lock();
            count = count + 1;
            lock.lock();
            count = count + 1;
            lock.unlock();
            count = count + 1;
            lock.unlock();
        }

        final void enterOnce() {
            lock.lock();
            count = count + 1;
            lock.unlock();
        }

        @Arbiter
        void everyEntryCounts() {
            if (count != 7) {
                throw new AssertionError("The count is " + count + " and not 7.");
            }
        }
    }

    static final class NestedTwo extends Nested {
        @Actor
        void nests() {
            enter();
            enter();
        }

        @Actor
        void enters() {
            enterOnce();
        }
    }

    static final class NestedThree extends Nested {
        @Actor(2)
        void nests() {
            enter();
        }

        @Actor
        void enters() {
            enterOnce();
        }
    }

    /** A thread unlocks without holding the lock, which throws and changes nothing. */
    static final class StrangerUnlocks {
        private final SpinLock lock = new RecursiveLock(new CasLock());
        private int count;

        @Actor
        void enters() {
            lock.lock();
            count = count + 1;
            lock.unlock();
        }

        @Actor
        void unlocks() {
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException expected) {
                return;
            }
            throw new AssertionError("Nobody noticed.");
        }
    }

    /** A thread has one grant word for all its Hemlocks: it holds two, with a waiter each. */
    static final class HoldsTwo {
        private final Hemlock one = new Hemlock();
        private final Hemlock other = new Hemlock();
        private int ofOne;
        private int ofOther;

        @Actor
        void holdsBoth() {
            one.lock();
            other.lock();
            ofOne = ofOne + 1;
            ofOther = ofOther + 1;
            one.unlock();
            other.unlock();
        }

        @Actor
        void holdsOne() {
            one.lock();
            ofOne = ofOne + 1;
            one.unlock();
        }

        @Actor
        void holdsOther() {
            other.lock();
            ofOther = ofOther + 1;
            other.unlock();
        }

        @Arbiter
        void everyEntryCounts() {
            if (ofOne != 2 || ofOther != 2) {
                throw new AssertionError("The counts are " + ofOne + " and " + ofOther + ", and not 2.");
            }
        }
    }

    /** The waiter is interrupted: it gets the lock nevertheless, and its interrupt flag stays set. */
    abstract static class Interrupted {
        private final SpinLock lock;
        private volatile Thread waiter;
        private volatile boolean isOver;
        private boolean interrupts;
        private int count;

        Interrupted(SpinLock lock) {
            this.lock = lock;
        }

        @Actor
        void holds() {
            lock.lock();
            Thread other = waiter;
            if (other != null) {
                other.interrupt();
                interrupts = true;
            }
            count = count + 1;
            lock.unlock();
            isOver = true;
        }

        @Actor
        void waits() {
            waiter = Thread.currentThread();
            lock.lock();
            count = count + 1;
            lock.unlock();
            while (!isOver) {
                Thread.onSpinWait();
            }
            if (Thread.currentThread().isInterrupted() != interrupts) {
                throw new AssertionError(interrupts ? "The interrupt is lost." : "Nobody has interrupted the thread.");
            }
        }

        @Arbiter
        void bothHaveEntered() {
            if (count != 2) {
                throw new AssertionError("The count is " + count + " and not 2.");
            }
        }
    }

    static final class MuslInterrupted extends Interrupted {
        MuslInterrupted() {
            super(new MuslMutex());
        }
    }

    static final class TristateInterrupted extends Interrupted {
        TristateInterrupted() {
            super(new TristateMutex());
        }
    }

    static final class SlimInterrupted extends Interrupted {
        SlimInterrupted() {
            super(new SlimMutex());
        }
    }
}
