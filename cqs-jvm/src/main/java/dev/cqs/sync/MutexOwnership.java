package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who holds a {@link Mutex}, if the holder has a name: a thread, or a token that stands for a coroutine. */
abstract class MutexOwnership extends SemaphoreState {
    /*
     * Overview.
     *
     * A mutex has at most one holder, and so one record of it, which all views of the mutex share. The record has two forms.
     *
     *   A thread: the superclass's field and `reentries`. The thread itself writes them, after it was granted the mutex and
     *   before it unlocks; other threads read them as a hint. A thread reads its own writes, so its check whether it is the
     *   owner is exact without any ordering.
     *
     *   A token, for a coroutine, which has no lasting thread. The rest is about tokens.
     *
     * That there is a token is part of the count: HELD_BY_TOKEN is added in the step that takes a free mutex under a
     * token, and subtracted in the step that gives it up. Which token it is stands in `record`:
     *
     *      count                 record         the mutex is
     *      1                     null           free
     *      0, -1, ...            null           held without a token, or on its way to a waiter
     *      HELD_BY_TOKEN + those null           held by a token that is being written or was just cleared
     *                            a token        held under this token
     *                            a TokenWaiter  held under its token if it holds(), or else not under a token
     *
     *   MX-1  The record is not null only while HELD_BY_TOKEN is in the count. A holder writes the record after HELD_BY_TOKEN
     *         was added; an unlock clears the record by CAS before HELD_BY_TOKEN is subtracted. So of several unlocks with
     *         the same token one succeeds, and the next holder is safe from the others.
     *   MX-2  An unlock without a token does not add blindly. It changes the count by CAS from a value that says whether
     *         a token is on record; if one is, it clears the record first. Otherwise an unlock that races with another
     *         unlock and a lock under a token would free the mutex and leave the token on record for the next holder.
     *
     * A reader of the record reads the count first. Without HELD_BY_TOKEN no token is on record at that moment. With it but
     * without a record the reader spins, for the one or two steps that the writer has left. A record that is there answers
     * by itself (MX-1). So each answer is true at the moment of the last read. Callers without a token never write the
     * record, and take and give up the mutex in one atomic step each. Only unlock() spins, on a record that is being written.
     *
     * A waiter that was handed the mutex first holds it without a token. Whether its owner takes it is decided when the
     * coroutine is resumed. A coroutine that was cancelled by then may end at once, and be joined by other coroutines, while
     * the mutex is still on its way back. So the record is the waiter, which answers from the state of its coroutine. It is
     * written before the resume, because the coroutine may run within the resume.
     *
     * In weighted mode, to which a mutex is upgraded when it is closed, HELD_BY_TOKEN is gone and the record stands alone. A
     * closed mutex is taken only by waiters that come back from a condition. While close() is under way a reader can find no
     * record although the holder is just writing one.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long serialVersionUID = 1L;

    /** Stands for the record of a mutex that has no holder. */
    private static final Object FREE = new Object();

    private static final VarHandle RECORD;

