package dev.cqs.amc.dpor;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Options;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;

/** The exploration that the threads of a subject are run for, as far as their runs need it. */
public interface Exploration {

    /** What is explored. */
    Subject subject();

    /** What it was told. */
    Options options();

    /** What it has found. */
    Findings findings();

    /** What adds events to the present graph. */
    GraphBuilder builder();

    /** Whether the code of the threads has to be run, because of what is to be learned from that. */
    boolean mustRunCode();

    /** Called for each event that a run passes, and that the graph has already. */
    void passed(Event event);

    /** Runs a thread while another one is running; in a graph that is told or made again, no further than that goes. */
    void runNested(int thread);
}
