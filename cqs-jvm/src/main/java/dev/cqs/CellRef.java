package dev.cqs;

/**
 * Where a waiter is, or could be: the segment that holds its cell, or its node in a stack. A {@link NumberedQueue} gives out
 * a reference that is not after the cells that are searched from it.
 */
public abstract class CellRef {
    CellRef() {}

    /** Takes this waiter out of its cell; implements {@link Waiter#cancel}. */
    abstract boolean cancel(Waiter waiter);

    /** The answer of {@link Waiter#isAmongFirst} for the waiter with this index. */
    abstract boolean isAmongFirst(int index);
}
