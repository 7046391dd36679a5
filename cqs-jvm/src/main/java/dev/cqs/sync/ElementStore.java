package dev.cqs.sync;

/**
 * Where a {@link Pool} keeps its idle elements. Any number of threads may insert and take out at the same time. No
 * element is null.
 */
abstract class ElementStore<E> {
    /** Adds an element; if there is no memory for that, tries again and again until there is. */
    abstract void insert(E element);

    /**
     * Takes an element out for one who knows that there is one for him: elements inserted so far, less those taken out,
     * are never fewer than the calls of this method that are under way.
     */
    abstract E takeReserved();

    /** Takes an element out, or answers null if there is none. */
    abstract E poll();
}
