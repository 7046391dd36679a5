package dev.cqs.threads;

import dev.cqs.sync.BarrierResult;
import dev.cqs.threads.ThreadWaiter.End;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A barrier with the methods and the contract of {@link java.util.concurrent.CyclicBarrier}. Changing the import is the
 * migration.
 *
 * <p><b>Order.</b> The last thread to arrive runs the action; then the others go on in the order in which they have arrived.
 * Threads that arrive while the action runs wait for a later round.
 *
 * <p><b>Breaking.</b> All or none: if a thread is interrupted or its time runs out while it waits, or the action fails, the
 * others of its round, and all that arrive until {@link #reset}, get a {@link BrokenBarrierException}. Of the last arrival
 * and an interrupt or a timeout that race, exactly one wins. Unlike in the JDK's class, {@link #reset}, {@link #isBroken}
 * and {@link #getNumberWaiting} do not wait for the end of an action that another thread runs. The round of the action goes
 * on in any case, and these methods concern the threads that have arrived since.
 *
 * <p><b>Inside the action</b>, for the thread that runs it, {@link #getNumberWaiting} is the number of parties, and {@link
 * #reset} breaks the round of the action: the others get a {@link BrokenBarrierException} when the action is done, and the
 * thread that runs it goes on, also as in the JDK's class. An action must not wait at its own barrier: it would wait for its
 * own end, until it is interrupted or its time is up.
 *
 * <p><b>Memory consistency.</b> Actions of the threads before {@code await} happen-before the barrier action, and that
 * happens-before their actions after a successful {@code await}.
 *
 * <pre>{@code
 * CyclicBarrier rounds = new CyclicBarrier(2, () -> System.out.println("next round"));
 * // each of two threads:
 * while (!done()) {
 *     work();
 *     rounds.await();
 * }
 * }</pre>
 */
public class CyclicBarrier {
    static { // as ThreadWaiter.rehearse
        dev.cqs.sync.CyclicBarrier nobodys = new dev.cqs.sync.CyclicBarrier(2);
        ThreadWaiter waiter = new ThreadWaiter(Thread.currentThread());
        nobodys.arrive(waiter);
        waiter.leaveAtOnce(nobodys);
    }

    private final dev.cqs.sync.CyclicBarrier core;

    /**
     * Creates a barrier without an action.
     *
     * @param parties how many threads must come before all go on
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties) {
        this(parties, null);
    }

    /**
     * Creates a barrier.
     *
     * @param parties how many threads must come before all go on
     * @param barrierAction run in each round by the last thread to come, before all go on; or {@code null}
     * @throws IllegalArgumentException if {@code parties} is not positive
     */
    public CyclicBarrier(int parties, @Nullable Runnable barrierAction) {
        this(new dev.cqs.sync.CyclicBarrier(parties, barrierAction));
    }

    private CyclicBarrier(dev.cqs.sync.CyclicBarrier core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * {@return the view for threads of a barrier that other callers share, coroutines among them} Do not wait through
     * this view inside a coroutine: it blocks the thread that other coroutines need, perhaps other parties.
     *
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static CyclicBarrier viewOf(dev.cqs.sync.CyclicBarrier core) {
        return new CyclicBarrier(core);
    }

    /** {@return the barrier that this is a view of; its parties may be of any kind} */
    public final dev.cqs.sync.CyclicBarrier core() {
        return core;
    }

    /** {@return how many threads each round has} */
    public int getParties() {
        return core.parties();
    }

    /**
     * Waits until all parties have come.
     *
     * @return how many came after this one: {@code getParties() - 1} for the first, zero for the last
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws BrokenBarrierException if the barrier is broken or reset, before or meanwhile
     */
    public int await() throws InterruptedException, BrokenBarrierException {
        try {
            return await(ThreadWaiter.FOREVER);
        } catch (TimeoutException e) {
            throw new AssertionError(e); // cannot happen: there is no timeout
        }
    }

    /**
     * Waits until all parties have come, but no longer than the timeout; with a timeout of zero or less it does not wait.
     *
     * @param timeout how long to wait at most
     * @param unit of the timeout
     * @return how many came after this one: {@code getParties() - 1} for the first, zero for the last
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws TimeoutException if the time runs out; that breaks the barrier
     * @throws BrokenBarrierException if the barrier is broken or reset, before or meanwhile
     */
    public int await(long timeout, TimeUnit unit)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(unit.toNanos(timeout));
    }

    private int await(long nanos) throws InterruptedException, BrokenBarrierException, TimeoutException {
        abortIfInterrupted();
        if (core.tryArrive()) {
            return 0;
        }
        if (nanos <= 0) {
            throw aborted(new TimeoutException());
        }
        ThreadWaiter waiter = new ThreadWaiter(Thread.currentThread());
        int index = core.arrive(waiter);
        End end = waiter.awaitUntil(core, true, ThreadWaiter.deadlineIn(nanos), index < SpinPolicy.PROCESSORS);
        if (end == End.INTERRUPTED) {
            throw new InterruptedException();
        }
        if (end == End.TIMED_OUT) {
            throw new TimeoutException();
        }
        if (waiter.value() == BarrierResult.BROKEN) {
            throw new BrokenBarrierException();
        }
        if (waiter.value() == BarrierResult.RUN_ACTION) {
            core.runAction();
        }
        return index;
    }

    private void abortIfInterrupted() throws InterruptedException, BrokenBarrierException {
        if (Thread.currentThread().isInterrupted() && !core.isBroken()) {
            InterruptedException interrupted = aborted(new InterruptedException());
            Thread.interrupted();
            throw interrupted;
        }
    }

    /** Breaks the barrier for the given reason, unless it has been broken meanwhile. */
    private <E extends Exception> E aborted(E reason) throws BrokenBarrierException {
        if (!core.abort()) {
            throw new BrokenBarrierException();
        }
        return reason;
    }

    /** {@return whether the barrier is broken} */
    public boolean isBroken() {
        return core.isBroken();
    }

    /**
     * Begins a new round. Threads that wait get a {@link BrokenBarrierException}; a broken barrier is whole again. A round
     * whose action is being run is not affected, unless the action calls this.
     */
    public void reset() {
        core.reset();
    }

    /**
     * {@return how many threads wait in the round that is collecting its parties; inside the action, in the round of
     * the action}
     */
    public int getNumberWaiting() {
        return core.waiting();
    }
}
