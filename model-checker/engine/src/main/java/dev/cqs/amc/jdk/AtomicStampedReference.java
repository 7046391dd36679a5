package dev.cqs.amc.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * {@link java.util.concurrent.atomic.AtomicStampedReference}, over a variable that the checker observes. As in the JDK,
 * the reference and the stamp are in an immutable pair, and an equal pair is not written again.
 *
 * @param <V> what it refers to
 */
@SuppressWarnings("unchecked") // the handle knows the erased type of its field only
public class AtomicStampedReference<V> {

    private static final VarHandle PAIR = Handles.own(MethodHandles.lookup(), "pair", Pair.class);

    private static final class Pair<V> {

        private final V reference;
        private final int stamp;

        private Pair(V reference, int stamp) {
            this.reference = reference;
            this.stamp = stamp;
        }

        private boolean holds(V reference, int stamp) {
            return this.reference == reference && this.stamp == stamp;
        }
    }

    private volatile Pair<V> pair;

    /** Holds this pair initially. */
    public AtomicStampedReference(V initial, int stamp) {
        pair = new Pair<>(initial, stamp);
    }

    public V getReference() {
        return pair.reference;
    }

    public int getStamp() {
        return pair.stamp;
    }

    /** Returns the reference, and puts the stamp into the first element. */
    public V get(int[] holder) {
        Pair<V> now = pair;
        holder[0] = now.stamp;
        return now.reference;
    }

    /** Never fails spuriously here. */
    public boolean weakCompareAndSet(V expected, V next, int expectedStamp, int nextStamp) {
        return compareAndSet(expected, next, expectedStamp, nextStamp);
    }

    public boolean compareAndSet(V expected, V next, int expectedStamp, int nextStamp) {
        Pair<V> now = pair;
        return now.holds(expected, expectedStamp)
                && (now.holds(next, nextStamp) || PAIR.compareAndSet(this, now, new Pair<>(next, nextStamp)));
    }

    public void set(V next, int stamp) {
        if (!pair.holds(next, stamp)) {
            pair = new Pair<>(next, stamp);
        }
    }

    /** Replaces the stamp if the reference is the expected one. */
    public boolean attemptStamp(V expected, int next) {
        Pair<V> now = pair;
        return now.reference == expected
                && (now.stamp == next || PAIR.compareAndSet(this, now, new Pair<>(expected, next)));
    }
}
