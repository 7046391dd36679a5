package dev.cqs.amc.bytecode.heap;

/**
 * The identity hash codes of the objects of a search. In Java they are in no order, so a search with one order of them says nothing of
 * the others: there is a search for each of a few orders. Two objects are tried in both orders, and three in all six; of more objects,
 * each two are tried in both, but they are not tried in all orders. No two objects have the same hash code.
 *
 * <p>A program may also use the number itself, mostly its low bits, for a stripe or a slot. Each single object has an odd number in one
 * search and an even one in another, and each two have every combination of these; there are searches in which the low bits of all
 * objects are the same. Other numbers are not tried, so the result says that hash codes are used as soon as one is asked for.
 */
public final class IdentityHashes {

    /**
     * How many orders there are. In the second one, every two objects are the other way round than in the first. In the next two, the
     * order is the first one, and the lower halves of all numbers are equal.
     */
    public static final int ORDERS = 8;

    private static final int FIRST_OF_THREE = 4;
    /** What is neither forward nor backward. */
    private static final int[][] OF_THREE = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
    /** Small enough for a hash map, which mixes the upper half of a hash code into the lower one, to keep the order; even, as 1 is odd. */
    private static final int LARGEST = 0xFFFE;
    /** From one number to the next whose lower half is the same. */
    private static final int STRIDE = 0x10000;

    private static final int MOST_STRIDES = Integer.MAX_VALUE / STRIDE;

    private final int order;
    private int asked;

    IdentityHashes(int order) {
        this.order = order;
    }

    /** The hash code of an object; it is the same from the first time on that it is asked for. */
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

    /** How many objects have been asked for theirs. */
    public int asked() {
        return asked;
    }

    /** How many orders are to be tried if this number of objects is asked for hash codes. */
    public static int orders(int objects) {
        return switch (objects) {
            case 0 -> 1;
            case 1 -> 2;
            case 3 -> ORDERS;
            default -> FIRST_OF_THREE;
        };
    }

    /** What has been tried if at most this number of objects is asked for hash codes. */
    public static String note(int objects) {
        if (objects == 1) {
            return "The identity hash code of an object is used. There was a search in which it is odd, and one in which it is even;"
                    + " what is done with other numbers is not known.";
        }
        return "The identity hash codes of " + objects + " objects are used. There was a search for "
                + (objects > 3
                        ? "one order of them and for the reverse, so every two have been in both orders, but not all in every order."
                        : "each order of them.")
                + " There were also searches in which the lower halves of all are equal, odd or even; what is"
                + " done with other numbers is not known. The executions counted are those of one search.";
    }
}
