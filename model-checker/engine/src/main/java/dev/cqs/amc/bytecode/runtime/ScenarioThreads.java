package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.threads.ThreadRun;

/** The threads of a scenario and their models, as runs of actors see them. */
public interface ScenarioThreads {

    /** The number of the object that models a thread. */
    long threadNumber(ThreadRun thread);

    /** The number of the {@code count}-th thread that {@code creator} starts; -1 if the maximum is reached. */
    int slotFor(int creator, int count);

    /** The number of the field with the interrupt flag. */
    int interruptField();

    /** Whether the search expects interrupts. */
    boolean expectsInterrupts();
}
