package dev.cqs.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How many slots a {@link ResourcePool} should have, and how many it has above that. */
final class Capacity {
    /*
     * Both numbers are in one word, so that a change of the maximum takes effect at one moment:
     *
     *      bits 32..63   maximum
     *      bits  0..31   surplus: slots that are to disappear
     *
     * Raising the maximum first takes from the surplus; slots are added for the rest of the difference. Lowering it adds to
     * the surplus.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final long ONE_SLOT = 1L << 32;

    /** Each slot has a cell in a store, also if it is empty. */
    private static final int LARGEST = 1 << 20;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Capacity.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Changed by CAS. */
    private volatile long word;

    Capacity(int maximum) {
        WORD.set(this, maximum * ONE_SLOT); // plain: the object is not shared yet
    }

    /** Links each access: see Rehearsal. */
    private static void rehearse() {
        Capacity capacity = new Capacity(2);
        capacity.changeTo(1);
        capacity.takeSurplus();
    }

    static void check(int maximum) {
        if (maximum < 1) {
            throw new IllegalArgumentException("maximum must be positive, but is " + maximum);
        }
        if (maximum > LARGEST) {
            throw new IllegalArgumentException("maximum must not be above " + LARGEST + ", but is " + maximum);
        }
    }

    int maximum() {
        return (int) (word >> 32);
    }

    /** Changes the maximum, and answers how many slots the caller is to add. */
    int changeTo(int maximum) {
        for (; ; ) {
            long seen = word;
            int present = (int) seen;
            long change = maximum - (seen >> 32);
            long surplus = Math.max(0, present - change);
            if (WORD.compareAndSet(this, seen, maximum * ONE_SLOT + surplus)) {
                return (int) Math.max(0, change - (present - surplus));
            }
        }
    }

    boolean hasSurplus() {
        return (int) word > 0;
    }

    /** Takes one slot off the surplus, which the caller then discards; false if there is none any more. */
    boolean takeSurplus() {
        for (; ; ) {
            long seen = word;
            if ((int) seen == 0) {
                return false;
            }
            if (WORD.compareAndSet(this, seen, seen - 1)) {
                return true;
            }
        }
    }
}
