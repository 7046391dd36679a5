package dev.cqs.threads;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.util.concurrent.locks.Lock;

/**
 * What a stream holds of a condition: its lock, and nothing of its waiters. The name of this class and of its field are for
 * good.
 */
final class SerializedCondition implements Serializable {
    /*
     * Not a record. In a circle, where a lock has a field for its condition and the condition is written first, a record
     * would silently be read as null there; this fails.
     */

    private static final long serialVersionUID = 1L;

    /** @serial the lock whose condition it is */
    @SuppressWarnings("serial") // the lock decides whether it is serializable
    private final Lock lock;

    SerializedCondition(Lock lock) {
        this.lock = lock;
    }

    private Object readResolve() throws InvalidObjectException {
        if (lock instanceof ReentrantLock own) {
            return own.freshCondition();
        }
        if (lock instanceof ReentrantReadWriteLock.WriteLock own) {
            return own.freshCondition();
        }
        throw new InvalidObjectException("a condition of something else than a lock: " + lock);
    }
}
