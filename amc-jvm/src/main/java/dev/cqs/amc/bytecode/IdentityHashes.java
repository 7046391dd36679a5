package dev.cqs.amc.bytecode;

/**
 * The identity hash codes of the objects of a search. In Java they are in no order, so a search with one order of them says nothing of
 * the others: there is a search for each of a few orders. Two objects are tried in both orders, and three in all six; of more objects,
 * each two are tried in both, but they are not tried in all orders. No two objects have the same hash code.
 */
final class IdentityHashes {

    /** How many orders there are. In the second one, every two objects are the other way round than in the first. */
    static final int ORDERS = 6;
    /** What is neither forward nor backward. */
    private static final int[][] OF_THREE = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
    /** Small enough for a hash map, which mixes the upper half of a hash code into the lower one, to keep the order. */
    private static final int LARGEST = 0xFFFF;

    private final int order;
    private int asked;

    IdentityHashes(int order) {
        this.order = order;
    }

    /** The hash code of an object; it is the same from the first time on that it is asked for. */
    int of(Shadow shadow) {
        if (shadow.hash == 0) {
            int rank = asked++;
            boolean isBackward = order == 1 && rank < LARGEST;
            shadow.hash = isBackward ? LARGEST - rank : 1 + (rank < 3 && order > 1 ? OF_THREE[order - 2][rank] : rank);
        }
        return shadow.hash;
    }

    /** How many objects have been asked for theirs. */
    int asked() {
        return asked;
    }

    /** How many orders are to be tried, if so many objects are asked for their hash codes. */
    static int orders(int objects) {
        return objects < 2 ? 1 : objects == 3 ? ORDERS : 2;
    }
}
