package dev.cqs.amc.threads;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.Mode;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.check.Exit;
import dev.cqs.amc.dpor.Exploration;
import dev.cqs.amc.dpor.GraphBuilder;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import dev.cqs.amc.liveness.Hangs;

/** The operations of a thread on other threads: start, join, and running one first to get at its objects. */
public final class ThreadLifecycle {

    private final ThreadRun run;
    private final Exploration explorer;
    private final GraphBuilder builder;
    private final Exit exit;

    ThreadLifecycle(ThreadRun run, Exploration explorer, Exit exit) {
        this.run = run;
        this.explorer = explorer;
        this.exit = exit;
        builder = explorer.builder();
    }

    /**
     * Starts a thread that has not been started. The started thread gets the operand from {@link #creation}. A daemon
     * may wait forever.
     */
    @SuppressWarnings("NullAway") // a creation has an operand
    public void create(int thread, long operand, boolean daemon, int site) {
        Event replayed = run.replay(Kind.CREATE, -1, Mode.PLAIN, site);
        if (replayed == null) {
            Event create = run.newEvent(Kind.CREATE, -1, Mode.PLAIN, site);
            create.value = thread;
            create.change = Step.Change.creation(operand);
            create.options = daemon ? Event.DAEMON : 0;
            builder.addFence(create);
            run.added(create);
        } else if (replayed.value != thread
                || replayed.change.operand() != operand
                || replayed.options != (daemon ? Event.DAEMON : 0)) {
            throw run.differs(replayed, "starts " + run.nameOf(thread), site);
        }
    }

    /** The operand with which this thread was created. */
    @SuppressWarnings("NullAway") // the thread has been created
    public long creation() {
        return builder.graph().creation(run.id()).change.operand();
    }

    /** Whether this thread has been started as a daemon. */
    public boolean isDaemon() {
        return Hangs.isDaemon(builder.graph(), run.id());
    }

    /**
     * Waits until the thread that is created with this operand has ended. A write of anything but 0 to the location (-1
     * if none), an interrupt, ends the wait too.
     */
    @SuppressWarnings("NullAway") // the thread has ended
    public void join(long operand, int interrupt, int site) {
        int thread = builder.graph().created(operand);
        if (run.position() >= builder.graph().length(run.id())
                && !builder.graph().hasEnded(thread)) {
            throw run.waiting().forEnd(operand, interrupt);
        }
        if (run.replay(Kind.JOIN, -1, Mode.PLAIN, site) != null) {
            return;
        }
        Event join = run.newEvent(Kind.JOIN, -1, Mode.PLAIN, site);
        builder.addJoin(join, builder.graph().last(thread));
        run.added(join);
    }

    /**
     * Runs the code of another thread before this one continues. So the objects that the other thread makes exist in
     * memory outside the graph.
     */
    public void runFirst(int thread) {
        run.waiting().keepTried();
        try {
            explorer.runNested(thread);
        } catch (NondeterministicProgramException
                | UncheckableException
                | InstrumentationException
                | LinkageError thrown) {
            throw run.refuse(thrown);
        }
        if (explorer.findings().isRunOver()) {
            throw exit.leave();
        }
    }
}
