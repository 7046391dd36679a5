package dev.cqs.pool;

import dev.cqs.internal.AllocationRetry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Idle elements, of which a recent one is removed first. LIFO until threads contend for the stack; from then on preferably
 * one that the same thread has inserted.
 */
final class ElementStack<E> extends ElementStore<E> {
    /*
     * Treiber's stack (R. Kent Treiber, "Systems Programming: Coping with Parallelism", IBM Research Report RJ 5118, 1986).
     * Once two threads have contended for it, there are stripes beside it, a few for each processor. A thread inserts into
     * its own stripe and looks there first. The old element of the stripe goes onto the stack, so the order of a single
     * thread stays LIFO. So threads that take an element and put it back, again and again, keep to cache lines of their own.
     * Until the old element is on the stack, the new one stands in for it: the new one is in the stripe already, and no
     * operation has reserved it yet.
     *
     * Each insertion on the stack has a fresh node. A thread that has read the node as the top keeps it reachable until its
     * compare-and-set. So a top that comes back is the same one, with the same rest below (no ABA). A stripe holds the
     * element itself; one that comes back there is as good as if it had stayed.
     *
     * Lock-free: an operation repeats only because another has succeeded. A thread that has reserved an element finds one
     * (POOL-1). If it does not in the first round over stack and stripes, other threads have inserted and removed meanwhile.
     * So there is no need for markers of failed removals.
     *
     * Ordering. An element is published by the release half of the CAS that inserts it, on the stack with the rest
     * below it, and read after the acquire of the top or of the stripe.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    /** The number of stripes; a power of two. */
    private static final int STRIPES =
            Math.min(64, 4 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

    /** References from one stripe to the next, and before the first: no two of them on neighbouring cache lines. */
    private static final int APART = 32;

    private static final Function<Object, Node<?>> NEW_NODE = element -> new Node<>(element);

    private static final VarHandle TOP;
    private static final VarHandle STRIPES_FIELD;
    private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(ElementStack.class, "top", Node.class);
            STRIPES_FIELD = lookup.findVarHandle(ElementStack.class, "stripes", Object[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Changed by CAS. */
    private volatile @Nullable Node<E> top;

    /** Set once, by CAS, when an operation on the stack has had to repeat. */
    private volatile @Nullable Object @Nullable [] stripes;

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        ElementStack<Object> stack = new ElementStack<>();
        stack.insert("");
        stack.poll();
        stack.makeStripes();
        stack.insert("");
        stack.poll();
    }

    @Override
    void insert(E element) {
        @Nullable Object @Nullable [] present = stripes;
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
    @Nullable
    E poll() {
        @Nullable Object @Nullable [] present = stripes;
        if (present == null) {
            return pop();
        }
        E element = takeFrom(present, own());
        if (element == null) {
            element = pop();
        }
        for (int i = 1; i <= STRIPES && element == null; i++) {
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
            makeStripes();
        }
    }

    private @Nullable E pop() {
        for (; ; ) {
            Node<E> seen = top;
            if (seen == null) {
                return null;
            }
            if (TOP.compareAndSet(this, seen, seen.below)) {
                return seen.element;
            }
            makeStripes();
        }
    }

    // The stripes

    /** If there is no memory for stripes, the stack does without. */
    void makeStripes() {
        if (stripes == null) {
            try {
                STRIPES_FIELD.compareAndSet(this, null, new Object[(STRIPES + 1) * APART]);
            } catch (OutOfMemoryError e) {
                // the stack alone will do
            }
        }
    }

    /** The stripe of the current thread; other threads may share it. */
    private static int own() {
        return ((int) Thread.currentThread().getId() & STRIPES - 1) * APART + APART;
    }

    @SuppressWarnings("unchecked") // as below
    private @Nullable E swap(@Nullable Object[] present, int stripe, E element) {
        return (E) (Object) STRIPE.getAndSet(present, stripe, (Object) element);
    }

    @SuppressWarnings("unchecked") // elements are in the stripes, and null
    private @Nullable E takeFrom(@Nullable Object[] present, int stripe) {
        Object element = STRIPE.getAcquire(present, stripe);
        return element != null && STRIPE.compareAndSet(present, stripe, element, null) ? (E) element : null;
    }

    private static final class Node<E> {
        final E element;

        /** Plain: written before the node is published, and never again. */
        @Nullable
        Node<E> below;

        private Node(E element) {
            this.element = element;
        }

        /** The element is to be put somewhere: its node must be made. */
        @SuppressWarnings("unchecked") // a node of this element
        static <E> Node<E> of(E element) {
            return (Node<E>) AllocationRetry.create(NEW_NODE, element);
        }
    }
}
