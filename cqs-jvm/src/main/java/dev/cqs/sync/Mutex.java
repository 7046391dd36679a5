package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.spi.Closing;
import dev.cqs.spi.MutexSteps;
import dev.cqs.spi.Steps;
import dev.cqs.spi.SyncAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * A fair mutual exclusion lock that callers of every kind can share: threads, virtual threads and coroutines
 * wait for it in one queue. This object holds the state and the operations that never wait; waiting for it is
 * done through a face, for example {@code dev.cqs.threads.Mutex}.
 *
 * <p><b>Fairness.</b> First in, first out. {@link #unlock} hands the mutex to the request that has waited
 * longest. A request has its place from the moment at which its waiter is in the queue. {@link #tryLock}
 * succeeds only if the mutex is free, and it is never free while somebody waits.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the
 * length of the queue nor the number of requests given up before; later owners do not pay for it.
 *
 * <p><b>Memory consistency.</b> What is done before {@code unlock} happens-before what is done by the next
 * holder after it has got the mutex.
 *
 * <p><b>Ownership.</b> The mutex itself does not check who unlocks it; faces for threads do.
 *
 * <pre>{@code
 * Mutex mutex = new Mutex();
 * if (mutex.tryLock()) {
 *     try {
 *         ...
 *     } finally {
 *         mutex.unlock();
 *     }
 * }
 * }</pre>
 */
public final class Mutex extends Permits {
    /*
     * A mutex is a single permit, see Permits. Beside it stands the record of who holds it, in one of two
     * forms, for there is no more than one holder. All faces of the mutex share it.
     *
     *   A thread: the superclass's field and `reentries`. Written by that thread only, after it was granted
     *   the mutex and before it unlocks, and read by others as a hint. A thread reads its own writes, so "is
     *   it me" is exact without any ordering.
     *
     *   A token, which a coroutine names itself by, since it has no lasting thread. Written on behalf of the
     *   one who is granted the mutex, before that one runs on, and volatile because it runs on anywhere.
     *   Between the grant and the write the mutex is locked without a record. Who unlocks by a token takes it
     *   away by CAS, so of two who do so with the same token one fails, and the next holder is safe from it.
     */

    private static final long serialVersionUID = 1L;

    private static final VarHandle TOKEN;
    private static final VarHandle CONDITIONS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOKEN = lookup.findVarHandle(Mutex.class, "token", Object.class);
            CONDITIONS = lookup.findVarHandle(Mutex.class, "conditions", ConditionLock.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerMutex(new StepsOfMutex());
    }

    /** How often the owner has entered again. Plain: written and read by the owner. */
    private transient int reentries;

    /** What the holder names itself by, or null; written on behalf of the holder. */
    private transient volatile Object token;

    /** This mutex as its conditions see it; made by CAS with the first of them. */
    private transient volatile ConditionLock conditions;

    /** Creates a free mutex. */
    public Mutex() {
        super(1, 1);
    }

    /**
     * Takes the mutex if it is free.
     *
     * @return whether the caller now holds it
     * @throws ClosedException if this mutex is closed
     */
    public boolean tryLock() {
        return tryTake();
    }

    /**
     * Gives the mutex to the first who waits, or frees it.
     *
     * @throws IllegalStateException if the mutex is not locked; it then stays as it is
     */
    public void unlock() {
        if (getExclusiveOwnerThread() != null || token != null) {
            clearRecord();
        }
        put();
    }

    private boolean unlockAs(Object owner) {
        if (!TOKEN.compareAndSet(this, owner, null)) {
            return false;
        }
        put();
        return true;
    }

    /** A condition of this mutex. */
    public Condition newCondition() {
        if (conditions == null) {
            CONDITIONS.compareAndSet(this, null, new OfThis());
        }
        return new Condition(conditions);
    }

    private void clearRecord() {
        if (!isLocked()) {
            throw excess(1); // a record without a lock is another's, made a moment ago: leave it
        }
        reentries = 0;
        setExclusiveOwnerThread(null);
        token = null;
    }

    /**
     * Closes this mutex for good: those who wait, and everybody who asks for it later, get a {@link
     * ClosedException} with this cause. Its holder may unlock it as before. Those who wait on its {@linkplain
     * Condition conditions} get the exception as well, but only with the mutex, one after the other.
     *
     * <p>An unlock that races with this may still serve one of those who wait; everybody is granted or fails.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        boolean closed = closeWith(cause);
        ConditionLock present = conditions; // after the closing: whoever makes them later sees that
        if (present != null) {
            present.failAll();
        }
        return closed;
    }

    /** Whether this mutex was closed. */
    public boolean isClosed() {
        return closing() != null;
    }

    /** Whether somebody holds the mutex at this moment. */
    public boolean isLocked() {
        return available() <= 0;
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        return waiting();
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show
     * those who come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        forEach(action);
    }

    /** Says whether the mutex is locked, by whom if that is on record, how many wait, and whether it is closed. */
    @Override
    public String toString() {
        Thread owner = getExclusiveOwnerThread();
        Object name = owner != null ? owner.getName() : token;
        String held = !isLocked() ? "unlocked" : name == null ? "locked" : "locked by " + name;
        return "Mutex@" + Integer.toHexString(hashCode()) + "[" + held + ", " + queueLength() + " waiting"
                + (isClosed() ? ", closed]" : "]");
    }

    @Override
    String what() {
        return "mutex";
    }

    @Override
    IllegalStateException excess(int maximum) {
        return new IllegalStateException("This mutex is not locked");
    }

    private final class OfThis extends ConditionLock {
        @Override
        Mutex mutex() {
            return Mutex.this;
        }

        @Override
        String what() {
            return Mutex.this.what();
        }

        @Override
        boolean isHeld() {
            return isLocked();
        }

        @Override
        Closing closing() {
            return Mutex.this.closing();
        }

        @Override
        void relock(Waiter waiter) {
            comeBack(waiter);
        }
    }

    private static final class StepsOfMutex extends MutexSteps {
        @Override
        public int reserve(Mutex mutex, int n) {
            return mutex.reserveOne();
        }

        @Override
        public boolean tryReserve(Mutex mutex, int n) {
            return mutex.tryTake();
        }

        @Override
        public boolean enqueue(Mutex mutex, Waiter waiter, int ticket) {
            return mutex.enqueue(waiter, ticket);
        }

        @Override
        public void abandon(Mutex mutex, int ticket) {
            mutex.abandon(ticket);
        }

        @Override
        public Thread owner(Mutex mutex) {
            return mutex.getExclusiveOwnerThread();
        }

        @Override
        public void setOwner(Mutex mutex, Thread owner) {
            mutex.setExclusiveOwnerThread(owner);
        }

        @Override
        public Object token(Mutex mutex) {
            return mutex.token;
        }

        @Override
        public void setToken(Mutex mutex, Object token) {
            mutex.token = token;
        }

        @Override
        public boolean unlockAs(Mutex mutex, Object token) {
            return mutex.unlockAs(token);
        }

        @Override
        public int reentries(Mutex mutex) {
            return mutex.reentries;
        }

        @Override
        public void setReentries(Mutex mutex, int reentries) {
            mutex.reentries = reentries;
        }
    }
}
