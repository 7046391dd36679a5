package dev.cqs.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets the holder of any lock take it again, as often as it likes, and give it back as often. As fair as that lock. */
public final class RecursiveLock implements SpinLock {

    private static final VarHandle OWNER = Fields.handle(MethodHandles.lookup(), "owner", Thread.class);

    private final SpinLock lock;
    /** The holder, or null. Whether it is the thread that asks never changes while that thread asks, so opaque will do. */
    private volatile @Nullable Thread owner;
    /** How often the holder has it; the holder alone reads and writes it. */
    private int count;

    /**
     * Makes {@code lock}, which is free and used for nothing else, a recursive one.
     *
     * @param lock decides who waits, and how
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
     * Gives the lock back.
     *
     * @throws IllegalMonitorStateException if the thread does not hold it
     */
    @Override
    public void unlock() {
        if (OWNER.getOpaque(this) != Thread.currentThread()) {
            throw new IllegalMonitorStateException("The lock is given back by a thread that does not hold it.");
        }
        if (--count == 0) {
            OWNER.setOpaque(this, null);
            lock.unlock();
        }
    }
}
