package dev.cqs;

/** Makes queues look as if they had been used for long. */
public final class QueueAt {
    private QueueAt() {}

    /** Has a queue that was not used yet begin with the segment of this cell. */
    public static void number(NumberedQueue<?> queue, long number) {
        Segment segment = new Segment(queue, number >> Segment.SHIFT, null, 2);
        queue.tail = segment;
        queue.head = segment;
    }
}
