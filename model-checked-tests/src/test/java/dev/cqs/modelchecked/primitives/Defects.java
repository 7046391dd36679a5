package dev.cqs.modelchecked.primitives;

import dev.cqs.NumberedQueue;
import dev.cqs.modelchecked.mutants.Mutant;
import dev.cqs.pool.Pool;
import dev.cqs.sync.Condition;
import dev.cqs.sync.CountDownLatch;
import dev.cqs.sync.CyclicBarrier;
import dev.cqs.sync.SynchronousQueue;
import java.util.List;
import java.util.stream.Stream;

/** Defects of the primitives, with the cases that must find them. */
public final class Defects {

    /**
     * A defect.
     *
     * @param mutant the class with the defect
     * @param cases the cases, of which one must fail
     */
    public record Defect(Mutant mutant, List<Case> cases) {

        @Override
        public String toString() {
            return mutant.toString();
        }
    }

    private static final Class<?> STRIPED_COUNTDOWN = Mutant.type("dev.cqs.sync.StripedCountdown");
    private static final Class<?> SEGMENT = Mutant.type("dev.cqs.Segment");
    private static final Class<?> FAIR_RENDEZVOUS = Mutant.type("dev.cqs.FairRendezvous");
    private static final Class<?> UNFAIR_RENDEZVOUS = Mutant.type("dev.cqs.UnfairRendezvous");
    private static final Class<?> BARRIER_STATE = Mutant.type("dev.cqs.sync.BarrierState");
    private static final Class<?> PERMITS = Mutant.type("dev.cqs.sync.SemaphoreState");
    private static final Class<?> MUTEX_OWNERSHIP = Mutant.type("dev.cqs.sync.MutexOwnership");
    private static final Class<?> WEIGHTED_SEMAPHORE_STATE = Mutant.type("dev.cqs.sync.WeightedSemaphoreState");
    private static final Class<?> WEIGHTED_SEMAPHORE_WORD = Mutant.type("dev.cqs.sync.WeightedSemaphoreWord");
    private static final Class<?> READ_WRITE_LISTS = Mutant.type("dev.cqs.sync.ReadWriteLists");
    private static final Class<?> READ_WRITE_STATE = Mutant.type("dev.cqs.sync.ReadWriteState");
    private static final Class<?> READ_WRITE_WORD = Mutant.type("dev.cqs.sync.ReadWriteWord");
    private static final Class<?> ELEMENT_QUEUE = Mutant.type("dev.cqs.pool.ElementQueue");
    private static final Class<?> ELEMENT_STACK = Mutant.type("dev.cqs.pool.ElementStack");
    private static final Class<?> THREAD_WAITER = Mutant.type("dev.cqs.threads.ThreadWaiter");
    private static final Class<?> SYNCHRONOUS_QUEUE_WAITER = Mutant.type("dev.cqs.threads.SynchronousQueueWaiter");

