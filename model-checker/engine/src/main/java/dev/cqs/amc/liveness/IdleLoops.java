package dev.cqs.amc.liveness;

import dev.cqs.amc.UncheckableException;

/** Loops that turn and turn without touching what is shared. No execution ends as long as one does, so no limit would end it. */
public final class IdleLoops {

    /** A loop with more rounds than this that touch nothing shared is taken for one that does not end. */
    private static final int MOST_ROUNDS = 10_000_000;

    private IdleLoops() {}

    /** Whether a loop that does not touch what is shared has turned so often that it may never end. */
    public static boolean isTooLong(int rounds) {
        return rounds > MOST_ROUNDS;
    }

    /** What to say of such a loop. */
    public static UncheckableException refusal(String name) {
        return new UncheckableException(name + " is in a loop that has turned " + MOST_ROUNDS
                + " times without touching anything shared, so it may never end.");
    }
}
