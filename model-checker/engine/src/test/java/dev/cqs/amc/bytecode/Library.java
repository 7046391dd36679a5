package dev.cqs.amc.bytecode;

/** Uninstrumented classes that keep state between calls. */
public final class Library {

    /** Keeps state in a static final array. */
    public static final class InArray {
        private static final int[] COUNT = {0};

        private InArray() {}

        /** The next number. */
        public static int next() {
            return COUNT[0]++;
        }
    }

    /** Keeps state in a constant of an enum. */
    public enum InConstant {
        ONLY;

        private int count;

        /** The next number. */
        public int next() {
            return count++;
        }
    }

    /** Keeps state in the only static field of a class. */
    public abstract static class Remembering {
        private static int count;

        /** The next number. */
        protected int following() {
            return count++;
        }
    }

    /** Keeps state in a static array of an interface. */
    public interface RememberingByDefault {
        /** Has the latest number. */
        int[] COUNT = {0};

        /** The next number. */
        default int followingByDefault() {
            return COUNT[0]++;
        }
    }

    private Library() {}
}
