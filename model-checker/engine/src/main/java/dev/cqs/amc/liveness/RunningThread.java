package dev.cqs.amc.liveness;

import dev.cqs.amc.CutOff;
import dev.cqs.amc.Mode;
import dev.cqs.amc.check.Unwinding;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Update;

/** A thread in the present execution, as far as it matters to what the thread waits for. */
public interface RunningThread {

    /** The number of the thread. */
    int id();

    /** What the reports call the thread. */
    String name();

    /** Where the latest run has left it. */
    ThreadStatus status();

    /** Whether it is the arbiter. */
    boolean runsAtEnd();

    /** Whether the wait of this thread, which joins, has another end in other executions. */
    boolean isBrokenOff();

    /** Of a thread that awaits: where in the graph the failed round begins. It ends at the end of the thread. */
    int roundBegin();

    /** How many events of this thread the present run has passed. */
    int position();

    /** The event of the thread that the run has passed last. */
    Event latest();

    /** Writes. The mode is one that a write has. */
    void store(int location, long value, Mode mode, int site);

    /** Updates, in a mode that is not plain, and returns what was there before. */
    long update(int location, Update update, long expected, long operand, Mode mode, int site);

    /** The last {@code reads} events are no longer in the graph, as if they had not been added. */
    void dropped(int reads);

    /** Leaves the code for good in this execution, for the reason given. Returns what to throw. */
    Unwinding stop(ThreadStatus reason);

    /** Leaves the code for good in this execution, at a bound. The site is that of the loop, or of what would come next. */
    Unwinding cutOff(CutOff.Bound bound, int limit, int site);

    /** Leaves the code, of which no round has stayed in the graph, until there is something else to read. */
    Unwinding waitForNews();
}
