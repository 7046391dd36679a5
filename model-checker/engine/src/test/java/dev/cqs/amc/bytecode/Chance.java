package dev.cqs.amc.bytecode;

/** A class that is not instrumented, and whose methods remember how often they have been called, where nobody sees it. */
public final class Chance {

    private static final class Hidden {
        private static int calls;
    }

    private Chance() {}

    /** How many calls there have been before. */
    public static int calls() {
        return Hidden.calls++;
    }

    /** True for the first of as many calls. */
    public static boolean first(int calls) {
        return Hidden.calls++ % calls == 0;
    }

    /** Begins anew. */
    public static void reset() {
        Hidden.calls = 0;
    }
}
