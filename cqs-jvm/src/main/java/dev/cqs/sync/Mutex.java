package dev.cqs.sync;

import dev.cqs.Waiter;
import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.Grantee;
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
public final class Mutex extends SemaphoreState {
    /*
     * A mutex is a single permit, see Permits. Beside it stands the record of who holds it, in one of two
     * forms, for there is no more than one holder. All faces of the mutex share it.
     *
     *   A thread: the superclass's field and `reentries`. Written by that thread only, after it was granted
     *   the mutex and before it unlocks, and read by others as a hint. A thread reads its own writes, so "is
     *   it me" is exact without any ordering.
     *
     *   A token, which a coroutine names itself by, since it has no lasting thread. The rest is about tokens.
     *
     * That there is a token is part of the count: HELD_BY_TOKEN is added in the step that takes a free mutex
     * under a token, and subtracted in the step that gives it up. Which token it is stands in `record`:
     *
     *      count                 record      the mutex is
     *      1                     null        free
     *      0, -1, ...            null        held without a token, or on its way to a waiter
     *      HELD_BY_TOKEN + those null        held by a token that is just being written or was just taken off
     *                            a token     held under this token
     *                            a Grantee   held under its token if it holds(), or else not under a token
     *
     *   MX-1  The record is not null only while HELD_BY_TOKEN is in the count. A holder writes it after it was
     *         added; an unlock takes it off by CAS before it is subtracted. So of several that unlock with the
     *         same token one succeeds, and the next holder is safe from the others.
     *   MX-2  An unlock without a token does not add blindly. It changes the count by CAS from a value that
     *         says whether a token is on record, and with a token takes off the record first. Otherwise an unlock
     *         that races with another unlock and a lock under a token would free the mutex and leave the
     *         token on record for the next holder.
     *
     * A reader of the record reads the count first. Without HELD_BY_TOKEN no token is on record at that moment; with it
     * and no record the reader spins, for the one or two steps that its writer has left; and a record that is
     * there answers by itself (MX-1). So each answer is true at the moment of the last read. Callers without a token never
     * write the record, and take and give up the mutex in one atomic step each; only unlock() spins, on a record
     * that is being written.
     *
     * A waiter that asked under a token and is handed the mutex first holds it as one without a token. Whether it keeps
     * it is decided when its coroutine is resumed: one that was cancelled by then may end at once, and be joined by
     * others, while the mutex is still on its way back. So its record is the waiter, a Grantee, which answers from
     * its coroutine's state; it is written before the resume, because the coroutine may run within, and replaced
     * by the token after, so that it is not kept for as long as the mutex is held.
     *
     * In the second form, which a mutex goes to when it is closed, HELD_BY_TOKEN is gone and the record stands alone. A
     * closed mutex is taken by waiters that come back from a condition and by nobody else. While close() is under
     * way a reader can find no record although the holder is just writing one.
     */

    private static final long serialVersionUID = 1L;

    /** What is said of the record of a mutex that nobody holds. */
    private static final Object FREE = new Object();

    private static final VarHandle RECORD;
    private static final VarHandle CONDITIONS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RECORD = lookup.findVarHandle(Mutex.class, "record", Object.class);
            CONDITIONS = lookup.findVarHandle(Mutex.class, "conditions", ConditionLock.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerMutex(new StepsOfMutex());
        rehearse();
    }

    /** How often the owner has entered again. Plain: written and read by the owner. */
    private transient int reentries;

    /** The token of the holder, a {@link Grantee}, or null: MX-1. Written on behalf of the holder; to null by CAS. */
    private transient volatile Object record;

