package dev.cqs.sync;

import dev.cqs.spi.PoolSlot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** A place of a pool of resources: empty for good, or with one element for the time that this one lives. */
final class ResourceSlot<E> extends PoolSlot<E> {
    /*
     * One 64-bit word, the state:
     *
     *      bits 2..63   how often the element has been idle, so that one look at an idle item holds for one idle time
     *      bits 0..1    GONE   no element (any more); whoever has this place may make another item for it
     *                   IDLE   in the pool
     *                   HELD   in the hands of one operation of the pool, which alone may write the fields
     *                   LENT   in the hands of the borrower
     *
     *      make: HELD -> LENT -> HELD -> IDLE -> HELD -> LENT ...; HELD -> GONE at the end
     *
     * Who leaves IDLE or LENT does so by CAS: of a borrower that puts twice, of a taker and an eviction, one wins. The
     * fields are written while HELD and published by the volatile store of the next state.
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

    private volatile long state;

    /** Null while it is gone, or is lent and only the borrower is to keep it. */
    E element;

    /** By which the pool finds the item of an element; null in one that never had any. */
    final Tag<E> tag;

    /** Since when it has been idle, or lent. */
    long since;

    /** Who has borrowed it, while it is lent. */
    String borrower;

    /** Where it was borrowed, if that is recorded. */
    Throwable trace;

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        ResourceSlot<Object> item = new ResourceSlot<>("", null);
        item.hold(HELD);
    }

    /** An empty place. */
    ResourceSlot() {
        this.tag = null;
    }

    /** With an element that was made, held by the maker. */
    ResourceSlot(E element, ReferenceQueue<? super E> dropped) {
        this.element = element;
        this.tag = new Tag<>(element, dropped, this);
        STATE.set(this, HELD); // plain: published with the item
    }

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

    /** Takes an idle element; false if it is not idle, or not any more. */
    boolean holdIdle() {
        long seen = state;
        return isIdle(seen) && hold(seen);
    }

    /** Takes an element back from its borrower; false if it is not lent. */
    boolean holdLent() {
        long seen = state;
        return isLent(seen) && hold(seen);
    }

    /** Takes an element in the state in which it was seen. */
    boolean hold(long seen) {
        return STATE.compareAndSet(this, seen, (seen & ~MASK) | HELD);
    }

    // By the holder

    void lend(String borrower, long now, boolean weakly, Throwable trace) {
        this.borrower = borrower;
        this.since = now;
        this.trace = trace;
        if (weakly) {
            element = null;
        }
        state = (state & ~MASK) | LENT;
    }

    void rest(long now) {
        this.borrower = null;
        this.trace = null;
        this.since = now;
        state = ((state & ~MASK) + MASK + 1) | IDLE;
    }

    void end() {
        element = null;
        borrower = null;
        trace = null;
        state = GONE;
    }

    /** An element as a key, by identity; it does not keep it. */
    static final class Tag<E> extends WeakReference<E> {
        final ResourceSlot<E> item;
        private final int hash;

        Tag(E element, ReferenceQueue<? super E> dropped, ResourceSlot<E> item) {
            super(element, dropped);
            this.item = item;
            this.hash = System.identityHashCode(element);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Object element = get();
            return element != null && other instanceof Tag<?> tag && tag.get() == element;
        }
    }

    /** Finds the tag of an element. */
    static final class Lookup {
        /** Changed in one that is used again. */
        Object element;

        Lookup(Object element) {
            this.element = element;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(element);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Tag<?> tag && tag.get() == element;
        }
    }
}
