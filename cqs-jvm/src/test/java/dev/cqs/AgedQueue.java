package dev.cqs;

/** Lets a test begin with a queue that looks as if it had been used for a long time. */
public final class AgedQueue {
    private AgedQueue() {}

    /** Makes an unused queue begin with the segment of cell {@code number}. */
    public static void startAt(NumberedQueue<?> queue, long number) {
        Segment segment = new Segment(queue, number >> Segment.SHIFT, null, 2);
        queue.tail = segment;
        queue.head = segment;
    }
}
