package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The recorded owner is exact for the owner, a hint for other threads, and orders nothing. */
class OwnableSynchronizerTest {

    /** A lock that throws if it is taken. */
    static final class TryLock extends AbstractOwnableSynchronizer {

        private static final long serialVersionUID = 1L;

        private final transient AtomicBoolean taken = new AtomicBoolean();

        boolean tryLock() {
            assert getExclusiveOwnerThread() != Thread.currentThread() : "it is this thread, which has not locked yet";
            if (!taken.compareAndSet(false, true)) {
                return false;
            }
            setExclusiveOwnerThread(Thread.currentThread());
            return true;
        }

        Thread owner() {
            return getExclusiveOwnerThread();
        }

        void unlock() {
            assert getExclusiveOwnerThread() == Thread.currentThread() : "it is another thread";
            setExclusiveOwnerThread(null);
            taken.set(false);
        }
    }

    static class TwoOwners {

        private final TryLock lock = new TryLock();

        @Actor(2)
        boolean locks(int me) {
            boolean locked = lock.tryLock();
            if (locked) {
                lock.unlock();
            }
            return locked;
        }
    }

    /** Reading the owner does not order the owner's earlier writes. */
    static class Hint {

        private final TryLock lock = new TryLock();
        private int plain;

        @Actor
        void locks() {
            plain = 1;
            lock.tryLock();
        }

        @Actor
        int looks() {
            return lock.owner() == null ? 0 : plain;
        }
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void theOwnerIsExactForItself(Model model) {
        Result result = AwaitModelChecker.under(model).check(TwoOwners.class);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(3, result.outcomes().size(), result::toString);
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void theOwnerOrdersNothingForOthers(Model model) {
        assertEquals(
                Verdict.DATA_RACE,
                AwaitModelChecker.under(model).check(Hint.class).verdict());
    }
}
