package dev.cqs.sync;

import static dev.cqs.sync.SlotStore.of;

import dev.cqs.Waiter;
import dev.cqs.spi.PoolSlot;
import dev.cqs.spi.SyncAccess;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A fair pool of resources that are made on demand, at most so many at a time. This object holds the resources and the
 * operations that never wait; borrowing is done through a face, for example {@code dev.cqs.threads.ResourcePool}.
 *
 * <p><b>Fairness.</b> Those who wait are served first in, first out. A request has its place from the moment at which its
 * waiter is in the queue.
 *
 * <p><b>Making.</b> An idle element is lent before another is made, whatever the order. The one who is to have it makes it,
 * in his own call; others do not wait for that. A factory that throws leaves the place free, for the next who asks.
 *
 * <p><b>Checking.</b> An idle element is validated before it is lent, and destroyed if it is not valid. One that has been
 * idle for too long is destroyed when the pool is used, or by {@link #evictIdle}, which a scheduler may call: the pool has
 * no thread of its own.
 *
 * <p><b>Lost elements.</b> {@link #lent} says who has what. A pool that {@linkplain Builder#tracking tracks} its elements
 * also notices when a borrower has dropped one: it frees the place and reports it. It does so when it is used, and in
 * {@link #evictIdle}.
 *
 * <p><b>The maximum</b> can be changed at any time. If it falls, idle elements above it are destroyed at once, and lent ones
 * when they come back.
 *
 * <p><b>Cancellation</b> of a request that waits takes constant time, as in {@link Pool}.
 *
 * <p><b>Memory consistency.</b> What is done before an element is put happens-before what is done after it was lent again,
 * and before it is validated or destroyed.
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
     * A pool has places, as many as its maximum. What waits and is waited for is a place: a Pool of slots, each with an
     * idle element or empty. Whoever has taken a slot has the place; he gets the element out, or makes one. So there are
     * never more elements than places, and a place that is being filled is in nobody's way.
     *
     *     Pool<Slot>                  the taker                                the borrower
     *     count, queue of waiters --> lend(): valid and not too old? lent ---> put()
     *     Items: idle, empty          no: destroyed, another one; none          LENT -> HELD by CAS, idle again,
     *            ^                    is idle: the factory, fill()              back into the Pool
     *            '------------------------------------------------------------------'
     *
     *   I1  places in the Pool, in hands of the pool's operations, and lent = maximum + surplus
     *
     * Capacity holds both numbers. Raising the maximum first takes from the surplus and then adds empty places. Lowering
     * it adds to the surplus. Whoever has a place in his hands and takes one off the surplus lets the place disappear. He
     * destroys its element before: as soon as the surplus is less, a resize may add a place, with another element. A place
     * that comes back looks for a surplus before it goes into the Pool and after; a resize adds to the surplus and then
     * looks into the Pool. So if there is a surplus in the end, then no place is in the Pool. Closing is alike: whoever has
     * put a place into the Pool looks whether that is closed, and close() looks into the Pool after it has closed it.
     *
     * Who uses the pool also ends elements that are idle for too long, each where it is, and frees the places of those that
     * were dropped: see Tidying. The place of one that is ended stays taken until it is destroyed, so there are never more
     * elements alive than places.
     *
     * Foreign code (factory, validator, destroyer, listener, clock: see Upkeep) runs in the thread that uses the pool, and
     * never while that has anything in hand that others wait for, other than the place itself. What a factory or a
     * validator throws goes to the taker, once the place is free, and so does what the clock throws when an element is
     * made. What a destroyer, a listener, or the clock at any other time throws goes to the uncaught-exception handler of
     * the thread, because its caller needs the result of the operation.
     *
     * Progress. As Pool; a place that is on its way between the stores of Items is waited for; put() searches a hash map,
     * whose tables are locked bin by bin when elements are made and destroyed.
     */

    static {
        SyncAccess.offerResources(new StepsOfResources());
        rehearse();
    }

    private final SlotStore<E> items;
    final Pool<PoolSlot<E>> places;
    private final Capacity count;
    private final ResourceRegistry<E> known;
    private final PoolCallbacks<E> upkeep;
    private final Evictor<E> tidying;
    private final ResourceSlot<E> empty = new ResourceSlot<>(); // any number of empty places

    /** Made beforehand, so that giving back to a closed pool needs no memory. */
    private final Consumer<PoolSlot<E>> destroyIdle = this::destroyIdle;

    private ResourcePool(Builder<E> builder) {
        this.items = new SlotStore<>(builder.stack);
        this.places = new Pool<>(items);
        this.count = new Capacity(builder.maximum);
        this.upkeep = new PoolCallbacks<>(builder);
        this.known = new ResourceRegistry<>(builder.onDrop != null, upkeep);
        this.tidying = new Evictor<>(this, known, upkeep);
        for (int i = 0; i < builder.maximum; i++) {
            places.put(empty);
        }
    }

    /**
     * Begins a pool.
     *
     * @param maximum how many elements there may be at a time
     * @param factory makes one; what it throws goes to the one who asks
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public static <E> Builder<E> builder(int maximum, Supplier<? extends E> factory) {
        return new Builder<E>(maximum, Objects.requireNonNull(factory, "factory"));
    }

    /**
     * Begins a pool for a face that makes the elements itself, by suspending, say. Faces that do not cannot make any.
     *
     * @param maximum how many elements there may be at a time
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public static <E> Builder<E> builder(int maximum) {
        return new Builder<E>(maximum, null);
    }

    /** Links each access and initializes what lending and giving back need: see Rehearsal. */
    private static void rehearse() {
        ResourcePool<Object> pool = builder(2, Object::new).evictAfter(Duration.ofNanos(1)).build();
        StepsOfResources steps = new StepsOfResources();
        Object first = steps.lendOrMake(pool, pool.places.tryTake(), "");
        Object second = steps.lendOrMake(pool, pool.places.tryTake(), "");
        pool.put(first);
        pool.evictIdle();
        pool.invalidate(second);
        pool.resize(1);
        pool.resize(2);
        pool.close(null);
    }

    // Lending

    E lend(PoolSlot<E> slot, String borrower) {
        Throwable trace = trace(slot);
        PoolSlot<E> inHand = slot;
        for (; ; ) {
            ResourceSlot<E> item = of(inHand);
            if (item.holdIdle()) {
                if (isValid(item)) {
                    E element = item.element;
                    item.lend(borrower, upkeep.nowSince(item.since), known.tracks(), trace);
                    return element;
                }
                destroy(item);
                inHand = exchange(empty);
            } else if (item.isHeld()) { // it is being evicted; there is another one: see Items
                inHand = exchange(item);
            } else {
                return null;
            }
        }
    }

    /** Another place for this one, with an idle element if there is one. */
    private PoolSlot<E> exchange(PoolSlot<E> slot) {
        items.insert(slot);
        return items.takeReserved();
    }

    private boolean isValid(ResourceSlot<E> item) {
        if (upkeep.isTooOld(item.since)) {
            return false;
        }
        try {
            return upkeep.accepts(item.element);
        } catch (Throwable t) {
            destroy(item);
            giveBackEmpty();
            throw t;
        }
    }

    private Throwable trace(PoolSlot<E> inHand) {
        try {
            return upkeep.trace();
        } catch (Throwable t) { // no memory
            giveBack(inHand);
            throw t;
        }
    }

    E make(String borrower) {
        E made;
        try {
            made = upkeep.make();
        } catch (Throwable t) {
            giveBackEmpty();
            throw t;
        }
        return fill(made, borrower);
    }

    E fill(E made, String borrower) {
        boolean fresh = false;
        try {
            Objects.requireNonNull(made, "the factory has made null");
            fresh = known.find(made) == null;
            Throwable trace = upkeep.trace();
            long now = upkeep.now();
            ResourceSlot<E> item = fresh ? known.add(made) : null;
            fresh = item != null;
            if (!fresh) {
                throw new IllegalStateException("the factory has made an element that the pool has already");
            }
            item.lend(borrower, now, known.tracks(), trace);
            return made;
        } catch (Throwable t) {
            if (fresh) { // nobody else would destroy it
                upkeep.destroy(made);
            }
            giveBackEmpty();
            throw t;
        }
    }

    // Giving back

    /**
     * Gives an element back. A second time is refused only as long as the element is not lent again: put it once.
     *
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated
     * @throws IllegalStateException if it was put back before
     */
    public void put(E element) {
        put(takeBack(element));
    }

    void putIfLent(E element) {
        ResourceSlot<E> item = known.find(element);
        if (item != null && item.holdLent()) {
            item.element = element;
            put(item);
        }
    }

    private void put(ResourceSlot<E> item) {
        if (count.hasSurplus()) {
            destroy(item);
            giveBackEmpty();
        } else {
            item.rest(upkeep.nowSince(item.since));
            places.put(item);
            settle();
        }
        tidy();
    }

    /**
     * Gives an element back that is not to be used any more. It is destroyed, and its place is free.
     *
     * @throws NullPointerException if the element is {@code null}
     * @throws IllegalArgumentException if this pool has not lent it, or it was invalidated before
     * @throws IllegalStateException if it was put back before
     */
    public void invalidate(E element) {
        destroy(takeBack(element));
        giveBackEmpty();
        tidy();
    }

    private ResourceSlot<E> takeBack(E element) {
        Objects.requireNonNull(element, "element");
        ResourceSlot<E> item = known.find(element);
        if (item == null) {
            throw new IllegalArgumentException("the element was not lent by this pool, or was invalidated");
        }
        if (!item.holdLent()) {
            throw new IllegalStateException("the element is not lent: it was put back before");
        }
        item.element = element;
        return item;
    }

    /** Gives back a place that is in hand and was not used. */
    void giveBack(PoolSlot<E> slot) {
        if (count.hasSurplus()) {
            vacate(slot);
            if (!count.takeSurplus()) { // the maximum has risen meanwhile
                places.put(empty);
            }
        } else {
            places.put(slot);
        }
        settle();
    }

    /**
     * Makes the place in hand an empty one. If its element is being evicted, then another place does: this one stays taken
     * until that element is destroyed.
     */
    private void vacate(PoolSlot<E> slot) {
        ResourceSlot<E> item = of(slot);
        while (!item.holdIdle()) {
            if (!item.isHeld()) {
                return;
            }
            item = of(exchange(item));
        }
        destroy(item);
    }

    void giveBackEmpty() {
        giveBack(empty);
    }

    /** Looks after a place has come back whether it is still wanted. */
    void settle() {
        if (places.isClosed()) {
            places.drain(destroyIdle);
        } else {
            retire();
        }
    }

    private void destroyIdle(PoolSlot<E> slot) {
        ResourceSlot<E> item = of(slot);
        if (item.holdIdle()) {
            destroy(item);
        }
    }

    /** Ends an item that is in hand. */
    void destroy(ResourceSlot<E> item) {
        E element = item.element;
        try {
            known.remove(item);
        } catch (Throwable t) { // no memory for the map's own count; the element goes, and its place is free, all the same
            PoolCallbacks.report(t);
        }
        try {
            upkeep.destroy(element);
        } finally {
            item.end();
        }
    }

    // The maximum

    /** How many elements there may be at a time. */
    public int maximum() {
        return count.maximum();
    }

    /**
     * Changes how many elements there may be at a time. If there are more, then idle ones are destroyed before this
     * returns, and lent ones when they come back. Does not wait.
     *
     * @throws IllegalArgumentException if {@code maximum} is not positive, or above 2<sup>20</sup>
     */
    public void resize(int maximum) {
        Capacity.check(maximum);
        for (int added = count.changeTo(maximum); added > 0; added--) {
            places.put(empty);
        }
        settle();
    }

    /** Lets places disappear as long as there is a surplus and one that nobody has. */
    private void retire() {
        while (count.hasSurplus() && places.claim()) {
            vacate(items.retrieveEmpty());
            if (!count.takeSurplus()) { // the maximum has risen meanwhile
                items.insert(empty);
                places.unclaim();
                settle();
                return;
            }
        }
    }

    // Tidying

    void tidy() {
        tidying.tidy();
    }

    /**
     * Destroys the elements that have been idle for too long, and frees the places of those that were dropped. To be called
     * now and then where a pool may be without use for a long time.
     *
     * @return how many were destroyed
     */
    public int evictIdle() {
        return tidying.evictIdle();
    }

    // Closing

    /**
     * Closes this pool for good: those who wait, and everybody who asks for an element later, get a {@link ClosedException}
     * with this cause. Idle elements are destroyed, and lent ones when they are put back.
     *
     * @param cause why, or {@code null}
     * @return {@code false} if it was closed before; it then keeps its first cause
     */
    public boolean close(Throwable cause) {
        boolean first = places.close(cause);
        settle();
        return first;
    }

    /** Whether this pool was closed. */
    public boolean isClosed() {
        return places.isClosed();
    }

    // Looking

    /** How many elements there are, lent or idle. */
    public int size() {
        return known.size();
    }

    /** How many elements are idle at this moment. */
    public int idle() {
        return known.idle();
    }

    /** What is lent at this moment, and to whom. */
    public List<Lease<E>> lent() {
        return known.lent();
    }

    /** How many requests wait at this moment, counting those that are about to enter the queue. */
    public int queueLength() {
        return places.queueLength();
    }

    /**
     * Shows the waiters in the queue, first to last. Weakly consistent: never fails, and may or may not show those who come
     * or leave meanwhile.
     */
    public void forEachWaiter(Consumer<? super Waiter> action) {
        places.forEachWaiter(action);
    }

    /** Says how many elements there are and may be, how many are idle, how many requests wait, and whether it is closed. */
    @Override
    public String toString() {
        return "ResourcePool@" + Integer.toHexString(hashCode()) + "[" + size() + " of " + maximum() + ", " + idle()
                + " idle, " + queueLength() + " waiting" + (isClosed() ? ", closed]" : "]");
    }

    /**
     * What a pool is to be like.
     *
     * @param <E> the elements
     */
    public static final class Builder<E> {
        final int maximum;
        final Supplier<? extends E> factory;
        boolean stack;
        Predicate<? super E> validator;
        Consumer<? super E> destroyer;
        Consumer<? super Lease<E>> onDrop;
        boolean traces;
        long longestIdle;
        LongSupplier nanoTime = System::nanoTime;

        private Builder(int maximum, Supplier<? extends E> factory) {
            Capacity.check(maximum);
            this.maximum = maximum;
            this.factory = factory;
        }

        /**
         * Lends an element that was put lately, as {@link Pool#stack} does, so that those too many become old; otherwise,
         * the one longest idle.
         */
        public Builder<E> stack() {
            stack = true;
            return this;
        }

        /** Asked about each idle element before it is lent; one that is not valid is destroyed. */
        public Builder<E> validator(Predicate<? super E> validator) {
            this.validator = Objects.requireNonNull(validator, "validator");
            return this;
        }

        /** Called with each element that leaves the pool, except for those that were dropped. */
        public Builder<E> destroyer(Consumer<? super E> destroyer) {
            this.destroyer = Objects.requireNonNull(destroyer, "destroyer");
            return this;
        }

        /**
         * Destroys elements that have been idle for so long.
         *
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
         * place is free again, and the listener gets a report, from a thread that uses the pool.
         */
        public Builder<E> tracking(Consumer<? super Lease<E>> listener) {
            onDrop = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Records where each element is borrowed, for the reports. That costs a stack trace each time. */
        public Builder<E> traces() {
            traces = true;
            return this;
        }

        /**
         * The clock, in nanoseconds as {@link System#nanoTime}; for tests. What it throws while an element is lent or put
         * goes to the uncaught-exception handler of the thread, and no time has passed.
         */
        public Builder<E> nanoTime(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /** Makes the pool, which is without elements. */
        public ResourcePool<E> build() {
            return new ResourcePool<>(this);
        }
    }
}
