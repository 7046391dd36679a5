package dev.cqs;

/** Checks the segments of a queue at the end of a scenario, when no operation runs. */
public final class Inspection {

    private Inspection() {}

    /** Describes what is wrong with the list of segments, or returns null. */
    public static String defect(CancellableQueueSynchronizer<?> queue) {
        for (Segment at = queue.head; at != null; at = at.nextAcquire()) {
            boolean isPointedTo = at == queue.head || at == queue.tail;
            if (!isPointedTo && at.nextAcquire() != null && cancelledCells(at) == Segment.SIZE) {
                return "segment " + at.id + " has only cancelled cells and is still linked";
            }
        }
        return queue.head.isRemoved() || queue.tail.isRemoved() ? "the head or the tail is a removed segment" : null;
    }

    /** Whether a waiter still references a segment, and so keeps the queue in memory. */
    public static boolean isEnqueued(Waiter waiter) {
        return waiter.cellRef != null;
    }

    private static int cancelledCells(Segment segment) {
        int cancelled = 0;
        for (int index = 0; index < Segment.SIZE; index++) {
            if (segment.cellAcquire(index) == CellState.CANCELLED) {
                cancelled++;
            }
        }
        return cancelled;
    }
}