    /** This mutex as its conditions see it; made by CAS with the first of them. */
    private transient volatile ConditionLock conditions;

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        Mutex mutex = new Mutex();
        mutex.tryLock();
        mutex.newCondition().rehearse();
        mutex.unlock();
        rehearseTokens();
    }

    /**
     * The same for the tokens, on a mutex that nobody waits for: the one with the condition is handed on as it is unlocked.
     *
     * @return whether each step has done what it is for
     */
    static boolean rehearseTokens() {
        Mutex mutex = new Mutex();
        RehearsedGrantee grantee = new RehearsedGrantee();
        boolean isUnlocked = mutex.tryLock("") && mutex.unlockAs("");
        boolean isSettled = mutex.tryLock();
        mutex.setRecord(grantee);
        isSettled &= mutex.casRecord(grantee, grantee.token()) && mutex.unlockAs(grantee.token());
        boolean isBack = mutex.tryLock();
        mutex.setRecord(grantee);
        mutex.giveBack(grantee);
        isBack &= !mutex.isLocked();
        return isUnlocked && isSettled && isBack;
    }

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
        long seen = count();
        if (seen < 0) {
            StackCheck.ensure(); // it may have to hand over; the owner is still on record
        }
        if (getExclusiveOwnerThread() != null) {
            clearOwner(seen);
        }
        // Nobody waits. The expected value is a constant, so that the processor need not wait for the one it has read.
        if (seen != 0 || !casCount(0, 1)) {
            putBack();
        }
    }

    /** Takes the owner off the record before the unlock of a mutex with this count. */
    private void clearOwner(long seen) {
        if (seen > 0 || (seen < UPGRADED && !isLocked())) {
            throw excess(1); // a record without a lock is another's, made a moment ago: leave it
        }
        reentries = 0;
        setExclusiveOwnerThread(null);
    }

    @Override
    void putBack() {
        for (int turns = 0; ; ) {
            long seen = count();
            if (isHeldByToken(seen)) {
                Object present = record;
                if (present == null || !casRecord(present, null)) {
                    turns = Spin.pause(turns); // it is being written, or another unlock has been faster
                } else if (release()) {
                    return;
                }
            } else if (seen > 0) {
                throw excess(1);
            } else if (seen < UPGRADED) {
                unlockUpgraded();
                return;
            } else if (casCount(seen, seen + 1) && serve(seen)) { // MX-2
                return;
            }
        }
    }

    private void unlockUpgraded() {
        if (!isLocked()) {
            throw excess(1);
        }
        record = null;
        second().release(1);
    }

    /**
     * Hands the mutex over if requests wait, as the count before says.
     *
     * @return {@code false} if the request has not come to its cell in time: it starts again, and so does the unlock
     */
    private boolean serve(long before) {
        return before == 0 || queue().resume(this);
    }

    /** Gives up what was held under a token, which was just taken off the record; as {@link #serve}. */
    private boolean release() {
        for (; ; ) {
            long seen = count();
            if (seen < UPGRADED) {
                second().release(1);
                return true;
            }
            long before = Math.min(0, plain(seen)); // what is above was an excess
            if (casCount(seen, before + 1)) {
                return serve(before);
            }
        }
    }

    /** Starts {@link #release} again; {@code false} if another caller has unlocked the mutex meanwhile. */
    private boolean releaseAgain() {
        for (; ; ) {
            long seen = count();
            if (isHeldByToken(seen) || seen > 0) {
                return false;
            }
            if (seen < UPGRADED) {
                second().release(1);
                return true;
            }
            if (casCount(seen, seen + 1) && serve(seen)) {
                return true;
            }
        }
    }

    // Tokens

    private boolean tryLock(Object token) {
        if (!tryTake(HELD_BY_TOKEN)) {
            return false;
        }
        record = token;
        return true;
    }

    private void setRecord(Object holder) {
        for (; ; ) {
            long seen = count();
            if (isHeldByToken(seen) || seen > 0) {
                return; // another caller has unlocked it meanwhile
            }
            if (seen < UPGRADED || casCount(seen, seen + HELD_BY_TOKEN)) {
                record = holder;
                return;
            }
        }
    }

    private boolean casRecord(Object expected, Object replacement) {
        return RECORD.compareAndSet(this, expected, replacement);
    }

    /** What is on record, once it is written: a token, a {@link Grantee}, null, or {@link #FREE} if nobody holds this. */
    private Object recordWhenWritten() {
        for (int turns = 0; ; turns = Spin.pause(turns)) {
            long seen = count();
            if (seen > 0 || (seen < UPGRADED && !isLocked())) {
                return FREE;
            }
            Object present = isHeldByToken(seen) || seen < UPGRADED ? record : null;
            if (present != null || !isHeldByToken(seen)) {
                return present;
            }
        }
    }

    private static Object tokenOf(Object record) {
        return !(record instanceof Grantee grantee) ? record : grantee.holds() ? grantee.token() : null;
    }

    private Object token() {
        Object present = recordWhenWritten();
        return present == FREE ? null : tokenOf(present);
    }

    private int heldUnder(Object token) {
        Object present = recordWhenWritten();
        return present == FREE
                ? MutexSteps.FREE
                : tokenOf(present) == token ? MutexSteps.UNDER_THIS_TOKEN : MutexSteps.OTHERWISE;
    }

    private boolean unlockAs(Object token) {
        for (; ; ) {
            Object present = recordWhenWritten();
            if (tokenOf(present) != token) {
                return false;
            }
            checkStack();
            if (casRecord(present, null) && (release() || releaseAgain())) { // a Grantee may have become its token
                return true;
            }
        }
    }

    private void giveBack(Grantee grantee) {
        if ((casRecord(grantee, null) || casRecord(grantee.token(), null)) && !release()) {
            releaseAgain();
        }
    }

    /** A condition of this mutex. */
    public Condition newCondition() {
        if (conditions == null) {
            CONDITIONS.compareAndSet(this, null, new OfThis());
        }
        return new Condition(conditions);
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
        Object name = owner != null ? owner.getName() : tokenOf(record);
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
        Closed closing() {
            return Mutex.this.closing();
        }

        @Override
        void prepareToRelock() {
            queue();
        }

        @Override
        void relock(Waiter waiter) {
            reacquire(waiter);
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
        public boolean tryLock(Mutex mutex, Object token) {
            return mutex.tryLock(token);
        }

        @Override
        public int heldUnder(Mutex mutex, Object token) {
            return mutex.heldUnder(token);
        }

        @Override
        public Object token(Mutex mutex) {
            return mutex.token();
        }

        @Override
        public void setToken(Mutex mutex, Object token) {
            mutex.setRecord(token);
        }

        @Override
        public void setGrantee(Mutex mutex, Grantee grantee) {
            mutex.setRecord(grantee);
        }

        @Override
        public void settle(Mutex mutex, Grantee grantee) {
            mutex.casRecord(grantee, grantee.token());
        }

        @Override
        public void giveBack(Mutex mutex, Grantee grantee) {
            mutex.giveBack(grantee);
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
