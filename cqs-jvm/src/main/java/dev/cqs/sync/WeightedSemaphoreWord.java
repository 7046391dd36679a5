package dev.cqs.sync;

import dev.cqs.internal.Spin;
import dev.cqs.sync.WaitFailure.Closed;
import dev.cqs.sync.WaitFailure.TooLarge;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The word of a {@link WeightedSemaphoreState} and what stands beside it, and the transitions that serve no request. */
abstract class WeightedSemaphoreWord {
    /*
     * Overview.
     *
     * One 64-bit word:
     *
     *      bits 32..63   permits, signed; a debt is negative
     *      bit  31       SERVING: the server has deducted for the head and is about to claim it
     *      bit  30       RESIZING: a resize is about to change the maximum, or has just done it
     *      bits 28..29   VERSION: changes of what stands beside the word, the maximum and the Closed, modulo four
     *      bits  0..27   requests that wait in the queues of this mode
     *
     * Resizing. The maximum stands beside the word. A resize sets RESIZING, adds the difference to the permits, writes the
     * maximum, and clears RESIZING. It takes effect at the addition. What is missing after a shrink is a debt, so:
     *
     *   WSEM-4  permits + permits that are out <= maximum, while RESIZING is clear. Less only by what was reduced.
     *
     * A release that would break this is refused; a rightful release never does. The release compares a word without
     * RESIZING to the maximum of the same moment. To know that they are of one moment, it reads the maximum before and
     * after, with a number that no two maxima share. So where permits are free, releases wait while RESIZING is set. So
     * do requests that may be for more than the maximum. No other operation waits.
     *
     * A request or a server that takes permits looks at the word first and at the Closed second, and then changes the
     * word by CAS. So a new request takes no permits that were put back after the end of close(). A CAS does not see that the word
     * was another meanwhile, hence VERSION: a thread that looks beside the word and then succeeds has seen what is in
     * force, unless four changes fall into that time and all else in the word is as it was.
     *
     * Progress and ordering: see WeightedSemaphoreState.
     *
     * Access modes of each field: docs/memory-ordering.md
     */

    static final long ONE_PERMIT = 1L << 32;
    static final long SERVING = 1L << 31;
    static final long RESIZING = 1L << 30;
    static final long VERSION_UNIT = 1L << 28;
    static final long VERSION_MASK = 3 * VERSION_UNIT;
    static final long WAITING = VERSION_UNIT - 1;

    /** The word before {@link #begin}; no real state has this many requests. */
    static final long NOT_BEGUN = -1L;

    private static final int UNKNOWN = Integer.MIN_VALUE;

    static final String DEBT_OUT_OF_RANGE = "the debt would exceed the range of int";

    private static final VarHandle WORD;
    private static final VarHandle INHERITED;
    private static final VarHandle CLOSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(WeightedSemaphoreWord.class, "word", long.class);
            INHERITED = lookup.findVarHandle(WeightedSemaphoreWord.class, "inherited", int.class);
            CLOSING = lookup.findVarHandle(WeightedSemaphoreWord.class, "closing", Closed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final SemaphoreState unitMode;

    /** The maximum in the lower half, and its number in the upper; written under RESIZING. */
    private volatile long limit;

    /** See the overview; CAS and atomic additions. */
    private volatile long word = NOT_BEGUN;

    /** Unit requests left to serve; only falls, and below zero by puts under way: WSEM-3. */
    private volatile int inherited = UNKNOWN;

    /** What waiters get instead of permits; set once, by CAS. */
    private volatile @Nullable Closed closing;

    WeightedSemaphoreWord(SemaphoreState unitMode) {
        this.unitMode = unitMode;
        this.limit = unitMode.maximum;
    }

    final boolean hasBegun() {
        return word != NOT_BEGUN;
    }

    /** Builds the state from the last count of unit mode. All callers pass the same; one succeeds. */
    final void begin(long count) {
        INHERITED.compareAndSet(this, UNKNOWN, (int) Math.max(0, -count));
        WORD.compareAndSet(this, NOT_BEGUN, Math.max(0, count) * ONE_PERMIT);
    }

    // Closing

    /** Sets the Closed, and bumps the version; {@code false} if it was set before. */
    final boolean setClosing(Closed closing) {
        boolean closed = CLOSING.compareAndSet(this, null, closing);
        long seen;
        do {
            seen = word;
        } while (!casWord(seen, bumpVersion(seen)));
        return closed;
    }

    /** What this was closed with, or null. */
    final @Nullable Closed closing() {
        return closing;
    }

    /** The word, if this was not closed after it had been read: permits put back later serve no request. */
    private long openWord(int n) {
        long seen = word;
        Closed present = closing;
        if (present != null) {
            check(n, limit); // a request that is invalid fails as such
            throw present.exception();
        }
        return seen;
    }

    // Taking and putting back

    /** Takes {@code n} permits if no request waits; otherwise counts a request. */
    final boolean reserve(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            boolean fits = fitsBehindNobody(seen, n);
            if (!fits && n > 1 && isBeingResized(bound, seen)) {
                turns = Spin.pause(turns);
                continue;
            }
            if (!fits) {
                check(n, bound);
                if ((seen & WAITING) == WAITING) {
                    throw new Error("Maximum number of waiting requests exceeded");
                }
            }
            if (casWord(seen, fits ? seen - n * ONE_PERMIT : seen + 1)) {
                return fits;
            }
        }
    }

