package dev.cqs.amc.bytecode.heap;

/**
 * What a search takes for granted. It is found out by trying: a search that comes upon something else is given up, and another one
 * begins with what is known by then.
 *
 * @param moreThreads how many threads the actors may start
 * @param interrupts whether threads may interrupt others, so that no join is sure to last until the end
 * @param sharedClock whether a time that one thread has looked at may reach another one, so that they need one clock
 * @param hashOrder in which order the identity hash codes of objects are; see {@link IdentityHashes}
 * @param isLate whether the clock begins at the other of two times; see {@link Times}
 */
public record Circumstances(int moreThreads, boolean interrupts, boolean sharedClock, int hashOrder, boolean isLate) {

    /** No threads but the actors, no interrupts, a clock for each thread, and hash codes in the order in which they are asked for. */
    public static final Circumstances USUAL = new Circumstances(0, false, false, 0, false);

    public Circumstances withMoreThreads(int more) {
        return new Circumstances(moreThreads + more, interrupts, sharedClock, hashOrder, isLate);
    }

    public Circumstances withInterrupts() {
        return new Circumstances(moreThreads, true, sharedClock, hashOrder, isLate);
    }

    public Circumstances withSharedClock() {
        return new Circumstances(moreThreads, interrupts, true, hashOrder, isLate);
    }

    public Circumstances withHashOrder(int order) {
        return new Circumstances(moreThreads, interrupts, sharedClock, order, isLate);
    }

    public Circumstances withLateClock() {
        return new Circumstances(moreThreads, interrupts, sharedClock, hashOrder, true);
    }

    /** A thread interrupts another one, and that was not expected. */
    public static final class Interrupts extends LinkageError {

        private static final long serialVersionUID = 1L;
    }

    /** A time that one thread has looked at may reach another one, and they have a clock each. */
    public static final class SharedTime extends LinkageError {

        private static final long serialVersionUID = 1L;
    }

    /** The actors start more threads than there was room for. */
    public static final class TooManyThreads extends LinkageError {

        private static final long serialVersionUID = 1L;
    }
}
