package dev.cqs.threads;

import dev.cqs.threads.ThreadWaiter.QueuedThreads;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A queue without capacity, with the methods and the contract of {@link java.util.concurrent.SynchronousQueue}: each element
 * is handed from a sender to a receiver, and the thread that comes first waits for the other. Changing the import is the
 * migration.
 *
 * <p><b>Fairness.</b> A fair queue serves waiters in FIFO order, on either side; a thread has its position from the moment at
 * which it is in the queue. An unfair queue, which is the default, serves the waiter that came last, so that of many workers
 * few are busy and the others sleep on; a waiter may then starve. In both, an {@link #offer(Object) offer} or a {@link #poll()
 * poll} that does not wait overtakes no request: it serves a waiter, or fails.
 *
 * <p><b>Interrupts and timeouts.</b> They take constant time, however many threads wait or have given up before; amortized, in
 * an unfair queue. Of an interrupt, a timeout and a counterpart that race, exactly one wins: an element is received once, or
 * its sender knows that it was not. A thread that is matched with its counterpart although it was interrupted meanwhile
 * returns with its interrupt status set. A thread that is interrupted before it comes gets an {@link InterruptedException},
 * except where the timed methods find a counterpart that waits: they serve it, and the interrupt stays pending. The JDK's
 * class does the same today; in JDK 17 it looked for a counterpart first in {@code put} and {@code take}, too.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it sends an element happen-before actions of another thread after
 * it has received the element. Actions of a thread before it receives the element of a sender that waits happen-before
 * actions of the sender after that.
 *
 * <p><b>Closing.</b> Once the queue is closed, threads that wait and threads that come to send or to receive get a {@link
 * dev.cqs.sync.ClosedException}, and an interrupt that has not ended the wait stays pending. An element that was not
 * received stays with its sender.
 *
 * <p><b>Serialization.</b> As with the JDK's class, a queue that is read from a stream is empty and as fair as the one that
 * was written. It has an open {@linkplain #core core} of its own, even if the other shared its core.
 *
 * <p>As the queue of an executor it hands each task to an idle worker, or has a new one made:
 *
 * <pre>{@code
 * ExecutorService executor = new ThreadPoolExecutor(
 *         0, 50, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
 * }</pre>
 *
 * <p>An executor is ended by {@code shutdown}, not by closing its queue: its workers would fail and be replaced.
 *
 * @param <E> the elements
 */
public class SynchronousQueue<E> extends AbstractQueue<E> implements BlockingQueue<E>, Serializable {
    private static final long serialVersionUID = 1L;

    static {
        SynchronousQueueWaiter.prepare();
    }

    /** @serial written in a form of its own, in which there is nothing but the fairness */
    private final dev.cqs.sync.SynchronousQueue<E> core;

    /** Creates an unfair queue. */
    public SynchronousQueue() {
        this(false);
    }

    /**
     * Creates a queue.
     *
     * @param fair whether waiters are served in FIFO order; otherwise they are served in LIFO order
     */
    public SynchronousQueue(boolean fair) {
        this(fair ? dev.cqs.sync.SynchronousQueue.fair() : dev.cqs.sync.SynchronousQueue.unfair());
    }

    private SynchronousQueue(dev.cqs.sync.SynchronousQueue<E> core) {
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * {@return the view for threads of a queue that other callers share, coroutines among them} Threads and coroutines
     * are matched there in any pairs. An element that is handed to a coroutine which is cancelled at that moment was
     * sent, as far as the thread can tell; the view of the coroutine reports it. Do not wait through this view inside a
     * coroutine: it blocks the thread that other coroutines need, perhaps the counterpart.
     *
     * @param <E> the elements
     * @param core what the views share
     * @throws NullPointerException if the core is {@code null}
     */
    public static <E> SynchronousQueue<E> viewOf(dev.cqs.sync.SynchronousQueue<E> core) {
        return new SynchronousQueue<>(core);
    }

    /** {@return the queue that this object is a view of} */
    public final dev.cqs.sync.SynchronousQueue<E> core() {
        return core;
    }

    // Sending

    /**
     * Hands the element to a receiver, waiting for one if need be.
     *
     * @throws NullPointerException if the element is {@code null}
     * @throws InterruptedException if the thread is interrupted before or while it waits; the element was not received
     * @throws dev.cqs.sync.ClosedException if the queue is closed; the element was not received
     */
    @Override
    public void put(E element) throws InterruptedException {
        Objects.requireNonNull(element, "element");
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!core.offer(element)) {
            SynchronousQueueWaiter.send(core, element, ThreadWaiter.FOREVER);
        }
    }

    /**
     * Hands the element to a receiver, waiting for one no longer than the timeout. With a timeout of zero or less it does
     * not wait.
     *
     * @return {@code false} if the time is over; the element was not received
     * @throws NullPointerException if the element or the unit is {@code null}
     * @throws InterruptedException if the thread is interrupted while it waits, or before, unless a receiver waits already;
     *     the element was not received
     * @throws dev.cqs.sync.ClosedException if the queue is closed; the element was not received
     */
    @Override
    public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        if (core.offer(element)) {
            return true;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return nanos > 0 && SynchronousQueueWaiter.send(core, element, nanos);
    }

    /**
     * Hands the element to a receiver if one waits.
     *
     * @return {@code false} if none does; the element was not received
     * @throws NullPointerException if the element is {@code null}
     * @throws dev.cqs.sync.ClosedException if the queue is closed; the element was not received
     */
    @Override
    public boolean offer(E element) {
        return core.offer(element);
    }

    // Receiving

    /**
     * Receives an element, waiting for a sender if need be.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws dev.cqs.sync.ClosedException if the queue is closed
     */
    @Override
    @SuppressWarnings("NullAway") // there is no timeout
    public E take() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        E element = core.poll();
        return element != null ? element : SynchronousQueueWaiter.receive(core, ThreadWaiter.FOREVER);
    }

    /**
     * Receives an element, waiting for a sender no longer than the timeout. With a timeout of zero or less it does not wait.
     *
     * @return the element, or {@code null} if the time is over
     * @throws InterruptedException if the thread is interrupted while it waits, or before, unless a sender waits already
     * @throws dev.cqs.sync.ClosedException if the queue is closed
     */
    @Override
    public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        E element = core.poll();
        if (element != null) {
            return element;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return nanos > 0 ? SynchronousQueueWaiter.receive(core, nanos) : null;
    }

    /**
     * Receives an element if a sender waits.
     *
     * @return the element, or {@code null}
     * @throws dev.cqs.sync.ClosedException if the queue is closed
     */
    @Override
    public @Nullable E poll() {
        return core.poll();
    }

    /**
     * Receives the elements of all senders that wait, one after the other.
     *
     * @return how many there were
     * @throws NullPointerException if the collection is {@code null}
     * @throws IllegalArgumentException if the collection is this queue, or another view of its core
     * @throws dev.cqs.sync.ClosedException if the queue is closed; what was received before is in the collection
     */
    @Override
    public int drainTo(Collection<? super E> collection) {
        return drainTo(collection, Integer.MAX_VALUE);
    }

    /**
     * Receives the elements of senders that wait, one after the other. If the collection refuses an element by an exception,
     * the element is in neither: its sender has gone on.
     *
     * @param maximum how many at most; none if it is zero or less
     * @return how many there were
     * @throws NullPointerException if the collection is {@code null}
     * @throws IllegalArgumentException if the collection is this queue, or another view of its core
     * @throws dev.cqs.sync.ClosedException if the queue is closed; what was received before is in the collection
     */
    @Override
    public int drainTo(Collection<? super E> collection, int maximum) {
        Objects.requireNonNull(collection, "collection");
        if (collection instanceof SynchronousQueue<?> queue && queue.core == core) {
            throw new IllegalArgumentException("the queue cannot be drained to itself");
        }
        int drained = 0;
        for (E element; drained < maximum && (element = core.poll()) != null; drained++) {
            collection.add(element);
        }
        return drained;
    }

    // The empty collection

    /** Always {@code true}: an element is with its sender or its receiver. */
    @Override
    public boolean isEmpty() {
        return true;
    }

    /** Always zero. */
    @Override
    public int size() {
        return 0;
    }

    /** Always zero. */
    @Override
    public int remainingCapacity() {
        return 0;
    }

    /** Always {@code null}: an element is there only when it is taken. */
    @Override
    public @Nullable E peek() {
        return null;
    }

    /** Does nothing. */
    @Override
    public void clear() {}

    /** Always {@code false}. */
    @Override
    public boolean contains(@Nullable Object element) {
        return false;
    }

    /** Always {@code false}. */
    @Override
    public boolean remove(@Nullable Object element) {
        return false;
    }

    /**
     * Whether the collection is empty.
     *
     * @throws NullPointerException if the collection is {@code null}
     */
    @Override
    public boolean containsAll(Collection<?> collection) {
        return collection.isEmpty();
    }

    /** Always {@code false}. */
    @Override
    public boolean removeAll(Collection<?> collection) {
        return false;
    }

    /** Always {@code false}. */
    @Override
    public boolean retainAll(Collection<?> collection) {
        return false;
    }

    /** An iterator over nothing. */
    @Override
    public Iterator<E> iterator() {
        return Collections.emptyIterator();
    }

    /** A spliterator over nothing. */
    @Override
    public Spliterator<E> spliterator() {
        return Spliterators.emptySpliterator();
    }

    /** An array of length zero. */
    @Override
    public Object[] toArray() {
        return new Object[0];
    }

    /**
     * Sets the first element of the array to {@code null}, if there is one.
     *
     * @return the array
     * @throws NullPointerException if the array is {@code null}
     */
    @Override
    @SuppressWarnings("NullAway") // the contract of collections
    public <T extends @Nullable Object> T[] toArray(T[] array) {
        if (array.length > 0) {
            array[0] = null;
        }
        return array;
    }

    /** Always {@code "[]"}, as of any empty collection; {@link #core} says how many wait. */
    @Override
    public String toString() {
        return "[]";
    }

    // Closing

    /**
     * Closes this queue for good. Requests that wait, and requests that come later, fail with a {@link
     * dev.cqs.sync.ClosedException} with this cause. The elements of waiting senders stay with them.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        return core.close(cause);
    }

    /** {@return whether this queue was closed} */
    public boolean isClosed() {
        return core.isClosed();
    }

    // Looking

    /** {@return whether this queue serves waiters in FIFO order} */
    public final boolean isFair() {
        return core.isFair();
    }

    /**
     * {@return how many senders wait at this moment, on a shared core coroutines among them; counts them one by one}
     */
    public final int waitingSenders() {
        return core.waitingSenders();
    }

    /**
     * {@return how many receivers wait at this moment, on a shared core coroutines among them; counts them one by one}
     */
    public final int waitingReceivers() {
        return core.waitingReceivers();
    }

    /**
     * {@return the threads that may be waiting, in the order in which they are served; a snapshot that may be out of
     * date} At one moment they are all senders or all receivers.
     */
    protected Collection<Thread> getQueuedThreads() {
        QueuedThreads threads = new QueuedThreads();
        core.forEachWaiter(threads);
        return threads.get();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        if (core == null) {
            throw new InvalidObjectException("a synchronous queue without its core");
        }
    }
}
