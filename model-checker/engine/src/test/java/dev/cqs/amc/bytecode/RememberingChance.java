package dev.cqs.amc.bytecode;

/** An uninstrumented class with a static field. */
public final class RememberingChance {

    public static int calls;

    private RememberingChance() {}

    public static int next() {
        return calls++;
    }
}
