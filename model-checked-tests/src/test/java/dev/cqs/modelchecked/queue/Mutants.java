package dev.cqs.modelchecked.queue;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.modelchecked.mutants.Mutant;
import java.util.List;

/** Defects of the queue. */
public final class Mutants {

    private static final Class<?> QUEUE = CancellableQueueSynchronizer.class;
    private static final Class<?> CELLS = Mutant.type("dev.cqs.QueueCells");
    private static final Class<?> SEGMENT = Mutant.type("dev.cqs.Segment");
    private static final Class<?> COUNTERS = Mutant.type("dev.cqs.QueueCounters");

    public static final List<Mutant> ALL = List.of(
            new Mutant(
                    "a compare-and-set of a cell is a read and a plain store",
                    SEGMENT,
                    "return CELLS.compareAndSet(cells, index, expected, replacement);",
                    "boolean same = CELLS.get(cells, index) == expected; if (same) { CELLS.set(cells, index, replacement); } return same;"),
            new Mutant(
                    "a compare-and-set of a cell is a read and a volatile store",
                    SEGMENT,
                    "return CELLS.compareAndSet(cells, index, expected, replacement);",
                    "boolean same = CELLS.getVolatile(cells, index) == expected;"
                            + " if (same) { CELLS.setVolatile(cells, index, replacement); } return same;"),
            new Mutant(
                    "a cell is changed without order",
                    SEGMENT,
                    "return CELLS.compareAndSet(cells, index, expected, replacement);",
                    "return CELLS.weakCompareAndSetPlain(cells, index, expected, replacement);"),
            new Mutant(
                    "a cell is read without order",
                    SEGMENT,
                    "return CELLS.getAcquire(cells, index);",
                    "return CELLS.getOpaque(cells, index);"),
            new Mutant(
                    "a resume that breaks a cell does not check whether the value was taken",
                    CELLS,
                    "return segment.casCell(index, value, BROKEN) ? BROKEN : RESUMED;",
                    "segment.casCell(index, value, BROKEN); return BROKEN;"),
            new Mutant(
                    "a suspend mistakes the mark of a broken cell for a value",
                    CELLS,
                    "return value != BROKEN && segment.casCell",
                    "return segment.casCell"),
            new Mutant(
                    "a value is taken from a cell that may have been broken meanwhile",
                    CELLS,
                    "segment.casCell(index, value, TAKEN) ? (T) value : null;",
                    "segment.getAndSetCell(index, TAKEN) != null ? (T) value : null;"),
            new Mutant(
                    "a segment is never told of a cancelled cell in simple mode",
                    CELLS,
                    "        if (!smart) {\n            segment.onCancelledCell();",
                    "        if (!smart) {"),
            new Mutant(
                    "a segment is never told of a cancelled cell in smart mode",
                    QUEUE,
                    "        } else if (out) {\n            segment.onCancelledCell();",
                    "        } else if (out) {"),
            new Mutant(
                    "a value delegated to a canceller is dropped",
                    QUEUE,
                    "resume((T) delegated); // ASYNC: never fails",
                    ""),
            new Mutant(
                    "the end of a cancellation is a read and a store",
                    SEGMENT,
                    "return CELLS.getAndSet(cells, index, replacement);",
                    "Object was = CELLS.getVolatile(cells, index); CELLS.setVolatile(cells, index, replacement); return was;"),
            new Mutant(
                    "a refused resume continues with the next cell",
                    CELLS,
                    "} else if (cell == REFUSED) {\n                refuse(value);\n                return RESUMED;",
                    "} else if (cell == REFUSED) {\n                return CANCELLED;"),
            new Mutant(
                    "a cancelled waiter is resumed in simple mode",
                    CELLS,
                    "smart ? CANCELLING : CANCELLED)) {\n            return false;\n        }\n        waiter.cellRef = null;\n        finish",
                    "smart ? CANCELLING : RESUMED)) {\n            return false;\n        }\n        waiter.cellRef = null;\n        finish"),
            new Mutant(
                    "the segment of a waiter is written after the waiter is in its cell",
                    CELLS,
                    "        waiter.cellRef = segment; // both before the CAS, which publishes them\n        if (segment.casCell(index, null, waiter)) {",
                    "        if (segment.casCell(index, null, waiter)) {\n            waiter.cellRef = segment;"),
            new Mutant(
                    "a waiter keeps its segment when its cell was taken before",
                    CELLS,
                    "        waiter.cellRef = null;\n        T value = takeValue(segment, index);\n        if (value == null) {\n            return false;",
                    "        T value = takeValue(segment, index);\n        if (value == null) {\n            return false;"),
            new Mutant(
                    "the tail is read after the index is taken",
                    QUEUE,
                    "        Segment from = tail; // before the count: CQS-2\n        return suspendAt(from, nextSuspendIndex(), waiter);",
                    "        long taken = nextSuspendIndex();\n        return suspendAt(tail, taken, waiter);"),
            new Mutant(
                    "the head is read after the index is taken",
                    QUEUE,
                    "            Segment at = head; // before the count: CQS-2\n            long i = nextResumeIndices(wanted);",
                    "            long i = nextResumeIndices(wanted);\n            Segment at = head;"),
            new Mutant("a skipped resume does not try the next cell", QUEUE, "                    wanted++;\n", ""),
            new Mutant(
                    "a resume that finds a later segment forgets the cells it has skipped",
                    QUEUE,
                    "wanted += (int) skipped;",
                    ""),
            new Mutant(
                    "raising the index may lower it",
                    COUNTERS,
                    "for (long seen = resumeIndex; seen < least && !casResumeIndex(seen, least); ) {\n            seen = resumeIndex;\n        }",
                    "resumeIndex = least;"),
            new Mutant(
                    "a pointer that leaves a full segment does not unlink it",
                    SEGMENT,
                    "        if ((int) COUNTS.getAndAdd(this, -ONE_POINTER) - ONE_POINTER == SIZE) {\n            remove();\n        }",
                    "        COUNTS.getAndAdd(this, -ONE_POINTER);"),
            new Mutant(
                    "a pointer that has moved does not leave its old segment",
                    COUNTERS,
                    "                at.leave();\n                return true;",
                    "                return true;"),
            new Mutant(
                    "a pointer that has not moved stays entered",
                    COUNTERS,
                    "            to.leave();\n        }\n    }\n\n    /** Counters",
                    "        }\n    }\n\n    /** Counters"),
            new Mutant(
                    "a removal does not check its neighbours again",
                    SEGMENT,
                    "            if (right.isRemoved() || (left != null && left.isRemoved())) {\n                continue;\n            }\n",
                    ""),
            new Mutant(
                    "two segments may be appended after one",
                    SEGMENT,
                    "return NEXT.compareAndSet(this, null, fresh) ? fresh : next;",
                    "next = fresh; return fresh;"),
            new Mutant(
                    "a segment is published without order",
                    SEGMENT,
                    "return NEXT.compareAndSet(this, null, fresh) ? fresh : next;",
                    "return NEXT.weakCompareAndSetPlain(this, null, fresh) ? fresh : next;"));

    private Mutants() {}
}
