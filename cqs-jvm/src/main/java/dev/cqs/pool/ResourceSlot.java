package dev.cqs.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A slot of a pool of resources: empty for good, or with one element for as long as that lives. */
final class ResourceSlot<E> implements PoolSlot<E> {
    /*
     * One 64-bit word, the state:
     *
     *      bits 2..63   how often the element has been idle, so that one look at an idle slot holds for one idle time
     *      bits 0..1    GONE   no element (any more); the taker of this slot may make one, which gets a slot of its own
     *                   IDLE   in the store
     *                   HELD   in the hands of one operation of the pool, which alone may write the fields
     *                   LENT   in the hands of the borrower
     *
     *      make: HELD -> LENT -> HELD -> IDLE -> HELD -> LENT ...; HELD -> GONE at the end
     *
     * IDLE and LENT are left by CAS: of a borrower that puts twice, or of a taker and an eviction, one wins. The fields are
     * written while HELD and published by the volatile store of the next state.
     *
     * A slot that was taken is HELD by its taker, or GONE (POOL-2). That makes the protocol of PoolSlot safe without a state
     * for it: lend() ends a slot whose element it does not lend. So a slot is empty when lend() has answered null, no matter
     * how many slots it has exchanged.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long GONE = 0;
    private static final long IDLE = 1;
    private static final long HELD = 2;
    private static final long LENT = 3;
    private static final long MASK = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ResourceSlot.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    private final ResourcePool<E> pool;

    private volatile long state;

    /** Null while it is gone, or is lent and only the borrower is to keep it. */
    @Nullable
    E element;

    /** The key by which the pool finds the slot of an element; null in one that never had any. */
    final ResourceRegistry.@Nullable Tag<E> tag;

    /** Since when it has been idle, or lent. */
    long since;

    /** The name of the borrower, while it is lent. */
    @Nullable
    String borrower;

    /** Where it was borrowed, if that is recorded. */
    @Nullable
    Throwable trace;

    /** Links each access: see Rehearsal. */
    @SuppressWarnings("NullAway") // it has no pool to be used
    private static void rehearse() {
        new ResourceSlot<>(null, "", null).hold(HELD);
    }

    /** An empty slot. */
    ResourceSlot(ResourcePool<E> pool) {
        this.pool = pool;
        this.tag = null;
    }

    /** With an element that was made, held by the maker. */
    ResourceSlot(ResourcePool<E> pool, E element, @Nullable ReferenceQueue<? super E> dropped) {
        this.pool = pool;
        this.element = element;
        this.tag = new ResourceRegistry.Tag<>(element, dropped);
        STATE.set(this, HELD); // plain: published with the slot
    }

    // By the taker

    @Override
    public @Nullable E lend(String borrower) {
        Throwable trace = traceOf(borrower);
        for (ResourceSlot<E> inHand = this; inHand.isHeld(); inHand = pool.exchangeEmpty()) {
            if (inHand.isValid()) {
                E lent = inHand.element;
                inHand.lendTo(borrower, pool.callbacks.nowSince(inHand.since), pool.registry.tracks(), trace);
                return lent;
            }
            pool.destroy(inHand);
        }
        return null;
    }

    /** Where the element is borrowed, if that is recorded. */
    private @Nullable Throwable traceOf(String borrower) {
        try {
            Objects.requireNonNull(borrower, "borrower");
            return pool.callbacks.trace();
        } catch (Throwable t) { // no memory, say
            giveBack();
            throw t;
        }
    }

    @SuppressWarnings("NullAway") // a held slot has its element
    private boolean isValid() {
        if (pool.callbacks.isTooOld(since)) {
            return false;
        }
        try {
            return pool.callbacks.accepts(element);
        } catch (Throwable t) {
            pool.destroy(this);
            pool.giveBackEmpty();
            throw t;
        }
    }

    @Override
    public E lendOrMake(String borrower) {
        E idle = lend(borrower);
        return idle != null ? idle : make(borrower);
    }

    private E make(String borrower) {
        E made;
        try {
            made = pool.callbacks.make();
        } catch (Throwable t) {
            giveBack();
            throw t;
        }
        return fill(made, borrower);
    }

    @Override
    public E fill(E made, String borrower) {
        boolean fresh = false;
        try {
            Objects.requireNonNull(made, "the factory has made null");
            fresh = pool.registry.find(made) == null;
            Objects.requireNonNull(borrower, "borrower");
            if (isHeld()) {
                throw new IllegalStateException("the slot has an idle element, which has not been asked for");
            }
            Throwable trace = pool.callbacks.trace();
            long now = pool.callbacks.now();
            ResourceSlot<E> filled = fresh ? pool.registry.add(pool, made) : null;
            fresh = filled != null;
            if (filled == null) {
                throw new IllegalStateException("the factory has made an element that the pool has already");
            }
            filled.lendTo(borrower, now, pool.registry.tracks(), trace);
            return made;
        } catch (Throwable t) {
            if (fresh) { // no other operation would destroy it
                pool.callbacks.destroy(made);
            }
            giveBack();
            throw t;
        }
    }

    @Override
    public void giveBack() {
        if (isHeld()) {
            pool.giveBack(this);
        } else {
            pool.giveBackEmpty();
        }
    }

    // The state

    long state() {
        return state;
    }

    static boolean isIdle(long state) {
        return (state & MASK) == IDLE;
    }

    static boolean isLent(long state) {
        return (state & MASK) == LENT;
    }

    boolean isIdle() {
        return isIdle(state);
    }

    boolean isHeld() {
        return (state & MASK) == HELD;
    }

    /** Holds an idle element; false if it is not idle, or not any more. */
    boolean holdIdle() {
        long seen = state;
        return isIdle(seen) && hold(seen);
    }

    /** Takes an element back from its borrower; false if it is not lent. */
    boolean holdLent() {
        long seen = state;
        return isLent(seen) && hold(seen);
    }

    /** Holds an element in the state in which it was seen. */
    boolean hold(long seen) {
        return STATE.compareAndSet(this, seen, (seen & ~MASK) | HELD);
    }

    // By the holder

    void lendTo(String borrower, long now, boolean weakly, @Nullable Throwable trace) {
        this.borrower = borrower;
        this.since = now;
        this.trace = trace;
        if (weakly) {
            element = null;
        }
        state = (state & ~MASK) | LENT;
    }

    /** The element is back from its borrower, and still held. */
    void takenBack(E element, long now) {
        this.element = element;
        this.borrower = null;
        this.trace = null;
        this.since = now;
    }

    void rest() {
        state = ((state & ~MASK) + MASK + 1) | IDLE;
    }

    void end() {
        element = null;
        borrower = null;
        trace = null;
        state = GONE;
    }
}
