package dev.cqs.pool;

import dev.cqs.sync.WaitFailure.Closed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The state of a closed {@link Pool}: why it was closed, and how many elements are left in its store. */
final class ClosedPool {
    private static final VarHandle IDLE;

    static {
        try {
            IDLE = MethodHandles.lookup().findVarHandle(ClosedPool.class, "idle", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Closed reason;

    /** Elements that may be taken out; atomic additions and CAS. */
    private volatile long idle;

    ClosedPool(Closed reason) {
        this.reason = reason;
    }

    long idle() {
        return idle;
    }

    void add(long inserted) {
        IDLE.getAndAdd(this, inserted);
    }

    /** Claims one element of the store for the caller; false if there is none. */
    boolean takeOne() {
        for (; ; ) {
            long seen = idle;
            if (seen == 0) {
                return false;
            }
            if (IDLE.compareAndSet(this, seen, seen - 1)) {
                return true;
            }
        }
    }
}
