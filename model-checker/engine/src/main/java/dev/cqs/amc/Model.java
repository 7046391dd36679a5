package dev.cqs.amc;

/** The memory models that a program can be checked under. */
public enum Model {

    /** Sequential consistency: one memory, one step at a time. */
    SC("sequential consistency", "anything that is not sequentially consistent"),

    /** Total store order, as HotSpot maps Java to x86: a write may take effect after later reads of its thread. */
    TSO(
            "total store order, as HotSpot uses it on x86",
            "what compilers reorder, and what processors with weaker memory do"),

    /** RC11 as published, with the release sequences of C++20. The default choice. */
    RC11("RC11", "load buffering: a read that takes effect after a later write of its thread"),

    /** RC11 with GenMC's axiom for sequentially consistent (here: volatile) accesses, which is slightly stronger. */
    RC11_GENMC("RC11 with GenMC's order of volatile accesses", RC11.blindSpot),

    /** RC11, with volatile accesses as strong as the Java language specification requires. */
    JLS("RC11 with the total order of volatile accesses of the JLS", RC11.blindSpot);

    private final String title;
    private final String blindSpot;

    Model(String title, String blindSpot) {
        this.title = title;
        this.blindSpot = blindSpot;
    }

    /** {@return the model in words} */
    public String title() {
        return title;
    }

    /** {@return what real machines may do that this model does not allow} */
    public String blindSpot() {
        return blindSpot;
    }
}
