package dev.cqs.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Idle elements, of which one that was inserted lately is taken out first: the last one, as long as threads do not meet
 * here; afterwards rather one that the same thread has inserted.
 */
final class ElementStack<E> extends ElementStore<E> {
    /*
     * Treiber's stack, and once two threads have got in each other's way, slots beside it, a few for each processor. A
     * thread inserts into the slot of its own and looks there first; what was in the slot goes onto the stack, so the order
     * of a single thread stays last in, first out. So threads that take an element and put it back, again and again, keep
     * to cache lines of their own. Until the old element is on the stack, the new one stands in for it: that is in the slot
     * already, and nobody has a right to it yet.
     *
     * Each insertion on the stack has a fresh node, which no thread that has read it as the top lets go before its
     * compare-and-set; so a top that comes back is the same one, with the same rest below (no ABA). A slot holds the
     * element itself; one that comes back there is as good as if it had stayed.
     *
     * Lock-free: an operation repeats only because another has succeeded. A thread that may take an element out finds one
     * (Pool: I1), if not in the first round over stack and slots, then because others have inserted and taken out
     * meanwhile. So there is no need for the paper's markers of failed retrievals.
     *
     * Ordering. An element is published by the release half of the CAS that inserts it, on the stack with the rest
     * below it, and read after the acquire of the top or of the slot.
     */

    /** Slots; a power of two. */
    private static final int SLOTS = Math.min(64, 4 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

    /** References from one slot to the next, and before the first: no two of them on neighbouring cache lines. */
    private static final int APART = 32;

    private static final VarHandle TOP;
    private static final VarHandle SLOTS_FIELD;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(ElementStack.class, "top", Node.class);
            SLOTS_FIELD = lookup.findVarHandle(ElementStack.class, "slots", Object[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Changed by CAS. */
    private volatile Node<E> top;

    /** Set once, by CAS, when an operation on the stack has had to repeat. */
    private volatile Object[] slots;

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        ElementStack<Object> stack = new ElementStack<>();
        stack.insert("");
        stack.poll();
        stack.makeSlots();
        stack.insert("");
        stack.poll();
    }

    @Override
    void insert(E element) {
        Object[] present = slots;
        E last = present == null ? element : swap(present, own(), element);
        if (last != null) {
            push(last);
        }
    }

    @Override
    E takeReserved() {
        for (; ; ) {
            E element = poll();
            if (element != null) {
                return element;
            }
        }
    }

    @Override
    E poll() {
        Object[] present = slots;
        if (present == null) {
            return pop();
        }
        E element = takeFrom(present, own());
        if (element == null) {
            element = pop();
        }
        for (int i = 1; i <= SLOTS && element == null; i++) {
            element = takeFrom(present, i * APART);
        }
        return element;
    }

    // The stack

    private void push(E element) {
        Node<E> node = Node.of(element);
        for (; ; ) {
            Node<E> seen = top;
            node.below = seen;
            if (TOP.compareAndSet(this, seen, node)) {
                return;
            }
            makeSlots();
        }
    }

    private E pop() {
        for (; ; ) {
            Node<E> seen = top;
            if (seen == null) {
                return null;
            }
            if (TOP.compareAndSet(this, seen, seen.below)) {
                return seen.element;
            }
            makeSlots();
        }
    }

    // The slots

    /** Does without if there is no memory for them. */
    void makeSlots() {
        if (slots == null) {
            try {
                SLOTS_FIELD.compareAndSet(this, null, new Object[(SLOTS + 1) * APART]);
            } catch (OutOfMemoryError e) {
                // the stack alone will do
            }
        }
    }

    /** The slot of the current thread, perhaps of others as well. */
    private static int own() {
        return ((int) Thread.currentThread().getId() & SLOTS - 1) * APART + APART;
    }

    @SuppressWarnings("unchecked") // as below
    private E swap(Object[] present, int slot, E element) {
        return (E) (Object) SLOT.getAndSet(present, slot, (Object) element);
    }

    @SuppressWarnings("unchecked") // elements are in the slots, and null
    private E takeFrom(Object[] present, int slot) {
        Object element = SLOT.getAcquire(present, slot);
        return element != null && SLOT.compareAndSet(present, slot, element, null) ? (E) element : null;
    }

    private static final class Node<E> {
        final E element;

        /** Plain: written before the node is published, and never again. */
        Node<E> below;

        private Node(E element) {
            this.element = element;
        }

        static <E> Node<E> of(E element) {
            for (; ; ) {
                try {
                    return new Node<>(element);
                } catch (OutOfMemoryError e) {
                    Thread.yield();
                }
            }
        }
    }
}