    private static final List<Defect> OF_RENDEZVOUS = List.of(
            rendezvous(
                    "a cell of the fair rendezvous is changed without order",
                    SEGMENT,
                    "return CELLS.compareAndSet(cells, index, expected, replacement);",
                    "return CELLS.weakCompareAndSetPlain(cells, index, expected, replacement);"),
            rendezvous(
                    "a waiter of the fair rendezvous is cancelled though its counterpart has taken the cell",
                    FAIR_RENDEZVOUS,
                    "if (segment.firstIndex() + index < firstIndex() // its counterpart is on the way: FR-1\n                || ",
                    "if ("),
            rendezvous(
                    "a canceller of the fair rendezvous marks the segment too late",
                    FAIR_RENDEZVOUS,
                    "segment.markLeaving(); // before the look at the index, against claim()\n"
                            + "        if (segment.firstIndex() + index < firstIndex() // its counterpart is on the way: FR-1\n"
                            + "                || ",
                    "if (segment.firstIndex() + index < firstIndex()) {\n            return false;\n        }\n"
                            + "        segment.markLeaving();\n        if ("),
            rendezvous(
                    "a segment of the fair rendezvous is marked without order",
                    FAIR_RENDEZVOUS,
                    "        volatile boolean leaving;",
                    "        boolean leaving;"),
            rendezvous(
                    "a canceller of the fair rendezvous does not let the cell decide",
                    FAIR_RENDEZVOUS,
                    "                || !segment.casCell(index, waiter, CANCELLED)) {\n            return false;\n        }\n"
                            + "        waiter.cellRef",
                    "                ) {\n            return false;\n        }\n        segment.setCell(index, CANCELLED);\n"
                            + "        waiter.cellRef"),
            rendezvous(
                    "a counterpart in the fair rendezvous does not check the mark of the segment",
                    FAIR_RENDEZVOUS,
                    "if (segment.leaving) {",
                    "if (false) {"),
            rendezvous(
                    "a tryMatch that cannot break a cell does not check what is in it",
                    FAIR_RENDEZVOUS,
                    "return segment.casCell(index, null, BROKEN) ? null : claim(side, segment, index);",
                    "segment.casCell(index, null, BROKEN); return null;"),
            rendezvous(
                    "a caller that loses a cell of the fair rendezvous takes the next one",
                    FAIR_RENDEZVOUS,
                    "            Waiter matched = claim(side, segment, index);\n            if (matched != null) {\n"
                            + "                return matched;\n            }\n        }\n    }\n\n"
                            + "    private static boolean enqueue",
                    "        }\n    }\n\n    private static boolean enqueue"),
            rendezvous(
                    "a node of the unfair rendezvous is published without order",
                    UNFAIR_RENDEZVOUS,
                    "if (!TOP.compareAndSet(this, seen, mine)) {",
                    "if (!TOP.weakCompareAndSetPlain(this, seen, mine)) {"),
            rendezvous(
                    "the end of a node is a read and a store",
                    UNFAIR_RENDEZVOUS,
                    "if (!GONE.compareAndSet(this, false, true)) {\n                return null;\n            }",
                    "if (gone) {\n                return null;\n            }\n            gone = true;"),
            rendezvous(
                    "a sweep unlinks a waiter",
                    UNFAIR_RENDEZVOUS,
                    "Node alive = pass(next);",
                    "Node alive = next == null ? null : pass(next.below);"),
            rendezvous(
                    "a node that has ended hides the nodes below",
                    UNFAIR_RENDEZVOUS,
                    "        while (node != null && node.gone) {\n            node = node.below;\n        }\n        return node;",
                    "        return node == null || node.gone ? null : node;"),
            rendezvous(
                    "a tryMatch that has skipped a node does not check whether others have arrived",
                    UNFAIR_RENDEZVOUS,
                    "return seen.below == alive ? top == seen : TOP.compareAndSet(this, seen, alive);",
                    "return true;"),
            rendezvous(
                    "a node that is pushed over one that has ended loses the nodes below",
                    UNFAIR_RENDEZVOUS,
                    "BELOW.set(mine, alive);",
                    "BELOW.set(mine, alive == seen ? seen : null);"),
            rendezvous(
                    "a match removes nodes that have ended, and does not check whether others have arrived",
                    UNFAIR_RENDEZVOUS,
                    "return alive == seen || TOP.compareAndSet(this, seen, alive) ? end(alive) : null;",
                    "top = alive;\n        return end(alive);"),
            rendezvous(
                    "a match skips nodes that have ended, and does not check whether others have arrived",
                    UNFAIR_RENDEZVOUS,
                    "return alive == seen || TOP.compareAndSet(this, seen, alive) ? end(alive) : null;",
                    "return end(alive);"));