    /** Takes {@code n} permits if no request waits. */
    final boolean tryReserve(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            if (fitsBehindNobody(seen, n)) {
                if (casWord(seen, seen - n * ONE_PERMIT)) {
                    return true;
                }
            } else if (((seen & SERVING) != 0 && !isWaitedFor(seen)) || (n > 1 && isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2: the last request is just being cancelled; or WSEM-4
            } else {
                check(n, bound);
                return false;
            }
        }
    }

    private boolean fitsBehindNobody(long seen, int n) {
        return permits(seen) >= n && !isWaitedFor(seen);
    }

    private boolean isWaitedFor(long seen) {
        return (seen & WAITING) != 0 || inherited > 0;
    }

    final boolean tryAcquire(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = openWord(n);
            if (permits(seen) >= n) {
                if (casWord(seen, seen - n * ONE_PERMIT)) {
                    return true;
                }
            } else if ((seen & SERVING) != 0 || (n > 1 && isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2, WSEM-4
            } else {
                check(n, bound);
                return false;
            }
        }
    }

    /** Adds permits; the caller serves the first request then. */
    final void add(int n) {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = word;
            long sum = (long) permits(seen) + n;
            if (sum > 0 && ((seen & SERVING) != 0 || isBeingResized(bound, seen))) {
                turns = Spin.pause(turns); // WSEM-2, WSEM-4: a deduction may come back and exceed the maximum
            } else if (sum > maximum(bound)) {
                throw unitMode.excess(maximum(bound));
            } else if (casWord(seen, seen + n * ONE_PERMIT)) {
                return;
            }
        }
    }

    final void reduce(long n) {
        for (; ; ) {
            long seen = word;
            if (permits(seen) - n < Integer.MIN_VALUE) {
                throw new IllegalStateException(DEBT_OUT_OF_RANGE);
            }
            if (casWord(seen, seen - n * ONE_PERMIT)) {
                return;
            }
        }
    }

    /** Takes all permits, and if debts are forgiven, a debt too; returns how many. */
    final int takeAll(boolean forgiving) {
        for (int turns = 0; ; ) {
            long seen = openWord(0);
            int taken = forgiving ? permits(seen) : Math.max(0, permits(seen));
            if ((seen & SERVING) != 0) {
                turns = Spin.pause(turns); // WSEM-2
            } else if (casWord(seen, seen - taken * ONE_PERMIT)) {
                return taken;
            }
        }
    }

    // Resizing

    /**
     * Makes {@code n} the maximum, and adds what it grows by to the permits; the caller serves the first request then.
     *
     * @return {@code false} if the debt would exceed the range of {@code int}; nothing is then changed
     */
    final boolean setMaximum(int n) {
        beginResize();
        long grown = (long) n - maximum(limit);
        boolean possible;
        long seen;
        do {
            seen = word;
            possible = permits(seen) + grown >= Integer.MIN_VALUE;
        } while (possible && !casWord(seen, bumpVersion(seen + grown * ONE_PERMIT)));
        if (possible) {
            limit = (limit >>> 32) + 1 << 32 | n;
        }
        addToWord(-RESIZING);
        return possible;
    }

    private void beginResize() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & RESIZING) != 0) {
                turns = Spin.pause(turns);
            } else if (casWord(seen, seen | RESIZING)) {
                return;
            }
        }
    }

    final int maximum() {
        for (int turns = 0; ; ) {
            long bound = limit;
            if (!isBeingResized(bound, word)) {
                return maximum(bound);
            }
            turns = Spin.pause(turns);
        }
    }

    /** False if this was the limit at the read of the word; the word must be read between two reads of the limit. */
    private boolean isBeingResized(long bound, long seen) {
        return (seen & RESIZING) != 0 || limit != bound;
    }

    private static void check(int n, long bound) {
        if (n > maximum(bound)) {
            throw new TooLarge(n, maximum(bound)).exception();
        }
    }

    static int maximum(long bound) {
        return (int) bound;
    }

    // Looking

    /** The permits in the upper half and the maximum in the lower, both of one moment. */
    final long balance() {
        for (int turns = 0; ; ) {
            long bound = limit;
            long seen = word;
            if ((seen & SERVING) == 0 && !isBeingResized(bound, seen)) {
                return (long) permits(seen) << 32 | maximum(bound);
            }
            turns = Spin.pause(turns); // WSEM-2, WSEM-4
        }
    }

    final int available() {
        for (int turns = 0; ; ) {
            long seen = word;
            if ((seen & SERVING) == 0) {
                return permits(seen);
            }
            turns = Spin.pause(turns); // WSEM-2
        }
    }

    final long waiting() {
        return (word & WAITING) + Math.max(0, inherited);
    }

    /** Whether requests of unit mode are left to serve: WSEM-3. */
    final boolean hasInherited() {
        return inherited > 0;
    }

    /** Takes one of them off: it was served, or cancelled. */
    final void strikeOffInherited() {
        INHERITED.getAndAdd(this, -1);
    }

    // The word

    final long word() {
        return word;
    }

    final long limit() {
        return limit;
    }

    static int permits(long word) {
        return (int) (word >> 32);
    }

    /** The word after a change beside it. */
    private static long bumpVersion(long word) {
        return word & ~VERSION_MASK | word + VERSION_UNIT & VERSION_MASK;
    }

    final boolean casWord(long expected, long replacement) {
        return WORD.compareAndSet(this, expected, replacement);
    }

    final void addToWord(long change) {
        WORD.getAndAdd(this, change);
    }
}
