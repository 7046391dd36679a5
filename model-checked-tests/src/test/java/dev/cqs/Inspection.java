package dev.cqs;

/** Looks at the segments of a queue when nothing is under way in it. */
public final class Inspection {

    private Inspection() {}

    /** What is wrong with the list of segments, or null. */
    public static String defect(CancellableQueueSynchronizer<?> queue) {
        for (Segment at = queue.head; at != null; at = at.nextAcquire()) {
            boolean isPointedTo = at == queue.head || at == queue.tail;
            if (!isPointedTo && at.nextAcquire() != null && cancelledCells(at) == Segment.SIZE) {
                return "segment " + at.id + " is full of cancelled cells, and still linked";
            }
        }
        return queue.head.isRemoved() || queue.tail.isRemoved() ? "a pointer stands on a removed segment" : null;
    }

    /** Whether a waiter keeps the queue, or what is left of it, in memory. */
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
