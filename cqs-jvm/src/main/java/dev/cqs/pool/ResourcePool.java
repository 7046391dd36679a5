package dev.cqs.pool;

import dev.cqs.Waiter;
import dev.cqs.internal.Rehearsal;
import dev.cqs.internal.UncaughtExceptions;
import dev.cqs.sync.ClosedException;
import dev.cqs.sync.WaitFailure;
import dev.cqs.sync.WeightedWaiter;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fair pool of resources that are made on demand, up to a maximum at a time. Resources are borrowed through a view, for
 * example {@code dev.cqs.threads.ResourcePool}. {@link PoolSlot} documents how a view does that.
 *
 * <p><b>Fairness.</b> Requests are served in FIFO order. The place of a request is fixed at the moment at which its
 * waiter is in the queue.
 *
 * <p><b>Making.</b> An idle element is lent before another is made, whatever the order. The caller that is to have it makes
 * it, in its own call; other requests do not wait for that. A factory that throws leaves the slot free, for the next request.
 *
 * <p><b>Checking.</b> An idle element is validated before it is lent, and destroyed if it is not valid. One that has been
 * idle for too long is destroyed when the pool is used, or by {@link #evictIdle}, which a scheduler may call: the pool has
 * no thread of its own.
 *
 * <p><b>Lost elements.</b> {@link #lent} reports the borrower of each element. A pool that {@linkplain Builder#tracking
 * tracks} its elements also notices when a borrower has dropped one: it frees the slot and reports it. It does so when it is
 * used, and in {@link #evictIdle}.
 *
 * <p><b>The maximum</b> can be changed at any time. If it falls, idle elements above it are destroyed at once, and lent ones
 * when they come back.
 *
 * <p><b>Cancellation</b> of a request that waits takes constant time, as in {@link Pool}.
 *
 * <p><b>Memory consistency.</b> Actions before an element is put happen-before actions after it was lent again, and before it
 * is validated or destroyed.
 *
 * <pre>{@code
 * ResourcePool<Connection> connections = ResourcePool.builder(10, () -> open(url))
 *         .validator(Connection::isOpen)
 *         .destroyer(Connection::close)
 *         .evictAfter(Duration.ofMinutes(5))
 *         .build();
 * }</pre>
 *
 * @param <E> the elements, compared by identity
 */
public final class ResourcePool<E> {
    /*
     * Overview.
     *
     * A pool has slots, as many as its maximum. Requests wait for a slot: there is a Pool of them, each with an idle
     * element or empty. The taker of a slot gets the element out, or makes one. So there are never more elements than
     * slots, and a slot that is being filled delays no other request.
     *
     *     Pool<ResourceSlot>          the taker                                the borrower
     *     count, queue of waiters --> lend(): valid and not too old? lent ---> put()
     *     SlotStore: idle, empty      no: destroyed, another one; none          LENT -> HELD by CAS,
     *            ^                    is idle: the factory, fill()              back into the Pool
     *            '------------------------------------------------------------------'
     *
     *   POOL-3  slots in the Pool + slots in hands of the pool's operations + lent slots = maximum + surplus
     *
     * Capacity holds both numbers. Raising the maximum first takes from the surplus and then adds empty slots. Lowering
     * it adds to the surplus. An operation that has a slot in hand and takes one off the surplus discards the slot. It
     * destroys the element before: as soon as the surplus is less, a resize may add a slot, with another element. A slot
     * that comes back looks for a surplus before it goes into the Pool and after; a resize adds to the surplus and then
     * looks into the Pool. So if there is a surplus in the end, then no slot is in the Pool. Closing works in the same way:
     * an operation that has put a slot into the Pool looks whether the Pool is closed, and close() looks into the Pool after
     * it has closed it.
     *
     * Operations also end elements that are idle for too long, each where it is, and free the slots of elements that were
     * dropped: see Evictor. The slot of an ended element stays taken until the element is destroyed, so there are never more
     * elements alive than slots.
     *
     * Foreign code (factory, validator, destroyer, listener, clock: see PoolCallbacks) runs in the thread that uses the
     * pool, and never while that thread has anything in hand that other requests wait for, other than the slot itself. An
     * exception of a factory or a validator goes to the taker, once the slot is free. So does an exception of the clock while
     * an element is made. An exception of a destroyer, a listener, or the clock at any other time goes to the
     * uncaught-exception handler of the thread, because its caller needs the result of the operation.
     *
     * Progress. As Pool; a slot that is on its way between the stores of SlotStore is waited for; put() searches a hash map,
     * whose tables are locked bin by bin when elements are made and destroyed.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    static {
        Rehearsal.initialize(MethodHandles.lookup(), UncaughtExceptions.class);
        rehearse();
    }

    final Pool<ResourceSlot<E>> slots;
    final ResourceRegistry<E> registry;
    final PoolCallbacks<E> callbacks;

    /** The store of {@link #slots}. */
    private final SlotStore<E> store;

    private final Capacity capacity;
    private final Evictor<E> evictor;
    private final ResourceSlot<E> empty = new ResourceSlot<>(this); // any number of empty slots

    /** Made beforehand, so that giving back to a closed pool needs no memory. */
    private final Consumer<ResourceSlot<E>> vacateEach = this::vacate;

    private ResourcePool(Builder<E> builder) {
        this.store = new SlotStore<>(builder.stack);
        this.slots = new Pool<>(store);
        this.capacity = new Capacity(builder.maximum);
        this.callbacks = new PoolCallbacks<>(builder);
        this.registry = new ResourceRegistry<>(builder.onDrop != null, callbacks);
        this.evictor = new Evictor<>(this, registry, callbacks);
        for (int i = 0; i < builder.maximum; i++) {
            slots.put(empty);
        }
    }

    /**
     * Begins a pool.
     *
     * @param <E> the elements
     * @param maximum how many elements there may be at a time
     * @param factory makes an element; its exceptions go to the caller that was to have the element
     * @return a builder, which makes one pool for each call of {@link Builder#build}
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public static <E> Builder<E> builder(int maximum, Supplier<? extends E> factory) {
        return new Builder<E>(maximum, Objects.requireNonNull(factory, "factory"));
    }

    /**
     * Begins a pool for a view that makes the elements itself, by suspending, say. Views without a factory cannot make any.
     *
     * @param <E> the elements
     * @param maximum how many elements there may be at a time
     * @return a builder, which makes one pool for each call of {@link Builder#build}
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public static <E> Builder<E> builder(int maximum) {
        return new Builder<E>(maximum, null);
    }

    /** Links each access and initializes what lending and giving back need: see Rehearsal. */
    @SuppressWarnings("NullAway") // two slots are free
    private static void rehearse() {
        ResourcePool<Object> pool =
                builder(2, Object::new).evictAfter(Duration.ofNanos(1)).build();
        Object first = pool.tryTakeSlot().lendOrMake("");
        Object second = pool.tryTakeSlot().lendOrMake("");
        pool.put(first);
        pool.evictIdle();
        pool.invalidate(second);
        pool.resize(1);
        pool.resize(2);
        pool.close(null);
    }

    // Taking a slot

    /**
     * Takes a slot, by which to borrow an element, if one is free. First does the upkeep of each use of the pool: it evicts
     * elements that have been idle for too long, and frees the slots of elements that were dropped.
     *
     * @return the slot, or {@code null} if all are taken
     * @throws ClosedException if this pool is closed
     */
    public @Nullable PoolSlot<E> tryTakeSlot() {
        evictor.tidy();
        return slots.tryTake();
    }

    /**
     * Takes a slot, by which to borrow an element, as {@link #tryTakeSlot} does; if none is free, makes a waiter and puts it
     * into the queue.
     *
     * <p>The result is one of two things, which its class tells apart, because a waiter is never a slot: the {@link PoolSlot},
     * or the waiter. A waiter that this returns is in the queue, or has been resumed already. It is resumed with a
     * {@code PoolSlot<E>}, or with a {@link WaitFailure}; or its owner {@linkplain Waiter#cancel cancels} it. An owner that
     * cannot use a slot that was handed over {@linkplain PoolSlot#giveBack gives} it back.
     *
     * @param <A> what the factory is called with
     * @param argument passed to the factory, so that the factory need not capture anything; may be {@code null}
     * @param newWaiter makes the waiter, if one is needed, and is called once at most. It must neither block nor use this
     *     pool. If it throws, the request is abandoned and the exception is passed on
     * @return the slot, a {@code PoolSlot<E>}, or the waiter that the factory has made
     * @throws ClosedException if this pool is closed
     * @throws IllegalStateException if the waiter is in a queue already; nothing is then changed
     * @throws IllegalArgumentException if it waits for another number of slots than one, by its {@linkplain
     *     WeightedWaiter#weight weight}; nothing is then changed
     * @throws NullPointerException if a waiter is needed and the factory answers {@code null}; nothing is then changed
     */
    public <A extends @Nullable Object> Object takeSlot(
            A argument, BiFunction<? super ResourcePool<E>, ? super A, ? extends Waiter> newWaiter) {
        evictor.tidy();
        return slots.takeOrWait(this, argument, newWaiter);
    }

    /** Exchanges an empty slot for another, with an idle element if there is one. */
    ResourceSlot<E> exchangeEmpty() {
        store.insert(empty);
        return store.takeReserved();
    }

    // Giving back

    /**
     * Gives an element back. A second time is refused only as long as the element is not lent again: put it once.
     *
     * @param element one that this pool has lent
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated
     * @throws IllegalStateException if it was put back before
     */
    public void put(E element) {
        put(takeBack(element), element);
    }

    /**
     * Gives an element back, unless it was put back before, and is not lent again, or was invalidated. For the end of a
     * block that uses the element, within which it may have been invalidated.
     *
     * @param element one that this pool has lent, now or before
     * @throws NullPointerException if the element is {@code null}
     */
    public void putIfLent(E element) {
        ResourceSlot<E> slot = registry.find(Objects.requireNonNull(element, "element"));
        if (slot != null && slot.holdLent()) {
            put(slot, element);
        }
    }

    private void put(ResourceSlot<E> slot, E element) {
        if (capacity.hasSurplus()) {
            slot.element = element;
            destroy(slot);
            giveBackEmpty();
        } else {
            slot.takenBack(element, callbacks.nowSince(slot.since));
            slots.put(slot);
            settle();
        }
        evictor.tidy();
    }

    /**
     * Gives an element back that is not to be used any more. It is destroyed, and its slot is free.
     *
     * @param element one that this pool has lent
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated before
     * @throws IllegalStateException if it was put back before
     */
    public void invalidate(E element) {
        ResourceSlot<E> slot = takeBack(element);
        slot.element = element;
        destroy(slot);
        giveBackEmpty();
        evictor.tidy();
    }

    private ResourceSlot<E> takeBack(E element) {
        Objects.requireNonNull(element, "element");
        ResourceSlot<E> slot = registry.find(element);
        if (slot == null) {
            throw new IllegalArgumentException("the element was not lent by this pool, or was invalidated");
        }
        if (!slot.holdLent()) {
            throw new IllegalStateException("the element is not lent: it was put back before");
        }
        return slot;
    }

    /** Gives back a slot that is in hand and was not used. */
    void giveBack(ResourceSlot<E> slot) {
        if (capacity.hasSurplus()) {
            vacate(slot);
            if (!capacity.takeSurplus()) { // the maximum has risen meanwhile
                slots.put(empty);
            }
        } else {
            slots.put(slot);
        }
        settle();
    }

    void giveBackEmpty() {
        giveBack(empty);
    }

    /** Checks, after a slot has come back, whether it is still wanted. */
    void settle() {
        if (slots.isClosed()) {
            slots.drain(vacateEach);
        } else {
            retire();
        }
    }

    /** Destroys the element of a slot that is in hand, if there is one. */
    private void vacate(ResourceSlot<E> slot) {
        if (slot.isHeld()) {
            destroy(slot);
        }
    }

    /** Destroys the element of a slot that is in hand, and with it the slot. */
    @SuppressWarnings("NullAway") // a held slot has its element
    void destroy(ResourceSlot<E> slot) {
        E element = slot.element;
        try {
            registry.remove(slot);
        } catch (
                Throwable
                        t) { // no memory for the map's own count; the element goes, and its slot is free, all the same
            UncaughtExceptions.report(t);
        }
        try {
            callbacks.destroy(element);
        } finally {
            slot.end();
        }
    }

    // The maximum

    /** {@return how many elements there may be at a time} */
    public int maximum() {
        return capacity.maximum();
    }

    /**
     * Changes how many elements there may be at a time. If there are more, then idle ones are destroyed before this
     * returns, and lent ones when they come back. Does not wait.
     *
     * @param maximum how many elements there may be from now on
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public void resize(int maximum) {
        Capacity.check(maximum);
        for (int added = capacity.changeTo(maximum); added > 0; added--) {
            slots.put(empty);
        }
        settle();
    }

    /** Discards slots as long as there is a surplus and a slot is in the Pool; each goes with one of the surplus: POOL-3. */
    private void retire() {
        while (capacity.hasSurplus() && slots.claim()) {
            vacate(store.takeReservedEmpty());
            if (!capacity.takeSurplus()) { // the maximum has risen meanwhile
                store.insert(empty);
                slots.unclaim();
                settle();
                return;
            }
        }
    }

    // Evicting

    /**
     * Destroys the elements that have been idle for too long, and frees the slots of elements that were dropped. To be called
     * now and then where a pool may be without use for a long time.
     *
     * @return how many were destroyed
     */
    public int evictIdle() {
        return evictor.evictIdle();
    }

    // Closing

    /**
     * Closes this pool for good. Requests that wait, and requests that come later, fail with a {@link ClosedException} with
     * this cause. Idle elements are destroyed, and lent ones when they are put back.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(@Nullable Throwable cause) {
        boolean first = slots.close(cause);
        settle();
        return first;
    }

    /** {@return whether this pool was closed} */
    public boolean isClosed() {
        return slots.isClosed();
    }

    // Looking

    /** {@return how many elements there are, lent or idle} */
    public int size() {
        return registry.size();
    }

    /** {@return how many elements are idle at this moment} */
    public int idle() {
        return registry.idle();
    }

    /**
     * {@return how many elements could be lent at this moment without a wait: idle elements, and elements that may be
     * made}
     */
    public int available() {
        return slots.size();
    }

    /** {@return the elements that are lent at this moment, and their borrowers} */
    public List<Lease<E>> lent() {
        return registry.lent();
    }

    /** {@return how many requests wait at this moment, including requests that are about to enter the queue} */
    public int queueLength() {
        return slots.queueLength();
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show waiters that
     * come or leave meanwhile.
     *
     * @param action called with each waiter
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        slots.forEachWaiter(action);
    }

    /** Says how many elements there are and may be, how many are idle, how many requests wait, and whether it is closed. */
    @Override
    public String toString() {
        return "ResourcePool@" + Integer.toHexString(hashCode()) + "[" + size() + " of " + maximum() + ", " + idle()
                + " idle, " + queueLength() + " waiting" + (isClosed() ? ", closed]" : "]");
    }

    /**
     * Configures a pool.
     *
     * @param <E> the elements
     */
    public static final class Builder<E> {
        final int maximum;
        final @Nullable Supplier<? extends E> factory;
        boolean stack;

        @Nullable
        Predicate<? super E> validator;

        @Nullable
        Consumer<? super E> destroyer;

        @Nullable
        Consumer<? super Lease<E>> onDrop;

        boolean traces;
        long longestIdle;
        LongSupplier nanoTime = System::nanoTime;

        private Builder(int maximum, @Nullable Supplier<? extends E> factory) {
            Capacity.check(maximum);
            this.maximum = maximum;
            this.factory = factory;
        }

        /**
         * Lends an element that was put recently, as {@link Pool#stack} does, so that surplus elements become old; otherwise,
         * the one that has been idle longest.
         *
         * @return this builder
         */
        public Builder<E> stack() {
            stack = true;
            return this;
        }

        /**
         * Called with each idle element before it is lent; an element that is not valid is destroyed.
         *
         * @param validator whether the element may be lent
         * @return this builder
         */
        public Builder<E> validator(Predicate<? super E> validator) {
            this.validator = Objects.requireNonNull(validator, "validator");
            return this;
        }

        /**
         * Called with each element that leaves the pool, except for elements that were dropped.
         *
         * @param destroyer frees what the element holds
         * @return this builder
         */
        public Builder<E> destroyer(Consumer<? super E> destroyer) {
            this.destroyer = Objects.requireNonNull(destroyer, "destroyer");
            return this;
        }

        /**
         * Destroys elements that have been idle for this time.
         *
         * @param idle how long an element is kept that nobody borrows
         * @return this builder
         * @throws IllegalArgumentException if the time is not positive
         */
        public Builder<E> evictAfter(Duration idle) {
            long nanos = TimeUnit.NANOSECONDS.convert(idle);
            if (nanos <= 0) {
                throw new IllegalArgumentException("the time must be positive, but is " + idle);
            }
            longestIdle = nanos;
            return this;
        }

        /**
         * Notices elements that their borrowers have dropped: nothing refers to them any more, and they were not put. The
         * slot is free again, and the listener gets a report, from a thread that uses the pool.
         *
         * @param listener gets the lease without its element, which is gone
         * @return this builder
         */
        public Builder<E> tracking(Consumer<? super Lease<E>> listener) {
            onDrop = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Records where each element is borrowed, for the reports. That costs a stack trace each time.
         *
         * @return this builder
         */
        public Builder<E> traces() {
            traces = true;
            return this;
        }

        /**
         * The clock, in nanoseconds as {@link System#nanoTime}; for tests. Its exceptions while an element is lent or put go
         * to the uncaught-exception handler of the thread, and no time has passed then.
         *
         * @param nanoTime the clock, which never goes back
         * @return this builder
         */
        public Builder<E> nanoTime(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /**
         * Makes the pool, which is without elements.
         *
         * @return a pool of its own on each call
         */
        public ResourcePool<E> build() {
            return new ResourcePool<>(this);
        }
    }
}
