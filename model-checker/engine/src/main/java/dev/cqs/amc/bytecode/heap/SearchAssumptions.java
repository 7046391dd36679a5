package dev.cqs.amc.bytecode.heap;

/**
 * The assumptions of a search. A search that meets code that violates one is given up, and another search begins with
 * that assumption changed.
 *
 * @param moreThreads how many more threads the actors may start
 * @param interrupts whether threads may interrupt others, so that an interrupt may end a join
 * @param sharedClock whether a time that one thread reads may reach another thread, so that they share one clock
 * @param hashOrder the order of the identity hash codes; see {@link IdentityHashes}
 * @param isLate whether the clock begins at the second of two times; see {@link Times}
 */
public record SearchAssumptions(
        int moreThreads, boolean interrupts, boolean sharedClock, int hashOrder, boolean isLate) {

    /**
     * No further threads, no interrupts, a clock for each thread, and hash codes that increase in the order of their
     * first use.
     */
    public static final SearchAssumptions USUAL = new SearchAssumptions(0, false, false, 0, false);

    public SearchAssumptions withMoreThreads(int more) {
        return new SearchAssumptions(moreThreads + more, interrupts, sharedClock, hashOrder, isLate);
    }

    public SearchAssumptions withInterrupts() {
        return new SearchAssumptions(moreThreads, true, sharedClock, hashOrder, isLate);
    }

    public SearchAssumptions withSharedClock() {
        return new SearchAssumptions(moreThreads, interrupts, true, hashOrder, isLate);
    }

    public SearchAssumptions withHashOrder(int order) {
        return new SearchAssumptions(moreThreads, interrupts, sharedClock, order, isLate);
    }

    public SearchAssumptions withLateClock() {
        return new SearchAssumptions(moreThreads, interrupts, sharedClock, hashOrder, true);
    }

    /** A thread interrupts another one, against the assumption. */
    public static final class Interrupts extends LinkageError {

        private static final long serialVersionUID = 1L;
    }

    /** A time that one thread has read may reach another one, against the assumption of separate clocks. */
    public static final class SharedTime extends LinkageError {

        private static final long serialVersionUID = 1L;
    }

    /** The actors start more threads than assumed. */
    public static final class TooManyThreads extends LinkageError {

        private static final long serialVersionUID = 1L;
    }
}
