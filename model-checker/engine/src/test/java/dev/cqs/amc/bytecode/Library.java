package dev.cqs.amc.bytecode;

/** Stands for classes that are not instrumented, and that remember something from one call to the next. */
public final class Library {

    /** Remembers in a static final array. */
    public static final class InArray {
        private static final int[] COUNT = {0};

        private InArray() {}

        /** The next number. */
        public static int next() {
            return COUNT[0]++;
        }
    }

    /** Remembers in a constant of an enum. */
    public enum InConstant {
        ONLY;

        private int count;

        /** The next number. */
        public int next() {
            return count++;
        }
    }

    /** Remembers in a static field of a class without any others. */
    public abstract static class Remembering {
        private static int count;

        /** The next number. */
        protected int following() {
            return count++;
        }
    }

    /** Remembers in a static array of an interface. */
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