    private static final List<Defect> OF_NUMBERED_QUEUES = List.of(
            numbered(
                    "a resume ahead of the head moves the head",
                    NumberedQueue.class,
                    "at = at.find(i >> Segment.SHIFT); // head stays behind: NQ-1",
                    "at = findAndMoveHead(at, i >> Segment.SHIFT);"),
            numbered(
                    "cells of removed segments are not skipped",
                    NumberedQueue.class,
                    "                i = at.firstIndex();\n                continue;\n",
                    ""),
            numbered(
                    "a numbered cell is changed without order",
                    SEGMENT,
                    "return CELLS.compareAndSet(cells, index, expected, replacement);",
                    "return CELLS.weakCompareAndSetPlain(cells, index, expected, replacement);"));

    private static final List<Defect> OF_PERMITS = List.of(
            permits(
                    "a permit is released without order",
                    PERMITS,
                    "long seen = (long) COUNT.getAndAdd(this, 1L);\n        if (seen < 0 ||",
                    "long seen = (long) COUNT.getAndAddAcquire(this, 1L);\n        if (seen < 0 ||"),
            permits(
                    "a permit is taken without order",
                    PERMITS,
                    "seen = (long) COUNT.getAndAdd(this, -1L);",
                    "seen = (long) COUNT.getAndAddRelease(this, -1L);"),
            permits(
                    "a cancelled request keeps the permit that was counted for it",
                    PERMITS,
                    "return plain(seen) < 0;",
                    "return true;"),
            permits(
                    "a release whose cell was broken does not start again",
                    PERMITS,
                    "if (queue().resume(this)) {\n                return;\n            }",
                    "queue().resume(this);\n            if (seen < 0) {\n                return;\n            }"),
            permits(
                    "two threads may create the queue",
                    PERMITS,
                    "return QUEUE.compareAndSet(this, null, fresh) ? fresh : queue;",
                    "queue = fresh;\n        return fresh;"),
            permits(
                    "the resumer's store may follow its check whether the thread parks",
                    THREAD_WAITER,
                    "slot = value; // before the look at `parking`, against awaitUntil()",
                    "SLOT.setRelease(this, value);"),
            permits(
                    "a thread does not announce that it parks",
                    THREAD_WAITER,
                    "parking = true; // before the look at the slot, against tryResume()",
                    ""),
            permits(
                    "an interrupted thread throws though it was granted a permit",
                    THREAD_WAITER,
                    "                    if (cancel()) {\n                        return End.INTERRUPTED;\n"
                            + "                    }\n                    reacting",
                    "                    cancel();\n                    if (reacting) {\n"
                            + "                        return End.INTERRUPTED;\n                    }\n"
                            + "                    reacting"));

    private static final List<Defect> OF_WEIGHTED_PERMITS = List.of(
            weighted(
                    "a request in unit mode does not check after it was enqueued whether the semaphore was upgraded",
                    PERMITS,
                    "        serveIfUpgraded(); // installed, then looked: a server that missed this waiter has upgraded "
                            + "before\n",
                    ""),
            weighted(
                    "no request is served after a cancellation",
                    WEIGHTED_SEMAPHORE_STATE,
                    "        protected void afterCancellation() {\n            serve();",
                    "        protected void afterCancellation() {"),
            weighted(
                    "a request of unit mode is struck off, and the one behind it is not served",
                    PERMITS,
                    "        protected void afterCancellation() {\n            serveIfUpgraded();",
                    "        protected void afterCancellation() {"),
            weighted(
                    "the drainer does not check again",
                    WEIGHTED_SEMAPHORE_STATE,
                    "answered = (int) DRAIN_REQUESTS.getAndAdd(this, -answered) - answered;",
                    "DRAIN_REQUESTS.getAndSet(this, 0);\n                answered = 0;"),
            weighted(
                    "the word is changed without order",
                    WEIGHTED_SEMAPHORE_WORD,
                    "return WORD.compareAndSet(this, expected, replacement);",
                    "return WORD.weakCompareAndSetPlain(this, expected, replacement);"),
            weighted(
                    "permits that a resize has added serve no request",
                    WEIGHTED_SEMAPHORE_STATE,
                    "        serve(); // also if nothing has changed: a server may have looked meanwhile\n",
                    ""),
            weighted(
                    "permits that a waiter has refused are not given back",
                    WEIGHTED_SEMAPHORE_STATE,
                    "(fromUnitMode ? 0 : 1) : claim.taken * ONE_PERMIT;",
                    "(fromUnitMode ? 0 : 1) : 0;"));

