package dev.cqs.amc.conformance.locks;

import static dev.cqs.amc.Mode.ACQUIRE;
import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.Mode.RELEASE;
import static dev.cqs.amc.Verdict.CHECK_FAILED;
import static dev.cqs.amc.Verdict.DATA_RACE;
import static dev.cqs.amc.Verdict.HANG;
import static dev.cqs.amc.Verdict.PLAIN_SPIN;
import static dev.cqs.amc.conformance.locks.Weakening.isHarmless;
import static dev.cqs.amc.conformance.locks.Weakening.shows;

import dev.cqs.amc.conformance.locks.SharingClients.SequenceReader;
import dev.cqs.amc.conformance.locks.SharingClients.TryTwiceAndWait;
import java.util.List;

/**
 * The expected result of weakening each access of a lock.
 *
 * @param name the class of the lock
 * @param clients its clients; the first one that fails gives the verdict
 * @param weakenings all single weakenings of accesses that order anything, outside constructors
 */
record WeakenedLock(String name, List<Class<?>> clients, List<Weakening> weakenings) {

    private static final String NO_WEAKER_ONE = "Java has no weaker operation of this kind";
    private static final String UNPROMISED =
            "park and unpark order this in the checker, as in HotSpot, but do not promise it";
    private static final String USED_ONCE =
            NO_WEAKER_ONE + "; a node is used once, so nothing of it must be seen with it";

