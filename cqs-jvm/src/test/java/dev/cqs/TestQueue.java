package dev.cqs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A queue whose hooks a test can replace. It records refused and returned values. */
class TestQueue extends CancellableQueueSynchronizer<Object> {
    Predicate<Waiter> onCancellation = waiter -> true;
    Consumer<Object> onRefused = value -> {};
    Runnable afterCancellation = () -> {};
    final List<Object> refused = new ArrayList<>();
    final List<Object> givenBack = new ArrayList<>();
    final List<Waiter> cancelled = new ArrayList<>();

    TestQueue(ResumeMode resumeMode, CancellationMode cancellationMode) {
        super(resumeMode, cancellationMode);
    }

    @Override
    protected boolean onCancellation(Waiter waiter) {
        cancelled.add(waiter);
        return onCancellation.test(waiter);
    }

    @Override
    protected void completeRefusedResume(Object value) {
        refused.add(value);
        onRefused.accept(value);
    }

    @Override
    protected void giveBack(Object value) {
        givenBack.add(value);
    }

    @Override
    protected void afterCancellation() {
        afterCancellation.run();
    }

    TestWaiter enqueue(String name) {
        TestWaiter waiter = new TestWaiter(name);
        if (!suspend(waiter)) {
            throw new AssertionError("the cell of " + name + " is broken");
        }
        return waiter;
    }

    List<TestWaiter> enqueue(int count) {
        List<TestWaiter> waiters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            waiters.add(enqueue("waiter " + i));
        }
        return waiters;
    }

    List<Waiter> waiting() {
        List<Waiter> waiting = new ArrayList<>();
        forEachWaiter(waiting::add);
        return waiting;
    }

    /** The number of segments in the list, from the head on. */
    int segments() {
        int count = 0;
        for (Segment at = head; at != null; at = at.nextAcquire()) {
            count++;
        }
        return count;
    }
}
