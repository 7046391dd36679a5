package dev.cqs.amc.bytecode.heap;

/**
 * The identity hash codes of a search. In Java their order is arbitrary, so a search with one order says nothing about
 * the others: there is a search for each of several orders. Two objects are tried in both orders, and three in all six.
 * Of more objects every pair is tried in both orders, but not every order of all. No two objects have the same hash
 * code.
 *
 * <p>A program may also use the number itself, mostly its low bits, to select a stripe or a slot. Each object has an
 * odd hash code in one search and an even one in another, and each pair has every combination of these. There are
 * searches in which the low bits of all objects are equal. Other numbers are not tried, so the result has a note as
 * soon as a hash code is used.
 */
public final class IdentityHashes {

    /**
     * The number of orders. The second one is the reverse of the first. The next two have the first order, and equal
     * lower halves of all numbers.
     */
    public static final int ORDERS = 8;

    private static final int FIRST_OF_THREE = 4;
    /** The orders of three objects that are neither forward nor backward. */
    private static final int[][] OF_THREE = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
    /**
     * Small enough for a hash map, which mixes the upper half of a hash code into the lower one, to keep the order;
     * even, as 1 is odd.
     */
    private static final int LARGEST = 0xFFFE;
    /** The distance between numbers with equal lower halves. */
    private static final int STRIDE = 0x10000;

    private static final int MOST_STRIDES = Integer.MAX_VALUE / STRIDE;

    private final int order;
    private int asked;

    IdentityHashes(int order) {
        this.order = order;
    }

    /** The hash code of an object, which is assigned at the first call. */
    int of(Shadow shadow) {
        if (shadow.hash == 0) {
            shadow.hash = number(asked++);
        }
        return shadow.hash;
    }

    private int number(int rank) {
        if (order == 1 && rank < LARGEST) {
            return LARGEST - rank;
        }
        if ((order == 2 || order == 3) && rank < MOST_STRIDES) {
            return order - 1 + rank * STRIDE;
        }
        return 1 + (rank < 3 && order >= FIRST_OF_THREE ? OF_THREE[order - FIRST_OF_THREE][rank] : rank);
    }

    /** The number of objects whose hash code has been used. */
    public int asked() {
        return asked;
    }

    /** The number of orders to try for this number of objects. */
    public static int orders(int objects) {
        return switch (objects) {
            case 0 -> 1;
            case 1 -> 2;
            case 3 -> ORDERS;
            default -> FIRST_OF_THREE;
        };
    }

    /** The note on what was tried for this number of objects. */
    public static String note(int objects) {
        if (objects == 1) {
            return "The identity hash code of an object is used. It was odd in one search, and even in another;"
                    + " other numbers are not checked.";
        }
        return "The identity hash codes of " + objects + " objects are used. There was a search for "
                + (objects > 3
                        ? "one order of them and for its reverse: every pair in both orders, but not every order of all."
                        : "each order of them.")
                + " There were also searches in which the lower halves of all are equal, odd or even;"
                + " other numbers are not checked. The executions counted are those of one search.";
    }
}
