package dev.cqs.locks;

import java.util.Objects;
import java.util.function.IntSupplier;

/**
 * A lock for each cohort of threads, such as those of one processor, and one for the cohorts (Dice, Marathe, Shavit 2012):
 * a holder hands over within its cohort as long as a thread waits there, so that the data stays near. The cohorts' locks are
 * queues; the one above them takes tickets, because the thread that unlocks it need not be the one that locked it.
 *
 * <p>Fair among cohorts and within them, but not among threads: a cohort keeps the lock for some turns in a row.
 */
public final class CohortLock implements SpinLock {

    private final TicketLock global = new TicketLock();
    private final Cohort[] cohorts;
    private final int turnsInARow;
    private final IntSupplier cohortOfThread;

    /** What is known about a cohort. The holder of its lock alone reads and writes it. */
    private static final class Cohort {
        final McsLock local = new McsLock();
        /** Whether the cohort has the global lock. */
        boolean keeps;

        int turns;
    }

    /**
     * Makes a lock that is free.
     *
     * @param cohorts how many cohorts there are
     * @param turnsInARow how often a cohort may hand over within itself before the others have their turn, such as 64
     * @param cohortOfThread the cohort of the thread that asks, from 0 on; always the same for a thread
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
