package dev.cqs.sync;

import dev.cqs.Rendezvous;
import dev.cqs.Rendezvous.Side;
import dev.cqs.Waiter;
import dev.cqs.internal.RehearsedWaiter;
import dev.cqs.internal.StackCheck;
import dev.cqs.spi.Bringer;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.spi.HandOffSteps;
import dev.cqs.spi.SyncAccess;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A queue without room: each element goes from the hand of a sender into that of a receiver, and who comes first waits for
 * the other. Callers of every kind meet here: threads, virtual threads and coroutines. This object holds the operations that
 * never wait; waiting is done through a face, for example {@code dev.cqs.threads.SynchronousQueue}.
 *
 * <p><b>Fairness.</b> Of a {@linkplain #fair fair} queue, those who wait are served first in, first out, on either side.
 * {@link #offer} and {@link #poll} overtake nobody: they serve the first who waits, and where nobody waits they fail. Of an
 * {@linkplain #unfair unfair} one, who came last is served first, so that of many workers few are busy and the others sleep
 * on; somebody may then wait for ever.
 *
 * <p><b>Cancellation.</b> A waiting request can be given up at any time, at a cost that depends on neither the number of
 * those who wait nor the number given up before, in an unfair queue on the average. It cannot while its counterpart is in
 * the middle of the step towards it. The element of a sender that gives up stays with the sender. What was handed to a
 * receiver that cannot use it any more, a coroutine that was cancelled meanwhile, is that receiver's to report.
 *
 * <p><b>Memory consistency.</b> What is done before an element is sent happens-before what is done after it was received.
 * What is done before it is received by one that found a waiting sender happens-before what the sender does after that.
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
     * There is no state but who waits, and that is the meeting point's: a queue of cells if fair, a stack if not. A sender's
     * waiter brings the element, and the receiver reads it when it has taken the waiter out; a receiver's waiter is resumed
     * with the element. So an element has one owner at any time: the sender until its waiter is taken out, or until it
     * has taken out a receiver's, and the receiver from then on.
     *
     *   sender     finds a receiver: takes it out, resumes it with the element
     *              finds none: its waiter enters; resumed with TAKEN
     *   receiver   finds a sender: takes it out, reads the element, resumes it with TAKEN
     *              finds none: its waiter enters; resumed with the element
     *
     * Linearization is that of the meeting point: of a pair, the one who waits at its entry, the other when it takes the
     * waiter out, and an attempt that fails at its look at those who wait.
     *
     * Closing. `closing` is set by CAS, and for good. Then all who wait are taken out and resumed with it, by the same
     * step as a cancellation; who enters looks at `closing` afterwards and, if it is set, takes itself out likewise. So
     * whoever enters is seen by the closer, or sees the closing; of the two, one wins. Store before load on both sides: the
     * CAS of `closing` against the CAS that enters, the walk against the read of `closing`. Whoever finds nobody looks at
     * `closing` once more, because those who waited may have been taken out by then.
     *
     * So a queue is closed at that CAS, for all who come later, and each who waits leaves at a moment of his own after it.
     * One who was under way at the CAS may still meet one that the closer has not come to yet, behind others that he has
     * taken out. To leave nobody out of turn then, those who wait would have to be taken out all in one step.
     *
     * Progress is that of the meeting point. Handing over never waits.
     */

    private static final long serialVersionUID = 1L;

    private static final VarHandle POINT;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            POINT = lookup.findVarHandle(SynchronousQueue.class, "point", Rendezvous.class);
            CLOSING = lookup.findVarHandle(SynchronousQueue.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        SyncAccess.offerHandOff(new StepsOfSynchronousQueue());
        rehearse();
    }

    /** Made by CAS when the first has to wait, so that an idle queue is small. */
    private transient volatile Rendezvous point;

    /** Set by CAS, and for good. */
    private transient volatile Closed closing;

    private final transient boolean fair;

    private SynchronousQueue(boolean fair) {
        this.fair = fair;
    }

    /** Creates a queue that serves those who wait first in, first out. */
    public static <E> SynchronousQueue<E> fair() {
        return new SynchronousQueue<>(true);
    }

    /** Creates a queue that serves first who came last. */
    public static <E> SynchronousQueue<E> unfair() {
        return new SynchronousQueue<>(false);
    }

    /** Whether this queue serves those who wait first in, first out. */
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
     * @return {@code false} if none does: the element stays with the caller
     * @throws NullPointerException if the element is {@code null}
     * @throws ClosedException if this queue is closed
     */
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        for (; ; ) {
            Waiter receiver = meet(Side.SENDER);
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
    public E poll() {
        for (; ; ) {
            Waiter sender = meet(Side.RECEIVER);
            if (sender == null) {
                return null;
            }
            E element = brought(sender);
            if (Rendezvous.handOver(sender, HandOffSteps.TAKEN)) {
                return element;
            }
        }
    }

    private Waiter meet(Side side) {
        throwIfClosed();
        Rendezvous present = point;
        if (present != null) {
            StackCheck.ensure(); // a waiter that is met has to be handed something
        }
        Waiter met = present == null ? null : present.meet(side);
        if (met == null) {
            throwIfClosed(); // rather than "nobody waits", of those whom the closing has taken out
        }
        return met;
    }

    private void throwIfClosed() {
        Closed seen = closing;
        if (seen != null) {
            throw seen.exception();
        }
    }

    // Waiting

    private <W extends Waiter & Bringer<E>> void send(W sender) {
        for (; ; ) {
            Waiter receiver = enter(Side.SENDER, sender);
            if (receiver == null) {
                return;
            }
            if (Rendezvous.handOver(receiver, sender.brought())) {
                Rendezvous.handOver(sender, HandOffSteps.TAKEN);
                return;
            }
        }
    }

    private void receive(Waiter receiver) {
        for (; ; ) {
            Waiter sender = enter(Side.RECEIVER, receiver);
            if (sender == null) {
                return;
            }
            E element = brought(sender);
            if (Rendezvous.handOver(sender, HandOffSteps.TAKEN)) {
                Rendezvous.handOver(receiver, element);
                return;
            }
        }
    }

    /** A waiter of the other side, or null if this one waits, or was resumed with the closing. */
    private Waiter enter(Side side, Waiter waiter) {
        StackCheck.ensure();
        Closed before = closing;
        if (before != null) {
            Rendezvous.handOver(waiter, before);
            return null;
        }
        Rendezvous at = point();
        Waiter met = at.enter(side, waiter);
        if (met == null) {
            Closed after = closing; // after the entry: see the overview
            if (after != null) {
                fail(waiter, after);
            }
        }
        return met;
    }

    @SuppressWarnings("unchecked") // senders come from send() alone
    private E brought(Waiter sender) {
        return ((Bringer<E>) sender).brought();
    }

    private Rendezvous point() {
        Rendezvous present = point;
        if (present != null) {
            return present;
        }
        Rendezvous fresh = fair ? Rendezvous.fair() : Rendezvous.unfair();
        return POINT.compareAndSet(this, null, fresh) ? fresh : point;
    }

    // Closing

    /**
     * Closes this queue for good: those who wait, and everybody who comes later, get a {@link ClosedException} with this
     * cause. The elements of senders that wait stay with them. Those who wait get it one after the other; who is in the
     * middle of its call now may still meet one of them, and not the first.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        Closed mine = new Closed("synchronous queue", cause);
        Consumer<Waiter> fail = waiter -> fail(waiter, mine); // made before the step that cannot be taken back
        if (!CLOSING.compareAndSet(this, null, mine)) {
            return false;
        }
        forEachWaiter(fail);
        return true;
    }

    private void fail(Waiter waiter, Closed with) {
        if (point.takeOut(waiter)) {
            Rendezvous.handOver(waiter, with);
        }
    }

    /** Whether this queue was closed. */
    public boolean isClosed() {
        return closing != null;
    }

    // Looking

    /** How many senders wait at this moment; counts them one by one. */
    public int waitingSenders() {
        return count(true);
    }

    /** How many receivers wait at this moment; counts them one by one. */
    public int waitingReceivers() {
        return count(false);
    }

    private int count(boolean senders) {
        int[] counted = {0};
        forEachWaiter(waiter -> {
            if (waiter instanceof Bringer == senders) {
                counted[0]++;
            }
        });
        return counted[0];
    }

    /**
     * Shows the waiters in the queue, in the order in which they are served. Weakly consistent: never fails, and may or may
     * not show those who come or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        Objects.requireNonNull(action, "action");
        Rendezvous present = point;
        if (present != null) {
            present.forEachWaiter(action);
        }
    }

    /** Says who waits, and whether the queue is closed. */
    @Override
    public String toString() {
        return "SynchronousQueue@" + Integer.toHexString(hashCode()) + "[" + (fair ? "fair, " : "unfair, ")
                + waitingSenders() + " senders, " + waitingReceivers() + " receivers waiting"
                + (isClosed() ? ", closed]" : "]");
    }

    // Serialization, for the face whose namesake in the JDK is serializable

    private Object writeReplace() {
        return new SerialForm(fair);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a queue is not written to a stream itself, but as its serialized form");
    }

    /**
     * What a stream holds of a queue: nothing of those who wait, or of the closing. Its name and components are for good.
     *
     * @param fair whether those who wait are served first in, first out
     */
    private record SerialForm(boolean fair) implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            return new SynchronousQueue<>(fair);
        }
    }

    private static final class StepsOfSynchronousQueue extends HandOffSteps {
        @Override
        public <E, W extends Waiter & Bringer<E>> void send(SynchronousQueue<E> queue, W sender) {
            queue.send(sender);
        }

        @Override
        public <E> void receive(SynchronousQueue<E> queue, Waiter receiver) {
            queue.receive(receiver);
        }
    }
}
