package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.SearchAssumptions;
import dev.cqs.amc.graph.Update;

/**
 * The clock of a run of an actor, and its timed waits. {@link dev.cqs.amc.bytecode.heap.Times} says when each thread
 * has a clock of its own, and when all share one.
 */
final class ThreadClock {
    private static final long DAY = 86_400_000_000_000L;
    /** The longest wait by the shared clock, about ten months, so that the clock does not overflow. */
    private static final long LONGEST = 300 * DAY;

    private final CodeRun code;
    private final Heap heap;
    /** The time of this thread, while it has a clock of its own. */
    private long time;
    /** How many runs there have been. */
    private int runs;
    /** The time that has passed for the thread and has not been added to the shared clock yet. */
    private long passed;
    /** Whether the code has read the clock since the time last changed. */
    private boolean wasRead;

    ThreadClock(CodeRun code, Heap heap) {
        this.code = code;
        this.heap = heap;
    }

    /** A run begins. */
    void begin() {
        time = heap.times().begin(runs++);
        passed = 0;
        wasRead = false;
    }

    /**
     * The time of this thread. It advances when a wait times out, and, by choice, by a whole day when the thread reads
     * a time that it has read before. The first read after a change may begin another wait, so there is no choice then.
     */
    long now(int site) {
        heap.times().look(code.id, runs);
        if (heap.assumptions().sharedClock()) {
            return sharedNow(site);
        }
        if (heap.times().isSetUpTimed()) {
            throw code.run.refuse(new SearchAssumptions.SharedTime());
        }
        if (!wasRead) {
            // A later iteration of the enclosing loop can read the same time again.
            code.changed();
            wasRead = true;
        } else if (code.run.chooseTime(site) == 1) {
            pass(DAY);
            wasRead = false;
        }
        return time;
    }

    /** The time by the shared clock. It may advance at each read. */
    private long sharedNow(int site) {
        long more = Math.min(passed, LONGEST) + (code.run.chooseTime(site) == 1 ? DAY : 0);
        passed = 0;
        return more == 0
                ? code.run.load(heap.clock(), Mode.OPAQUE, site)
                : code.run.update(heap.clock(), Update.ADD, 0, more, Mode.OPAQUE, site) + more;
    }

    /** Advances the time, up to {@code Long.MAX_VALUE}. A loop that only sleeps still waits, so it is no effect. */
    void pass(long nanos) {
        time = time + nanos < time ? Long.MAX_VALUE : time + nanos;
        passed = passed + nanos < passed ? Long.MAX_VALUE : passed + nanos;
    }

    /** A number becomes visible to other threads. If it is a time, the search needs a shared clock. */
    void noteShared(long value) {
        if (heap.times().mayBeTime(value) && !heap.assumptions().sharedClock()) {
            throw code.run.refuse(new SearchAssumptions.SharedTime());
        }
    }

    /** Chooses whether a wait of this duration times out. If not, the caller calls {@link #endTimedWait} after it. */
    boolean timesOut(long nanos, int site) {
        if (code.run.chooseExpiry(site) == 1) {
            pass(nanos);
            return true;
        }
        code.run.waiting().beginTimedWait();
        return false;
    }

    /** A timed wait that did not time out has ended. */
    void endTimedWait() {
        code.run.waiting().endTimedWait();
    }
}