    static {
        try {
            RECORD = MethodHandles.lookup().findVarHandle(MutexOwnership.class, "record", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How often the owner has reentered. Plain: written and read by the owner. */
    private transient int reentries;

    /** The token of the holder, its {@link TokenWaiter}, or null: MX-1. Written on behalf of the holder; to null by CAS. */
    private transient volatile @Nullable Object record;

    MutexOwnership() {
        super(1, 1);
    }

    // Threads

    /** The thread on record as the owner, or {@code null}. Exact for the current thread; a snapshot of any other. */
    public final @Nullable Thread owner() {
        return getExclusiveOwnerThread();
    }

    /** Puts the current thread, which was granted the mutex just now, on record as its owner. */
    public final void setOwner(Thread current) {
        setExclusiveOwnerThread(current);
    }

    /** The same for a thread that regains these holds, after it has waited on a condition. */
    public final void setOwner(Thread current, int holds) {
        reentries = holds - 1;
        setExclusiveOwnerThread(current);
    }

    /**
     * Reenters the mutex, if the current thread is the owner.
     *
     * @return whether it is
     * @throws Error if the thread has entered more often than an {@code int} can count
     */
    public final boolean tryReenter(Thread current) {
        if (getExclusiveOwnerThread() != current) {
            return false;
        }
        if (reentries == Integer.MAX_VALUE - 1) {
            throw new Error("Maximum lock count exceeded");
        }
        reentries++;
        return true;
    }

    /** How often the current thread has entered and not left; zero if it is not the owner. */
    public final int holdCount(Thread current) {
        return getExclusiveOwnerThread() == current ? reentries + 1 : 0;
    }

    /**
     * Undoes one entry of the current thread. The last one gives the mutex to the first waiter, or frees it.
     *
     * @throws IllegalMonitorStateException if the current thread is not the owner
     */
    public final void unlock(Thread current) {
        checkOwner(current);
        if (reentries == 0) {
            unlock();
        } else {
            reentries--;
        }
    }

    /** @throws IllegalMonitorStateException if the current thread is not the owner */
    public final void checkOwner(Thread current) {
        Thread owner = getExclusiveOwnerThread();
        if (owner != current) {
            throw new IllegalMonitorStateException("the current thread does not hold this lock; "
                    + (owner == null ? "no thread does" : "thread " + owner.getName() + " does"));
        }
    }

    /**
     * Hands the mutex to the first waiter, or frees it. Does not check which caller holds it.
     *
     * @throws IllegalStateException if the mutex is not locked; it then stays as it is
     */
    public final void unlock() {
        long seen = count();
        if (seen < 0) {
            StackCheck.ensure(); // the unlock may have to hand over; the owner is still on record
        }
        if (getExclusiveOwnerThread() != null) {
            clearOwner(seen);
        }
        // No request waits. The expected value is a constant, so that the processor need not wait for the one it has
        // read.
        if (seen != 0 || !casCount(0, 1)) {
            putBack();
        }
    }

    /** Clears the owner before the unlock of a mutex with this count. */
    private void clearOwner(long seen) {
        if (seen > 0 || (seen < UPGRADED && available() > 0)) {
            throw excess(1); // a record without a lock is that of a later owner: leave it
        }
        reentries = 0;
        setExclusiveOwnerThread(null);
    }

    @Override
    final void putBack() {
        for (int turns = 0; ; ) {
            long seen = count();
            if (isHeldByToken(seen)) {
                Object present = record;
                if (present == null || !casRecord(present, null)) {
                    turns = Spin.pause(turns); // the record is being written, or another unlock was faster
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
        if (available() > 0) {
            throw excess(1);
        }
        record = null;
        upgradedState().release(1);
    }

    /**
     * Hands the mutex over if requests wait, according to the count before.
     *
     * @return {@code false} if the request has not come to its cell in time: it starts again, and so does the unlock
     */
    private boolean serve(long before) {
        return before == 0 || queue().resume(this);
    }

    /** Gives up a mutex that was held under a token, after the record was cleared; answers as {@link #serve} does. */
    private boolean release() {
        for (; ; ) {
            long seen = count();
            if (seen < UPGRADED) {
                upgradedState().release(1);
                return true;
            }
            long before = Math.min(0, plain(seen)); // a positive count was an excess
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
                upgradedState().release(1);
                return true;
            }
            if (casCount(seen, seen + 1) && serve(seen)) {
                return true;
            }
        }
    }

    // Tokens

    /**
     * Takes the mutex under this token if it is free. The token is on record for every caller from then on, until the
     * mutex is unlocked.
     *
     * @param token compared by identity; not {@code null}
     * @return {@code false} if the mutex is held under another token, or without one
     * @throws IllegalStateException if it is held under this token
     * @throws ClosedException if this mutex is closed
     */
    public final boolean tryLockWithToken(Object token) {
        Objects.requireNonNull(token, "token");
        for (; ; ) {
            if (tryTake(HELD_BY_TOKEN)) {
                record = token;
                return true;
            }
            Object present = recordWhenWritten();
            if (present != FREE) { // if FREE, it was locked until a moment ago: try again
                if (tokenOf(present) == token) {
                    throw new IllegalStateException("This mutex is already locked by the specified owner: " + token);
                }
                return false;
            }
        }
    }

    /**
     * Puts a waiter on record that is being resumed with this mutex, or that was granted it at once. The mutex is held under
     * the token of the waiter as soon as {@link TokenWaiter#holds} answers {@code true}.
     */
    public final void setOwner(TokenWaiter waiter) {
        setRecord(waiter);
    }

    /** Puts the token of a holder on record that was granted the mutex and certainly takes it. */
    public final void setOwnerToken(Object token) {
        setRecord(token);
    }

    private void setRecord(Object holder) {
        Objects.requireNonNull(holder);
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

    /**
     * Takes the mutex back from a waiter that was handed it under a token, and whose owner does not take it. Hands it to the
     * next waiter, or frees it. Does nothing if another caller has unlocked it since.
     */
    public final void giveBack(TokenWaiter waiter) {
        if (casRecord(waiter, null) && !release()) {
            releaseAgain();
        }
    }

    /** Whether the mutex is held under this token, at one moment of this call. */
    public final boolean isLockedWithToken(Object token) {
        Objects.requireNonNull(token, "token");
        Object present = recordWhenWritten();
        return present != FREE && tokenOf(present) == token;
    }

    /** The token under which the mutex is held, at one moment of this call, or {@code null}. */
    public final @Nullable Object ownerToken() {
        Object present = recordWhenWritten();
        return present == FREE ? null : tokenOf(present);
    }

    /**
     * Hands the mutex to the first waiter, or frees it, if it is held under this token.
     *
     * @throws IllegalStateException if it is not held under this token; nothing is then changed
     */
    public final void unlockWithToken(Object token) {
        Objects.requireNonNull(token, "token");
        for (; ; ) {
            Object present = recordWhenWritten();
            if (present == FREE || tokenOf(present) != token) {
                throw notHeldWith(token, present);
            }
            StackCheck.ensure();
            if (casRecord(present, null) && (release() || releaseAgain())) {
                return;
            }
        }
    }

    private static IllegalStateException notHeldWith(Object token, @Nullable Object present) {
        Object other = present == FREE ? null : tokenOf(present);
        return new IllegalStateException(
                present == FREE
                        ? "This mutex is not locked"
                        : other == null
                                ? "This mutex is locked without an owner, but " + token + " is expected"
                                : "This mutex is locked by " + other + ", but " + token + " is expected");
    }

    private boolean casRecord(@Nullable Object expected, @Nullable Object replacement) {
        return RECORD.compareAndSet(this, expected, replacement);
    }

    /** The record once it is written: a token, a {@link TokenWaiter}, null, or {@link #FREE} if this has no holder. */
    private @Nullable Object recordWhenWritten() {
        for (int turns = 0; ; turns = Spin.pause(turns)) {
            long seen = count();
            if (seen > 0 || (seen < UPGRADED && available() > 0)) {
                return FREE;
            }
            Object present = isHeldByToken(seen) || seen < UPGRADED ? record : null;
            if (present != null || !isHeldByToken(seen)) {
                return present;
            }
        }
    }

    private static @Nullable Object tokenOf(@Nullable Object record) {
        return !(record instanceof TokenWaiter waiter) ? record : waiter.holds() ? waiter.token() : null;
    }

    /** The name of the holder, for messages, or null: may be out of date. */
    final @Nullable Object holderName() {
        Thread owner = getExclusiveOwnerThread();
        return owner != null ? owner.getName() : tokenOf(record);
    }

    /**
     * Executes each access of a token once: see Rehearsal.
     *
     * @return whether each step has done what it is for
     */
    final boolean rehearseTokens() {
        boolean isTaken = tryLockWithToken("") && isLockedWithToken("") && !tryLockWithToken(FREE);
        unlockWithToken("");
        RehearsedTokenWaiter waiter = new RehearsedTokenWaiter();
        boolean isOnRecord = tryTake(0);
        setOwner(waiter);
        isOnRecord &= isLockedWithToken("");
        unlockWithToken("");
        boolean isBack = tryTake(0);
        setOwner(waiter);
        giveBack(waiter);
        return isTaken && isOnRecord && isBack && available() > 0;
    }

    /** A waiter under a token without an owner, for the rehearsal. */
    private static final class RehearsedTokenWaiter implements TokenWaiter {
        @Override
        public Object token() {
            return "";
        }

        @Override
        public boolean holds() {
            return true;
        }
    }
}
