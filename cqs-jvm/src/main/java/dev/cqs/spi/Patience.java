package dev.cqs.spi;

import dev.cqs.internal.Tuning;

/** How long those who wait through a face stay awake. */
public final class Patience {
    /**
     * Turns of a loop in which a thread that may soon have its turn looks for it before it parks; together ten or twenty
     * microseconds, about what it takes to park and to be woken. Tests shrink it to make parking common.
     */
    public static final int TURNS = Tuning.positive("dev.cqs.spinsBeforePark", 1000, 1 << 20);

    private Patience() {}
}
