package dev.cqs;

import static dev.cqs.CellState.CANCELLED;
import static dev.cqs.CellState.CANCELLING;
import static dev.cqs.CellState.REFUSED;
import static dev.cqs.CellState.RESUMED;

import dev.cqs.internal.UncaughtExceptions;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of {@linkplain Waiter waiters} whose requests can be cancelled at any time: the one mechanism under all
 * primitives of this library, and the base for your own.
 *
 * <p>A primitive keeps a small state of its own (a count of permits, say). In one atomic step on that state it decides
 * whether a request is granted at once or has to wait, and whether a release has a request to serve. If a request has to
 * wait, the primitive calls {@link #suspend}; if a release has a request to serve, it calls {@link #resume(Object)}. The two
 * may come in either order. Calls are matched in FIFO order: the n-th resume goes to the n-th suspend.
 *
 * <h2>Modes</h2>
 *
 * What happens when a resume comes <em>before</em> its suspend:
 *
 * <ul>
 *   <li>{@link ResumeMode#ASYNC}: it leaves the value in the cell and returns {@code true}. No operation
 *       waits for another, but a value can be inside the queue, out of sight of a non-waiting
 *       {@code tryAcquire}.
 *   <li>{@link ResumeMode#SYNC}: it waits a bounded time for the suspend, then breaks the cell. Both return
 *       {@code false} and their primitive starts both operations again. A value is never inside the queue.
 * </ul>
 *
 * What happens when a resume meets a waiter that {@linkplain Waiter#cancel was cancelled}:
 *
 * <ul>
 *   <li>{@link CancellationMode#SIMPLE}: it returns {@code false}; each cancelled waiter costs one resume.
 *   <li>{@link CancellationMode#SMART}: it is skipped, at constant cost for any number of them. The primitive
 *       overrides {@link #onCancellation}, which takes the request out of the primitive's state, or finds that
 *       a resume for it is already on its way; that resume is then <em>refused</em> and ends in
 *       {@link #completeRefusedResume}.
 * </ul>
 *
 * <h2>Memory consistency</h2>
 *
 * Actions of a thread before {@code resume} happen-before actions of the resumed owner after it has seen the value. Actions
 * of the owner of a waiter before {@code cancel} returns {@code true} happen-before a resume that skips the waiter.
 *
 * <h2>Example: a semaphore in a dozen lines</h2>
 *
 * <pre>{@code
 * final class TinySemaphore {
 *     private final AtomicLong free;                      // below zero: minus the number of waiters
 *     private final CancellableQueueSynchronizer<Object> queue =
 *             new CancellableQueueSynchronizer<>(ResumeMode.ASYNC, CancellationMode.SMART) {
 *                 protected boolean onCancellation(Waiter waiter) {
 *                     return free.getAndIncrement() < 0;  // false: the permit is back, refuse the resume
 *                 }
 *             };
 *
 *     TinySemaphore(int permits) {
 *         free = new AtomicLong(permits);
 *     }
 *
 *     void acquire() throws InterruptedException {
 *         if (free.getAndDecrement() > 0) return;
 *         Parked waiter = new Parked();                   // the example of Waiter
 *         queue.suspend(waiter);
 *         waiter.await();
 *     }
 *
 *     void release() {
 *         if (free.getAndIncrement() < 0) queue.resume(this);
 *     }
 * }
 * }</pre>
 *
 * @param <T> what a resume hands to a waiter
 */
public abstract class CancellableQueueSynchronizer<T> extends QueueHooks<T> {
    /*
     * Overview.
     *
     * The queue is an infinite array of cells with two counters. suspend() takes the next cell by
     * fetch-and-add on one counter and puts its waiter there; resume() takes the next cell by fetch-and-add
     * on the other one and serves the waiter there. All races are settled inside the cell, by QueueCells:
     *
     *                 S                R                      S   suspend()
     *        EMPTY -------> WAITER --------> RESUMED          R   resume()
     *          |               |                              C   cancel(), abandon(); claim() goes straight
     *          |               |                                  from WAITER to CANCELLED
     *          | R             | C
     *          v               v                      C
     *        VALUE         CANCELLING ------------------> CANCELLED   (SIMPLE: at once from WAITER)
     *        |    |            |      \                       ^
     *      S |    | R          | R     \ C: refuse            | C: resume the next one with the value
     *        v    v            v        '--> REFUSED          |
     *     TAKEN  BROKEN     VALUE of a delegated resume ------'--> REFUSED, the value is refused
     *            (SYNC)     (ASYNC)
     *
     * The protocol, by cell state. "Next" means: with the next cell, by a new fetch-and-add.
     *
     *   cell        suspend()              resume(value)                               cancel()
     *   ----------  ---------------------  ------------------------------------------  -----------------------
     *   EMPTY       CAS to the waiter:     CAS to the value. ASYNC: true.              -
     *               true                   SYNC: wait for TAKEN: true; else CAS to
     *                                      BROKEN: false
     *   VALUE       CAS to TAKEN, hand     -                                           -
     *               over: true, or if the
     *               owner is gone giveBack
     *   BROKEN      false                  -                                           -
     *   WAITER      -                      CAS to RESUMED, then hand over: true        SIMPLE: CAS to CANCELLED
     *                                                                                  SMART: CAS to CANCELLING,
     *                                                                                  run onCancellation()
     *   RESUMED     -                      -                                           false
     *   CANCELLING  -                      ASYNC: CAS to the value: true               get-and-set to CANCELLED
     *                                      SYNC: wait until it is decided              or REFUSED; take over a
     *                                                                                  delegated value
     *   CANCELLED   -                      SIMPLE: false. SMART: next                  -
     *   REFUSED     -                      completeRefusedResume(value): true          -
     *
     * The compare-and-set on WAITER decides who wins, resumer or canceller, for every kind of waiter. A canceller that loses
     * learns that its value is on the way.
     *
     * A waiter whose owner can be ended without the queue (a future that other code completes) answers false to tryResume;
     * the resumer then stands in for the canceller: SIMPLE fails, SMART asks onCancellation() and does what it answers. If
     * the value was in the cell first, the resume has ended already, and request and resume have cancelled each other out.
     * The value in hand is then like that of a new release, and giveBack() makes it one. The same holds for an abandoned
     * request.
     *
     * Hooks run in this order: CANCELLING, onCancellation(), CANCELLED or REFUSED, afterCancellation(). A SYNC resume waits
     * for the first of them only.
     *
     * Differences from N. Koval, D. Khalanskiy, D. Alistarh: "CQS: A Formally-Verified Framework for Fair and Abortable
     * Synchronization", Proc. ACM Program. Lang. 7, PLDI, Article 116 (2023), DOI 10.1145/3591230.
     *   - The resumer takes the waiter out of the cell first and hands over second. So a value never has to be taken back
     *     from a waiter that was cancelled in a race, and the waiter needs no atomic operation of its own. A primitive that
     *     holds a claimed waiter may hand over later (claim, handOver).
     *   - CANCELLING is a state of its own, so that onCancellation() runs exactly once and a SYNC resume knows
     *     that it is running.
     *   - resume(value, n) takes n cells with one fetch-and-add.
     *   - firstWaiter() and claim() serve primitives that must look at the head before they decide, such as
     *     requests for several permits at once. One thread at a time may use them. They change no counter that
     *     racing calls of resume() rely on: only cells that such a call would skip are passed.
     * Progress.
     *   suspend    lock-free. Wait-free but for finding and appending its segment, where an operation repeats
     *              only because another has appended, moved or removed a segment. In SYNC mode it never waits,
     *              but its primitive may have to start again, so the pair is only obstruction-free.
     *   resume     ASYNC: lock-free, a fixed number of steps per cell. Skipping is bounded by the number of
     *              segments that hold anything but cancelled cells.
     *              SYNC: spins at most Spin.BOUND times for a suspender and then gives up. SYNC with SMART also
     *              waits for a canceller between its CAS and its decision, that is for onCancellation() of another
     *              thread; CancellationMode says why. No other operation ever waits.
     *   cancel     wait-free but for the unlinking of a dead segment and for taking over a delegated resume,
     *              both lock-free.
     *   All of them append segments, and retry that while there is no memory for one.
     *   firstWaiter, claim, forEachWaiter   lock-free.
     *
     *   CQS-1  Skipping. An operation that looks for the segment of a cell and finds a later one knows that every cell
     *          between is cancelled. In SMART mode it raises the resume index to the first cell found. So N cancelled
     *          waiters cost N / SIZE unlinked segments, paid by the cancellers, and one step here. When it meets a
     *          cancelled cell, it raises the index to the end of the run of cancelled cells that begins there, across
     *          unlinked segments, so that the next fetch-and-add is the last one. In SIMPLE mode the index is never
     *          raised: each cancelled cell owes one resume its failure.
     *   CQS-2  Pointers. Head and tail are read before the fetch-and-add. A pointer never stands beyond the cell of its
     *          counter, but for cancelled cells that are skipped. So the segment read is not beyond the cell taken: the
     *          search goes forward only.
     *
     * Hooks. An exception of a hook or a waiter goes to the uncaught-exception handler of the current thread and the
     * operation carries on, because its caller needs the result: it says who has the value. A throwing onCancellation()
     * counts as true: the cell becomes CANCELLED and a value that comes to it goes to the next waiter, so that no value is
     * dropped. A throwing tryResume() counts as true as well. One error is different: after an OutOfMemoryError,
     * onCancellation() is called again. The error comes from before its change of the state (it changes that last), and
     * no other operation would correct the count.
     *
     * Memory. Between the step that takes a cell (the fetch-and-adds, the CAS to CANCELLING) and the step that settles it, the
     * code allocates nothing but segments, and retries that until there is memory. Nor does it execute anything for the
     * first time there that would need memory to be linked, loaded or initialized, because QueueCounters, QueueCells and
     * Segment have rehearsed it. So an OutOfMemoryError never comes out of suspend, resume, cancel or abandon. A primitive
     * has two ways to be in its old state when it throws: it makes its waiter before it counts, or it abandons what it has
     * counted.
     *
     * Ordering. A waiter is published by the CAS into its cell and read by the acquire in resumeCell(). A value is published
     * by the CAS into its cell and read by the acquire in takeValue(), or it is handed to the waiter, whose own publication
     * takes over. The CASes are volatile: primitives rely on a total order of "install, then look at my state" against
     * "change the state, then look at the queue". The access modes of each field are tables in QueueCounters (indices and
     * pointers), Segment (cells and links) and Waiter.
     */

    /**
     * Creates an empty queue.
     *
     * @param resumeMode whether a value may wait in a cell for its suspender
     * @param cancellationMode whether a canceller may refuse the resume that comes for it
     * @throws NullPointerException if a mode is {@code null}
     */
    protected CancellableQueueSynchronizer(ResumeMode resumeMode, CancellationMode cancellationMode) {
        super(
                Objects.requireNonNull(resumeMode, "resumeMode"),
                Objects.requireNonNull(cancellationMode, "cancellationMode"));
    }

    // Suspending

    /**
     * Puts the waiter at the end of the queue, or hands it a value that was in its cell first. The position in the
     * queue is fixed by the moment at which the waiter is in its cell.
     *
     * @param waiter in no queue
     * @return {@code true} if the waiter is in the queue or has been resumed; {@code false}, in SYNC mode
     *     only, if a resume had given up waiting for it: the primitive starts its operation again
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public final boolean suspend(Waiter waiter) {
        checkNew(waiter);
        Segment from = tail; // before the count: CQS-2
        return suspendAt(from, nextSuspendIndex(), waiter);
    }

    /**
     * Gives up a request that has been counted in the primitive's state but cannot get a waiter, for example because making
     * one has thrown. Takes a cell and cancels it at once.
     */
    public final void abandon() {
        Segment from = tail; // before the count: CQS-2
        long i = nextSuspendIndex();
        Segment segment = findAndMoveTail(from, i >> Segment.SHIFT);
        int index = (int) i & Segment.MASK;
        if (segment.casCell(index, null, smart ? CANCELLING : CANCELLED)) {
            finishCancellation(segment, index, null);
            return;
        }
        T value = takeValue(segment, index);
        if (value != null) {
            giveBackGuarded(value);
        }
    }

    // Resuming

    /**
     * Resumes the first waiter with this value.
     *
     * @param value handed to the waiter; not {@code null}
     * @return {@code true} if the value has found its owner, will be found by the next suspender (ASYNC), or was refused
     *     (SMART); {@code false} if the cell was broken (SYNC) or its waiter cancelled (SIMPLE): the primitive still has the
     *     value, has counted one request fewer, and starts again
     * @throws NullPointerException if the value is {@code null}
     * @throws IllegalArgumentException if the value is a {@link Waiter}
     */
    public final boolean resume(T value) {
        return resume(value, 1) == 1;
    }

    /**
     * Resumes the first {@code count} waiters, each with this value.
     *
     * @param value handed to each waiter; not {@code null}
     * @param count how many waiters
     * @return how many of them were resumed, in the sense of {@link #resume(Object)}; never less than
     *     {@code count} in ASYNC mode with SMART cancellation
     * @throws NullPointerException if the value is {@code null}
     * @throws IllegalArgumentException if {@code count} is negative or the value is a {@link Waiter}
     */
    public final int resume(T value, int count) {
        check(value, count);
        int done = 0;
        int wanted = count;
        while (wanted > 0) {
            Segment at = head; // before the count: CQS-2
            long i = nextResumeIndices(wanted);
            long end = i + wanted;
            wanted = 0;
            while (i < end) {
                at = findAndMoveHead(at, i >> Segment.SHIFT);
                at.clearPrev();
                if (at.firstIndex() > i) { // all cells between are cancelled: CQS-1
                    long skipped = Math.min(end, at.firstIndex()) - i;
                    if (smart) {
                        raiseResumeIndex(at.firstIndex());
                        wanted += (int) skipped;
                    }
                    i += skipped;
                    continue;
                }
                int index = (int) i & Segment.MASK;
                CellState outcome = resumeCell(at, index, value);
                if (outcome == RESUMED) {
                    done++;
                } else if (outcome == CANCELLED && smart) {
                    wanted++;
                    raiseResumeIndex(at.endOfCancelled(index)); // CQS-1
                }
                i++;
            }
        }
        return done;
    }

    private static void check(Object value, int count) {
        Objects.requireNonNull(value, "value");
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative, but is " + count);
        }
        if (value instanceof Waiter) { // in a cell it could not be told from a waiter
            throw new IllegalArgumentException("a value must not be a waiter, but is " + value);
        }
    }

    @Override
    final CellState resumeOwnerless(Waiter waiter, T value) {
        if (!smart || cancelRequest(waiter)) {
            return CANCELLED;
        }
        refuse(value);
        return RESUMED;
    }

    // Cancelling

    @Override
    final void decideCancellation(Segment segment, int index, @Nullable Waiter waiter) {
        decide(segment, index, cancelRequest(waiter));
        try {
            afterCancellation();
        } catch (Throwable t) {
            UncaughtExceptions.report(t);
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only a delegating resume changes the cell meanwhile
    private void decide(Segment segment, int index, boolean out) {
        Object delegated = segment.getAndSetCell(index, out ? CANCELLED : REFUSED);
        if (delegated != CANCELLING) {
            if (out) {
                resume((T) delegated); // ASYNC: never fails
            } else {
                refuse((T) delegated);
            }
        } else if (out) {
            segment.onCancelledCell();
        }
    }

    // Looking at the head first; one thread at a time

    /**
     * {@return the first waiter in the queue, or {@code null} if there is none or the cell at the head is still being
     * filled} Passes cancelled and claimed cells for good. Calls must be made by one thread at a time, unless the queue
     * is never resumed but by {@link #claim}.
     */
    public final @Nullable Waiter firstWaiter() {
        Segment at = head;
        boolean passing = true; // false once a cell was met that a resume may be on its way to
        for (long i = resumeIndex; i < suspendIndex; ) {
            at = at.findPresent(i >> Segment.SHIFT);
            if (at == null) {
                return null; // its suspender has yet to append it
            }
            if (passing) {
                raiseResumeIndex(i);
                at = findAndMoveHead(at, i >> Segment.SHIFT);
                at.clearPrev();
            }
            if (at.firstIndex() > i) { // all cells between are cancelled: CQS-1
                i = at.firstIndex();
                continue;
            }
            int index = (int) i & Segment.MASK;
            Object cell = at.cellVolatile(index); // "change my state, then look", against suspend()
            if (cell == null || cell instanceof Waiter) {
                return (Waiter) cell;
            }
            passing &= cell == CANCELLED;
            i = cell == CANCELLED ? at.firstIndex() + at.endOfCancelledHere(index) : i + 1;
        }
        return null;
    }

    /**
     * Takes this waiter out of the queue, wherever it stands, to be resumed by {@link #handOver}. After that
     * it can no longer be cancelled. For queues with SMART cancellation: a racing {@code resume} skips the
     * cell as if it were cancelled.
     *
     * @param waiter of this queue
     * @return {@code false} if it was cancelled or resumed before, even if it is in another queue by now
     */
    public final boolean claim(Waiter waiter) {
        if (!(waiter.cellRef instanceof Segment segment)
                || segment.queue != this
                || !segment.casCell(waiter.index, waiter, CANCELLED)) {
            return false;
        }
        waiter.cellRef = null;
        segment.onCancelledCell(); // no resume is owed to this cell
        return true;
    }

    /**
     * Shows the waiters in the queue, first to last, to {@code action}. Weakly consistent. It misses no waiter that is in the
     * queue from the beginning to the end of this call, unless a resume is on its way to the waiter. It may show a waiter that
     * leaves or comes meanwhile.
     *
     * @param action called with each waiter
     */
    public final void forEachWaiter(Consumer<? super Waiter> action) {
        long end = suspendIndex;
        for (Segment at = head; at != null && at.firstIndex() < end; at = at.nextAcquire()) {
            for (int index = 0; index < Segment.SIZE; index++) {
                Object cell = at.cellAcquire(index);
                if (cell instanceof Waiter waiter) {
                    action.accept(waiter);
                }
            }
        }
    }
}
