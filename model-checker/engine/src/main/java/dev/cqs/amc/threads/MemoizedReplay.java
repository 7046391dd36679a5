package dev.cqs.amc.threads;

import dev.cqs.amc.check.Findings;
import dev.cqs.amc.dpor.Exploration;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.History;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import dev.cqs.amc.liveness.Waiting;

/**
 * Extends the graph by the steps of a thread without running its code, as long as these steps are memoized.
 */
final class MemoizedReplay {

    private final ThreadRun run;
    private final Findings findings;
    private final GraphBuilder builder;
    private final Waiting waiting;
    private final int maxEvents;

    MemoizedReplay(ThreadRun run, Exploration explorer, Waiting waiting) {
        this.run = run;
        findings = explorer.findings();
        builder = explorer.builder();
        maxEvents = explorer.options().maxEvents();
        this.waiting = waiting;
    }

    /**
     * Continues from where the graph leaves the thread. Returns false if the code has to run because the next step is
     * unknown.
     */
    boolean goOn() {
        History history = builder.histories().before(builder.graph(), run.id(), run.position());
        while (history.next instanceof Step.Add add && run.position() < maxEvents) {
            if (leave(history, add)) {
                return true;
            }
            history = add(history, add.event(run.id(), run.position()));
            if (findings.hasFailed()) {
                return true;
            }
        }
        if (history.next instanceof Step.FailIteration iteration) {
            waiting.failIteration(iteration.begin(), iteration.timed());
            return true;
        }
        if (history.next instanceof Step.End end) {
            waiting.keepTried();
            run.endMemoized(end.observations());
            return true;
        }
        waiting.dropTried();
        return false;
    }

    /**
     * Stops the thread before its next event if its symmetric thread must go first, if its turn is over, or if the
     * event would only complete a failed iteration. Returns whether it stops.
     */
    private boolean leave(History history, Step.Add next) {
        if (builder.mustWait(run.id(), next.kind())) {
            run.follow();
            return true;
        }
        if (run.isTurnOver()) {
            waiting.keepTried();
            return true;
        }
        return next.kind() == Kind.READ && next.inLoop() && waiting.waitsAlready(history, next);
    }

    /** Adds an event. Returns the history after it. */
    @SuppressWarnings("NullAway") // there is one
    private History add(History before, Event event) {
        if (event.isRead()) {
            waiting.addKnown(event);
        } else {
            waiting.keepTried();
            builder.add(event);
        }
        run.addedMemoized();
        History after = builder.histories().extend(builder.graph(), before, event);
        if (event.isRead() && event.paired) {
            after = builder.histories()
                    .extend(builder.graph(), after, builder.graph().last(run.id()));
        }
        return after;
    }
}
