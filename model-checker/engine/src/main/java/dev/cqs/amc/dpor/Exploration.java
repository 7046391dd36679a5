package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;

/** The search, as runs of threads see it. */
public interface Exploration {

    /** The subject. */
    Subject subject();

    /** The options. */
    Options options();

    /** The findings. */
    Findings findings();

    /** The builder, which adds events to the current graph. */
    GraphBuilder builder();

    /** Whether the code of the threads has to run even where its steps are memoized. */
    boolean mustRunCode();

    /** Called for each event that a run replays. */
    void passed(Event event);

    /**
     * Runs a thread while the code of another one is on the stack. A graph that is narrated or replayed is not
     * extended.
     */
    void runNested(int thread);
}
