package dev.cqs.amc.bytecode;

/** An uninstrumented class whose methods count their calls, unobserved by the checker. */
public final class Chance {

    private static final class Hidden {
        private static int calls;
    }

    private Chance() {}

    /** The number of earlier calls. */
    public static int calls() {
        return Hidden.calls++;
    }

    /** True for the first of every {@code calls} calls. */
    public static boolean first(int calls) {
        return Hidden.calls++ % calls == 0;
    }

    /** Resets the counter. */
    public static void reset() {
        Hidden.calls = 0;
    }
}
