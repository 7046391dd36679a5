package dev.cqs.amc.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * {@link java.util.concurrent.atomic.AtomicMarkableReference}, over a variable that the checker observes. As in the
 * JDK, the reference and the mark are in an immutable pair, and an equal pair is not written again.
 *
 * @param <V> what it refers to
 */
@SuppressWarnings("unchecked") // the handle knows the erased type of its field only
public class AtomicMarkableReference<V> {

    private static final VarHandle PAIR = Handles.own(MethodHandles.lookup(), "pair", Pair.class);

    private static final class Pair<V> {

        private final V reference;
        private final boolean mark;

        private Pair(V reference, boolean mark) {
            this.reference = reference;
            this.mark = mark;
        }

        private boolean holds(V reference, boolean mark) {
            return this.reference == reference && this.mark == mark;
        }
    }

    private volatile Pair<V> pair;

    /** Holds this pair initially. */
    public AtomicMarkableReference(V initial, boolean mark) {
        pair = new Pair<>(initial, mark);
    }

    public V getReference() {
        return pair.reference;
    }

    public boolean isMarked() {
        return pair.mark;
    }

    /** Returns the reference, and puts the mark into the first element. */
    public V get(boolean[] holder) {
        Pair<V> now = pair;
        holder[0] = now.mark;
        return now.reference;
    }

    /** Never fails spuriously here. */
    public boolean weakCompareAndSet(V expected, V next, boolean expectedMark, boolean nextMark) {
        return compareAndSet(expected, next, expectedMark, nextMark);
    }

    public boolean compareAndSet(V expected, V next, boolean expectedMark, boolean nextMark) {
        Pair<V> now = pair;
        return now.holds(expected, expectedMark)
                && (now.holds(next, nextMark) || PAIR.compareAndSet(this, now, new Pair<>(next, nextMark)));
    }

    public void set(V next, boolean mark) {
        if (!pair.holds(next, mark)) {
            pair = new Pair<>(next, mark);
        }
    }

    /** Replaces the mark if the reference is the expected one. */
    public boolean attemptMark(V expected, boolean next) {
        Pair<V> now = pair;
        return now.reference == expected
                && (now.mark == next || PAIR.compareAndSet(this, now, new Pair<>(expected, next)));
    }
}
