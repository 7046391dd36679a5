package dev.cqs;

/**
 * Where a waiter is, or could be: the segment that holds its cell, or its node in a stack. A {@link NumberedQueue} gives it
 * out as a position that is not after the cells that are looked for from it.
 */
public abstract class CellRef {
    CellRef() {}

    /** Takes this waiter out of its cell; what {@link Waiter#cancel} does. */
    abstract boolean cancel(Waiter waiter);

    /** What {@link Waiter#isAmongFirst} says of the waiter with this index. */
    abstract boolean isAmongFirst(int index);
}
