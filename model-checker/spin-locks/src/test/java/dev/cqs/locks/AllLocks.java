package dev.cqs.locks;

import java.util.function.Supplier;

/** All mutual exclusion locks of the module. */
enum AllLocks {
    CAS(CasLock::new),
    TTAS(TtasLock::new),
    TICKET(TicketLock::new),
    ARRAY(() -> new ArrayLock(2)),
    MCS(McsLock::new),
    CLH(ClhLock::new),
    HEMLOCK(Hemlock::new),
    TWA(TwaLock::new),
    COHORT(() -> new CohortLock(2, 3, AllLocks::number)),
    COHORT_OF_ALL(() -> new CohortLock(1, 3, () -> 0)),
    HCLH(() -> new HclhLock(2, AllLocks::number)),
    HCLH_OF_ALL(() -> new HclhLock(1, () -> 0)),
    CNA(() -> new CnaLock(3, AllLocks::number)),
    CNA_OF_ALL(() -> new CnaLock(3, () -> 0)),
    QUEUED(() -> new QueuedSpinLock(2, AllLocks::number)),
    RECURSIVE(() -> new RecursiveLock(new McsLock())),
    SEQUENCE(SequenceLock::new),
    SEMAPHORE(() -> new OnePermit(new SpinSemaphore(1))),
    WRITE(() -> new SpinReadWriteLock().writeLock()),
    MUSL(MuslMutex::new),
    TRISTATE(TristateMutex::new),
    SLIM(SlimMutex::new);

    /** The number of the thread of a test, which the test sets. */
    static final ThreadLocal<Integer> NUMBER = new ThreadLocal<>();

    private final Supplier<SpinLock> maker;

    AllLocks(Supplier<SpinLock> maker) {
        this.maker = maker;
    }

    SpinLock make() {
        return maker.get();
    }

    private static int number() {
        return NUMBER.get();
    }

    private record OnePermit(SpinSemaphore semaphore) implements SpinLock {

        @Override
        public void lock() {
            semaphore.acquire(1);
        }

        @Override
        public void unlock() {
            semaphore.release(1);
        }
    }
}
