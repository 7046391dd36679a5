package dev.cqs.amc.bytecode;

/** A class that is not instrumented and has a static field. */
public final class RememberingChance {

    public static int calls;

    private RememberingChance() {}

    public static int next() {
        return calls++;
    }
}
