package dev.cqs;

/** Makes queues that look as if they had been used for long. */
public final class QueueAt {
    private QueueAt() {}

    /** One that begins with the segment of this cell. */
    public static <T> NumberedQueue<T> number(long number) {
        NumberedQueue<T> queue = new NumberedQueue<>();
        Segment segment = new Segment(queue, number >> Segment.SHIFT, null, 2);
        queue.tail = segment;
        queue.head = segment;
        return queue;
    }
}
