package dev.cqs.threads;

import dev.cqs.sync.ReadWriteMutex;
import java.util.concurrent.locks.Lock;

/** A condition of the write lock of a {@link ReentrantReadWriteLock}. */
final class WriteLockCondition extends LockCondition {
    private static final long serialVersionUID = 1L;

    private final transient ReentrantReadWriteLock.WriteLock lock;
    private final transient ReadWriteMutex core;

    @SuppressWarnings("NullAway") // the condition is of a write lock
    WriteLockCondition(ReentrantReadWriteLock.WriteLock lock, dev.cqs.sync.Condition condition) {
        super(condition);
        this.lock = lock;
        this.core = condition.readWriteMutex();
    }

    @Override
    void checkHeld() {
        core.checkOwner(Thread.currentThread());
    }

    @Override
    void checkMayWait(Thread thread) {
        if (ReentrantReadWriteLock.readsAs(thread, core)) {
            throw new IllegalStateException(
                    "the current thread holds a read lock of this lock, so no thread could lock "
                            + "to write and signal");
        }
    }

    @Override
    int holds(Thread current) {
        return core.writeHoldCount(current);
    }

    @Override
    void heldBy(Thread current, int holds) {
        core.setOwner(current, holds);
    }

    @Override
    Object blocker() {
        return core;
    }

    @Override
    Lock lock() {
        return lock;
    }
}