    private static final List<Defect> OF_LOCKS = List.of(
            locks(
                    "the owner is cleared after the unlock",
                    MUTEX_OWNERSHIP,
                    "            clearOwner(seen);\n        }",
                    "            putBack();\n            setExclusiveOwnerThread(null);\n            return;\n        }"),
            locks(
                    "a mutex is unlocked without order",
                    PERMITS,
                    "return COUNT.compareAndSet(this, expected, replacement);",
                    "return COUNT.weakCompareAndSetAcquire(this, expected, replacement);"),
            locks(
                    "a token that is being written is read as none",
                    MUTEX_OWNERSHIP,
                    "if (present != null || !isHeldByToken(seen)) {",
                    "if (present != null || seen <= 0) {"),
            locks(
                    "a mutex is unlocked without its token, which was written after the check",
                    MUTEX_OWNERSHIP,
                    "if (seen != 0 || !casCount(0, 1)) {",
                    "if (seen != 0 || !casCount(isHeldByToken(count()) ? HELD_BY_TOKEN : 0,"
                            + " isHeldByToken(count()) ? HELD_BY_TOKEN + 1 : 1)) {"),
            locks(
                    "the token is cleared after the unlock",
                    MUTEX_OWNERSHIP,
                    "if (casRecord(present, null) && (release() || releaseAgain())) {",
                    "if ((release() || releaseAgain()) && casRecord(present, null)) {"),
            locks(
                    "an unlock without a token leaves the token on record",
                    MUTEX_OWNERSHIP,
                    "if (present == null || !casRecord(present, null)) {",
                    "if (present == null) {"),
            locks(
                    "an unlock of a closed mutex leaves the token on record",
                    MUTEX_OWNERSHIP,
                    "        record = null;\n",
                    ""),
            locks(
                    "an unlock with a token that has met a broken cell does not start again",
                    MUTEX_OWNERSHIP,
                    "if (casRecord(present, null) && (release() || releaseAgain())) {",
                    "if (casRecord(present, null)) {\n                release();"));

    private static final List<Defect> OF_CONDITIONS = List.of(
            conditions(
                    "a holder unlocks before it is enqueued on the condition",
                    Condition.class,
                    "        enqueue(waiter);\n        lock.unlock();",
                    "        lock.unlock();\n        enqueue(waiter);"),
            conditions(
                    "a signalled waiter can be cancelled in the queue of the mutex",
                    PERMITS,
                    "return !(waiter instanceof ConditionWaiter) && cancel(waiter); // COND-2",
                    "return cancel(waiter);"),
            conditions(
                    "a signal does not check whether its waiter was cancelled",
                    Condition.class,
                    "            if (present.claim(first)) {\n                lock.relock(first);\n"
                            + "                return true;\n            }",
                    "            if (present.claim(first)) {\n                lock.relock(first);\n            }\n"
                            + "            return true;"),
            conditions(
                    "a wait checks for the close before it is enqueued",
                    Condition.class,
                    "        queue.suspend(waiter);\n"
                            + "        Closed closing = lock.closing(); // enqueued, then looked: a closing that missed this "
                            + "waiter was before",
                    "        Closed closing = lock.closing();\n        queue.suspend(waiter);"),
            conditions(
                    "a condition is added without order against the close",
                    Mutant.type("dev.cqs.sync.ConditionLock"),
                    "SLOT.setVolatile(inUse, used++, condition);",
                    "SLOT.setRelease(inUse, used++, condition);"));

