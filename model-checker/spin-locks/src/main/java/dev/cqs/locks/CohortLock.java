package dev.cqs.locks;

import java.util.Objects;
import java.util.function.IntSupplier;

/**
 * A lock for each cohort of threads, such as those of one processor, and a global lock for the cohorts (Dice, Marathe,
 * Shavit 2012). A holder hands over within its cohort while a thread waits there, so that the data stays in near
 * caches. The local locks are MCS locks. The global lock is a ticket lock, because the thread that unlocks it need not
 * be the one that locked it.
 *
 * <p>FIFO among cohorts and within each cohort, but not among all threads: a cohort may keep the lock for a bounded
 * number of hand-offs.
 */
public final class CohortLock implements SpinLock {

    private final TicketLock global = new TicketLock();
    private final Cohort[] cohorts;
    private final int turnsInARow;
    private final IntSupplier cohortOfThread;

    /** The state of a cohort. Only the holder of its local lock accesses it. */
    private static final class Cohort {
        final McsLock local = new McsLock();
        /** Whether the cohort holds the global lock. */
        boolean keeps;

        int turns;
    }

    /**
     * Creates a free lock.
     *
     * @param cohorts the number of cohorts
     * @param turnsInARow how often a cohort may hand over within itself while others wait, such as 64
     * @param cohortOfThread the cohort of the calling thread, from 0 on; constant for a thread
     * @throws IllegalArgumentException if there is no cohort, or if {@code turnsInARow} is negative
     */
    public CohortLock(int cohorts, int turnsInARow, IntSupplier cohortOfThread) {
        if (cohorts < 1) {
            throw new IllegalArgumentException("A cohort lock has one cohort or more, not " + cohorts + ".");
        }
        if (turnsInARow < 0) {
            throw new IllegalArgumentException("A cohort has 0 turns in a row or more, not " + turnsInARow + ".");
        }
        this.turnsInARow = turnsInARow;
        this.cohorts = new Cohort[cohorts];
        for (int i = 0; i < cohorts; i++) {
            this.cohorts[i] = new Cohort();
        }
        this.cohortOfThread = Objects.requireNonNull(cohortOfThread, "cohortOfThread");
    }

    @Override
    public void lock() {
        Cohort mine = mine();
        mine.local.lock();
        if (!mine.keeps) {
            global.lock();
        }
    }

    @Override
    public void unlock() {
        Cohort mine = mine();
        if (mine.turns < turnsInARow && mine.local.isAwaited()) {
            mine.turns++;
            mine.keeps = true;
        } else {
            mine.turns = 0;
            mine.keeps = false;
            global.unlock();
        }
        mine.local.unlock();
    }

    private Cohort mine() {
        return cohorts[cohortOfThread.getAsInt()];
    }
}
