package dev.cqs.amc.engine;

/**
 * Takes a thread on in the graph without running its code, as long as it is known from other graphs what that does.
 */
final class ByHeart {

    private final ThreadRun run;
    private final Explorer explorer;
    private final Growth growth;
    private final Waiting waiting;

    ByHeart(ThreadRun run, Explorer explorer, Waiting waiting) {
        this.run = run;
        this.explorer = explorer;
        growth = explorer.growth();
        this.waiting = waiting;
    }

    /** Goes on from where the graph leaves the thread. Returns false if the code must be run to know more. */
    boolean goOn() {
        Graph graph = growth.graph();
        Histories histories = growth.histories();
        History history = histories.before(graph, run.id(), run.position());
        while (true) {
            Step step = history.next;
            if (step instanceof Step.Add add && run.position() < explorer.options().maxEvents()) {
                if (growth.mustWait(run.id(), add.kind())) {
                    run.follow();
                    return true;
                }
                if (run.isTurnOver()) {
                    waiting.keepTried();
                    return true;
                }
                if (add.kind() == Kind.READ && add.inLoop() && waiting.waitsAlready(history, add)) {
                    return true;
                }
                Event added = add.event(run.id(), run.position());
                add(added);
                history = histories.extend(graph, history, added);
                if (added.paired) {
                    history = histories.extend(graph, history, graph.last(run.id()));
                }
                if (explorer.findings().hasFailed()) {
                    return true;
                }
            } else if (step instanceof Step.FailRound round) {
                waiting.failRound(round.begin(), round.timed());
                return true;
            } else if (step instanceof Step.End end) {
                waiting.keepTried();
                run.endByHeart(end.observations());
                return true;
            } else {
                waiting.dropTried();
                return false;
            }
        }
    }

    private void add(Event event) {
        if (event.isRead()) {
            waiting.addKnown(event);
        } else {
            waiting.keepTried();
            growth.add(event);
        }
        run.addedByHeart();
    }
}