    static final List<WeakenedLock> ALL = List.of(
            of(
                    "CasLock",
                    List.of(LockClients.CasThree.class),
                    shows("CasLock.lock:weakCompareAndSetAcquire#0", OPAQUE, DATA_RACE),
                    shows("CasLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "TtasLock",
                    List.of(LockClients.TtasThree.class),
                    shows("TtasLock.lock:getAndSetAcquire#0", OPAQUE, DATA_RACE),
                    shows("TtasLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "TicketLock",
                    List.of(LockClients.TicketThree.class),
                    isHarmless("TicketLock.enter:getAndAddAcquire#0", OPAQUE, NO_WEAKER_ONE),
                    shows("TicketLock.enter:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("TicketLock.leave:setRelease#0", OPAQUE, DATA_RACE)),
            // With two threads there are two slots, so that a slot is reused.
            of(
                    "ArrayLock",
                    List.of(LockClients.ArrayTwo.class),
                    shows("ArrayLock.lock:getAndAdd#0", ACQUIRE, DATA_RACE),
                    shows("ArrayLock.lock:getAndAdd#0", RELEASE, DATA_RACE),
                    shows("ArrayLock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("ArrayLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "McsLock",
                    List.of(LockClients.McsThree.class),
                    shows("McsLock.lock:getAndSet#0", ACQUIRE, HANG),
                    shows("McsLock.lock:getAndSet#0", RELEASE, DATA_RACE),
                    shows("McsLock.lock:setRelease#0", OPAQUE, HANG),
                    shows("McsLock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("McsLock.unlock:compareAndExchangeRelease#0", OPAQUE, DATA_RACE),
                    shows("McsLock.unlock:getAcquire#0", OPAQUE, HANG),
                    shows("McsLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "ClhLock",
                    List.of(LockClients.ClhThree.class),
                    shows("ClhLock.lock:getAndSet#0", ACQUIRE, DATA_RACE),
                    shows("ClhLock.lock:getAndSet#0", RELEASE, DATA_RACE),
                    shows("ClhLock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("ClhLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "Hemlock",
                    List.of(LockClients.HemThree.class),
                    shows("Hemlock.lock:getAndSet#0", ACQUIRE, DATA_RACE),
                    shows("Hemlock.lock:getAndSet#0", RELEASE, DATA_RACE),
                    shows("Hemlock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("Hemlock.unlock:compareAndExchangeRelease#0", OPAQUE, DATA_RACE),
                    shows("Hemlock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "TwaLock",
                    List.of(LockClients.TwaThree.class),
                    isHarmless("TwaLock.lock:getAndAddAcquire#0", OPAQUE, NO_WEAKER_ONE),
                    shows("TwaLock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("TwaLock.lock:getAcquire#1", OPAQUE, DATA_RACE),
                    shows("TwaLock.awaitNextInLine:getAcquire#0", OPAQUE, HANG),
                    shows("TwaLock.awaitNextInLine:getAcquire#1", OPAQUE, HANG),
                    shows("TwaLock.unlock:setRelease#0", OPAQUE, DATA_RACE),
                    shows("TwaLock.unlock:getAndAddRelease#0", OPAQUE, HANG)),
            // It has no ordered access of its own; those of its component locks are above.
            of("CohortLock", List.of(LockClients.CohortThree.class)),
            of(
                    "HclhLock",
                    List.of(LockClients.HclhThree.class),
                    isHarmless("HclhLock.lock:getAndSetAcquire#0", OPAQUE, USED_ONCE),
                    shows("HclhLock.isLetInBy:getAcquire#0", OPAQUE, DATA_RACE),
                    isHarmless("HclhLock.append:getAndSetAcquire#0", OPAQUE, USED_ONCE),
                    shows("HclhLock.append:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("HclhLock.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            // The neighbourhood of a node is plain and read in a loop, so a race on it is reported as a plain spin.
            of(
                    "CnaLock",
                    List.of(LockClients.CnaThree.class, LockClients.CnaFour.class),
                    shows("CnaLock.lock:getAndSet#0", ACQUIRE, HANG),
                    shows("CnaLock.lock:getAndSet#0", RELEASE, DATA_RACE),
                    shows("CnaLock.lock:setRelease#0", OPAQUE, PLAIN_SPIN),
                    shows("CnaLock.lock:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("CnaLock.unlock:getAcquire#0", OPAQUE, PLAIN_SPIN),
                    shows("CnaLock.leave:compareAndExchangeRelease#0", OPAQUE, DATA_RACE),
                    shows("CnaLock.leave:compareAndExchangeRelease#1", OPAQUE, HANG),
                    shows("CnaLock.neighbour:getAcquire#0", OPAQUE, PLAIN_SPIN),
                    shows("CnaLock.grant:setRelease#0", OPAQUE, DATA_RACE)),
            of("RecursiveLock", List.of(HolderClients.NestedThree.class)),
            of(
                    "SpinSemaphore",
                    List.of(LockClients.SemaphoreThree.class, TryTwiceAndWait.class),
                    shows("SpinSemaphore.acquire:weakCompareAndSetAcquire#0", OPAQUE, DATA_RACE),
                    shows("SpinSemaphore.tryAcquire:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    shows("SpinSemaphore.release:getAndAddRelease#0", OPAQUE, DATA_RACE)),
            of("SpinReadWriteLock", List.of(SharingClients.ReaderAndWriters.class)),
            of(
                    "SequenceLock",
                    List.of(LockClients.SequenceThree.class, SequenceReader.class),
                    shows("SequenceLock.lock:weakCompareAndSetAcquire#0", OPAQUE, DATA_RACE),
                    shows("SequenceLock.lock:releaseFence#0", OPAQUE, CHECK_FAILED),
                    shows("SequenceLock.unlock:setRelease#0", OPAQUE, DATA_RACE),
                    shows("SequenceLock.beginRead:getAcquire#0", OPAQUE, CHECK_FAILED),
                    shows("SequenceLock.isValid:acquireFence#0", OPAQUE, CHECK_FAILED)),
            of(
                    "Futex",
                    List.of(LockClients.TristateTwo.class, LockClients.TristateThree.class),
                    isHarmless("Futex.await:read woken#0", ACQUIRE, UNPROMISED),
                    isHarmless("Futex.wakeOne:write woken#0", RELEASE, UNPROMISED)),
            of(
                    "MuslMutex",
                    List.of(LockClients.MuslTwo.class, LockClients.MuslThree.class),
                    shows("MuslMutex.lock:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    isHarmless("MuslMutex.lockCounted:getAndAddAcquire#0", OPAQUE, NO_WEAKER_ONE),
                    shows("MuslMutex.lockCounted:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    shows("MuslMutex.unlock:getAndAddRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "TristateMutex",
                    List.of(LockClients.TristateTwo.class),
                    shows("TristateMutex.lock:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    shows("TristateMutex.lock:compareAndExchangeAcquire#1", OPAQUE, DATA_RACE),
                    shows("TristateMutex.unlock:compareAndExchangeRelease#0", OPAQUE, DATA_RACE),
                    shows("TristateMutex.unlock:setRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "SlimMutex",
                    List.of(LockClients.SlimTwo.class),
                    shows("SlimMutex.lock:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    shows("SlimMutex.lock:getAndSetAcquire#0", OPAQUE, DATA_RACE),
                    shows("SlimMutex.unlock:getAndSetRelease#0", OPAQUE, DATA_RACE)),
            of(
                    "QueuedSpinLock",
                    List.of(LockClients.QueuedThree.class),
                    shows("QueuedSpinLock.lock:compareAndExchangeAcquire#0", OPAQUE, DATA_RACE),
                    isHarmless("QueuedSpinLock.waitsAsPending:getAndBitwiseOrAcquire#0", OPAQUE, NO_WEAKER_ONE),
                    isHarmless("QueuedSpinLock.waitsAsPending:getAndBitwiseAndAcquire#0", OPAQUE, NO_WEAKER_ONE),
                    shows("QueuedSpinLock.waitsAsPending:getAndAddAcquire#0", OPAQUE, DATA_RACE),
                    shows("QueuedSpinLock.waitInQueue:setRelease#0", OPAQUE, HANG),
                    shows("QueuedSpinLock.waitInQueue:getAcquire#0", OPAQUE, DATA_RACE),
                    shows("QueuedSpinLock.enqueue:weakCompareAndSet#0", ACQUIRE, HANG),
                    shows("QueuedSpinLock.enqueue:weakCompareAndSet#0", RELEASE, HANG),
                    shows("QueuedSpinLock.takeAsFirst:getAcquire#0", OPAQUE, DATA_RACE),
                    isHarmless("QueuedSpinLock.takeAsFirst:getAndBitwiseOrRelease#0", OPAQUE, NO_WEAKER_ONE),
                    shows("QueuedSpinLock.takeAsFirst:getAcquire#1", OPAQUE, HANG),
                    shows("QueuedSpinLock.takeAsFirst:setRelease#0", OPAQUE, DATA_RACE),
                    shows("QueuedSpinLock.unlock:getAndAddRelease#0", OPAQUE, DATA_RACE)));

    private static WeakenedLock of(String name, List<Class<?>> clients, Weakening... weakenings) {
        return new WeakenedLock(name, clients, List.of(weakenings));
    }

    @Override
    public String toString() {
        return name;
    }
}
