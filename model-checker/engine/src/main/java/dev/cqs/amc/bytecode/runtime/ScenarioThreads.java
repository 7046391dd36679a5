package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.threads.ThreadRun;

/** What a run of an actor asks of the scenario: its threads, and the objects that model them. */
public interface ScenarioThreads {

    /** The number of the object that models a thread. */
    long threadNumber(ThreadRun thread);

    /** The thread that is the {@code count}-th that {@code creator} starts; -1 if there is no room for it. */
    int slotFor(int creator, int count);

    /** The field of the model of a thread that says whether it is interrupted. */
    int interruptField();

    /** Whether threads may interrupt others. */
    boolean expectsInterrupts();
}