    private static final List<Defect> OF_LATCHES = List.of(
            latches(
                    "a request that is counted on an open latch waits",
                    CountDownLatch.class,
                    "if (count((long) WORD.getAndAdd(this, 1L)) <= 0) {\n            return null;\n        }",
                    "WORD.getAndAdd(this, 1L);"),
            latches(
                    "a latch is counted down without order",
                    CountDownLatch.class,
                    "long seen = (long) WORD.getAndAdd(this, -ONE_COUNT);",
                    "long seen = (long) WORD.getAndAddAcquire(this, -ONE_COUNT);"),
            latches(
                    "a query of a latch has no order",
                    CountDownLatch.class,
                    "    public boolean isOpen() {\n        return count(word) <= 0;",
                    "    public boolean isOpen() {\n        return count((long) WORD.getOpaque(this)) <= 0;"),
            latches(
                    "a thread that finds its stripe empty takes the whole count as zero",
                    STRIPED_COUNTDOWN,
                    "            if (left >= 1) {\n                return true;\n            }\n",
                    "            return left >= 1;\n"),
            latches("a stripe is left before it is empty", STRIPED_COUNTDOWN, "if (left <= 1) {", "if (left <= 2) {"),
            latches("an empty stripe gives one more", STRIPED_COUNTDOWN, "if (left >= 1) {", "if (left >= 0) {"),
            latches(
                    "a stripe counts below zero",
                    STRIPED_COUNTDOWN,
                    "left += Math.max(0, (long) STRIPES.getVolatile(stripes, i));",
                    "left += (long) STRIPES.getVolatile(stripes, i);"),
            latches(
                    "a stripe is counted down without order",
                    STRIPED_COUNTDOWN,
                    "STRIPES.getAndAdd(stripes, at(stripe), -1L);",
                    "STRIPES.getAndAddAcquire(stripes, at(stripe), -1L);"),
            latches(
                    "a stripe is marked empty without order",
                    STRIPED_COUNTDOWN,
                    "LIVE.getAndBitwiseAnd(this",
                    "LIVE.getAndBitwiseAndAcquire(this"),
            latches(
                    "the check that all stripes are empty has no order",
                    STRIPED_COUNTDOWN,
                    "long living = live;",
                    "long living = (long) LIVE.getOpaque(this);"));

    private static final List<Defect> OF_BARRIERS = List.of(
            barriers(
                    "the word of a barrier is changed without order",
                    BARRIER_STATE,
                    "return WORD.compareAndSet(this, expected, replacement);",
                    "return WORD.weakCompareAndSetPlain(this, expected, replacement);"),
            barriers(
                    "a party searches for its cell from a segment that later parties have moved to",
                    CyclicBarrier.class,
                    "queue.suspendAt(suspendRef, number",
                    "queue.suspendAt(queue.suspendRef(), number"),
            barriers(
                    "the last party searches for the cells of its round from a segment that the next round has moved to",
                    CyclicBarrier.class,
                    "            follow(from, end);\n            resume(place, end",
                    "            follow(from, end);\n            resume(queue.resumeRef(), end"),
            barriers(
                    "a cancelled party breaks the barrier for itself",
                    CyclicBarrier.class,
                    "boolean left = queue.cancel(waiter); // nobody else resumes it: BAR-3\n"
                            + "                breakWaiting(seen, from, place);",
                    "boolean left = queue.cancel(waiter);"),
            barriers(
                    "a party is cancelled without breaking the barrier",
                    CyclicBarrier.class,
                    "return abort(waiter);",
                    "return cancel(waiter);"),
            barriers(
                    "a party can be cancelled when its round is complete",
                    CyclicBarrier.class,
                    "isBroken(seen) || own < decided(seen, from)",
                    "isBroken(seen)"),
            barriers(
                    "a reset leaves the round as it is",
                    CyclicBarrier.class,
                    "                fresh += ONE_PARTY + RESETTING;",
                    "                fresh += ONE_PARTY;"),
            barriers(
                    "a reset inside the action lets its round pass",
                    CyclicBarrier.class,
                    "BarrierResult result = runner == null ? BarrierResult.BROKEN : BarrierResult.PASSED;",
                    "BarrierResult result = BarrierResult.PASSED;"),
            barriers(
                    "a query during an action is treated as one of the thread that runs it",
                    CyclicBarrier.class,
                    "return thread != null && thread == Thread.currentThread();",
                    "return thread != null;"));

