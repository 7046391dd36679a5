package dev.cqs.amc.liveness;

import dev.cqs.amc.CutOff;
import dev.cqs.amc.Mode;
import dev.cqs.amc.check.Unwinding;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Update;

/** A thread in the current execution, as this package sees it. */
public interface RunningThread {

    /** The number of the thread. */
    int id();

    /** The name of the thread, for reports. */
    String name();

    /** Its status after the latest run. */
    ThreadStatus status();

    /** Whether it is the arbiter. */
    boolean runsAtEnd();

    /** Whether the join of this thread ends otherwise in other executions, by timeout or interrupt. */
    boolean isBrokenOff();

    /**
     * Of a thread that awaits: where in its events the failed iteration begins. It extends to the thread's last event.
     */
    int iterationBegin();

    /** How many events of this thread the current run has replayed or added. */
    int position();

    /** The thread's latest event in the current run. */
    Event latest();

    /** Writes. The mode must be valid for a write. */
    void store(int location, long value, Mode mode, int site);

    /** Performs a read-modify-write, in a mode that is not plain. Returns the previous value. */
    long update(int location, Update update, long expected, long operand, Mode mode, int site);

    /** The last {@code reads} events were removed from the graph. */
    void dropped(int reads);

    /** Stops the thread for the rest of this execution, with this status. The caller throws the result. */
    Unwinding stop(ThreadStatus reason);

    /**
     * Cuts the thread off at a bound for the rest of this execution. The site is that of the loop, or of the next
     * event.
     */
    Unwinding cutOff(CutOff.Bound bound, int limit, int site);

    /**
     * Unwinds the code, whose failed iteration was removed from the graph, until there is another write to read from.
     */
    Unwinding waitForNews();
}
