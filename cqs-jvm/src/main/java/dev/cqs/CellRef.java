package dev.cqs;

/**
 * Where a waiter is, or could be. A {@link NumberedQueue} gives it out as a place from which a cell can be found that is
 * not before it.
 */
public abstract class CellRef {
    CellRef() {}

    /** Takes the waiter out that is here; what {@link Waiter#cancel} does. */
    abstract boolean takeOut(Waiter waiter);

    /** What {@link Waiter#isAmongFirst} says of the waiter with this index. */
    abstract boolean isAmongFirst(int index);
}