    private static final List<Defect> OF_READ_WRITE_LOCKS = List.of(
            readWrite(
                    "the word of a read-write lock is changed without order",
                    READ_WRITE_WORD,
                    "return WORD.compareAndSet(this, expected, replacement);",
                    "return WORD.weakCompareAndSetPlain(this, expected, replacement);"),
            readWrite(
                    "a reader enters while a writer holds the lock",
                    READ_WRITE_WORD,
                    "            if ((seen & (WRITER | WRITERS_WAIT | CLOSED)) != 0) {",
                    "            if ((seen & WRITERS_WAIT) != 0) {"),
            readWrite(
                    "the last reader does not check whether writers wait",
                    READ_WRITE_STATE,
                    "if (seen != ONE_READER && seen < 2 * ONE_READER && (seen & WRITER) == 0) {",
                    "if (seen == 0) {"),
            readWrite(
                    "a cancelled writer forgets the readers behind it",
                    READ_WRITE_STATE,
                    "if ((first || last) && (seen & (WRITER | READERS_WAIT)) == READERS_WAIT) {",
                    "if (seen == 0) {"),
            readWrite(
                    "a writer that is enqueued does not check again whether the lock is free",
                    READ_WRITE_STATE,
                    "for (; (seen & ~CLOSED) == LIST_LOCKED; seen = word()) {",
                    "for (; seen == 0; seen = word()) {"),
            readWrite(
                    "a reader barges in while a writer holds the lock",
                    READ_WRITE_WORD,
                    "if ((seen & (WRITER | CLOSED)) != 0) {",
                    "if (seen < 0) {"),
            readWrite(
                    "a reader barges in by a read and an addition",
                    READ_WRITE_WORD,
                    "if (casWord(seen, seen + ONE_READER)) { // the whole word",
                    "if ((long) WORD.getAndAdd(this, ONE_READER) >= 0) { //"),
            readWrite(
                    "the last reader does not check whether another has barged in",
                    READ_WRITE_STATE,
                    "casWord(seen, seen - ONE_READER + WRITER)",
                    "casWord(seen = word(), seen - ONE_READER + WRITER)"),
            readWrite(
                    "the close does not set its bit",
                    READ_WRITE_STATE,
                    "long change = CLOSED - ",
                    "long change = 0 - "),
            readWrite(
                    "a writer that is enqueued does not check whether the lock is closed",
                    READ_WRITE_STATE,
                    "if ((seen & CLOSED) != 0 && !ReadWriteLists.comesBack(waiter)) {",
                    "if (seen == 0) {"),
            readWrite(
                    "a writer is cancelled in a list that the close has taken",
                    READ_WRITE_LISTS,
                    "boolean left = list == writerList && list.claim(waiter);",
                    "boolean left = list.claim(waiter);"),
            readWrite(
                    "a reader is cancelled in a list that was taken",
                    READ_WRITE_LISTS,
                    "boolean left = list == readerList && list.claim(waiter);",
                    "boolean left = list.claim(waiter);"),
            readWrite(
                    "the close fails a signalled waiter of a condition",
                    READ_WRITE_LISTS,
                    "return waiter instanceof ConditionWaiter;",
                    "return waiter == null;"),
            readWrite(
                    "the close forgets that signalled waiters are in the list",
                    READ_WRITE_STATE,
                    "change -= present.writers() == 0 ? WRITERS_WAIT : 0;",
                    "change -= WRITERS_WAIT;"));

