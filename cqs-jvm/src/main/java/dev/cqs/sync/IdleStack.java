package dev.cqs.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Idle elements, of which the last one inserted is the first to be taken out. */
final class IdleStack<E> extends Idle<E> {
    /*
     * Treiber's stack. Each insertion has a fresh node, which no thread that has read it as the top lets go
     * before its compare-and-set; so a top that comes back is the same one, with the same rest below (no ABA).
     *
     * Lock-free: an operation repeats only because another has succeeded. A thread that may take an element out
     * finds one (Pool: I1), so there is no need for the paper's markers of failed retrievals.
     *
     * Ordering. The element and the rest are published by the release half of the CAS in insert() and read after
     * the acquire of the top.
     */

    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(IdleStack.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Changed by CAS. */
    private volatile Node<E> top;

    @Override
    void insert(E element) {
        Node<E> node = Node.of(element);
        Node<E> seen;
        do {
            seen = top;
            node.below = seen;
        } while (!TOP.compareAndSet(this, seen, node));
    }

    @Override
    E retrieve() {
        for (; ; ) {
            E element = poll();
            if (element != null) {
                return element;
            }
        }
    }

    @Override
    E poll() {
        for (; ; ) {
            Node<E> seen = top;
            if (seen == null) {
                return null;
            }
            if (TOP.compareAndSet(this, seen, seen.below)) {
                return seen.element;
            }
        }
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
