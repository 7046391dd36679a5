package dev.cqs.sync;

import dev.cqs.Rendezvous;
import dev.cqs.Rendezvous.Sender;
import dev.cqs.Rendezvous.Side;
import dev.cqs.Waiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.sync.WaitFailure.Closed;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue without capacity: each element is handed from a sender to a receiver, and the caller that comes first waits for
 * the other. Callers of every kind meet here: threads, virtual threads and coroutines. This object decides who is matched
 * with whom; how a caller waits is a matter of its {@link Waiter}. Views have waiters for their callers, for example
 * {@code dev.cqs.threads.SynchronousQueue}.
 *
 * <p><b>Fairness.</b> A {@linkplain #fair fair} queue serves waiters in FIFO order, on either side. {@link #offer} and {@link
 * #poll} overtake no request: they serve the first waiter, and without one they fail. An {@linkplain #unfair unfair} queue
 * serves the waiter that came last, so that of many workers few are busy and the others sleep on; a waiter may then starve.
 *
 * <p><b>Cancellation.</b> A waiting request can be {@linkplain Waiter#cancel cancelled} at any time, except while its
 * counterpart is in the middle of the step towards it. The cost depends on neither the number of waiters nor the number of
 * requests cancelled before; in an unfair queue it is amortized. The element of a cancelled sender stays with the sender.
 * A receiver that was handed an element and cannot use it any more, for a coroutine that was cancelled meanwhile, has to
 * report that.
 *
 * <p><b>Memory consistency.</b> Actions before an element is sent happen-before actions after it was received. If a receiver
 * finds a waiting sender, actions before it receives happen-before actions of the sender after that.
 *
 * <pre>{@code
 * SynchronousQueue<Task> tasks = SynchronousQueue.unfair();
 *
 * if (!tasks.offer(task)) {                 // no idle worker
 *     startWorker(task);
 * }
 * }</pre>
 *
 * @param <E> the elements
 */
public final class SynchronousQueue<E> implements Serializable {
    /*
     * Overview.
     *
     * There is no state but the waiters, and they are in the rendezvous: a queue of cells if fair, a stack if not. A sender's
     * waiter brings the element, and the receiver reads it when it has taken the waiter out. A receiver's waiter is resumed
     * with the element. So an element has one owner at any time: the sender until its waiter is taken out, or until it
     * has taken out a receiver's waiter; and from then on the receiver.
     *
     *   sender     finds a receiver: takes it out, resumes it with the element
     *              finds none: its waiter is enqueued; resumed with TAKEN
     *   receiver   finds a sender: takes it out, reads the element, resumes it with TAKEN
     *              finds none: its waiter is enqueued; resumed with the element
     *
     * No request is counted before its waiter is enqueued, so a waiter that cannot be made leaves nothing to take back.
     * Therefore send() and receive() take the waiter itself, where other primitives take a factory for it.
     *
     * The linearization points are those of the rendezvous. A waiter linearizes when it is enqueued, its counterpart when it
     * takes the waiter out, and an attempt that fails at its look at the waiters.
     *
     * Closing. `closing` is set by CAS, and for good. Then all waiters are taken out and resumed with it, by the same step as
     * a cancellation. A caller that has enqueued a waiter looks at `closing` afterwards and, if it is set, takes the waiter
     * out likewise. So each waiter is seen by the closer, or its caller sees the closing; if both, one of them wins. Store
     * before load on both sides: the CAS of `closing` against the CAS that enqueues, the walk against the read of `closing`.
     * A caller that finds no waiter looks at `closing` once more, because the closer may have taken the waiters out by then.
     *
     * So a queue is closed at that CAS, for all callers that come later. Each waiter leaves at a moment of its own after it.
     * An operation that was under way at the CAS may still take out a waiter that the closer has not reached, behind waiters
     * that the closer has taken out. To fail no waiter out of turn, all would have to be taken out in one step.
     *
     * Access modes.
     *
     *   field       read                                written                           why
     *   ----------  ----------------------------------  --------------------------------  ----------------------------------
     *   rendezvous  volatile: all operations            CAS, once: the first waiter       publishes the rendezvous
     *   closing     volatile: all operations, before    CAS, once: close()                store before load, see Closing
     *               and after they look at the waiters
     *
     * Progress is that of the rendezvous. A hand-off never waits.
     */

    /** What a sender is resumed with when a receiver has taken its element. */
    public static final Object TAKEN = new Object();

    private static final long serialVersionUID = 1L;

    private static final VarHandle RENDEZVOUS;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RENDEZVOUS = lookup.findVarHandle(SynchronousQueue.class, "rendezvous", Rendezvous.class);
            CLOSING = lookup.findVarHandle(SynchronousQueue.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        rehearse();
    }

    /** Made by CAS when the first caller has to wait, so that an idle queue is small. */
    private transient volatile @Nullable Rendezvous rendezvous;

    /** Set by CAS, and for good. */
    private transient volatile @Nullable Closed closing;

    private final transient boolean fair;

    private SynchronousQueue(boolean fair) {
        this.fair = fair;
    }

    /**
     * Creates a queue that serves waiters in FIFO order.
     *
     * @param <E> the elements
     * @return a queue without waiters
     */
    public static <E> SynchronousQueue<E> fair() {
        return new SynchronousQueue<>(true);
    }

    /**
     * Creates a queue that serves waiters in LIFO order.
     *
     * @param <E> the elements
     * @return a queue without waiters
     */
    public static <E> SynchronousQueue<E> unfair() {
        return new SynchronousQueue<>(false);
    }

    /** {@return whether this queue serves waiters in FIFO order} */
    public boolean isFair() {
        return fair;
    }

    /** Links each access and initializes what waiting needs: see Rehearsal. */
    private static void rehearse() {
        rehearse(fair());
        rehearse(unfair());
    }

    private static void rehearse(SynchronousQueue<Object> queue) {
        RehearsedWaiter cancelled = new RehearsedWaiter();
        queue.receive(cancelled);
        cancelled.leave();
        queue.receive(new RehearsedWaiter());
        queue.offer("");
        queue.receive(new RehearsedWaiter());
        queue.close(null);
    }

    // Without waiting

    /**
     * Hands the element to a receiver that waits already.
     *
     * @param element not {@code null}
     * @return {@code false} if none does: the element stays with the caller
     * @throws NullPointerException if the element is {@code null}
     * @throws ClosedException if this queue is closed
     */
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        for (; ; ) {
            Waiter receiver = tryMatch(Side.SENDER);
            if (receiver == null) {
                return false;
            }
            if (Rendezvous.handOver(receiver, element)) {
                return true;
            }
        }
    }

    /**
     * Takes the element of a sender that waits already.
     *
     * @return the element, or {@code null} if no sender waits
     * @throws ClosedException if this queue is closed
     */
    public @Nullable E poll() {
        for (; ; ) {
            Waiter sender = tryMatch(Side.RECEIVER);
            if (sender == null) {
                return null;
            }
            E element = elementOf(sender);
            if (Rendezvous.handOver(sender, TAKEN)) {
                return element;
            }
        }
    }

    private @Nullable Waiter tryMatch(Side side) {
        throwIfClosed();
        Rendezvous present = rendezvous;
        if (present != null) {
            StackCheck.ensure(); // a matched waiter must be resumed
        }
        Waiter matched = present == null ? null : present.tryMatch(side);
        if (matched == null) {
            throwIfClosed(); // not "none waits" if the closing has taken the waiters out
        }
        return matched;
    }

    private void throwIfClosed() {
        Closed seen = closing;
        if (seen != null) {
            throw seen.exception();
        }
    }

    // Waiting

    /**
     * Hands the element of this waiter to a receiver that waits already; otherwise puts the waiter into the queue.
     *
     * <p>When this returns, the waiter is in the queue, or has been resumed already. It is resumed with {@link #TAKEN} when a
     * receiver has its element, or with a {@link WaitFailure} if this queue is closed, before or meanwhile; or its owner
     * {@linkplain Waiter#cancel cancels} it. With {@code TAKEN} the element is the receiver's, and otherwise still the
     * owner's. {@link Waiter#tryResume tryResume} of the waiter must answer {@code true}.
     *
     * <pre>{@code
     * final class ParkedSender<E> extends Parked implements Rendezvous.Sender<E> {     // the example of Waiter
     *     private final E element;
     *     ...
     * }
     *
     * if (!queue.offer(element)) {                                                     // no waiter without need
     *     ParkedSender<E> waiter = new ParkedSender<>(element);
     *     queue.send(waiter);
     *     Object outcome = waiter.await();
     *     if (outcome != SynchronousQueue.TAKEN) throw ((WaitFailure) outcome).exception();
     * }
     * }</pre>
     *
     * @param <W> a waiter that brings its element
     * @param sender in no queue; it brings an element, which must not be a {@link WaitFailure}
     * @throws NullPointerException if the waiter or its element is {@code null}
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public <W extends Waiter & Sender<E>> void send(W sender) {
        E element = Objects.requireNonNull(sender.element(), "element");
        for (; ; ) {
            Waiter receiver = matchOrEnqueue(Side.SENDER, sender);
            if (receiver == null) {
                return;
            }
            if (Rendezvous.handOver(receiver, element)) {
                Rendezvous.handOver(sender, TAKEN);
                return;
            }
        }
    }

    /**
     * Takes the element of a sender that waits already, and resumes this waiter with it; otherwise puts the waiter into the
     * queue.
     *
     * <p>When this returns, the waiter is in the queue, or has been resumed already. It is resumed with an element, or with a
     * {@link WaitFailure} if this queue is closed, before or meanwhile; or its owner {@linkplain Waiter#cancel cancels} it.
     * {@link Waiter#tryResume tryResume} of the waiter must answer {@code true}: an element that was handed over is the
     * receiver's, even if its owner cannot use it any more.
     *
     * <pre>{@code
     * E element = queue.poll();                                                        // no waiter without need
     * if (element == null) {
     *     Parked waiter = new Parked();                                                // the example of Waiter
     *     queue.receive(waiter);
     *     Object outcome = waiter.await();                                             // an element or a WaitFailure
     * }
     * }</pre>
     *
     * @param receiver in no queue
     * @throws NullPointerException if the waiter is {@code null}
     * @throws IllegalStateException if the waiter is in a queue already
     */
    public void receive(Waiter receiver) {
        Objects.requireNonNull(receiver, "receiver");
        for (; ; ) {
            Waiter sender = matchOrEnqueue(Side.RECEIVER, receiver);
            if (sender == null) {
                return;
            }
            E element = elementOf(sender);
            if (Rendezvous.handOver(sender, TAKEN)) {
                Rendezvous.handOver(receiver, element);
                return;
            }
        }
    }

    /** A waiter of the other side, or null if this one is enqueued, or was resumed with the closing. */
    private @Nullable Waiter matchOrEnqueue(Side side, Waiter waiter) {
        StackCheck.ensure();
        Closed before = closing;
        if (before != null) {
            Rendezvous.handOver(waiter, before);
            return null;
        }
        Rendezvous at = rendezvous();
        Waiter matched = at.matchOrEnqueue(side, waiter);
        if (matched == null) {
            Closed after = closing; // after the waiter is enqueued: see the overview
            if (after != null) {
                fail(waiter, after);
            }
        }
        return matched;
    }

    @SuppressWarnings("unchecked") // senders come from send() alone
    private E elementOf(Waiter sender) {
        return ((Sender<E>) sender).element();
    }

    @SuppressWarnings("NullAway") // set once
    private Rendezvous rendezvous() {
        Rendezvous present = rendezvous;
        if (present != null) {
            return present;
        }
        Rendezvous fresh = fair ? Rendezvous.fair() : Rendezvous.unfair();
        return RENDEZVOUS.compareAndSet(this, null, fresh) ? fresh : rendezvous;
    }

    // Closing

    /**
     * Closes this queue for good. Requests that wait, and requests that come later, fail with a {@link ClosedException} with
     * this cause. The elements of waiting senders stay with them. The waiters fail one after the other. A call that is under
     * way now may still be matched with a waiter, which need not be the first.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        Closed mine = new Closed("synchronous queue", cause);
        Consumer<Waiter> fail = waiter -> fail(waiter, mine); // made before the step that cannot be taken back
        if (!CLOSING.compareAndSet(this, null, mine)) {
            return false;
        }
        forEachWaiter(fail);
        return true;
    }

    @SuppressWarnings("NullAway") // the waiter was enqueued
    private void fail(Waiter waiter, Closed with) {
        if (rendezvous.cancel(waiter)) {
            Rendezvous.handOver(waiter, with);
        }
    }

    /** {@return whether this queue was closed} */
    public boolean isClosed() {
        return closing != null;
    }

    // Looking

    /** {@return how many senders wait at this moment; counts them one by one} */
    public int waitingSenders() {
        return count(true);
    }

    /** {@return how many receivers wait at this moment; counts them one by one} */
    public int waitingReceivers() {
        return count(false);
    }

    private int count(boolean senders) {
        int[] counted = {0};
        forEachWaiter(waiter -> {
            if (waiter instanceof Sender == senders) {
                counted[0]++;
            }
        });
        return counted[0];
    }

    /**
     * Shows the waiters in the queue, in the order in which they are served. Weakly consistent: never fails, and may or may
     * not show waiters that come or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Objects.requireNonNull(action, "action");
        Rendezvous present = rendezvous;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    /** Says how many wait on either side, and whether the queue is closed. */
    @Override
    public String toString() {
        return "SynchronousQueue@" + Integer.toHexString(hashCode()) + "[" + (fair ? "fair, " : "unfair, ")
                + waitingSenders() + " senders, " + waitingReceivers() + " receivers waiting"
                + (isClosed() ? ", closed]" : "]");
    }

    // Serialization, for the view whose namesake in the JDK is serializable

    private Object writeReplace() {
        return new SerialForm(fair);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a queue is not written to a stream itself, but as its serialized form");
    }

    /**
     * What a stream holds of a queue: nothing of the waiters, or of the closing. Its name and components are for good.
     *
     * @param fair whether waiters are served in FIFO order
     */
    private record SerialForm(boolean fair) implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            return new SynchronousQueue<>(fair);
        }
    }
}