    private static final List<Defect> OF_POOLS = List.of(
            pools(
                    "a put that has inserted an element does not check for new waiters",
                    Pool.class,
                    "            if (countInserted()) {\n                return;\n            }\n            inHand",
                    "            if (countInserted() || present != null) {\n                return;\n            }\n"
                            + "            inHand"),
            pools(
                    "an element that was refused is lost",
                    Pool.class,
                    "                put((E) value);",
                    "                return;"),
            pools(
                    "an element is published without order",
                    ELEMENT_QUEUE,
                    "return CELLS.compareAndSet(cells, index, null, element);",
                    "return CELLS.weakCompareAndSetPlain(cells, index, null, element);"),
            pools(
                    "a caller that breaks a cell does not check what is in it",
                    ELEMENT_QUEUE,
                    "return (E) CELLS.getAndSet(cells, index, BROKEN);",
                    "CELLS.setVolatile(cells, index, BROKEN);\n            return null;"),
            pools(
                    "the top of a stack is taken by a read and a store",
                    ELEMENT_STACK,
                    "if (TOP.compareAndSet(this, seen, seen.below)) {",
                    "if (top == seen) {\n                top = seen.below;"),
            pools(
                    "an element is put on a stack without order",
                    ELEMENT_STACK,
                    "            if (TOP.compareAndSet(this, seen, node)) {",
                    "            if (TOP.weakCompareAndSetPlain(this, seen, node)) {"),
            pools(
                    "a request that starts again takes no element",
                    Pool.class,
                    "return store.takeReserved(); // the cell was broken",
                    "return tryTake(); // the cell was broken"),
            pools(
                    "a thread gets its element before the writes to it",
                    THREAD_WAITER,
                    "slot = value; // before the look at `parking`, against awaitUntil()",
                    "SLOT.setOpaque(this, value);"));

    private static final List<Defect> OF_HAND_OFFS = List.of(
            handOffs(
                    "a caller that has enqueued its waiter does not check for the close again",
                    SynchronousQueue.class,
                    "Closed after = closing; // after the waiter is enqueued: see the overview",
                    "Closed after = before;"),
            handOffs(
                    "the close is set without order against waiters that are enqueued",
                    SynchronousQueue.class,
                    "if (!CLOSING.compareAndSet(this, null, mine)) {",
                    "if (!CLOSING.weakCompareAndSetRelease(this, null, mine)) {"),
            handOffs(
                    "a receiver is woken before its element is stored",
                    SYNCHRONOUS_QUEUE_WAITER,
                    "            outcome = value;\n            return super.tryResume(this);",
                    "            boolean resumed = super.tryResume(this);\n            outcome = value;\n"
                            + "            return resumed;"));

    public static final List<Defect> ALL = Stream.of(
                    OF_RENDEZVOUS,
                    OF_NUMBERED_QUEUES,
                    OF_PERMITS,
                    OF_WEIGHTED_PERMITS,
                    OF_LOCKS,
                    OF_CONDITIONS,
                    OF_LATCHES,
                    OF_BARRIERS,
                    OF_READ_WRITE_LOCKS,
                    OF_POOLS,
                    OF_HAND_OFFS)
            .flatMap(List::stream)
            .toList();

    private Defects() {}

    private static Defect rendezvous(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.RENDEZVOUS);
    }

    private static Defect numbered(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.NUMBERED_QUEUES);
    }

    private static Defect permits(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.SEMAPHORES);
    }

    private static Defect weighted(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.WEIGHTED_SEMAPHORES);
    }

    private static Defect locks(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.LOCKS);
    }

    private static Defect conditions(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.CONDITIONS);
    }

    private static Defect latches(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.LATCHES);
    }

    private static Defect barriers(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.BARRIERS);
    }

    private static Defect readWrite(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.READ_WRITE_LOCKS);
    }

    private static Defect pools(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.POOLS);
    }

    private static Defect handOffs(String sentence, Class<?> type, String sound, String broken) {
        return new Defect(new Mutant(sentence, type, sound, broken), Cases.HAND_OFFS);
    }
}
