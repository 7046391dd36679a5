package dev.cqs.sync;

import dev.cqs.CellRef;
import dev.cqs.NumberedQueue;
import dev.cqs.Waiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.Spin;
import dev.cqs.internal.StackCheck;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A barrier at which a fixed number of parties wait for each other, round after round; callers of every kind can be
 * parties of one barrier: threads, virtual threads and coroutines. This object holds the state and the whole protocol of a
 * wait; how a party waits is decided by a view, for example {@code dev.cqs.threads.CyclicBarrier}.
 *
 * <p><b>Rounds.</b> The last party to arrive runs the action, if there is one, and then all go on in the order in which they
 * have arrived. Parties that arrive while the action runs belong to later rounds. Rounds never mix.
 *
 * <p><b>Breaking.</b> A party that gives up waiting breaks the barrier: all parties that wait, and all that arrive until
 * {@link #reset}, fail. Once a round is complete and its action has begun, the round cannot be broken from outside any more.
 * While the action runs, a party that gives up, or a reset, breaks only later rounds. An action that fails breaks its own
 * round as well, and so does an action that calls {@link #reset}: the others of its round fail when the action is done.
 *
 * <p><b>Memory consistency.</b> What the parties do before they arrive happens-before the action, and that happens-before
 * what they do after they have passed.
 *
 * <pre>{@code
 * if (!barrier.tryArrive()) {
 *     Parked waiter = new Parked();                       // the example of Waiter
 *     int index = barrier.arrive(waiter);
 *     BarrierResult result = (BarrierResult) waiter.await();
 *     if (result == BarrierResult.BROKEN) throw new BrokenBarrierException();
 *     if (result == BarrierResult.RUN_ACTION) barrier.runAction();
 * }
 * }</pre>
 */
public final class CyclicBarrier extends BarrierState {
    /*
     * Overview. The word, the numbers of the parties and the origin are those of BarrierState. The phases:
     *
     *        party arrives
     *           .------.
     *           v      |  last party arrives, if              action done
     *         OPEN ----'  ---------------------->  RUNNING  ---------------> OPEN, or RUNNING for the next round
     *          |  ^         there is an action      |   ^
     *    party |  | reset: new                party of  |   | reset: new
     *    gives |  | origin                    a later   |   | origin
     *    up    |  |                           round     |   |
     *          |  |                           gives up  v   |
     *          |  |                                DOOMED
     *          v  |                                   |
     *         BROKEN  <-------------------------------'   action done; from RUNNING as well if it fails
     *
     *   OPEN      the round of the next number collects its parties. Arrivals, giving up and reset compete for the word.
     *   RUNNING   a round is complete, and its action is being run by its last party. Only the action can break it now.
     *             Later numbers belong to later rounds, which collect their parties meanwhile.
     *   DOOMED    as RUNNING, and a later party has given up: none of the later parties waits any more, and none can arrive.
     *             When the action is done, its round goes on, but the barrier is broken.
     *   BROKEN    no party waits, and none can arrive.
     *
     * Invariants:
     *
     *   BAR-3  The thread that ends a round, by completing or by breaking it, resumes all its cells, once. A party that
     *          gives up wins the word first, then takes its own waiter out of its cell, and then breaks the others.
     *   BAR-4  Two actions never overlap. If later parties complete the next round while an action is being run, the last of
     *          them waits as well, and is resumed with RUN_ACTION when that action is done. Until then its round can be
     *          broken like one that is not complete.
     *   BAR-5  The places in the queue are read before the word. Earlier parties move their pointers to cells that are not
     *          after ours, because later cells are filled, or resumed in turn, after our step only (NQ-1). Cells behind a
     *          round whose action runs are resumed out of turn, without moving the pointer. The round with the action is
     *          resumed when the action is done.
     *
     * A waiter is made before its party is counted, so there is never an arrival to take back.
     *
     * A reset leaves the round whose action runs alone and breaks all later rounds. So it undoes the breaking by a party
     * before it, with or without an action.
     *
     * The thread that runs the action is on record in `runner` until the action is done, for its own calls inside the action.
     * In those it sees its own round, with all parties waiting. A reset inside the action does what any reset does, and
     * besides takes the thread off the record. So when the action is done the thread knows that the others of its round are
     * to be resumed with BROKEN. They are not resumed before, and the phase stays RUNNING. So actions still do not overlap,
     * and a party that arrives after the reset belongs to a later round. The field is plain: a thread finds itself in it only
     * if it has written it. Only actions write it, and they are ordered one after the other by the word and the cells. So a
     * check is exact whatever other threads write.
     *
     * Progress. Lock-free, with two exceptions: the action, and the last party of a round that arrives when 2^24 - 1 rounds
     * are complete behind one action. That party waits for the end of the action, without a cell.
     *
     * Ordering. What a party did before it arrived is ordered by the word up to the last party, and from there by the cells.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    private static final VarHandle QUEUE;

    static {
        try {
            QUEUE = MethodHandles.lookup().findVarHandle(CyclicBarrier.class, "queue", Queue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Run by the last party of each round, or null. */
    private final @Nullable Runnable action;

    /**
     * The number behind the round whose action runs. Plain: written before a waiter is resumed with RUN_ACTION, by the
     * thread that does that, and read by the owner of that waiter.
     */
    private long runningEnd;

    /** The thread that runs the action, and has not reset the barrier inside it; see the overview. Plain. */
    private @Nullable Thread runner;

    /** Made by CAS when the first party arrives. */
    @SuppressWarnings("NullAway.Init") // null only before that
    private volatile Queue queue;

    /**
     * Creates a barrier without an action.
     *
     * @param parties how many must arrive before all go on
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties) {
        this(parties, null);
    }

    /**
     * Creates a barrier.
     *
     * @param parties how many must arrive before all go on
     * @param action run in each round by the last party to arrive, before all go on; or {@code null}
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties, @Nullable Runnable action) {
        super(parties);
        if (parties <= 0) {
            throw new IllegalArgumentException("the number of parties must be positive, but is " + parties);
        }
        this.action = action;
    }

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        CyclicBarrier barrier = new CyclicBarrier(2);
        barrier.arrive(new RehearsedWaiter());
        barrier.arrive(new RehearsedWaiter());
        RehearsedWaiter leaving = new RehearsedWaiter();
        barrier.arrive(leaving);
        leaving.leave();
        barrier.reset();
        barrier.arrive(new RehearsedWaiter());
        barrier.reset();
        barrier.tryArrive();
        barrier.abort();
    }

    // Arriving

    /**
     * Arrives as the last party of a round, if the caller would be the last: runs the action, and lets the others go on.
     * Otherwise this does nothing, and the caller may {@linkplain #arrive arrive} with a waiter.
     *
     * @return whether the caller has passed; {@code false} if parties are missing, the action of an earlier round runs, or
     *     the barrier is broken
     * @throws RuntimeException what the action throws, and likewise an {@link Error}; the barrier is broken then
     */
    public boolean tryArrive() {
        StackCheck.ensure();
        for (; ; ) {
            CellRef place = queue().resumeRef(); // BAR-5
            long seen = settledWord();
            long from = origin();
            if (phase(seen) == OPEN && inRound(seen, from) == parties - 1) {
                if (completeRound(seen, from, place)) {
                    return true;
                }
            } else if (seen == word()) { // BAR-1
                return false;
            }
        }
    }

    /**
     * Arrives with a waiter, which is always resumed with a {@link BarrierResult}, unless its owner {@linkplain Waiter#cancel
     * cancels} it, which breaks the barrier. Two waiters are resumed within this call: that of the last party, which runs the
     * action and lets the others go on, and one that arrives at a broken barrier.
     *
     * @param waiter of this arrival alone
     * @return the arrival index: how many parties of its round arrive after this one, {@code parties() - 1} for the first
     *     and zero for the last; of no meaning if the barrier is broken already
     * @throws IllegalStateException if the waiter is in a queue already; the party has not arrived then
     * @throws RuntimeException what the action throws, and likewise an {@link Error}; the barrier is broken then, and the
     *     waiter is not resumed
     */
    public int arrive(Waiter waiter) {
        NumberedQueue.checkNew(waiter); // before the party is counted
        StackCheck.ensure();
        for (int turns = 0; ; ) {
            CellRef suspendRef = queue().suspendRef(); // BAR-5
            CellRef resumeRef = queue().resumeRef();
            long seen = settledWord();
            long from = origin();
            int before = inRound(seen, from);
            boolean last = before == parties - 1;
            if (isBroken(seen)) {
                queue.handOver(waiter, BarrierResult.BROKEN);
                return 0;
            } else if (last && phase(seen) == OPEN) {
                if (completeRound(seen, from, resumeRef)) {
                    queue.handOver(waiter, BarrierResult.PASSED);
                    return 0;
                }
            } else if (last && complete(seen) == MOST_COMPLETE) {
                turns = Spin.pause(turns); // for the end of an action: MOST_COMPLETE rounds are complete
            } else if (casWord(seen, seen + ONE_PARTY + (last ? ONE_COMPLETE : 0))) { // BAR-4
                queue.suspendAt(suspendRef, number(seen, from), waiter);
                return parties - 1 - before;
            }
        }
    }

    /** The step of the last party of a round, and all that follows from it; false if the word has changed. */
    private boolean completeRound(long seen, long from, CellRef place) {
        long end = number(seen, from) + 1;
        if (action == null) {
            if (!casWord(seen, seen + ONE_PARTY)) {
                return false;
            }
            follow(from, end);
            resume(place, end - parties, parties - 1, BarrierResult.PASSED);
            return true;
        }
        if (!casWord(seen, seen + ONE_PARTY + ONE_COMPLETE + RUNNING)) {
            return false;
        }
        follow(from, end);
        runAction(end);
        return true;
    }

    // Running the action, by the last party of the round that ends at `end`, in phase RUNNING or DOOMED

    /**
     * Runs the action, for a party that was resumed with {@link BarrierResult#RUN_ACTION}, and lets the others of its round
     * go on.
     *
     * @throws IllegalStateException if no action is to be run
     * @throws RuntimeException what the action throws, and likewise an {@link Error}; the barrier is broken then
     */
    public void runAction() {
        checkComplete();
        runAction(runningEnd);
    }

    /**
     * Breaks the barrier, for a party that was resumed with {@link BarrierResult#RUN_ACTION} and does not run the action: a
     * coroutine that was cancelled meanwhile, for example. The others of its round fail, and those behind it.
     *
     * @throws IllegalStateException if no action is to be run
     */
    public void abortAction() {
        checkComplete();
        breakRunning(runningEnd);
    }

    private void checkComplete() {
        if (complete(word()) == 0) {
            throw new IllegalStateException("no round of this barrier waits for its action");
        }
    }

    @SuppressWarnings("NullAway") // there is one: see completeRound()
    private void runAction(long end) {
        runner = Thread.currentThread();
        try {
            action.run();
        } catch (Throwable t) {
            runner = null;
            breakRunning(end);
            throw t;
        }
        BarrierResult result = runner == null ? BarrierResult.BROKEN : BarrierResult.PASSED; // null after a reset
        runner = null; // before the step that lets another action run
        finish(end, result);
    }

    private void finish(long end, BarrierResult result) {
        for (; ; ) {
            CellRef place = queue.resumeRef();
            long seen = settledWord();
            long from = origin();
            if (complete(seen) > 1) {
                if (casWord(seen, seen - ONE_COMPLETE)) {
                    resume(place, end - parties, parties - 1, result);
                    long begin = decided(seen, from); // not always `end`: a reset may stand between
                    follow(from, begin);
                    runningEnd = begin + parties;
                    tellToRun(place, runningEnd - 1);
                    return;
                }
            } else if (casWord(seen, opened(seen) + (phase(seen) == DOOMED ? BROKEN : OPEN))) {
                resume(place, end - parties, parties - 1, result);
                return;
            }
        }
    }

    /** Resumes in turn only if no others of the round go on later. */
    private void tellToRun(CellRef place, long last) {
        if (parties == 1) {
            queue.resumeAt(place, last, 1, BarrierResult.RUN_ACTION);
        } else {
            queue.resumeAhead(place, last, 1, BarrierResult.RUN_ACTION);
        }
    }

    private void breakRunning(long end) {
        for (; ; ) {
            CellRef place = queue.resumeRef();
            long seen = settledWord();
            long from = origin();
            if (casWord(seen, opened(seen) + BROKEN)) {
                resume(place, end - parties, parties - 1, BarrierResult.BROKEN);
                breakWaiting(seen, from, place);
                return;
            }
        }
    }

    // Breaking

    /**
     * Breaks the barrier as a party that gives up waiting does, for a caller that does not even begin to wait. A round that
     * is complete and whose action has begun is not affected.
     *
     * @return {@code false} if it is broken already
     */
    public boolean abort() {
        StackCheck.ensure();
        for (; ; ) {
            CellRef place = queue().resumeRef();
            long seen = settledWord();
            long from = origin();
            if (isBroken(seen)) {
                return false;
            }
            if (casWord(seen, brokenOrDoomed(seen))) {
                breakWaiting(seen, from, place);
                return true;
            }
        }
    }

    /** The same for a party that waits; false if it was resumed, or is about to be. */
    private boolean abort(Waiter waiter) {
        long own = queue.numberOf(waiter);
        for (; ; ) {
            CellRef place = queue.resumeRef();
            long seen = settledWord();
            long from = origin();
            if (isBroken(seen) || own < decided(seen, from)) {
                if (seen == word()) { // BAR-1
                    return false;
                }
            } else if (casWord(seen, brokenOrDoomed(seen))) {
                boolean left = queue.cancel(waiter); // nobody else resumes it: BAR-3
                breakWaiting(seen, from, place);
                return left;
            }
        }
    }

    /** Follows the step that has ended the rounds that could still be broken. */
    private void breakWaiting(long seen, long from, CellRef place) {
        long first = decided(seen, from);
        int count = isBroken(seen) ? 0 : (int) (number(seen, from) - first);
        if (complete(seen) == 0) {
            resume(place, first, count, BarrierResult.BROKEN);
        } else {
            queue.resumeAhead(place, first, count, BarrierResult.BROKEN);
        }
    }

    private void resume(CellRef place, long number, int count, BarrierResult result) {
        if (count > 0) {
            queue.resumeAt(place, number, count, result);
        }
    }

    /**
     * Begins a new round. The parties that wait fail as if the barrier were broken; a broken barrier is whole again. A round
     * whose action is being run is not affected, unless the action itself calls this: then the others of its round fail as
     * well, when the action is done.
     */
    public void reset() {
        StackCheck.ensure();
        for (; ; ) {
            CellRef place = queue().resumeRef();
            long seen = settledWord();
            long from = origin();
            long fresh = opened(seen);
            if (complete(seen) > 0) {
                fresh += ONE_COMPLETE + RUNNING;
            }
            if (inRound(seen, from) > 0) {
                fresh += ONE_PARTY + RESETTING;
            }
            if (seen == fresh) {
                if (word() == seen) { // BAR-1
                    breakOwnRound();
                    return;
                }
            } else if (casWord(seen, fresh)) {
                breakOwnRound();
                follow(from, begin(seen, from));
                settledWord();
                breakWaiting(seen, from, place);
                return;
            }
        }
    }

    /** Inside an action: breaks the round of that action. */
    private void breakOwnRound() {
        if (isInOwnRound()) {
            runner = null;
        }
    }

    /** Whether the caller is inside the action of a round that it has not reset. */
    private boolean isInOwnRound() {
        Thread thread = runner;
        return thread != null && thread == Thread.currentThread();
    }

    // Looking

    /** {@return how many parties each round has} */
    public int parties() {
        return parties;
    }

    /**
     * {@return how many parties wait in the round that is collecting its parties} Inside the action, for the thread
     * that runs it, these are all the {@linkplain #parties parties} of its own round, until it resets the barrier.
     */
    public int waiting() {
        if (isInOwnRound()) {
            return parties;
        }
        for (; ; ) {
            long seen = word();
            int waiting = isBroken(seen) || (seen & RESETTING) != 0 ? 0 : inRound(seen, origin());
            if (seen == word()) { // BAR-1
                return waiting;
            }
        }
    }

    /** {@return whether the barrier is broken} */
    public boolean isBroken() {
        return isBroken(word());
    }

    /** Says how many parties there are, how many wait, and whether the barrier is broken. */
    @Override
    public String toString() {
        return "CyclicBarrier@" + Integer.toHexString(hashCode()) + "[" + parties + " parties, " + waiting()
                + " waiting" + (isBroken() ? ", broken]" : "]");
    }

    private Queue queue() {
        Queue present = queue;
        if (present != null) {
            return present;
        }
        Queue fresh = new Queue();
        return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;
    }

    private final class Queue extends NumberedQueue<BarrierResult> {
        @Override
        protected boolean leave(Waiter waiter) {
            return abort(waiter);
        }

        @Override
        protected void giveBack(BarrierResult result) {
            if (result == BarrierResult.RUN_ACTION) {
                abortAction();
            }
        }
    }
}
