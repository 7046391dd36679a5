package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes any lock reentrant: the holder can lock it again, and unlocks it as often. As fair as that lock. */
public final class RecursiveLock implements SpinLock {

    private static final VarHandle OWNER = Fields.handle(MethodHandles.lookup(), "owner", Thread.class);

    private final SpinLock lock;
    /**
     * The holder, or null. Whether it is the calling thread does not change during the call, so opaque accesses
     * suffice.
     */
    private volatile @Nullable Thread owner;
    /** The hold count. Only the holder accesses it. */
    private int count;

    /**
     * Makes {@code lock}, which must be free and used for nothing else, reentrant.
     *
     * @param lock the lock to make reentrant
     */
    public RecursiveLock(SpinLock lock) {
        this.lock = Objects.requireNonNull(lock, "lock");
    }

    @Override
    public void lock() {
        Thread me = Thread.currentThread();
        if (OWNER.getOpaque(this) != me) {
            lock.lock();
            OWNER.setOpaque(this, me);
        }
        count++;
    }

    /**
     * Unlocks.
     *
     * @throws IllegalMonitorStateException if the thread does not hold it
     */
    @Override
    public void unlock() {
        if (OWNER.getOpaque(this) != Thread.currentThread()) {
            throw new IllegalMonitorStateException("The calling thread does not hold the lock.");
        }
        if (--count == 0) {
            OWNER.setOpaque(this, null);
            lock.unlock();
        }
    }
}
